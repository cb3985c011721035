// Prints where instructions begin in a raw piece of x86-64 text, one hexadecimal offset
// a line, as kinst's decoder sees it. For tests/decode/compare_with_objdump.
//
// usage: instruction_boundaries FILE
#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>

#include "base/read_file.h"
#include "isa/isa.h"

int main(int argc, char** argv) {
  const auto text = argc == 2 ? kinst::read_file(argv[1])
                              : kinst::Result<std::string>(kinst::error("no file"));
  if (!text) {
    fmt::print(stderr, "instruction_boundaries: {}\n", text.error().message);
    return 2;
  }
  // Addresses without meaning: only lengths matter here.
  const auto all = kinst::isa::x86_64().decode(std::as_bytes(std::span(*text)), {});
  fmt::memory_buffer out;
  for (const kinst::isa::Instruction& one : all) {
    fmt::format_to(std::back_inserter(out), "{:x}{}\n", number(one.offset),
                   one.decoding == kinst::isa::Decoding::Undecodable ? " bad" : "");
    if (out.size() > 1U << 20U) {
      fmt::print("{}", fmt::to_string(out));
      out.clear();
    }
  }
  fmt::print("{}", fmt::to_string(out));
  return 0;
}
