#include "provider/syscall.h"

#include <gtest/gtest.h>

namespace kinst::provider {
namespace {

d::Description described(std::string function, std::string name) {
  d::Description description;
  description.provider = "syscall";
  description.function = std::move(function);
  description.name = std::move(name);
  return description;
}

std::vector<std::string> matched(const d::Description& description) {
  SyscallProvider provider(isa::x86_64());
  const auto match = provider.match(description);
  std::vector<std::string> names;
  for (const Probe& probe : match->probes) {
    names.push_back(probe.provider + ":" + probe.module + ":" + probe.function + ":" +
                    probe.name);
  }
  return names;
}

TEST(SyscallProvider, FindsACallByNameAndByPattern) {
  EXPECT_EQ(matched(described("read", "")),
            (std::vector<std::string>{"syscall:vmlinux:read:entry",
                                      "syscall:vmlinux:read:return"}));
  EXPECT_EQ(matched(described("pread*", "entry")),
            (std::vector<std::string>{"syscall:vmlinux:pread64:entry",
                                      "syscall:vmlinux:preadv:entry",
                                      "syscall:vmlinux:preadv2:entry"}));
}

TEST(SyscallProvider, FindsACallByTheNameThatProgramsKnow) {
  EXPECT_EQ(matched(described("stat", "return")),
            (std::vector<std::string>{"syscall:vmlinux:newstat:return"}));
}

TEST(SyscallProvider, GivesEntryAndReturnDifferentKeys) {
  SyscallProvider provider(isa::x86_64());
  const auto match = provider.match(described("write", ""));
  ASSERT_EQ(match->probes.size(), 2);
  EXPECT_EQ(match->probes[0].key, key_in(KeySpace::SystemCallEntry, 1));
  EXPECT_EQ(match->probes[1].key, key_in(KeySpace::SystemCallReturn, 1));
}

TEST(SyscallProvider, SaysWhatIsNear) {
  SyscallProvider provider(isa::x86_64());
  EXPECT_EQ(provider.match(described("opnat", "entry"))->why_none,
            "did you mean 'openat'?");
  EXPECT_EQ(provider.match(described("openat", "start"))->why_none,
            "a system call's probes are syscall::CALL:entry and :return");
}

}  // namespace
}  // namespace kinst::provider
