#include "kernel/debug/debug_information_text.h"

#include <gtest/gtest.h>

namespace kinst::kernel {
namespace {

// This program's file begins with its first segment.
class ImageFile : public testing::Test {
 protected:
  Result<ImageText> image = ImageText::open_file("/proc/self/exe", begin);

  static constexpr KernelAddress begin{0xffffffffa0000000};
};

TEST_F(ImageFile, GivesTheBytesOfRunningAddresses) {
  ASSERT_TRUE(image) << image.error().message;
  const auto bytes = image->bytes(begin + FunctionOffset{1}, 3);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes,
            (std::vector<std::byte>{std::byte{'E'}, std::byte{'L'}, std::byte{'F'}}));
}

TEST_F(ImageFile, SaysWhatItDoesNotHave) {
  ASSERT_TRUE(image) << image.error().message;
  const auto bytes = image->bytes(KernelAddress{0xffffffff90000000}, 3);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "/proc/self/exe has nothing for 0xffffffff90000000");
}

TEST(ImageText, SaysThatAFileIsNoImage) {
  const auto image = ImageText::open_file("/proc/self/cmdline", KernelAddress{});
  ASSERT_FALSE(image);
  EXPECT_TRUE(image.error().message.starts_with("cannot read /proc/self/cmdline"));
}

}  // namespace
}  // namespace kinst::kernel
