// A function for tests of what is counted in it.
#pragma once

#include <string>
#include <vector>

#include "kernel/code/function.h"
#include "kernel/symbols/symbols.h"
#include "listing/annotation.h"

namespace kinst::listing {

constexpr KernelAddress work_address{0xffffffff81000100};

inline kernel::Symbols symbols_for_tests() {
  return kernel::Symbols::parse(
             "ffffffff81000000 T _stext\n"
             "ffffffff81000100 T work\n"
             "ffffffff81000140 T kfree\n"
             "ffffffff81000400 T _etext\n")
      .value();
}

/// A branch around a call, a loop, an indirect jump, and an arm of it.
inline kernel::Function work_for_tests(const kernel::Symbols& symbols) {
  std::vector<std::byte> text;
  for (const unsigned value : {
           0x85, 0xff,                    // 0   test %edi,%edi
           0x74, 0x05,                    // 2   je 9
           0xe8, 0x37, 0x00, 0x00, 0x00,  // 4   call kfree
           0xff, 0xcf,                    // 9   dec %edi
           0x75, 0xfc,                    // 11  jne 9
           0xff, 0xe0,                    // 13  jmp *%rax
           0xc3,                          // 15  ret
       }) {
    text.push_back(static_cast<std::byte>(value));
  }
  return kernel::decode_function(symbols, *symbols.find("", "work"), text,
                                 isa::x86_64());
}

inline KernelAddress at_offset(std::uint64_t offset) {
  return work_address + FunctionOffset{offset};
}

/// Ten runs: three jump over the call, the loop jumps back fifteen times, six return
/// and four end in kfree().
inline Counts counts_for_tests() {
  return {.executed = {{at_offset(0), 10},
                       {at_offset(2), 10},
                       {at_offset(4), 7},
                       {at_offset(9), 25},
                       {at_offset(11), 25},
                       {at_offset(13), 10},
                       {at_offset(15), 6}},
          .taken = {{at_offset(2), 3}, {at_offset(11), 15}},
          .targets = {{at_offset(13),
                       {{at_offset(15), 6}, {KernelAddress{0xffffffff81000140}, 4}}}}};
}

/// The function's only part, every instruction counted.
inline CountedPart part_for_tests(const kernel::Function& function,
                                  const kernel::Symbols& symbols) {
  const kernel::ExaminedFunction examined{.function = function};
  return {
      .function = &function,
      .listing = disassemble(examined, symbols, {}, isa::x86_64(), isa::Syntax::Att),
      .is_counted = std::vector<bool>(function.instructions.size(), true)};
}

}  // namespace kinst::listing
