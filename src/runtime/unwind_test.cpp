// A stack, its program's tables and its registers are made up here; the walk reads them
// as it reads a program's.
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

constexpr std::uint64_t file_begin = 0x400000;
constexpr std::uint64_t file_end = 0x500000;

std::uint64_t row(std::uint64_t address, kinst_frame_kind kind, std::uint64_t cfa,
                  std::uint64_t frame_pointer,
                  kinst_frame_return return_address = KINST_FRAME_RETURN_BELOW_CFA) {
  return address << 32U | std::uint64_t{kind} << KINST_FRAME_KIND_SHIFT |
         std::uint64_t{return_address} << KINST_FRAME_RETURN_SHIFT |
         cfa << KINST_FRAME_CFA_SHIFT | frame_pointer;
}

// Functions of the file, by their first byte; each rule holds for all of the function.
constexpr std::uint64_t leaf = 0x1000;         // CFA = sp + 8
constexpr std::uint64_t with_locals = 0x1100;  // CFA = sp + 32, fp at CFA - 24
constexpr std::uint64_t with_fp = 0x1200;      // CFA = fp + 16, fp at CFA - 16
constexpr std::uint64_t aligned = 0x1300;      // CFA = *(fp - 8), fp at *fp
constexpr std::uint64_t handler_return = 0x1400;
constexpr std::uint64_t start = 0x1500;
constexpr std::uint64_t unknown = 0x1600;

class Unwinding : public NativeRuntime {
 protected:
  Unwinding() {
    settings_.ranges = 3;
    settings_.signal_ip = 8;
    settings_.signal_sp = 16;
    settings_.signal_fp = 24;
    settings_.call_bytes = 8;
    ranges_[1] = {.begin = file_begin,
                  .end = file_end,
                  .process = static_cast<kinst_u32>(getpid()),
                  .first_row = 0,
                  .rows = static_cast<kinst_u32>(rows_.size()),
                  .unused = 0};
    ranges_[2] = ranges_[1];
    ranges_[2].process += 1;
    native_set_unwinding(&settings_, ranges_.data(), rows_.data(),
                         static_cast<unsigned>(rows_.size()));
  }

  [[nodiscard]] std::uint64_t stack_at(std::size_t word) const {
    return address_of(&stack_[word]);
  }
  static std::uint64_t in(std::uint64_t function) { return file_begin + function + 5; }

  // Offsets of the frames from the file's begin, of a walk from the stack's beginning.
  std::vector<std::uint64_t> walk(std::uint64_t function, std::uint64_t fp,
                                  std::uint64_t wanted = KINST_FRAMES,
                                  std::uint64_t link = 0) {
    const std::uint64_t frames =
        kinst_user_stack(wanted, in(function), stack_at(0), fp, link);
    std::vector<std::uint64_t> found;
    if (frames != 0) {
      const auto* words = std::bit_cast<const std::uint64_t*>(frames);
      for (std::uint64_t i = 0; i < words[-1]; ++i) {
        found.push_back(words[i] - file_begin - 5);
      }
      EXPECT_EQ(words[words[-1]], 0U);
    }
    return found;
  }

  kinst_unwinding settings_{};
  std::array<kinst_unwind_range, 3> ranges_{};
  std::vector<kinst_u64> rows_ = {
      row(leaf, KINST_FRAME_SP, 1, KINST_FRAME_FP_KEPT),
      row(with_locals, KINST_FRAME_SP, 4, 3),
      row(with_fp, KINST_FRAME_FP, 2, 2),
      row(aligned, KINST_FRAME_FP_SAVED, 0xff00, KINST_FRAME_FP_POINTED_TO),
      row(handler_return, KINST_FRAME_SIGNAL, 0, 0),
      row(start, KINST_FRAME_OUTERMOST, 0, 0),
      row(unknown, KINST_FRAME_UNKNOWN, 0, 0)};
  std::array<std::uint64_t, 64> stack_{};
};

using Frames = std::vector<std::uint64_t>;

TEST_F(Unwinding, FindsTheCallerOfALeafAtTheTopOfTheStack) {
  stack_[0] = in(start);
  EXPECT_EQ(walk(leaf, 0), (Frames{leaf, start}));
}

TEST_F(Unwinding, CarriesTheFramePointerThroughFunctionsThatUseItForOtherThings) {
  stack_[0] = in(with_locals);  // whose frame is words 1 to 4
  stack_[2] = stack_at(7);      // its caller's frame pointer
  stack_[4] = in(with_fp);
  stack_[8] = in(start);
  EXPECT_EQ(walk(leaf, 0x1234), (Frames{leaf, with_locals, with_fp, start}));
}

TEST_F(Unwinding, FindsTheFrameOfAFunctionThatAlignedItsStack) {
  stack_[9] = stack_at(20);  // 8 below fp: the CFA
  stack_[10] = stack_at(30);
  stack_[19] = in(with_fp);
  stack_[31] = in(start);
  EXPECT_EQ(walk(aligned, stack_at(10)), (Frames{aligned, with_fp, start}));
}

TEST_F(Unwinding, GoesOnBehindASignal) {
  stack_[0] = in(handler_return);
  // The signal's frame begins at word 1.
  stack_[2] = in(leaf);
  stack_[3] = stack_at(40);
  stack_[4] = 0;
  stack_[40] = in(start);
  EXPECT_EQ(walk(leaf, 0), (Frames{leaf, handler_return, leaf, start}));
}

