#include "bpf/attach/attach_functions.h"

#include <bpf/bpf.h>

#include <array>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "bpf/load/privileges.h"

namespace kinst::bpf {
namespace {

class LinkAttachment : public Attachment {
 public:
  explicit LinkAttachment(FileDescriptor link) : link_(std::move(link)) {}

 private:
  FileDescriptor link_;
};

Result<OwnedAttachment> link_attachment(const LoadedProgram& program,
                                        bpf_attach_type type,
                                        const bpf_link_create_opts& options) {
  FileDescriptor link(bpf_link_create(program.descriptor.get(), 0, type, &options));
  if (!link) {
    const int cause = errno;
    return error("cannot attach program {}: {}", program.name, explain_refusal(cause));
  }
  return std::make_unique<LinkAttachment>(std::move(link));
}

}  // namespace

Result<OwnedAttachment> attach_kprobe_multi(const LoadedProgram& program,
                                            std::span<const KernelAddress> functions,
                                            FunctionPlace place,
                                            std::span<const std::uint64_t> cookies) {
  std::vector<unsigned long> addresses;
  for (const KernelAddress function : functions) {
    addresses.push_back(number(function));
  }
  bpf_link_create_opts options{.sz = sizeof options};
  options.kprobe_multi.flags =
      place == FunctionPlace::Return ? BPF_F_KPROBE_MULTI_RETURN : 0;
  options.kprobe_multi.cnt = static_cast<std::uint32_t>(addresses.size());
  options.kprobe_multi.addrs = addresses.data();
  options.kprobe_multi.cookies =
      cookies.empty()
          ? nullptr
          : static_cast<const __u64*>(static_cast<const void*>(cookies.data()));
  return link_attachment(program, BPF_TRACE_KPROBE_MULTI, options);
}

bool kprobe_multi_available() {
  const std::array<bpf_insn, 2> code = {bpf_insn{.code = BPF_ALU64 | BPF_MOV | BPF_K},
                                        bpf_insn{.code = BPF_JMP | BPF_EXIT}};
  bpf_prog_load_opts load_options{.sz = sizeof load_options};
  load_options.expected_attach_type = BPF_TRACE_KPROBE_MULTI;
  const FileDescriptor program(bpf_prog_load(BPF_PROG_TYPE_KPROBE, "probe", "GPL",
                                             code.data(), code.size(), &load_options));
  // Only a real attach tells: an old kernel refuses the unknown way with the same error
  // as a new kernel refuses an unknown function.
  std::array<const char*, 1> function = {"vfs_read"};
  bpf_link_create_opts options{.sz = sizeof options};
  options.kprobe_multi.cnt = function.size();
  options.kprobe_multi.syms = function.data();
  const FileDescriptor link(
      bpf_link_create(program.get(), 0, BPF_TRACE_KPROBE_MULTI, &options));
  return static_cast<bool>(link);
}

bool tracing_available(std::uint32_t function_id, FunctionPlace place) {
  const std::array<bpf_insn, 2> code = {bpf_insn{.code = BPF_ALU64 | BPF_MOV | BPF_K},
                                        bpf_insn{.code = BPF_JMP | BPF_EXIT}};
  const bpf_attach_type type =
      place == FunctionPlace::Entry ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT;
  bpf_prog_load_opts load_options{.sz = sizeof load_options};
  load_options.expected_attach_type = type;
  load_options.attach_btf_id = function_id;
  const FileDescriptor program(bpf_prog_load(BPF_PROG_TYPE_TRACING, "probe", "GPL",
                                             code.data(), code.size(), &load_options));
  if (!program) {
    return false;
  }
  const bpf_link_create_opts options{.sz = sizeof options};
  return static_cast<bool>(
      FileDescriptor(bpf_link_create(program.get(), 0, type, &options)));
}

Result<OwnedAttachment> attach_tracing(const LoadedProgram& program,
                                       std::uint64_t cookie) {
  bpf_link_create_opts options{.sz = sizeof options};
  options.tracing.cookie = cookie;
  return link_attachment(
      program, static_cast<bpf_attach_type>(program.expected_attach_type), options);
}

}  // namespace kinst::bpf
