// What the guest's virtual machine is, where machines differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kinst::guest {

/// What the beginning of a kernel's image states.
struct ImageHead {
  /// "6.1.0-57-cloud-amd64", as `uname -r` says in the guest.
  std::string release;
  /// How long the file is at least.
  std::uint64_t file_bytes = 0;
};

/// A kind of machine that QEMU imitates and that Linux boots on. Nothing else in this
/// folder names a device, a console or a format of kernel images. Arguments are QEMU's.
struct Board {
  std::string_view qemu;                      ///< the program
  std::string_view qemu_package;              ///< Debian's package that has it
  std::span<const std::string_view> machine;  ///< none: what QEMU takes by itself
  /// Which processor, by the machine's own hardware and without it.
  std::span<const std::string_view> accelerated;
  std::span<const std::string_view> emulated;
  /// The device of the serial console, as the kernel names it.
  std::string_view console;
  /// Options for the kernel that only this machine has.
  std::string_view kernel_options;
  /// The device that the guest's ports belong to, and the kernel's modules for it, each
  /// behind those that it needs.
  std::string_view ports;
  std::span<const std::string_view> port_modules;

  /// How much of an image read_image() needs to see; a shorter file is all of it.
  std::size_t head_bytes = 0;
  /// Errors: what the file is instead of an image that this machine boots, without
  /// naming it.
  Result<ImageHead> (*read_image)(std::span<const std::byte> head) = nullptr;
};

/// QEMU's PC. Its images are bzImages: Documentation/arch/x86/boot.rst.
const Board& x86_64_board();

/// The board for programs of the machine that this command was built for.
const Board& native_board();

}  // namespace kinst::guest
