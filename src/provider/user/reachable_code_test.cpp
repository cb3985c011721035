#include "provider/user/reachable_code.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/system/file_descriptor.h"

namespace kinst::provider {
namespace {

using Bytes = std::vector<int>;

constexpr std::uint64_t code_address = 0x1000;
constexpr std::uint64_t data_address = 0x8000;

// A file of code and data, and the function that begins with the code.
class ReachableCodeTest : public testing::Test {
 protected:
  ~ReachableCodeTest() override {
    if (!path_.empty()) {
      unlink(path_.c_str());
    }
  }

  void write(const Bytes& code, const Bytes& data = {}) {
    char name[] = "/tmp/kinst_code_XXXXXX";
    const FileDescriptor file(mkstemp(name));
    path_ = name;
    for (const int byte : code) {
      text_.push_back(static_cast<std::byte>(byte));
    }
    std::vector<std::byte> all = text_;
    for (const int byte : data) {
      all.push_back(static_cast<std::byte>(byte));
    }
    ASSERT_EQ(::write(file.get(), all.data(), all.size()),
              static_cast<ssize_t>(all.size()));
    file_.elf.segments = {{.address = code_address,
                           .file_offset = 0,
                           .file_bytes = code.size(),
                           .is_executable = true},
                          {.address = data_address,
                           .file_offset = code.size(),
                           .file_bytes = data.size()}};
  }

  // The places of the first `size` bytes: offsets that may be probed, then the others.
  std::string places(std::uint64_t size) {
    file_.symbols = user::SymbolTable({{.address = code_address,
                                        .size_bytes = size,
                                        .name = "f",
                                        .is_function = true}});
    ReachableCode code(file_, path_, isa::x86_64(), [this] { return nops_stay_; });
    std::string good;
    std::string bad;
    for (const FunctionPlace& place :
         code.places(file_.symbols.all().front(), std::span(text_).first(size),
                     process_address_)) {
      (place.why_not.empty() ? good : bad) +=
          " " + std::to_string(number(place.instruction.offset));
      reasons_ += place.why_not.empty() ? "" : place.why_not + "\n";
    }
    return good + " |" + bad;
  }

  user::ObjectFile file_;
  std::vector<std::byte> text_;
  std::string path_;
  std::string reasons_;
  bool nops_stay_ = true;
  static constexpr std::uint64_t process_address_ = 0x7f0000001000;
};

TEST_F(ReachableCodeTest, FollowsBranchesToTheEnd) {
  write({0x74, 0x01, 0xc3, 0x90, 0xc3});  // je 3; ret; 3: nop; ret
  EXPECT_EQ(places(5), " 0 2 3 4 |");
}

TEST_F(ReachableCodeTest, LeavesOutATableBehindAJump) {
  // jmp 8; six bytes of data that look like instructions; 8: ret
  write({0xeb, 0x06, 0x31, 0xc0, 0x31, 0xc9, 0x31, 0xd2, 0xc3});
  EXPECT_EQ(places(9), " 0 8 | 2 4 6");
  EXPECT_NE(reasons_.find("it may be data"), std::string::npos) << reasons_;
}

TEST_F(ReachableCodeTest, BeginsAnewWhereAJumpLeadsIntoAnInstruction) {
  // jmp 3; the first byte of a mov that covers what follows; 3: xor; ret
  write({0xeb, 0x01, 0xb8, 0x31, 0xc0, 0xc3, 0x00});
  EXPECT_EQ(places(7), " 0 3 5 |");
}

TEST_F(ReachableCodeTest, PutsNothingInsideAnInstructionThatIsExecuted) {
  // je 4; 2: mov $0xc3c031,%eax, of which 3: xor; ret are part, too; ret
  write({0x74, 0x01, 0xb8, 0x31, 0xc0, 0xc3, 0x00, 0xc3});
  EXPECT_EQ(places(8), " 0 2 7 | 3 5");
}

TEST_F(ReachableCodeTest, FollowsTablesOfDistancesOutsideOfCode) {
  // lea table(%rip),%rdx; jmp *%rax; 9: ret; 10: nop; ret
  const Bytes code = {0x48, 0x8d, 0x15, 0xf9, 0x6f, 0x00,
                      0x00, 0xff, 0xe0, 0xc3, 0x90, 0xc3};
  // 0x1009 - 0x8000 and 0x100a - 0x8000, then what leads nowhere.
  write(code, {0x09, 0x90, 0xff, 0xff, 0x0a, 0x90, 0xff, 0xff, 0, 0, 0, 0});
  EXPECT_EQ(places(12), " 0 7 9 10 11 |");
}

TEST_F(ReachableCodeTest, FollowsPointersInDataAndJumpsOfOtherFunctions) {
  // f: jmp *%rax; 2: ret; 3: nop; 4: ret; g: jmp 3
  write({0xff, 0xe0, 0xc3, 0x90, 0xc3, 0xe9, 0xf9, 0xff, 0xff, 0xff},
        {0x02, 0x10, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(places(5), " 0 2 3 4 |");
}

TEST_F(ReachableCodeTest, RefusesNopsThatTheKernelWouldReplaceButNotAtTheBeginning) {
  // nopl; nopl; ret
  const Bytes code = {0x0f, 0x1f, 0x44, 0, 0, 0x0f, 0x1f, 0x44, 0, 0, 0xc3};
  write(code);
  nops_stay_ = false;
  EXPECT_EQ(places(11), " 0 10 | 5");
  nops_stay_ = true;
  EXPECT_EQ(places(11), " 0 5 10 |");
}

TEST_F(ReachableCodeTest, TakesUntypedSymbolsForFunctionsOnlyIfSomethingLeadsThere) {
  write({0xc3, 0xc3, 0xe8, 0xfa, 0xff, 0xff, 0xff});  // 0: ret; 1: ret; 2: call 1
  ReachableCode code(file_, path_, isa::x86_64(), [] { return true; });
  user::ElfSymbol symbol{.address = code_address, .is_function = true};
  EXPECT_EQ(code.why_no_function(symbol), "");
  symbol.is_typed = false;
  EXPECT_NE(code.why_no_function(symbol), "");
  symbol.address = code_address + 1;
  EXPECT_EQ(code.why_no_function(symbol), "");
}

TEST_F(ReachableCodeTest, RefusesANopAtTheBeginningOfALoop) {
  write({0x0f, 0x1f, 0x44, 0, 0, 0x75, 0xf9, 0xc3});  // nopl; jne 0; ret
  nops_stay_ = false;
  EXPECT_EQ(places(8), " 5 7 | 0");
}

}  // namespace
}  // namespace kinst::provider
