// Why the kernel refuses BPF to this process, in words.
#pragma once

#include <string>
#include <string_view>

namespace kinst::bpf {

/// The cause of a refused bpf() or perf_event_open() with its cure: which capability is
/// missing, which setting forbids it, what the kernel lacks. For other error numbers
/// what strerror says.
std::string explain_refusal(int number);

/// A name as the kernel takes it for maps and programs: at most 15 letters, digits,
/// '_' and '.', whatever it was before.
std::string kernel_name(std::string_view name);

}  // namespace kinst::bpf
