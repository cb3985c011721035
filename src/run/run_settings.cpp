#include "run/run_settings.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace kinst::run {
namespace {

// The kernel's ring buffers have whole pages, and a power of two of them.
constexpr std::uint64_t smallest_ring_buffer = 4096;
constexpr std::uint64_t largest_ring_buffer = std::uint64_t{1} << 30U;

std::uint64_t ring_buffer_bytes(const compile::Settings& settings) {
  return std::bit_ceil(
      std::clamp(settings.buffer_bytes, smallest_ring_buffer, largest_ring_buffer));
}

}  // namespace

std::uint32_t string_size(const compile::Settings& settings) {
  return static_cast<std::uint32_t>(settings.string_bytes + 1);
}

compile::CompileOptions compile_options(const compile::Settings& settings) {
  compile::CompileOptions options;
  options.unmatched = settings.allows_unmatched ? compile::Unmatched::IsAllowed
                                                : compile::Unmatched::IsError;
  options.allows_empty = settings.allows_empty_programs;
  options.check = {
      .destructive = settings.destructive,
      .stack_frames = static_cast<std::uint32_t>(settings.stack_frames),
      .user_stack_frames = static_cast<std::uint32_t>(settings.user_stack_frames),
      .maximum_frames = static_cast<std::uint32_t>(settings.maximum_frames),
      .jstack_frames = static_cast<std::uint32_t>(settings.java_stack_frames),
      .jstack_string_bytes =
          static_cast<std::uint32_t>(settings.java_stack_string_bytes),
      .scratch_bytes = static_cast<std::uint32_t>(settings.scratch_bytes)};
  options.function_way = settings.function_way;
  options.most_probes = settings.most_probes;
  options.storage.string_size = string_size(settings);
  options.storage.buffer_size = ring_buffer_bytes(settings);
  options.storage.dynamic_variables_size = settings.dynamic_variable_bytes;
  options.storage.aggregations_size = settings.aggregation_bytes;
  options.storage.speculations = static_cast<std::uint32_t>(settings.speculations);
  options.storage.speculation_size = settings.speculation_bytes;
  options.storage.scratch_size = settings.scratch_bytes;
  if (settings.cpu) {
    options.only_cpu = static_cast<std::uint32_t>(*settings.cpu);
  }
  return options;
}

RunOptions run_options(const compile::Settings& settings) {
  RunOptions options;
  if (settings.shows_verifier_log) {
    options.log_bytes = static_cast<std::uint32_t>(settings.verifier_log_bytes);
  }
  if (settings.cpu) {
    options.only_cpu = static_cast<int>(*settings.cpu);
  }
  if (!settings.expedites) {
    options.setting_policy = bpf::SettingPolicy::Leave;
  }
  return options;
}

Result<void> check_buffer(const compile::Compilation& compilation,
                          const compile::Settings& settings) {
  const codegen::Storage& storage = compilation.generated.storage;
  constexpr std::uint32_t ring_header_bytes = 8;
  const std::uint32_t record_bytes =
      storage.state_bytes - storage.record_offset + ring_header_bytes;
  if (settings.buffer_bytes < record_bytes) {
    return error(
        "could not enable tracing: Enabling exceeds size of buffer: a record takes {} "
        "bytes; set bufsize (-b) to more",
        record_bytes);
  }
  if (settings.buffer_bytes > largest_ring_buffer && !settings.resizes_buffer) {
    return error(
        "could not enable tracing: bufsize is more than {}, which a buffer can have; "
        "bufresize=auto makes it fit",
        largest_ring_buffer);
  }
  return {};
}

Result<void> stay_on_cpu(const compile::Settings& settings) {
  if (!settings.cpu) {
    return {};
  }
  const std::uint64_t cpu = *settings.cpu;
  cpu_set_t only;
  CPU_ZERO(&only);
  if (cpu < CPU_SETSIZE) {
    CPU_SET(cpu, &only);
  }
  if (sched_setaffinity(0, sizeof only, &only) != 0) {
    return error("cannot trace on CPU {}: {}", cpu,
                 errno == EINVAL
                     ? "it is not online (/sys/devices/system/cpu/online names those)"
                     : std::strerror(errno));
  }
  return {};
}

}  // namespace kinst::run
