// What the decoder says of conditional jumps, against the processor that runs this.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "isa/formulas_for_tests.h"
#include "isa/isa.h"

namespace kinst::kernel {
namespace {

using isa::Condition;

std::vector<std::byte> bytes(std::string_view hex) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 3) {
    out.push_back(
        static_cast<std::byte>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return out;
}

// A conditional jump, on this processor.
class Jump {
 public:
  // encoding: without the jump's last byte, its distance.
  explicit Jump(std::string_view encoding)
      : page_(mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    // push %rdi; popfq; mov %rsi,%rcx; JUMP over xor %eax,%eax; ret; mov $1,%eax; ret
    const auto code =
        bytes(fmt::format("57 9d 48 89 f1 {} 03 31 c0 c3 b8 01 00 00 00 c3", encoding));
    std::memcpy(page_, code.data(), code.size());
  }
  Jump(const Jump&) = delete;
  Jump& operator=(const Jump&) = delete;
  Jump(Jump&&) = delete;
  Jump& operator=(Jump&&) = delete;
  ~Jump() { munmap(page_, page_bytes); }

  [[nodiscard]] bool is_taken(std::uint64_t flags, std::uint64_t counter) const {
    using Code = int (*)(std::uint64_t, std::uint64_t);
    return std::bit_cast<Code>(page_)(flags, counter) != 0;
  }

 private:
  static constexpr std::size_t page_bytes = 4096;
  void* page_;
};

TEST(Condition, IsWhatTheProcessorDoes) {
  std::vector<std::string> encodings = {"e0", "e1", "e2", "e3", "67 e2", "67 e3"};
  for (unsigned code = 0; code < 16; ++code) {
    encodings.push_back(fmt::format("{:x}", 0x70 + code));
  }
  for (const std::string& encoding : encodings) {
    const Jump jump(encoding);
    const Condition condition =
        isa::x86_64().decode(bytes(encoding + " 03"), {}).front().branch.condition;
    for (unsigned mask = 0; mask < 32; ++mask) {
      const std::uint64_t flags = 0x202U | (mask & 1U) | (mask & 2U) << 1U |
                                  (mask & 4U) << 4U | (mask & 8U) << 4U |
                                  (mask & 16U) << 7U;
      for (const std::uint64_t counter :
           {0ULL, 1ULL, 2ULL, 0x100000000ULL, 0x100000001ULL, ~0ULL}) {
        EXPECT_EQ(isa::testing::is_taken(condition, flags, counter),
                  jump.is_taken(flags, counter))
            << encoding << ", flags " << flags << ", counter " << counter;
      }
    }
  }
}

}  // namespace
}  // namespace kinst::kernel
