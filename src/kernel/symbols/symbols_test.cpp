#include "kernel/symbols/symbols.h"

#include <gtest/gtest.h>

namespace kinst::kernel {
namespace {

constexpr std::string_view recorded =
    "0000000000000000 A fixed_percpu_data\n"
    "0000000000005000 A cpu_hw_events\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T _text\n"
    "ffffffff812a0ff0 t __pfx_vfs_read\n"
    "ffffffff812a1000 T vfs_read\n"
    "ffffffff812a12d0 T vfs_write\n"
    "ffffffff812a1500 t do_open.isra.0\n"
    "ffffffff812a1600 t cleanup\n"
    "ffffffff812a1640 t cleanup\n"
    "ffffffff81c00000 T _etext\n"
    "ffffffff82000000 D jiffies\n"
    "ffffffff83000000 B _end\n"
    "ffffffffc0201000 t ext4_read\t[ext4]\n"
    "ffffffffc0201020 t cleanup\t[ext4]\n"
    "ffffffffc0300000 t xfs_read\t[xfs]\n";

Symbols symbols() {
  return Symbols::parse(std::string(recorded)).value();
}

std::vector<std::string> names(const std::vector<Symbol>& found) {
  std::vector<std::string> out;
  out.reserve(found.size());
  for (const Symbol& one : found) {
    out.push_back(one.module + ":" + one.name);
  }
  return out;
}

TEST(Symbols, FindsEveryFunctionOfAName) {
  const Symbols all = symbols();
  EXPECT_EQ(
      names(all.functions("", "cleanup")),
      (std::vector<std::string>{"vmlinux:cleanup", "vmlinux:cleanup", "ext4:cleanup"}));
  EXPECT_EQ(names(all.functions("ext4", "cleanup")),
            (std::vector<std::string>{"ext4:cleanup"}));
}

TEST(Symbols, MatchesPatternsAndLeavesPrefixSymbolsOut) {
  const Symbols all = symbols();
  EXPECT_EQ(
      names(all.functions("", "*_read")),
      (std::vector<std::string>{"vmlinux:vfs_read", "ext4:ext4_read", "xfs:xfs_read"}));
  EXPECT_EQ(names(all.functions("[ex]*", "*_read")),
            (std::vector<std::string>{"ext4:ext4_read", "xfs:xfs_read"}));
}

TEST(Symbols, WhatStandsOutsideOfTheTextIsNoFunction) {
  const Symbols all = Symbols::parse(
                          "ffffffff81000000 T _stext\n"
                          "ffffffff812a1000 T vfs_read\n"
                          "ffffffff81c00000 T _etext\n"
                          "ffffffff82000000 t print_fmt_vfs_read\n"
                          "ffffffff82100000 T init_task\n"
                          "ffffffff82200000 W weak_vfs_read\n"
                          "ffffffff82300000 T _sinittext\n"
                          "ffffffff82300100 t init_vfs_read\n"
                          "ffffffff82400000 T _einittext\n"
                          "ffffffffc0201000 t ext4_vfs_read\t[ext4]\n")
                          .value();
  EXPECT_EQ(names(all.functions("", "*vfs_read")),
            (std::vector<std::string>{"vmlinux:vfs_read", "vmlinux:init_vfs_read",
                                      "ext4:ext4_vfs_read"}));
  EXPECT_EQ(all.find("", "print_fmt_vfs_read")->type, 'd');
  EXPECT_EQ(all.find("", "init_task")->type, 'D');
  EXPECT_EQ(all.find("", "weak_vfs_read")->type, 'D');
  EXPECT_EQ(all.find("", "_etext")->type, 'T');
}

TEST(Symbols, SizeReachesToTheNextSymbol) {
  const Symbols all = symbols();
  EXPECT_EQ(all.find("", "vfs_read")->size_bytes, 0x2d0U);
  EXPECT_TRUE(all.find("", "vfs_read")->end_is_known);
  EXPECT_EQ(all.find("", "_stext")->size_bytes, all.find("", "_text")->size_bytes);
}

TEST(Symbols, EndOfAModulesLastSymbolIsNotKnown) {
  const Symbols all = symbols();
  EXPECT_FALSE(all.find("ext4", "cleanup")->end_is_known);
  EXPECT_FALSE(all.find("", "_end")->end_is_known);
  EXPECT_FALSE(all.find("xfs", "xfs_read")->end_is_known);
  EXPECT_EQ(all.at(KernelAddress{0xffffffffb0000000}), std::nullopt);
}

TEST(Symbols, NamesAnAddressBySymbolAndOffset) {
  const Symbols all = symbols();
  const auto text = [&](std::uint64_t address) {
    return symbol_text(all, KernelAddress{address});
  };
  EXPECT_EQ(text(0xffffffff812a1000), "vfs_read");
  EXPECT_EQ(text(0xffffffff812a12cf), "vfs_read+0x2cf");
  EXPECT_EQ(text(0xffffffff81000000), "_stext");
  EXPECT_EQ(text(0xffffffffc0201021), "cleanup+0x1");
  EXPECT_EQ(text(0x5010), "") << "a per-CPU offset is no address";
  EXPECT_EQ(text(0), "");
}

TEST(Symbols, PrefersTheKernelImageUnlessAModuleIsNamed) {
  const Symbols all = symbols();
  EXPECT_EQ(all.find("", "cleanup")->module, "vmlinux");
  EXPECT_EQ(all.find("ext4", "cleanup")->module, "ext4");
  EXPECT_EQ(all.find("", "xfs_read")->module, "xfs");
  EXPECT_EQ(all.find("ext4", "vfs_read"), std::nullopt);
  EXPECT_EQ(all.address_of("jiffies"), KernelAddress{0xffffffff82000000});
  EXPECT_EQ(all.address_of("xfs_read"), std::nullopt);
}

TEST(Symbols, ListsModulesAndNotWhatIsMadeAtRunTime) {
  const std::string more =
      "ffffffffc0400000 t bpf_prog_6deef7357e7b4530\t[bpf]\n"
      "ffffffffc0500000 t ftrace_trampoline\t[__builtin__ftrace]\n";
  EXPECT_EQ(Symbols::parse(std::string(recorded) + more)->modules(),
            (std::vector<std::string>{"ext4", "vmlinux", "xfs"}));
}

TEST(Symbols, StaysValidWhenMoved) {
  Symbols first = symbols();
  const Symbols second = std::move(first);
  EXPECT_EQ(second.find("", "vfs_read")->name, "vfs_read");
}

TEST(Symbols, NamesTheSysctlThatHidesAddresses) {
  const auto hidden = Symbols::parse(
      "0000000000000000 T _stext\n"
      "0000000000000000 T vfs_read\n");
  ASSERT_FALSE(hidden);
  EXPECT_EQ(hidden.error().message,
            "cannot find kernel symbols: /proc/kallsyms hides all addresses; run as "
            "root, and with kernel.kptr_restrict set to 0 or 1 (sysctl -w "
            "kernel.kptr_restrict=1)");
}

TEST(Symbols, RefusesWhatIsNoSymbolTable) {
  EXPECT_EQ(Symbols::parse("hello\n").error().message,
            "cannot understand /proc/kallsyms: its line 'hello' is no symbol");
  EXPECT_FALSE(Symbols::parse(""));
  EXPECT_FALSE(Symbols::parse("ffffffff81000000\n"));
  EXPECT_FALSE(Symbols::parse("ffffffff81000000 T x\t[\n"));
}

}  // namespace
}  // namespace kinst::kernel
