#include "provider/attach_order.h"

#include <gtest/gtest.h>

namespace kinst::provider {
namespace {

Probe instruction(std::string function) {
  return {.id = 0,
          .provider = "kinst",
          .module = "vmlinux",
          .function = std::move(function),
          .name = "0",
          .site = KernelInstruction{}};
}

TEST(AttachOrder, PutsTheKernelsInstructionDecoderLast) {
  Probe user = instruction("insn_of_a_program");
  user.site = Timer{};
  const std::vector<Probe> all = {instruction("insn_get_modrm"),
                                  instruction("vfs_read"), user,
                                  instruction("vfs_write")};
  EXPECT_EQ(attach_order(all, {{1, 0}, {2}, {3}}, isa::x86_64()),
            (std::vector<std::size_t>{1, 2, 0}));
}

}  // namespace
}  // namespace kinst::provider
