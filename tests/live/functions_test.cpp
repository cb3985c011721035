// Entries and returns of kernel functions in every way that this kernel has.
#include <bpf/libbpf.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <optional>

#include "bpf/attach/attach_functions.h"
#include "bpf/attach/attach_kprobe_perf.h"
#include "bpf/attach/attach_kprobes.h"
#include "live/counter.h"
#include "live/kernel_symbol.h"
#include "live/live_bpf.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here

constexpr const char* function = "__x64_sys_getpgid";

using FunctionsTest = Live;

void expect_exact_counts(const Object& object, OwnedAttachment attachment,
                         std::size_t index) {
  const std::uint64_t before = count(object, index);
  for (int i = 0; i < 100; ++i) {
    syscall(SYS_getpgid, 0);
  }
  EXPECT_EQ(count(object, index) - before, 100U);
  attachment.reset();
  syscall(SYS_getpgid, 0);
  EXPECT_EQ(count(object, index) - before, 100U);
}

TEST_F(FunctionsTest, AttachesManyAtOnceByKprobeMulti) {
  if (!kprobe_multi_available()) {
    GTEST_SKIP() << "this kernel has no kprobe.multi";
  }
  const Object object =
      counter(ProgramType::Kprobe, CountedProcess::Own, true, kprobe_multi_attach_type);
  const std::vector<KernelAddress> addresses = {address_of(function),
                                                address_of("__x64_sys_getpgrp")};
  const std::vector<std::uint64_t> cookies = {5, 6};
  for (const FunctionPlace place : {FunctionPlace::Entry, FunctionPlace::Return}) {
    auto attachment =
        attach_kprobe_multi(object.programs.at(0), addresses, place, cookies);
    ASSERT_TRUE(attachment) << attachment.error().message;
    expect_exact_counts(object, *std::move(attachment), 5);
  }
  EXPECT_EQ(count(object, 6), 0U);
}

TEST_F(FunctionsTest, AttachesFentryAndFexit) {
  for (const bpf_attach_type type : {BPF_TRACE_FENTRY, BPF_TRACE_FEXIT}) {
    const int id = libbpf_find_vmlinux_btf_id(function, type);
    if (id < 0) {
      GTEST_SKIP() << "this kernel has no type information of " << function;
    }
    auto object =
        load(*link(counter_specification(ProgramType::Tracing, CountedProcess::Own,
                                         true, type, static_cast<std::uint32_t>(id)),
                   {}));
    if (!object) {
      GTEST_SKIP() << object.error().message;
    }
    auto attachment = attach_tracing(object->programs.at(0), 4);
    ASSERT_TRUE(attachment) << attachment.error().message;
    expect_exact_counts(*object, *std::move(attachment), 4);
  }
}

TEST_F(FunctionsTest, AttachesReturnsByKprobes) {
  auto kprobes = Kprobes::open();
  if (!kprobes) {
    GTEST_SKIP() << kprobes.error().message;
  }
  const Object object = counter(ProgramType::Kprobe, CountedProcess::Own, false);
  const std::vector<KernelAddress> addresses = {address_of(function),
                                                address_of("__x64_sys_getpgrp")};
  auto attachment =
      kprobes->attach(object.programs.at(0), addresses, KprobeKind::Return);
  ASSERT_TRUE(attachment) << attachment.error().message;
  expect_exact_counts(object, *std::move(attachment), 0);
}

TEST_F(FunctionsTest, AttachesKprobesOneByOneWithoutTracefs) {
  auto kprobes = SingleKprobes::open();
  if (!kprobes) {
    GTEST_SKIP() << kprobes.error().message;
  }
  const Object object = counter(ProgramType::Kprobe, CountedProcess::Own, false);
  const std::vector<KernelAddress> addresses = {
      address_of(function), address_of(function) + FunctionOffset{1}};
  for (const KprobeKind kind : {KprobeKind::Instruction, KprobeKind::Return}) {
    auto attachment = kprobes->attach(object.programs.at(0), addresses, kind);
    ASSERT_TRUE(attachment) << attachment.error().message;
    ASSERT_EQ((*attachment)->refused().size(), 1U);
    EXPECT_EQ((*attachment)->refused().front().index, 1U);
    expect_exact_counts(object, *std::move(attachment), 0);
  }
}

}  // namespace
}  // namespace kinst::live