TEST_F(Unwinding, GoesByFramePointersWhereThereIsNoInformation) {
  stack_[5] = stack_at(9);
  stack_[6] = in(unknown);
  stack_[10] = in(start);
  EXPECT_EQ(walk(unknown, stack_at(5)), (Frames{unknown, unknown, start}));
}

TEST_F(Unwinding, FindsTheCallerAtAnEntryWithoutInformation) {
  stack_[0] = in(unknown);
  stack_[6] = in(start);
  EXPECT_EQ(walk(unknown, stack_at(5), 3 | KINST_FRAMES_AT_ENTRY),
            (Frames{unknown, unknown, start}));
}

TEST_F(Unwinding, EndsWhereAFrameWouldNotBeAboveTheOneItCalled) {
  stack_[0] = in(with_fp);
  EXPECT_EQ(walk(leaf, stack_at(0) - 64), (Frames{leaf, with_fp}));
}

TEST_F(Unwinding, EndsAtAStackThatCannotBeRead) {
  EXPECT_EQ(walk(with_fp, bad_address + (std::uint64_t{1} << 60U)), (Frames{with_fp}));
}

TEST_F(Unwinding, GivesAsManyFramesAsAreWanted) {
  for (std::uint64_t& word : stack_) {
    word = in(leaf);
  }
  EXPECT_EQ(walk(leaf, 0, 3), (Frames{leaf, leaf, leaf}));
}

TEST_F(Unwinding, IsNotForProcessesItKnowsNothingOf) {
  ranges_[1].process -= 1;
  EXPECT_EQ(kinst_user_stack(KINST_FRAMES, in(leaf), stack_at(0), 0, 0), 0U);
}

// A machine whose calls leave the return address in a register.
constexpr std::uint64_t linked_leaf = 0x2000;     // CFA = sp
constexpr std::uint64_t pair_saved = 0x2100;      // CFA = fp + 32, fp at CFA - 32
constexpr std::uint64_t link_saved = 0x2200;      // CFA = sp + 16, link at CFA - 16
constexpr std::uint64_t pair_below_cfa = 0x2300;  // CFA = sp + 16, fp at CFA - 16

class UnwindingByLink : public Unwinding {
 protected:
  UnwindingByLink() {
    settings_.call_bytes = 0;
    settings_.signal_link = 32;
    rows_ = {row(handler_return, KINST_FRAME_SIGNAL, 0, 0),
             row(start, KINST_FRAME_OUTERMOST, 0, 0),
             row(unknown, KINST_FRAME_UNKNOWN, 0, 0),
             row(linked_leaf, KINST_FRAME_SP, 0, KINST_FRAME_FP_KEPT,
                 KINST_FRAME_RETURN_IN_LINK),
             row(pair_saved, KINST_FRAME_FP, 4, 4, KINST_FRAME_RETURN_ABOVE_FP),
             row(link_saved, KINST_FRAME_SP, 2, 2, KINST_FRAME_RETURN_IN_PLACE),
             row(pair_below_cfa, KINST_FRAME_SP, 2, 2)};
    ranges_[1].rows = static_cast<kinst_u32>(rows_.size());
    native_set_unwinding(&settings_, ranges_.data(), rows_.data(),
                         static_cast<unsigned>(rows_.size()));
  }

  std::vector<std::uint64_t> walk_from(std::uint64_t function, std::uint64_t fp,
                                       std::uint64_t link, std::uint64_t flags = 0) {
    return walk(function, fp, KINST_FRAMES | flags, link);
  }
};

TEST_F(UnwindingByLink, FindsTheCallerOfALeafWithoutAStack) {
  stack_[0] = in(unknown);  // the caller's own
  EXPECT_EQ(walk_from(linked_leaf, 0, in(start)), (Frames{linked_leaf, start}));
}

TEST_F(UnwindingByLink, TakesWhatEachFunctionHasSaved) {
  stack_[0] = in(pair_below_cfa);  // link_saved has words 0 and 1
  stack_[2] = stack_at(10);        // pair_below_cfa has words 2 and 3
  stack_[3] = in(pair_saved);
  stack_[10] = stack_at(20);  // pair_saved has words 10 to 13
  stack_[11] = in(start);
  EXPECT_EQ(walk_from(linked_leaf, 0, in(link_saved)),
            (Frames{linked_leaf, link_saved, pair_below_cfa, pair_saved, start}));
}

TEST_F(UnwindingByLink, EndsWhereAFunctionThatHasCalledSeemsToHaveSavedNothing) {
  EXPECT_EQ(walk_from(linked_leaf, 0, in(linked_leaf)),
            (Frames{linked_leaf, linked_leaf}));
}

TEST_F(UnwindingByLink, TakesTheRegisterFromASignalsFrame) {
  stack_[1] = in(linked_leaf);
  stack_[2] = stack_at(40);
  stack_[3] = 0;
  stack_[4] = in(start);
  EXPECT_EQ(walk_from(handler_return, 0, 0),
            (Frames{handler_return, linked_leaf, start}));
}

TEST_F(UnwindingByLink, FindsTheCallerAtAnEntryWithoutInformation) {
  stack_[6] = stack_at(9);
  stack_[7] = in(start);
  EXPECT_EQ(walk_from(unknown, stack_at(6), in(unknown), KINST_FRAMES_AT_ENTRY),
            (Frames{unknown, unknown, start}));
}

}  // namespace
}  // namespace kinst::runtime
