// Records from programs, in the order in which they were made, over all CPUs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "bpf/load/map.h"

namespace kinst::bpf {

/// Reads a ring buffer map through shared memory, without a system call for each
/// record. The map must outlive it.
class RingBuffer {
 public:
  /// Errors: the map is no ring buffer, or its memory cannot be mapped.
  static Result<RingBuffer> open(const Map& map);

  RingBuffer(RingBuffer&& other) noexcept;
  RingBuffer& operator=(RingBuffer&&) = delete;
  RingBuffer(const RingBuffer&) = delete;
  RingBuffer& operator=(const RingBuffer&) = delete;
  ~RingBuffer();

  /// Gives `take` the records that are there, oldest first, at most `limit` of them;
  /// returns how many. A record's bytes are valid until `take` returns and begin at a
  /// multiple of 8. A record still being written holds up those behind it.
  std::size_t consume(const std::function<void(std::span<const std::byte>)>& take,
                      std::size_t limit = SIZE_MAX);

  /// Whether the buffer has no records, not even records that are still being written.
  [[nodiscard]] bool is_empty() const;

  /// Readable, for poll, when a program has submitted records with a wakeup.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  RingBuffer(int descriptor, std::span<std::byte> consumer_page,
             std::span<const std::byte> producer_pages);

  int descriptor_;
  std::span<std::byte> consumer_page_;
  std::span<const std::byte> producer_pages_;
};

/// Waits until one of the descriptors is readable or hung up, or the time has passed,
/// or a signal came. Returns for each whether it is.
Result<std::vector<bool>> wait_readable(std::span<const int> descriptors,
                                        std::chrono::milliseconds timeout);

}  // namespace kinst::bpf
