// Why the kernel refuses BPF to this process, in words.
#pragma once

#include <string>
#include <string_view>

namespace kinst::bpf {

/// Why bpf() or perf_event_open() was refused, and what to do about it: the missing
/// capability, the setting that forbids it, or what the kernel lacks. For other error
/// numbers, the text of strerror().
std::string explain_refusal(int number);

/// A name as the kernel takes it for maps and programs: at most 15 letters, digits,
/// '_' and '.', whatever it was before.
std::string kernel_name(std::string_view name);

}  // namespace kinst::bpf
