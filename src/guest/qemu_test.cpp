#include "guest/qemu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

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
  const auto arguments =
      qemu_arguments(x86_64_board(), {}, Acceleration::Emulation, ends, 0);
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
  const auto arguments = qemu_arguments(x86_64_board(), machine,
                                        Acceleration::Emulation, ends, hundred_mib);
  EXPECT_EQ(values(arguments, "-m"), std::vector<std::string>{"812M"});
}

TEST(QemuArguments, AskForHardwareOnlyWhenTold) {
  EXPECT_EQ(
      values(qemu_arguments(x86_64_board(), {}, Acceleration::Kvm, ends, 0), "-accel"),
      std::vector<std::string>{"kvm"});
  EXPECT_EQ(values(qemu_arguments(x86_64_board(), {}, Acceleration::Emulation, ends, 0),
                   "-accel"),
            std::vector<std::string>{"tcg,thread=single"});
}

TEST(QemuArguments, HaveTheMachineOfTheBoard) {
  static constexpr std::array<std::string_view, 2> machine = {"-machine", "virt"};
  static constexpr std::array<std::string_view, 2> emulated = {"-cpu", "large"};
  Board board;
  board.machine = machine;
  board.emulated = emulated;
  board.console = "ttyX7";
  board.kernel_options = "no_such_check";
  board.ports = "serial-bus";
  const auto arguments = qemu_arguments(board, {}, Acceleration::Emulation, ends, 0);
  EXPECT_EQ(values(arguments, "-machine"), std::vector<std::string>{"virt"});
  EXPECT_EQ(values(arguments, "-cpu"), std::vector<std::string>{"large"});
  EXPECT_EQ(values(arguments, "-accel"), std::vector<std::string>{});
  EXPECT_EQ(values(arguments, "-device").front(), "serial-bus");
  EXPECT_EQ(values(arguments, "-append"),
            std::vector<std::string>{"console=ttyX7 quiet panic=-1 oops=panic "
                                     "no_such_check norandmaps"});
}

}  // namespace
}  // namespace kinst::guest
