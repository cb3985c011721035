// Attaches to entries and returns of kernel functions, in ways that are faster than
// kprobes but not in every kernel.
#pragma once

#include <cstdint>
#include <span>

#include "base/address.h"
#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

enum class FunctionPlace : std::uint8_t { Entry, Return };

/// What Program::expected_attach_type must be for attach_kprobe_multi.
inline constexpr std::uint32_t kprobe_multi_attach_type = BPF_TRACE_KPROBE_MULTI;

/// Runs a Kprobe program at many functions at once, given by the addresses of their
/// ftrace sites or beginnings. The context is a pt_regs; bpf_get_func_ip gives the
/// function, bpf_get_attach_cookie its cookie.
/// cookies: one for each address, or none.
/// Errors: this kernel has no kprobe.multi (CONFIG_FPROBE); one of the addresses is no
/// function that ftrace can trace: then none is attached.
Result<OwnedAttachment> attach_kprobe_multi(
    const LoadedProgram& program, std::span<const KernelAddress> functions,
    FunctionPlace place, std::span<const std::uint64_t> cookies = {});

/// Whether this kernel takes attach_kprobe_multi, found out by trying.
bool kprobe_multi_available();

/// Whether this kernel takes attach_tracing at a function of vmlinux, by its number in
/// BTF, found out by trying.
bool tracing_available(std::uint32_t function_id, FunctionPlace place);

/// Runs a Tracing program (fentry, fexit) at the function that it was loaded for. The
/// context is the array of the function's arguments, followed by its result in fexit.
Result<OwnedAttachment> attach_tracing(const LoadedProgram& program,
                                       std::uint64_t cookie = 0);

}  // namespace kinst::bpf
