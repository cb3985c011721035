#include "bpf/load/rejection.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace kinst::bpf {
namespace {

std::string explain(int number, std::string_view log) {
  return explain_rejection({.program = "p", .number = number, .log = log}).message;
}

// The logs are those of Linux 6.1, 6.12 and 6.18.
TEST(Rejection, TellsAProgramThatTakesTooManySteps) {
  EXPECT_EQ(explain(E2BIG,
                    "BPF program is too large. Processed 1000001 insn\nprocessed "
                    "1000001 insns (limit 1000000) max_states_per_insn 4\n"),
            "program p is too large for the kernel's verifier: use fewer or simpler "
            "clauses");
}

TEST(Rejection, TellsTooManyBranchesFromTooManySteps) {
  EXPECT_EQ(explain(E2BIG, "The sequence of 8193 jumps is too complex.\n"),
            "program p has more conditions in one path than the kernel's verifier "
            "follows: use fewer or simpler clauses");
}

TEST(Rejection, TellsTooManyInstructions) {
  EXPECT_EQ(explain(E2BIG, ""),
            "program p has more than the 1,000,000 instructions that the kernel takes: "
            "use fewer or simpler clauses");
}

TEST(Rejection, TakesCallsTooDeepForABug) {
  EXPECT_EQ(explain(E2BIG, "the call stack of 9 frames is too deep !\n"),
            "program p has calls nested deeper than the kernel permits: this "
            "is a bug in kinst");
}

TEST(Rejection, TakesAStackTooLargeForABug) {
  EXPECT_EQ(
      explain(EACCES, "combined stack size of 8 calls is 544. Too large\n"),
      "program p has more than the 512 bytes of BPF stack: this is a bug in kinst");
}

TEST(Rejection, TellsThatThereAreNoMoreDescriptors) {
  EXPECT_EQ(explain(EMFILE, "processed 4 insns (limit 1000000)\n"),
            "cannot load program p: Too many open files: each program takes a file "
            "descriptor, and \"ulimit -n\" says how many there may be");
}

TEST(Rejection, TellsThatThereIsNoMemory) {
  EXPECT_EQ(explain(ENOMEM, ""), "cannot load program p: Cannot allocate memory");
}

TEST(Rejection, NamesTheHelperThatTheKernelLacks) {
  EXPECT_EQ(explain(EINVAL,
                    "program of this type cannot use helper "
                    "bpf_send_signal#109\n"),
            "program p needs bpf_send_signal, which this kernel does not allow there");
}

TEST(Rejection, TakesAllElseForABugAndSaysWhichError) {
  EXPECT_EQ(
      explain(EACCES, "R1 invalid mem access 'scalar'\n"),
      "the kernel's verifier refuses program p (Permission denied): this is a bug "
      "in kinst; -v shows the verifier's log");
}

}  // namespace
}  // namespace kinst::bpf
