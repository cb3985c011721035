#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Memory = NativeRuntime;

std::uint64_t scratch() {
  return address_of(native_scratch());
}

TEST_F(Memory, GivesOutZeroedScratchInAlignedPieces) {
  EXPECT_EQ(kinst_alloca(1), scratch());
  EXPECT_EQ(kinst_alloca(9), scratch() + 8);
  EXPECT_EQ(kinst_alloca(0), scratch() + 24);
  EXPECT_EQ(kinst_alloca(0), scratch() + 24);
  const std::string zeros(17, '\0');
  EXPECT_EQ(std::memcmp(native_scratch(), zeros.data(), 9), 0);
}

TEST_F(Memory, GivesOutNoMoreThanTheLimit) {
  reset(256, 64);
  EXPECT_EQ(kinst_alloca(64), scratch());
  EXPECT_EQ(kinst_alloca(0), scratch() + 64);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(kinst_alloca(1), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_NOSCRATCH);
}

TEST_F(Memory, CountsNoStringsAgainstTheLimit) {
  reset(256, 64);
  const std::string text(100, 'x');
  EXPECT_EQ(text_at(kinst_strjoin(address_of(text), address_of(text))), text + text);
  EXPECT_NE(kinst_alloca(64), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Memory, GivesOutALimitThatIsNotAligned) {
  reset(256, 9);
  EXPECT_EQ(kinst_alloca(9), scratch());
  EXPECT_EQ(kinst_alloca(0), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_NOSCRATCH);
}

TEST_F(Memory, RefusesSizesThatWrapAround) {
  EXPECT_EQ(kinst_alloca(~std::uint64_t{0}), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_NOSCRATCH);
}

TEST_F(Memory, GivesOutAllOfIt) {
  EXPECT_EQ(kinst_alloca(KINST_SCRATCH_BYTES), scratch());
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Memory, CopiesUserMemoryOfAnySize) {
  std::string large(20000, 'x');
  large[0] = 'a';
  large[8192] = 'b';
  large[19999] = 'c';
  const std::uint64_t copy = kinst_copyin(address_of(large), large.size());
  EXPECT_EQ(copy, scratch());
  EXPECT_EQ(std::memcmp(native_scratch(), large.data(), large.size()), 0);
}

TEST_F(Memory, SaysWhichUserAddressCannotBeRead) {
  EXPECT_EQ(kinst_copyin(bad_address, 8), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
  EXPECT_EQ(fault_address(), bad_address);
}

TEST_F(Memory, RefersToAPlaceByAddressAndSize) {
  const std::uint64_t reference = kinst_memref(0x1122334455667788, 300);
  EXPECT_EQ(reference, scratch());
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), native_scratch(), sizeof(words));
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0x1122334455667788, 300}));
  EXPECT_EQ(kinst_alloca(0), scratch() + 16);
  reset(256, 8);
  EXPECT_EQ(kinst_memref(1, 1), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_NOSCRATCH);
}

TEST_F(Memory, CopiesIntoScratch) {
  const std::string text = "abcdefgh";
  const std::uint64_t place = kinst_alloca(8);
  kinst_bcopy(address_of(text) + 2, place + 1, 3);
  kinst_copyinto(address_of(text), 1, place);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(text_at(place), "acde");
}

TEST_F(Memory, CopiesToGivenOutScratchOnly) {
  const std::string text = "abcdefgh";
  const std::uint64_t place = kinst_alloca(8);
  for (const std::uint64_t destination : {place - 1, place + 8, address_of(text)}) {
    native_state()->fault = KINST_FAULT_NONE;
    kinst_bcopy(address_of(text), destination, 1);
    EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
    EXPECT_EQ(fault_address(), destination);
  }
}

TEST_F(Memory, RefusesSizesBeyondEitherEnd) {
  const std::uint64_t small = kinst_alloca(8);
  const std::uint64_t large = kinst_alloca(24);
  kinst_bcopy(small, large, 25);
  EXPECT_EQ(fault(), KINST_FAULT_BADSIZE);
  native_state()->fault = KINST_FAULT_NONE;
  kinst_bcopy(large + 8, small, 24);
  EXPECT_EQ(fault(), KINST_FAULT_BADSIZE);
  native_state()->fault = KINST_FAULT_NONE;
  kinst_copyinto(small, ~std::uint64_t{0}, small);
  EXPECT_EQ(fault(), KINST_FAULT_BADSIZE);
}

TEST_F(Memory, MayBeReadWhereItIsGivenOut) {
  const std::uint64_t place = kinst_alloca(16);
  const std::string elsewhere = "x";
  kinst_check_address(place, 16);
  kinst_check_address(place + 15, 1);
  kinst_check_address(address_of(elsewhere), 1);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  for (const std::uint64_t address :
       {place - 1, place - 4096, place + 9, place + 16, place + 100000}) {
    native_state()->fault = KINST_FAULT_NONE;
    kinst_check_address(address, 8);
    EXPECT_EQ(fault(),
              address < place + 80000 ? KINST_FAULT_BADADDR : KINST_FAULT_NONE);
  }
}

TEST_F(Memory, StoresToGivenOutScratchOnly) {
  const std::uint64_t value = 0x4142434445464748;
  const std::uint64_t place = kinst_alloca(12);
  kinst_copy_to_scratch(place, address_of(&value), 8);
  EXPECT_EQ(std::memcmp(native_scratch(), &value, 8), 0);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  kinst_copy_to_scratch(place + 9, address_of(&value), 8);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
  EXPECT_EQ(fault_address(), place + 9);
}

TEST_F(Memory, CountsNoRecordsAgainstTheLimit) {
  native_state()->scratch_limit = 16;
  kinst_alloca(16);
  const std::uint64_t record = kinst_new_record(300);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_NE(record, 0U);
  kinst_new_record(KINST_SCRATCH_BYTES);
  EXPECT_EQ(fault(), KINST_FAULT_NOSCRATCH);
}

TEST_F(Memory, CopiesTextUpToItsZeroOrTheSize) {
  const std::uint64_t place = kinst_new_record(16);
  kinst_copy_text_to_scratch(place, address_of("ab\0junk"), 8);
  kinst_copy_text_to_scratch(place + 8, address_of("longer than that"), 4);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(std::memcmp(native_scratch(), "ab\0\0\0\0\0\0lon\0\0\0\0\0", 16), 0);
  kinst_copy_text_to_scratch(place + 12, address_of("x"), 8);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
