#include "kernel/code/emulation_faults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "isa/isa.h"

namespace kinst::kernel {
namespace {

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
  std::vector<std::byte> out;
  for (const unsigned value : values) {
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

// movslq 0x64(%rdi),%rdx; movzbl 0x61(%rdi),%eax; add 0x80(%rsi),%rax
const std::vector<std::byte> jump =
    bytes({0x48, 0x63, 0x57, 0x64, 0x0f, 0xb6, 0x47, 0x61, 0x48, 0x03, 0x86, 0x80, 0, 0,
           0, 0xc3});
// movzbl 0x61(%rdi),%edx; movzbl 0x62(%rdi),%eax; lea -0x1(%rcx,%rdx),%rcx
const std::vector<std::byte> call_by_length =
    bytes({0x0f, 0xb6, 0x57, 0x61, 0x0f, 0xb6, 0x47, 0x62, 0x48, 0x8d, 0x4c, 0x11, 0xff,
           0xc3, 0xcc, 0xcc});
// movzbl 0x62(%rdi),%eax; add $4,%rcx
const std::vector<std::byte> call_of_five =
    bytes({0x0f, 0xb6, 0x47, 0x62, 0x48, 0x83, 0xc1, 0x04, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc,
           0xcc, 0xcc, 0xcc});

// Two functions of sixteen bytes, one behind the other.
class TwoFunctions final : public Memory {
 public:
  explicit TwoFunctions(const std::vector<std::byte>& call) : bytes_(jump) {
    bytes_.insert(bytes_.end(), call.begin(), call.end());
  }
  [[nodiscard]] Result<void> read(KernelAddress address,
                                  std::span<std::byte> out) const override {
    const std::uint64_t at = number(address) - 0xffffffff81000100;
    std::ranges::copy(std::span(bytes_).subspan(at, out.size()), out.begin());
    return {};
  }

 private:
  std::vector<std::byte> bytes_;
};

std::optional<bool> emulates(const std::vector<std::byte>& call,
                             const std::string& more_symbols) {
  const Symbols symbols = Symbols::parse("ffffffff81000000 T _stext\n" + more_symbols +
                                         "ffffffff81000120 T next\n"
                                         "ffffffff81000400 T _etext\n")
                              .value();
  return is_emulated_right(TwoFunctions(call), symbols,
                           isa::x86_64().emulation_faults.front())
      .value();
}

const std::string both =
    "ffffffff81000100 t kprobe_emulate_jmp\n"
    "ffffffff81000110 t kprobe_emulate_call_indirect\n";

// mov %rdi,%rcx; movzbl 0x61(%rcx),%ecx; movzbl 0x62(%rdi),%eax
const std::vector<std::byte> call_by_copied_argument =
    bytes({0x48, 0x89, 0xf9, 0x0f, 0xb6, 0x49, 0x61, 0x0f, 0xb6, 0x47, 0x62, 0xc3, 0xcc,
           0xcc, 0xcc, 0xcc});

TEST(RegisterCalls, AreEmulatedRightWhereTheirLengthIsLookedAt) {
  EXPECT_EQ(emulates(call_by_length, both), true);
  EXPECT_EQ(emulates(call_by_copied_argument, both), true);
  EXPECT_EQ(emulates(call_of_five, both), false);
}

TEST(RegisterCalls, AreSteppedWhereNothingEmulatesThem) {
  EXPECT_EQ(emulates(call_of_five, ""), true);
}

TEST(RegisterCalls, AreSaidToBeUnknownWhereItCannotBeSeen) {
  EXPECT_EQ(
      emulates(call_by_length, "ffffffff81000110 t kprobe_emulate_call_indirect\n"),
      std::nullopt);
  const std::vector<std::byte> nothing(16, std::byte{0x90});
  EXPECT_EQ(emulates(nothing, both), std::nullopt);
}

TEST(RegisterCalls, AreRightSinceLinux6_7) {
  const isa::KernelRelease first = isa::x86_64().emulation_faults.front().right_since;
  EXPECT_TRUE(is_since("6.7.0-rc8", first));
  EXPECT_TRUE(is_since("7.0", first));
  EXPECT_FALSE(is_since("6.6.99", first));
  EXPECT_FALSE(is_since("6", first));
  EXPECT_FALSE(is_since("", first));
}

TEST(RegisterCalls, AreNotThoseThroughThunks) {
  const isa::Isa& isa = isa::x86_64();
  const isa::EmulationFault& fault = isa.emulation_faults.front();
  const auto first = [&](std::initializer_list<unsigned> code) {
    return isa.decode(bytes(code), KernelAddress{0xffffffff81000100}).front();
  };
  EXPECT_TRUE(fault.concerns(first({0xff, 0xd0})));
  isa::Instruction by_thunk = first({0xe8, 0, 0, 0, 0});
  ASSERT_TRUE(isa.resolve_thunk(by_thunk, "__x86_indirect_thunk_rax"));
  EXPECT_FALSE(fault.concerns(by_thunk));
}

}  // namespace
}  // namespace kinst::kernel
