// Calls each library that kinst stands on: dependencies.cmake links it to see which
// archives can be linked into the command.
#include <bpf/libbpf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <libelf.h>

int main() {
  const Dwfl_Callbacks callbacks{};
  dwfl_end(dwfl_begin(&callbacks));
  elf_end(elf_begin(-1, ELF_C_READ, nullptr));
  bpf_object__close(bpf_object__open_file("", nullptr));
  return fmt::format("{:.1f}", 1.0).empty() ? 1 : 0;
}
