// The memory of a ring buffer map, as the kernel lays it out (kernel/bpf/ringbuf.c):
//
//     page 0     consumer position, ours to write
//     page 1     producer position
//     page 2...  records; the area is mapped twice in a row, so that a record which
//                wraps around is still in one piece
//
// Positions count bytes and never wrap. A record is 4 bytes of length, whose top bits
// say that it is still being written or was discarded, 4 bytes for the kernel, and the
// data, rounded up to 8 bytes.
#include "bpf/load/ring_buffer.h"

#include <fmt/core.h>
#include <linux/bpf.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

namespace kinst::bpf {
namespace {

constexpr std::size_t alignment = 8;

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// A word that the kernel writes too. The kernel's side of it is unsigned long or u32.
template <typename Word>
Word load_acquire(const std::byte* place) {
  return __atomic_load_n(static_cast<const Word*>(static_cast<const void*>(place)),
                         __ATOMIC_ACQUIRE);
}

void store_release(std::byte* place, unsigned long value) {
  __atomic_store_n(static_cast<unsigned long*>(static_cast<void*>(place)), value,
                   __ATOMIC_RELEASE);
}

}  // namespace

RingBuffer::RingBuffer(int descriptor, std::span<std::byte> consumer_page,
                       std::span<const std::byte> producer_pages)
    : descriptor_(descriptor),
      consumer_page_(consumer_page),
      producer_pages_(producer_pages) {}

RingBuffer::RingBuffer(RingBuffer&& other) noexcept
    : descriptor_(other.descriptor_),
      consumer_page_(std::exchange(other.consumer_page_, {})),
      producer_pages_(std::exchange(other.producer_pages_, {})) {}

RingBuffer::~RingBuffer() {
  if (!consumer_page_.empty()) {
    munmap(consumer_page_.data(), consumer_page_.size());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap writes nothing
    munmap(const_cast<std::byte*>(producer_pages_.data()), producer_pages_.size());
  }
}

Result<RingBuffer> RingBuffer::open(const Map& map) {
  if (map.type() != MapType::RingBuffer) {
    return error("BPF map {} is no ring buffer", map.name());
  }
  const std::size_t page = page_bytes();
  const std::size_t area = page + 2 * std::size_t{map.max_entries()};
  void* consumer =
      mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, map.descriptor(), 0);
  if (consumer == MAP_FAILED) {
    return system_error(fmt::format("map the memory of {}", map.name()), errno);
  }
  void* producer = mmap(nullptr, area, PROT_READ, MAP_SHARED, map.descriptor(),
                        static_cast<off_t>(page));
  if (producer == MAP_FAILED) {
    const int number = errno;
    munmap(consumer, page);
    return system_error(fmt::format("map the memory of {}", map.name()), number);
  }
  return RingBuffer(map.descriptor(), {static_cast<std::byte*>(consumer), page},
                    {static_cast<const std::byte*>(producer), area});
}

std::size_t RingBuffer::consume(
    const std::function<void(std::span<const std::byte>)>& take, std::size_t limit) {
  const std::size_t page = page_bytes();
  const std::size_t size = (producer_pages_.size() - page) / 2;
  const std::span records = producer_pages_.subspan(page);
  std::size_t taken = 0;
  auto position = load_acquire<unsigned long>(consumer_page_.data());
  while (taken < limit &&
         position < load_acquire<unsigned long>(producer_pages_.data())) {
    const std::span record = records.subspan(position & (size - 1));
    const auto head = load_acquire<std::uint32_t>(record.data());
    if ((head & BPF_RINGBUF_BUSY_BIT) != 0) {
      break;
    }
    const std::size_t length = head & ~std::uint32_t{BPF_RINGBUF_DISCARD_BIT};
    if ((head & BPF_RINGBUF_DISCARD_BIT) == 0) {
      take(record.subspan(BPF_RINGBUF_HDR_SZ, length));
      ++taken;
    }
    position += (BPF_RINGBUF_HDR_SZ + length + alignment - 1) / alignment * alignment;
    store_release(consumer_page_.data(), position);
  }
  return taken;
}

bool RingBuffer::is_empty() const {
  return load_acquire<unsigned long>(consumer_page_.data()) ==
         load_acquire<unsigned long>(producer_pages_.data());
}

Result<std::vector<bool>> wait_readable(std::span<const int> descriptors,
                                        std::chrono::milliseconds timeout) {
  std::vector<pollfd> waiting;
  waiting.reserve(descriptors.size());
  for (const int descriptor : descriptors) {
    waiting.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
  }
  if (poll(waiting.data(), waiting.size(), static_cast<int>(timeout.count())) < 0 &&
      errno != EINTR) {
    return system_error("wait for records", errno);
  }
  std::vector<bool> readable;
  readable.reserve(waiting.size());
  for (const pollfd& one : waiting) {
    readable.push_back(one.revents != 0);
  }
  return readable;
}

}  // namespace kinst::bpf
