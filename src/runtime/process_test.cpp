#include <cstdint>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Locks = NativeRuntime;

// What is in the word of a lock.
constexpr std::uint32_t held_by_writer = 0xff;
constexpr std::uint32_t writer_waits = 0x100;
constexpr std::uint32_t readers(std::uint32_t number) {
  return number << 9;
}

struct Answers {
  bool is_read_held;
  bool is_write_held;
  bool is_writer;
  bool operator==(const Answers&) const = default;
};

Answers answers(std::uint32_t word) {
  const std::uint64_t lock = address_of(&word);
  return {.is_read_held = kinst_rw_read_held(lock) != 0,
          .is_write_held = kinst_rw_write_held(lock) != 0,
          .is_writer = kinst_rw_iswriter(lock) != 0};
}

TEST_F(Locks, TellWhoHoldsThem) {
  EXPECT_EQ(answers(0), (Answers{false, false, false}));
  EXPECT_EQ(answers(readers(1)), (Answers{true, false, false}));
  EXPECT_EQ(answers(readers(3)), (Answers{true, false, false}));
  EXPECT_EQ(answers(held_by_writer), (Answers{false, true, true}));
}

TEST_F(Locks, TellOfAWriterThatWaits) {
  EXPECT_EQ(answers(writer_waits | readers(2)), (Answers{true, false, true}));
}

TEST_F(Locks, AreNotHeldByReadersThatWait) {
  EXPECT_EQ(answers(held_by_writer | readers(2)), (Answers{false, true, true}));
  EXPECT_EQ(answers(held_by_writer | writer_waits | readers(1)),
            (Answers{false, true, true}));
}

TEST_F(Locks, ThatCannotBeReadAreAFault) {
  kinst_rw_read_held(bad_address);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
  EXPECT_EQ(fault_address(), bad_address);
}

TEST_F(Locks, OfOneTaskNameIt) {
  // The lowest bits of the owner are flags.
  const std::uint64_t task = 0xffff888012345680;
  const std::uint64_t mutex = task | 5;
  EXPECT_EQ(kinst_mutex_owner(address_of(&mutex)), task);
  EXPECT_EQ(kinst_mutex_owned(address_of(&mutex)), 0U);
}

}  // namespace
}  // namespace kinst::runtime
