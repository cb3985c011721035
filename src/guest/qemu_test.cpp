#include "guest/qemu.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kinst::guest {
namespace {

const QemuEnds ends{.console = 10, .ports = {11, 12, 13, 14, 16}, .initramfs = 15};

/// What follows each occurrence of `option`.
std::vector<std::string> values(const std::vector<std::string>& arguments,
                                std::string_view option) {
  std::vector<std::string> found;
  for (auto place = std::ranges::find(arguments, option); place != arguments.end();
       place = std::ranges::find(place + 1, arguments.end(), option)) {
    found.push_back(*(place + 1));
  }
  return found;
}

TEST(QemuArguments, NumberThePortsAsTheInitScriptExpectsThem) {
  const auto arguments = qemu_arguments({}, Acceleration::Emulation, ends, 0);
  EXPECT_EQ(
      values(arguments, "-chardev"),
      (std::vector<std::string>{"socket,id=console,fd=10", "socket,id=port1,fd=11",
                                "socket,id=port2,fd=12", "socket,id=port3,fd=13",
                                "socket,id=port4,fd=14", "socket,id=port5,fd=16"}));
  EXPECT_EQ(
      values(arguments, "-device"),
      (std::vector<std::string>{
          "virtio-serial-pci", "virtserialport,chardev=port1,nr=1",
          "virtserialport,chardev=port2,nr=2", "virtserialport,chardev=port3,nr=3",
          "virtserialport,chardev=port4,nr=4", "virtserialport,chardev=port5,nr=5"}));
}

TEST(QemuArguments, MakeRoomForTheFiles) {
  const std::size_t hundred_mib = std::size_t{100} << 20U;
  Machine machine;
  machine.memory_mib = 512;
  const auto arguments =
      qemu_arguments(machine, Acceleration::Emulation, ends, hundred_mib);
  EXPECT_EQ(values(arguments, "-m"), std::vector<std::string>{"812M"});
}

TEST(QemuArguments, AskForHardwareOnlyWhenTold) {
  EXPECT_EQ(values(qemu_arguments({}, Acceleration::Kvm, ends, 0), "-accel"),
            std::vector<std::string>{"kvm"});
  EXPECT_EQ(values(qemu_arguments({}, Acceleration::Emulation, ends, 0), "-accel"),
            std::vector<std::string>{"tcg,thread=single"});
}

}  // namespace
}  // namespace kinst::guest
