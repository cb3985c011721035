// No disk, no network and nothing of this machine is shared with the guest: what it
// needs is in the initramfs, and what it says goes through socket pairs.
#include "guest/qemu.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "base/system/find_program.h"
#include "base/system/write_all.h"

namespace kinst::guest {
namespace {

// While they are unpacked, the files are in memory beside the archive.
constexpr std::size_t memory_per_byte_of_files = 3;

/// Both ends of a connection to QEMU.
struct Connection {
  FileDescriptor here;
  FileDescriptor there;
};

Result<Connection> connect() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return system_error("make a socket pair", errno);
  }
  return Connection{.here = FileDescriptor(ends[0]), .there = FileDescriptor(ends[1])};
}

/// A file in memory, which QEMU opens through /dev/fd.
Result<FileDescriptor> in_memory(std::string_view content) {
  FileDescriptor file(::memfd_create("initramfs", MFD_CLOEXEC));
  if (!file) {
    return system_error("make a file in memory", errno);
  }
  if (const int problem = write_all(file.get(), content); problem != 0) {
    return system_error("write the guest's files to memory", problem);
  }
  return file;
}

}  // namespace

std::vector<std::string> qemu_arguments(const Board& board, const Machine& machine,
                                        Acceleration acceleration, const QemuEnds& ends,
                                        std::size_t initramfs_bytes) {
  const std::size_t memory_mib =
      machine.memory_mib + memory_per_byte_of_files * (initramfs_bytes >> 20U);
  std::vector<std::string> arguments = {
      "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
      // A panic resets the machine at once, which ends QEMU; an oops counts as a panic.
      //
      // Addresses are not randomized: code is emulated anew wherever it is at another
      // address, which made programs start two to four times slower, and nothing in the
      // guest needs protection.
      "-append",
      fmt::format("console={} quiet panic=-1 oops=panic {} norandmaps", board.console,
                  board.kernel_options),
      "-kernel", machine.kernel.path.native(), "-initrd",
      fmt::format("/dev/fd/{}", ends.initramfs), "-m", fmt::format("{}M", memory_mib),
      "-smp", fmt::format("{}", machine.processors), "-chardev",
      fmt::format("socket,id=console,fd={}", ends.console), "-serial",
      "chardev:console", "-device", std::string(board.ports)};
  const auto& processor =
      acceleration == Acceleration::Kvm ? board.accelerated : board.emulated;
  arguments.insert(arguments.end(), board.machine.begin(), board.machine.end());
  arguments.insert(arguments.end(), processor.begin(), processor.end());
  for (std::size_t port = 1; port <= ends.ports.size(); ++port) {
    arguments.insert(
        arguments.end(),
        {"-chardev",
         fmt::format("socket,id=port{},fd={}", port, ends.ports.at(port - 1)),
         "-device", fmt::format("virtserialport,chardev=port{0},nr={0}", port)});
  }
  return arguments;
}

Result<Qemu> start_qemu(const Machine& machine, Acceleration acceleration,
                        std::string_view initramfs) {
  const Board& board = native_board();
  const auto program = find_program(board.qemu);
  if (!program) {
    return error("the guest needs QEMU: apt-get install {}", board.qemu_package);
  }
  Connection console = KINST_TRY(connect());
  Connection control = KINST_TRY(connect());
  Connection input = KINST_TRY(connect());
  Connection output = KINST_TRY(connect());
  Connection errors = KINST_TRY(connect());
  Connection file = KINST_TRY(connect());
  Connection complaints = KINST_TRY(connect());
  const FileDescriptor files = KINST_TRY(in_memory(initramfs));
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));

  const QemuEnds ends{
      .console = console.there.get(),
      .ports = {control.there.get(), input.there.get(), output.there.get(),
                errors.there.get(), file.there.get()},
      .initramfs = files.get()};
  std::vector<std::string> arguments =
      qemu_arguments(board, machine, acceleration, ends, initramfs.size());
  arguments.insert(arguments.begin(), program->native());
  const std::array inherited = {ends.console,  ends.ports[0], ends.ports[1],
                                ends.ports[2], ends.ports[3], ends.ports[4],
                                ends.initramfs};
  Child process = KINST_TRY(Child::start(program->native(), arguments,
                                         {.input = nothing.get(),
                                          .output = nothing.get(),
                                          .errors = complaints.there.get()},
                                         Orphan::IsKilled, inherited));
  return Qemu{.console = std::move(console.here),
              .control = std::move(control.here),
              .input = std::move(input.here),
              .output = std::move(output.here),
              .errors = std::move(errors.here),
              .file = std::move(file.here),
              .complaints = std::move(complaints.here),
              .process = std::move(process)};
}

}  // namespace kinst::guest
