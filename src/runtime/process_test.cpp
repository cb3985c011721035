#include <array>
#include <cstddef>
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

// The kernel's structures, as small as they may be and in another order.
struct Namespace {
  std::uint64_t unused = 0;
  std::uint32_t inode = 0;
};
struct NumberInNamespace {
  std::int32_t number = 0;
  const Namespace* name_space = nullptr;
};
struct Pid {
  std::uint32_t count = 1;
  std::uint32_t level = 0;
  std::array<NumberInNamespace, 3> numbers{};
};
struct Task {
  const Task* leader = nullptr;
  const Task* parent = nullptr;
  const Pid* pid = nullptr;
};

class Namespaces : public NativeRuntime {
 protected:
  static std::uint64_t numbers(const Task& task, const Namespace& name_space) {
    return kinst_numbers_in_namespace(address_of(&task), task_layout, pid_layout,
                                      name_space.inode);
  }
  static std::uint64_t pair(std::uint32_t process, std::uint32_t thread) {
    return std::uint64_t{process} << 32U | thread;
  }

  static constexpr std::uint64_t task_layout =
      offsetof(Task, pid) | offsetof(Task, leader) << 16U |
      offsetof(Pid, level) << 32U | offsetof(Pid, numbers) << 48U;
  static constexpr std::uint64_t pid_layout =
      sizeof(NumberInNamespace) | offsetof(NumberInNamespace, name_space) << 16U |
      offsetof(Namespace, inode) << 32U;

  Namespace initial_{.inode = 0xeffffffc};
  Namespace outer_{.inode = 4026532001};
  Namespace inner_{.inode = 4026532002};
  Pid leader_pid_{.level = 2,
                  .numbers = {{{1000, &initial_}, {50, &outer_}, {1, &inner_}}}};
  Pid thread_pid_{.level = 2,
                  .numbers = {{{1001, &initial_}, {51, &outer_}, {2, &inner_}}}};
  Task leader_{.leader = &leader_, .pid = &leader_pid_};
  Task thread_{.leader = &leader_, .pid = &thread_pid_};
};

TEST_F(Namespaces, NumberAThreadEachInTheirOwnWay) {
  EXPECT_EQ(numbers(thread_, initial_), pair(1000, 1001));
  EXPECT_EQ(numbers(thread_, outer_), pair(50, 51));
  EXPECT_EQ(numbers(thread_, inner_), pair(1, 2));
  EXPECT_EQ(numbers(leader_, outer_), pair(50, 50));
}

TEST_F(Namespaces, DoNotNumberWhoIsOutside) {
  leader_pid_.level = 1;
  thread_pid_.level = 1;
  EXPECT_EQ(numbers(thread_, inner_), 0U);
  EXPECT_EQ(numbers(thread_, Namespace{.inode = 77}), 0U);
}

TEST_F(Namespaces, DoNotNumberThreadsThatHaveEnded) {
  thread_.pid = nullptr;
  EXPECT_EQ(numbers(thread_, outer_), pair(50, 0));
}

}  // namespace
}  // namespace kinst::runtime
