#include "bpf/load/privileges.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace kinst::bpf {
namespace {

TEST(KernelName, KeepsWhatTheKernelAllowsAndNoMoreThanFifteenLetters) {
  EXPECT_EQ(kernel_name("counts"), "counts");
  EXPECT_EQ(kernel_name("kinst:::9 {x}"), "kinst___9__x_");
  EXPECT_EQ(kernel_name("runtime0.rodata.cst32"), "runtime0.rodata");
}

TEST(ExplainRefusal, NamesWhatTheKernelLacks) {
  EXPECT_EQ(explain_refusal(ENOSYS),
            "this kernel is built without BPF (CONFIG_BPF_SYSCALL)");
  EXPECT_EQ(explain_refusal(ENOMEM), "Cannot allocate memory");
}

}  // namespace
}  // namespace kinst::bpf
