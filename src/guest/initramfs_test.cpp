#include "guest/initramfs.h"

#include <gtest/gtest.h>

namespace kinst::guest {
namespace {

TEST(QuoteForShell, KeepsEveryByteLiteral) {
  EXPECT_EQ(quote_for_shell(""), "''");
  EXPECT_EQ(quote_for_shell("a b $c \\ \"\n"), "'a b $c \\ \"\n'");
  EXPECT_EQ(quote_for_shell("it's"), R"('it'\''s')");
}

TEST(LddOutput, GivesThePathsOfTheLibraries) {
  EXPECT_EQ(
      libraries_in_ldd_output("\tlinux-vdso.so.1 (0x00007ffd)\n"
                              "\tlibm.so.6 => /lib/x/libm.so.6 (0x00007f3d)\n"
                              "\t/lib64/ld-linux-x86-64.so.2 (0x00007f3e)\n"),
      (std::vector<std::string>{"/lib/x/libm.so.6", "/lib64/ld-linux-x86-64.so.2"}));
}

TEST(LddOutput, OfAStaticProgramIsEmpty) {
  EXPECT_EQ(libraries_in_ldd_output("\tnot a dynamic executable\n"),
            std::vector<std::string>{});
}

TEST(LddOutput, NamesAMissingLibrary) {
  EXPECT_EQ(libraries_in_ldd_output("\tlibz.so.1 => not found\n").error().message,
            "libz.so.1 is missing");
}

TEST(Initramfs, NamesTheFileThatCannotBeRead) {
  Machine machine;
  machine.files.push_back({.source = "/nonexistent/prog.d", .destination = "/prog.d"});
  const auto archive = make_initramfs(machine, {.arguments = {"true"}}, "mark");
  EXPECT_EQ(archive.error().message,
            "cannot read /nonexistent/prog.d: No such file or directory");
}

TEST(SamePath, IsAbsoluteAndWithoutDots) {
  EXPECT_EQ(same_path("/a/./b/../c").destination, "/a/c");
}

}  // namespace
}  // namespace kinst::guest
