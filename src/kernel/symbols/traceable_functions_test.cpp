#include "kernel/symbols/traceable_functions.h"

#include <gtest/gtest.h>

namespace kinst::kernel {
namespace {

TEST(TraceableFunctions, HaveNamesAndModules) {
  const auto functions = TraceableFunctions::parse(
      "vfs_read\n"
      "__ftrace_invalid_address___36\n"
      "virtqueue_add_inbuf [virtio_ring]\n"
      "vfs_write\n");
  const std::vector<TraceableFunction> expected = {
      {.name = "vfs_read", .module = "vmlinux"},
      {.name = "virtqueue_add_inbuf", .module = "virtio_ring"},
      {.name = "vfs_write", .module = "vmlinux"}};
  EXPECT_EQ(functions.all(), expected);
}

TEST(TraceableFunctions, HaveTheirSitesWhereTheKernelTells) {
  const auto functions = TraceableFunctions::parse(
      "ffffffff8137e7b4 vfs_read\n"
      "ffffffffc0001004 add [virtio_ring]\n"
      "abc\n");
  const std::vector<TraceableFunction> expected = {
      {.name = "vfs_read", .module = "vmlinux", .site = 0xffffffff8137e7b4},
      {.name = "add", .module = "virtio_ring", .site = 0xffffffffc0001004}};
  EXPECT_EQ(std::vector(functions.all().begin(), functions.all().begin() + 2),
            expected);
}

}  // namespace
}  // namespace kinst::kernel
