#include "unwind/call_frames.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace kinst::user {
namespace {

using Kind = FrameRule::Kind;
using FramePointer = FrameRule::FramePointer;
using ReturnAddress = FrameRule::ReturnAddress;

constexpr FrameRegisters x86_64{.stack_pointer = 7, .frame_pointer = 6, .link = {}};
// A machine with a link register, which has arm64's numbers, so that a compiler for it
// can be asked.
constexpr FrameRegisters with_link{
    .stack_pointer = 31, .frame_pointer = 29, .link = 30};
constexpr std::uint64_t section_address = 0x1000;
constexpr std::uint64_t code = 0x100;

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& to, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) {
    to.push_back(static_cast<std::uint8_t>(word >> shift));
  }
}

// A section with one CIE and entries for functions, as gcc writes them: pointers are
// four bytes, relative to themselves.
class Section {
 public:
  explicit Section(char kind = 'R', const Bytes& more_instructions = {}) {
    Bytes entry = {1, 'z', static_cast<std::uint8_t>(kind), 0, 1, 0x78, 16};
    if (kind == 'R') {
      entry.insert(entry.end(), {1, 0x1b});
    } else {
      entry = {1, 'z', 'R', static_cast<std::uint8_t>(kind), 0, 1, 0x78, 16, 1, 0x1b};
    }
    // CFA = rsp + 8, rip at CFA - 8.
    entry.insert(entry.end(), {0x0c, 7, 8, 0x90, 1});
    entry.insert(entry.end(), more_instructions.begin(), more_instructions.end());
    add(0, entry);
  }

  // With the CIE that clang writes for arm64. Its instructions: CFA = sp.
  static Section with_link(std::uint8_t return_column = 30) {
    Section section;
    section.bytes_.clear();
    section.registers_ = user::with_link;
    section.add(0, {1, 'z', 'R', 0, 1, 0x7c, return_column, 1, 0x1b, 0x0c, 31, 0});
    return section;
  }

