#include "bpf/attach/attach_tracepoint.h"

#include <bpf/bpf.h>
#include <fmt/core.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "bpf/attach/perf_event.h"
#include "bpf/load/privileges.h"

namespace kinst::bpf {
namespace {

class RawTracepointAttachment : public Attachment {
 public:
  explicit RawTracepointAttachment(FileDescriptor link) : link_(std::move(link)) {}

 private:
  FileDescriptor link_;
};

}  // namespace

Result<OwnedAttachment> attach_raw_tracepoint(const LoadedProgram& program,
                                              const std::string& name) {
  FileDescriptor link(bpf_raw_tracepoint_open(name.c_str(), program.descriptor.get()));
  if (!link) {
    const int cause = errno;
    return error(
        "cannot attach program {} to tracepoint {}: {}", program.name, name,
        cause == ENOENT ? "there is none of that name" : explain_refusal(cause));
  }
  return std::make_unique<RawTracepointAttachment>(std::move(link));
}

Result<OwnedAttachment> attach_tracepoint(const LoadedProgram& program,
                                          std::uint64_t event_id,
                                          const std::string& what,
                                          std::uint64_t cookie) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_TRACEPOINT;
  attributes.config = event_id;
  attributes.sample_period = 1;
  // The event is opened on one CPU, but its programs run on all: they hang on the
  // tracepoint's class, before perf asks which CPU it is (perf_trace_run_bpf_submit).
  const std::vector<int> cpus = KINST_TRY(online_cpus());
  auto attachment = std::make_unique<PerfAttachment>();
  KINST_CHECK(attachment->open_and_add(program, attributes, {.cpu = cpus.front()},
                                       cookie, what));
  return attachment;
}

}  // namespace kinst::bpf
