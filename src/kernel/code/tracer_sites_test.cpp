#include "kernel/code/tracer_sites.h"

#include <gtest/gtest.h>

namespace kinst::kernel {
namespace {

using Answer = TracerSites::Answer;
using Found = TracerSites::Found;

Symbol function(std::uint64_t address, std::string name, std::string module) {
  return {.address = KernelAddress{address},
          .size_bytes = 64,
          .name = std::move(name),
          .module = std::move(module),
          .type = 't'};
}

TEST(TracerSites, AreFoundByAddressWhereTheKernelTellsIt) {
  const TracerSites sites(
      TraceableFunctions::parse("ffffffff81000204 other\nffffffff81000104 work\n"));
  EXPECT_EQ(sites.find(function(0xffffffff81000100, "alias", "vmlinux")),
            (Found{.answer = Answer::Traceable, .site = FunctionOffset{4}}));
  EXPECT_EQ(sites.find(function(0xffffffff81000140, "work", "vmlinux")),
            (Found{.answer = Answer::NotTraceable}))
      << "another of that name";
  EXPECT_EQ(sites.find(function(0xffffffff81000300, "last", "vmlinux")),
            (Found{.answer = Answer::NotTraceable}));
}

TEST(TracerSites, AreKnownByNameInOlderKernels) {
  const TracerSites sites(TraceableFunctions::parse("work\nadd [virtio_ring]\n"));
  EXPECT_EQ(sites.find(function(0xffffffff81000100, "work", "vmlinux")),
            (Found{.answer = Answer::Traceable}));
  EXPECT_EQ(sites.find(function(0xffffffff81000100, "add", "vmlinux")),
            (Found{.answer = Answer::NotTraceable}));
}

}  // namespace
}  // namespace kinst::kernel