  void add_function(std::uint64_t begin, std::uint32_t size,
                    const Bytes& instructions) {
    Bytes entry;
    const std::uint64_t here = section_address + bytes_.size() + 8;
    append(entry, static_cast<std::uint32_t>(begin - here));
    append(entry, size);
    entry.push_back(0);  // no augmentation data
    entry.insert(entry.end(), instructions.begin(), instructions.end());
    add(static_cast<std::uint32_t>(bytes_.size() + 4), entry);
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  [[nodiscard]] std::vector<FrameRow> rows(std::size_t without = 0) const {
    CallFrameSection section{.address = section_address, .bytes = {}};
    for (std::size_t i = 0; i + without < bytes_.size(); ++i) {
      section.bytes.push_back(static_cast<std::byte>(bytes_[i]));
    }
    return read_call_frames(section, registers_);
  }

 private:
  void add(std::uint32_t back, const Bytes& contents) {
    append(bytes_, static_cast<std::uint32_t>(contents.size() + 4));
    append(bytes_, back);
    bytes_.insert(bytes_.end(), contents.begin(), contents.end());
  }

  FrameRegisters registers_ = x86_64;
  Bytes bytes_;
};

constexpr FrameRule at_entry{.kind = Kind::FromStackPointer, .offset = 8};

TEST(CallFrames, FollowAFunctionThatKeepsAFramePointer) {
  Section section;
  section.add_function(code, 0x20,
                       {0x41, 0x0e, 16, 0x86, 2,   // push %rbp
                        0x43, 0x0d, 6,             // mov %rsp,%rbp
                        0x50, 0xc6, 0x0c, 7, 8});  // pop %rbp
  const std::vector<FrameRow> wanted = {
      {code, at_entry},
      {code + 1,
       {.kind = Kind::FromStackPointer,
        .frame_pointer = FramePointer::BelowCfa,
        .offset = 16,
        .saved_below = 16}},
      {code + 4,
       {.kind = Kind::FromFramePointer,
        .frame_pointer = FramePointer::BelowCfa,
        .offset = 16,
        .saved_below = 16}},
      {code + 0x14, at_entry},
      {code + 0x20, {}},
  };
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, GoBackToWhatWasRemembered) {
  Section section;
  section.add_function(code, 0x20, {0x44, 0x0e, 24, 0x0a, 0x44, 0x0e, 8, 0x41, 0x0b});
  const std::vector<FrameRow> wanted = {
      {code, at_entry},     {code + 4, {.kind = Kind::FromStackPointer, .offset = 24}},
      {code + 8, at_entry}, {code + 9, {.kind = Kind::FromStackPointer, .offset = 24}},
      {code + 0x20, {}},
  };
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, AreInTheOrderOfAddressesWithGapsBetween) {
  Section section;
  section.add_function(code + 0x40, 0x10, {});
  section.add_function(code, 0x10, {});
  section.add_function(code + 0x10, 0x10, {});
  const std::vector<FrameRow> wanted = {
      {code, at_entry},
      {code + 0x20, {}},
      {code + 0x40, at_entry},
      {code + 0x50, {}},
  };
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, KnowStacksThatWereAligned) {
  Section section;
  // CFA = *(rbp - 8), rbp at *rbp
  section.add_function(code, 0x10, {0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0});
  const std::vector<FrameRow> wanted = {
      {code,
       {.kind = Kind::SavedByFramePointer,
        .frame_pointer = FramePointer::PointedTo,
        .place = -8}},
      {code + 0x10, {}},
  };
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, KnowLinkageStubs) {
  Section section;
  section.add_function(
      code, 0x10,
      {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22});
  const std::vector<FrameRow> wanted = {
      {code, {.kind = Kind::LinkageStub, .offset = 11}}, {code + 0x10, {}}};
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, KnowWhereStacksEndAndWhereSignalsReturn) {
  Section outermost;
  outermost.add_function(code, 0x10, {0x07, 16});
  const std::vector<FrameRow> end = {{code, {.kind = Kind::Outermost}},
                                     {code + 0x10, {}}};
  EXPECT_EQ(outermost.rows(), end);
  Section signal('S');
  signal.add_function(code, 0x10, {});
  const std::vector<FrameRow> returns = {{code, {.kind = Kind::SignalReturn}},
                                         {code + 0x10, {}}};
  EXPECT_EQ(signal.rows(), returns);
}

TEST(CallFrames, SayWhatTheyDoNotUnderstand) {
  Section section;
  section.add_function(code, 0x10, {0x0d, 10});                    // CFA from r10
  section.add_function(code + 0x10, 0x10, {0x0f, 2, 0x7a, 0});     // an expression
  section.add_function(code + 0x20, 0x10, {0x10, 6, 2, 0x77, 8});  // rbp by rsp
  section.add_function(  // a linkage stub but for its number
      code + 0x30, 0x10,
      {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x08, 0x2a, 0x33, 0x24, 0x22});
  EXPECT_EQ(section.rows(), (std::vector<FrameRow>{{code, {}}}));
}

// vfork() keeps it in a register that its child leaves alone.
TEST(CallFrames, EndWhereTheReturnAddressIsInAnUnusualPlace) {
  Section section;
  section.add_function(code, 0x10, {0x41, 0x0e, 0, 0x09, 16, 5, 0x41, 0xd0, 0x0e, 8});
  const std::vector<FrameRow> wanted = {{code, at_entry},
                                        {code + 1, {.kind = Kind::Outermost}},
                                        {code + 2, at_entry},
                                        {code + 0x10, {}}};
  EXPECT_EQ(section.rows(), wanted);
}

constexpr FrameRule linked_entry{.kind = Kind::FromStackPointer,
                                 .return_address = ReturnAddress::InLink};

// int leaf(int a) { return a * 3; }
// int frame(int a) { int b[6]; b[0] = a; return h(b) + g(a); }
// as clang compiles them for arm64; llvm-dwarfdump --eh-frame reads
//   CFA=WSP
//   CFA=W29+32: W19=[CFA-8], W20=[CFA-16], W29=[CFA-32], W30=[CFA-24]
TEST(CallFrames, KnowWhereALinkRegisterIsSaved) {
  Section section = Section::with_link();
  section.add_function(code, 8, {});
  section.add_function(code + 8, 0x40,
                       {0x50, 0x0c, 0x1d, 0x20, 0x93, 2, 0x94, 4, 0x9e, 6, 0x9d, 8});
  const std::vector<FrameRow> wanted = {{code, linked_entry},
                                        {code + 0x18,
                                         {.kind = Kind::FromFramePointer,
                                          .frame_pointer = FramePointer::BelowCfa,
                                          .offset = 32,
                                          .saved_below = 32,
                                          .return_below = 24}},
                                        {code + 0x48, {}}};
  EXPECT_EQ(section.rows(), wanted);
}

// The second with -fomit-frame-pointer; llvm-dwarfdump reads
//   CFA=WSP+64: W19=[CFA-8], W20=[CFA-16], W30=[CFA-32]
TEST(CallFrames, KnowALinkRegisterThatIsSavedAlone) {
  Section section = Section::with_link();
  section.add_function(
      code, 0x3c, {0x4c, 0x0e, 0x40, 0x93, 2, 0x94, 4, 0x9e, 8, 0x4c, 0x0e, 0, 0xde});
  const std::vector<FrameRow> wanted = {
      {code, linked_entry},
      {code + 0xc, {.kind = Kind::FromStackPointer, .offset = 64, .return_below = 32}},
      {code + 0x18, linked_entry},
      {code + 0x3c, {}}};
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, EndWhereALinkRegisterHoldsNoReturnAddress) {
  Section start = Section::with_link();
  start.add_function(code, 0x10, {0x07, 30});
  Section of_other_column = Section::with_link(29);
  of_other_column.add_function(code, 0x10, {});
  const std::vector<FrameRow> end = {{code, {.kind = Kind::Outermost}},
                                     {code + 0x10, {}}};
  EXPECT_EQ(start.rows(), end);
  EXPECT_EQ(of_other_column.rows(), end);
}

// Puts the address where the rules change next: DW_CFA_set_loc, relative to itself.
void set_location(Bytes& instructions, std::uint64_t entry, std::uint64_t location) {
  constexpr std::uint64_t before_instructions = 17;
  instructions.push_back(0x01);
  append(instructions, static_cast<std::uint32_t>(location - (section_address + entry +
                                                              before_instructions +
                                                              instructions.size())));
}

TEST(CallFrames, FollowALocationThatIsSet) {
  Section section;
  Bytes instructions;
  set_location(instructions, section.size(), code + 8);
  instructions.insert(instructions.end(), {0x0e, 16});
  section.add_function(code, 0x10, instructions);
  const std::vector<FrameRow> wanted = {
      {code, at_entry},
      {code + 8, {.kind = Kind::FromStackPointer, .offset = 16}},
      {code + 0x10, {}},
  };
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, StayInOrderWhereAnEntryGoesBackwards) {
  Section section;
  Bytes instructions = {0x48, 0x0e, 16};
  set_location(instructions, section.size(), code);
  instructions.insert(instructions.end(), {0x44, 0x0e, 24});
  section.add_function(code, 0x20, instructions);
  const std::vector<FrameRow> wanted = {
      {code, at_entry},
      {code + 8, {.kind = Kind::FromStackPointer, .offset = 16}},
      {code + 0x20, {}},
  };
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, SurviveNumbersThatOverflow) {
  // The most negative number, as SLEB128 and as ULEB128.
  constexpr std::uint8_t m = 0x80;
  Section section;
  section.add_function(code, 0x10, {0x11, 6, m, m, m, m, m, m, m, m, m, 0x7f});
  section.add_function(code + 0x10, 0x10, {0x2f, 6, m, m, m, m, m, m, m, m, m, 1});
  section.add_function(code + 0x20, 0x10, {0x12, 7, m, m, m, m, m, m, m, m, m, 0x7f});
  const std::vector<FrameRow> wanted = {
      {code,
       {.kind = Kind::FromStackPointer,
        .frame_pointer = FramePointer::BelowCfa,
        .offset = 8}},
      {code + 0x20, {.kind = Kind::FromStackPointer}},
      {code + 0x30, {}},
  };
  EXPECT_EQ(section.rows(), wanted);
}

// Seven megabytes that say a row, or a state to remember, every one to three bytes.
TEST(CallFrames, MakeNoMoreRowsThanASoundFileHas) {
  Bytes instructions;
  for (int i = 0; i < 2500000; ++i) {
    instructions.insert(instructions.end(),
                        {0x41, 0x0e, static_cast<std::uint8_t>(8 + i % 2 * 8)});
  }
  Section section;
  section.add_function(code, 0x7fffffff, instructions);
  section.add_function(0x80000100, 0x7fffffff, instructions);
  EXPECT_EQ(section.rows().size(), 1U << 22U);
}

// Two and a half billion steps if it were done again for each function.
TEST(CallFrames, CarryOutTheInstructionsOfACieOnce) {
  Section section('R', Bytes(50000, 0x0a));
  for (std::uint32_t i = 0; i < 50000; ++i) {
    section.add_function(code + 0x10 * i, 0x10, {});
  }
  const std::vector<FrameRow> wanted = {{code, at_entry}, {code + 800000, {}}};
  EXPECT_EQ(section.rows(), wanted);
}

TEST(CallFrames, SurviveBeingCutOffAnywhere) {
  Section section;
  section.add_function(code, 0x20, {0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6});
  for (std::size_t without = 1; without < 60; ++without) {
    EXPECT_LE(section.rows(without).size(), 4U);
  }
}

}  // namespace
}  // namespace kinst::user
