#include "user/exception_handlers.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace kinst::user {
namespace {

constexpr std::uint64_t section_address = 0x5000;

void add(std::vector<std::byte>& section, std::initializer_list<int> bytes) {
  for (const int byte : bytes) {
    section.push_back(static_cast<std::byte>(byte));
  }
}

void add_word(std::vector<std::byte>& section, std::int32_t word) {
  std::array<std::byte, sizeof word> bytes{};
  std::memcpy(bytes.data(), &word, sizeof word);
  section.insert(section.end(), bytes.begin(), bytes.end());
}

// As gcc writes them: a common entry "zPLR", relative to where each pointer stands.
void add_common(std::vector<std::byte>& section) {
  add_word(section, 28);
  add(section, {0,    0, 0, 0, 1, 'z',  'P',  'L', 'R', 0, 1, 0x78, 16, 7,
                0x9b, 0, 0, 0, 0, 0x1b, 0x1b, 0,   0,   0, 0, 0,    0,  0});
}

// A frame of the code from `begin` on, with a table of handlers or without.
void add_frame(std::vector<std::byte>& section, std::uint64_t begin, std::int32_t size,
               std::int32_t handlers) {
  add_word(section, 20);
  add_word(section, static_cast<std::int32_t>(section.size()));  // back to the entry
  add_word(section, static_cast<std::int32_t>(begin - section_address) -
                        static_cast<std::int32_t>(section.size()));
  add_word(section, size);
  add(section, {4});
  add_word(section, handlers);
  add(section, {0, 0, 0});
}

TEST(ExceptionHandlers, AreInTheCodeWhoseFrameHasATableOfThem) {
  std::vector<std::byte> section;
  add_common(section);
  add_frame(section, 0x1100, 0x40, 0x123);
  add_frame(section, 0x1000, 0x20, 0);
  add_frame(section, 0x1080, 0x10, 0x456);
  add_word(section, 0);
  EXPECT_EQ(code_with_handlers(section, section_address),
            (std::vector<CodeRange>{{0x1080, 0x1090}, {0x1100, 0x1140}}));
}

TEST(ExceptionHandlers, AreNotFoundBehindDamage) {
  std::vector<std::byte> section;
  add_common(section);
  add_frame(section, 0x1100, 0x40, 0x123);
  for (std::size_t size = 0; size < section.size(); ++size) {
    EXPECT_TRUE(
        code_with_handlers(std::span(section).first(size), section_address).empty());
  }
  section[0] = std::byte{0xff};
  EXPECT_TRUE(code_with_handlers(section, section_address).empty());
}

}  // namespace
}  // namespace kinst::user
