#include <string>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Memstr = NativeRuntime;

TEST_F(Memstr, PutsTheCharacterInPlaceOfEachZeroAndEndsAtTheSize) {
  const std::string words("cc\0-o\0\0x\0", 9);
  EXPECT_EQ(text_at(kinst_memstr(address_of(words), '+', 9)), "cc+-o++x");
  EXPECT_EQ(text_at(kinst_memstr(address_of(words), ' ', 5)), "cc -");
  EXPECT_EQ(text_at(kinst_memstr(address_of(words), '+', 1)), "");
}

TEST_F(Memstr, LeavesEveryOtherByteAlone) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) {
    all.push_back(static_cast<char>(byte));
  }
  EXPECT_EQ(text_at(kinst_memstr(address_of(all), 0xff, all.size() + 1)), all);
}

TEST_F(Memstr, TakesTheCharactersByteOnly) {
  const std::string zeros(70, '\0');
  EXPECT_EQ(text_at(kinst_memstr(address_of(zeros), ~0xffULL | '.', 71)),
            std::string(70, '.'));
}

TEST_F(Memstr, EndsWhereAStringDoes) {
  const std::string long_text(3000, 'x');
  EXPECT_EQ(text_at(kinst_memstr(address_of(long_text), '.', 3000)),
            long_text.substr(0, 255));
}

TEST_F(Memstr, IsNoStringForNoSizeAndRefusesMoreThanFreeBsdDoes) {
  const std::string text(5000, 'x');
  EXPECT_EQ(kinst_memstr(address_of(text), '.', 0), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(kinst_memstr(address_of(text), '.', 4097), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_ILLOP);
}

TEST_F(Memstr, FailsForMemoryThatCannotBeRead) {
  EXPECT_EQ(kinst_memstr(bad_address, '.', 8), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
