#include <gtest/gtest.h>

#include <string_view>

#include "guest/board.h"
#include "guest/image_for_tests.h"

namespace kinst::guest {
namespace {

Result<std::string> release_of(std::string_view head) {
  return x86_64_board()
      .read_image(std::as_bytes(std::span(head)))
      .map([](const ImageHead& image) { return image.release; });
}

TEST(X86Image, StatesItsReleaseAndItsLength) {
  std::string head = image_head();
  head[0x1f4] = 3;  // units of 16 bytes behind the setup code
  const auto image = x86_64_board().read_image(std::as_bytes(std::span(head)));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->release, "6.1.0-test");
  EXPECT_EQ(image->file_bytes, 1072U);
}

TEST(X86Image, IsRefusedWithWhatItIsInstead) {
  std::string narrow = image_head();
  narrow[0x236] = 0;
  std::string arm(1024, '\0');
  arm.replace(0x38, 4, "ARMd");

  EXPECT_EQ(release_of(narrow).error().message,
            "it is a kernel for 32-bit x86, the guest is an x86-64 machine");
  EXPECT_EQ(release_of(arm).error().message,
            "it is a kernel image for arm64, the guest is an x86-64 machine");
  EXPECT_EQ(release_of("\x7f"
                       "ELF\x02")
                .error()
                .message,
            "it is an ELF file; the guest boots the compressed image, as in "
            "/boot/vmlinuz-*");
  EXPECT_EQ(release_of("#!/bin/sh\n").error().message,
            "it is not a Linux kernel image for x86");
  EXPECT_EQ(release_of("").error().message, "it is not a Linux kernel image for x86");
}

TEST(X86Image, IsReadOnlyUpToItsEnd) {
  // The release would stand behind the last byte.
  std::string head = image_head();
  head[0x20f] = 0x7f;
  EXPECT_EQ(release_of(head), "");
}

}  // namespace
}  // namespace kinst::guest
