// The kernel's own boot protocol says in the image's first kilobyte what it is.
#include <array>
#include <cstring>

#include "guest/board.h"

namespace kinst::guest {
namespace {

constexpr std::array<std::string_view, 4> accelerated = {"-accel", "kvm", "-cpu",
                                                         "host"};

// One thread runs all emulated processors in turn: with a thread for each, one could
// meet a breakpoint that the other had taken out of the kernel's text already, which
// the kernel takes for a fault of its own; and on a busy host it was four times slower.
constexpr std::array<std::string_view, 4> emulated = {"-accel", "tcg,thread=single",
                                                      "-cpu", "max"};

// Which of virtio and virtio_ring needs the other has changed.
constexpr std::array<std::string_view, 7> virtio_modules = {
    "virtio_ring",           "virtio",     "virtio_ring",   "virtio_pci_legacy_dev",
    "virtio_pci_modern_dev", "virtio_pci", "virtio_console"};

// Offsets of the setup header: Documentation/arch/x86/boot.rst, "The Real-Mode Kernel
// Header". The release stands 0x200 bytes behind what kernel_version holds.
constexpr std::size_t head_bytes = 0x8000;
constexpr std::size_t setup_sectors = 0x1f1;
constexpr std::size_t system_size = 0x1f4;
constexpr std::size_t boot_flag = 0x1fe;
constexpr std::size_t header_magic = 0x202;
constexpr std::size_t kernel_version = 0x20e;
constexpr std::size_t load_flags = 0x236;
constexpr std::size_t setup_header_end = 0x268;
constexpr std::uint16_t has_64_bit_entry = 1;

bool has_text(std::span<const std::byte> head, std::size_t offset,
              std::string_view text) {
  return head.size() >= offset + text.size() &&
         std::memcmp(head.data() + offset, text.data(), text.size()) == 0;
}

std::uint16_t number_at(std::span<const std::byte> head, std::size_t offset) {
  std::uint16_t number = 0;
  std::memcpy(&number, head.data() + offset, sizeof(number));
  return number;
}

// The sectors of the setup code, the boot sector, and the rest in units of 16 bytes.
std::uint64_t image_bytes(std::span<const std::byte> head) {
  constexpr std::uint64_t sector = 512;
  constexpr std::uint64_t usual_sectors = 4;
  const auto sectors = std::to_integer<std::uint64_t>(head[setup_sectors]);
  std::uint32_t system = 0;
  std::memcpy(&system, head.data() + system_size, sizeof(system));
  return ((sectors == 0 ? usual_sectors : sectors) + 1) * sector +
         std::uint64_t{16} * system;
}

std::string text_at(std::span<const std::byte> head, std::size_t offset) {
  std::string text;
  for (; offset < head.size(); ++offset) {
    const char letter = static_cast<char>(head[offset]);
    if (letter == '\0' || letter == ' ') {
      break;
    }
    text.push_back(letter);
  }
  return text;
}

Result<ImageHead> read_image(std::span<const std::byte> head) {
  if (has_text(head, 0,
               "\x7f"
               "ELF")) {
    return error(
        "it is an ELF file; the guest boots the compressed image, as in "
        "/boot/vmlinuz-*");
  }
  if (has_text(head, 0x38, "ARMd")) {
    return error("it is a kernel image for arm64, the guest is an x86-64 machine");
  }
  if (head.size() < setup_header_end || !has_text(head, boot_flag, "\x55\xaa") ||
      !has_text(head, header_magic, "HdrS")) {
    return error("it is not a Linux kernel image for x86");
  }
  if ((number_at(head, load_flags) & has_64_bit_entry) == 0) {
    return error("it is a kernel for 32-bit x86, the guest is an x86-64 machine");
  }
  return ImageHead{
      .release = text_at(head, number_at(head, kernel_version) + std::size_t{0x200}),
      .file_bytes = image_bytes(head)};
}

}  // namespace

const Board& x86_64_board() {
  static constexpr Board board = {
      .qemu = "qemu-system-x86_64",
      .qemu_package = "qemu-system-x86",
      .machine = {},
      .accelerated = accelerated,
      .emulated = emulated,
      .console = "ttyS0",
      // On a busy host an emulated timer can be too late for the kernel's check of it.
      .kernel_options = "no_timer_check",
      .ports = "virtio-serial-pci",
      .port_modules = virtio_modules,
      .head_bytes = head_bytes,
      .read_image = read_image,
  };
  return board;
}

}  // namespace kinst::guest
