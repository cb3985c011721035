#include "guest/kernel_image.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string_view>

#include "guest/image_for_tests.h"

namespace kinst::guest {
namespace {

namespace fs = std::filesystem;

TEST(KernelImage, IsRefusedIfItWasCutShort) {
  std::string head = image_head();
  head[0x1f4] = 3;  // units of 16 bytes behind the setup code
  const fs::path path = fs::path(testing::TempDir()) / "kinst_cut_image";
  std::ofstream(path) << head;
  EXPECT_EQ(
      open_kernel(path).error().message,
      "cannot boot " + path.native() + ": it was cut short, to 1024 of 1072 bytes");
  std::ofstream(path) << head << std::string(48, 'x');
  EXPECT_TRUE(open_kernel(path));
  fs::remove(path);
}

TEST(KernelImage, IsNamedInTheRefusal) {
  EXPECT_EQ(open_kernel("/dev/null").error().message,
            "cannot boot /dev/null: it is not a Linux kernel image for x86");
  EXPECT_EQ(open_kernel("/nonexistent").error().message,
            "cannot read the kernel image /nonexistent: No such file or directory");
}

class KernelPlacesTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(places_.boot);
  }
  void TearDown() override { fs::remove_all(root_); }

  void install(const std::string& release, std::string_view configuration) const {
    std::ofstream(places_.boot / ("vmlinuz-" + release)) << image_head();
    std::ofstream(places_.boot / ("config-" + release)) << configuration << '\n';
  }
  void unpack(const std::string& version) const {
    fs::create_directories(places_.cache / version);
    std::ofstream(places_.cache / version / "vmlinuz") << image_head();
  }
  [[nodiscard]] fs::path chosen() const { return choose_kernel(places_)->path; }

  fs::path root_ = fs::path(testing::TempDir()) / "kinst-kernel-places";
  KernelPlaces places_{.running_release = "6.6.1",
                       .boot = root_ / "boot",
                       .modules = root_ / "modules",
                       .cache = root_ / "cache"};
};

constexpr std::string_view kprobes = "CONFIG_KPROBE_EVENTS=y";

TEST_F(KernelPlacesTest, PreferTheRunningKernel) {
  install("6.6.1", kprobes);
  install("6.9.0", kprobes);
  EXPECT_EQ(chosen(), places_.boot / "vmlinuz-6.6.1");
}

TEST_F(KernelPlacesTest, GiveTheNewestWithKprobesByNumberNotByLetter) {
  install("6.9.0", kprobes);
  install("6.12.0", kprobes);
  install("6.13.0", "# CONFIG_KPROBE_EVENTS is not set");
  EXPECT_EQ(chosen(), places_.boot / "vmlinuz-6.12.0");
}

TEST_F(KernelPlacesTest, FallBackToTheLowestVersionOfTheCacheWhateverComesLater) {
  install("6.6.1", "CONFIG_KPROBES=n");
  unpack("6.9");
  EXPECT_EQ(chosen(), places_.cache / "6.9" / "vmlinuz");
  unpack("6.12");
  unpack("newest");
  install("6.13.0", kprobes);
  EXPECT_EQ(chosen(), places_.cache / "6.9" / "vmlinuz");
}

TEST_F(KernelPlacesTest, FindImagesAmongTheirModules) {
  const fs::path folder = places_.modules / "6.1.0-test";
  fs::create_directories(folder);
  std::ofstream(folder / "vmlinuz") << image_head();
  std::ofstream(folder / "config") << kprobes << '\n';
  EXPECT_EQ(chosen(), folder / "vmlinuz");
  EXPECT_EQ(choose_kernel(places_)->modules, folder);
}

TEST_F(KernelPlacesTest, NameCachedKernelsByTheirVersion) {
  unpack("6.1");
  unpack("newest");
  EXPECT_EQ(named_kernel(places_, "newest")->path,
            places_.cache / "newest" / "vmlinuz");
  EXPECT_EQ(
      named_kernel(places_, "6.2").error().message,
      "there is no kernel '6.2': scripts/fetch-kernels has fetched 6.1, newest, and "
      "an image is named by its path");
  EXPECT_EQ(named_kernel(places_, "/nonexistent").error().message,
            "cannot read the kernel image /nonexistent: No such file or directory");
}

TEST_F(KernelPlacesTest, SayWhatToDoWhenThereIsNone) {
  EXPECT_EQ(choose_kernel(places_).error().message,
            "no kernel to boot: none in " + places_.boot.native() +
                " has kprobes; name one with --vm=IMAGE, or get one with "
                "scripts/fetch-kernels");
}

}  // namespace
}  // namespace kinst::guest
