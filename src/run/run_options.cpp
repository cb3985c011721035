#include "run/run_options.h"

#include <sched.h>

#include <cerrno>
#include <cstring>

namespace kinst::run {

Result<void> check_buffer(const compile::Compilation& compilation,
                          const RunOptions& options) {
  const codegen::Storage& storage = compilation.generated.storage;
  const std::uint64_t buffer_bytes = storage.options.buffer_size;
  constexpr std::uint32_t ring_header_bytes = 8;
  const std::uint32_t record_bytes =
      storage.state_bytes - storage.record_offset + ring_header_bytes;
  if (buffer_bytes < record_bytes) {
    return error(
        "could not enable tracing: Enabling exceeds size of buffer: a record takes {} "
        "bytes; set bufsize (-b) to more",
        record_bytes);
  }
  if (buffer_bytes > codegen::largest_ring_buffer && !options.resizes_buffer) {
    return error(
        "could not enable tracing: bufsize is more than {}, which a buffer can have; "
        "bufresize=auto makes it fit",
        codegen::largest_ring_buffer);
  }
  return {};
}

Result<void> stay_on_cpu(const RunOptions& options) {
  if (!options.only_cpu) {
    return {};
  }
  const int cpu = *options.only_cpu;
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
