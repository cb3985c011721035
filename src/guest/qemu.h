// The running virtual machine.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/system/child.h"
#include "base/system/file_descriptor.h"
#include "guest/board.h"
#include "guest/machine.h"

namespace kinst::guest {

enum class Acceleration { Kvm, Emulation };

/// Where QEMU's ends of the connections are, as file descriptors.
struct QemuEnds {
  int console = -1;
  /// By number of the virtio-serial port, from 1: control, input, output, errors, file.
  std::array<int, 5> ports{};
  int initramfs = -1;
};

/// QEMU's arguments, without the program's name. `initramfs_bytes` enlarge the memory.
std::vector<std::string> qemu_arguments(const Board& board, const Machine& machine,
                                        Acceleration acceleration, const QemuEnds& ends,
                                        std::size_t initramfs_bytes);

/// A booting or running guest and this side's ends of its connections; it is gone when
/// its owner is. The ends do not block.
struct Qemu {
  FileDescriptor console;
  FileDescriptor control;
  FileDescriptor input;
  FileDescriptor output;
  FileDescriptor errors;
  FileDescriptor file;
  /// What QEMU itself complains of.
  FileDescriptor complaints;
  Child process;
};

/// Starts the machine. Errors: QEMU is not installed or does not start.
Result<Qemu> start_qemu(const Machine& machine, Acceleration acceleration,
                        std::string_view initramfs);

}  // namespace kinst::guest
