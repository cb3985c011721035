#include "kernel/memory/vmcoreinfo.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <vector>

namespace kinst::kernel {
namespace {

void append_note(std::vector<std::byte>& out, std::string_view name,
                 std::string_view text) {
  const Elf64_Nhdr header{.n_namesz = static_cast<std::uint32_t>(name.size() + 1),
                          .n_descsz = static_cast<std::uint32_t>(text.size()),
                          .n_type = 0};
  const auto bytes = std::as_bytes(std::span(&header, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
  const auto append_padded = [&](std::string_view what, std::size_t size_bytes) {
    for (std::size_t i = 0; i < (size_bytes + 3) / 4 * 4; ++i) {
      out.push_back(i < what.size() ? static_cast<std::byte>(what[i]) : std::byte{});
    }
  };
  append_padded(name, name.size() + 1);
  append_padded(text, text.size());
}

TEST(Vmcoreinfo, IsFoundBehindOtherNotes) {
  std::vector<std::byte> notes;
  append_note(notes, "CORE", "registers");
  append_note(notes, "VMCOREINFO", "OSRELEASE=6.1\n");
  EXPECT_EQ(find_vmcoreinfo(notes), "OSRELEASE=6.1\n");
  notes.resize(notes.size() - 4);
  EXPECT_EQ(find_vmcoreinfo(notes), std::nullopt) << "cut short";
  EXPECT_EQ(find_vmcoreinfo({}), std::nullopt);
}

TEST(Vmcoreinfo, TellsWhereSymbolsAre) {
  constexpr std::string_view text =
      "OSRELEASE=6.1.0\n"
      "SYMBOL(_stext_more)=1\n"
      "SYMBOL(_stext)=ffffffff81000000\n"
      "NUMBER(x)=2\n"
      "SYMBOL(odd)=12x\n";
  EXPECT_EQ(vmcoreinfo_symbol(text, "_stext"), KernelAddress{0xffffffff81000000});
  EXPECT_EQ(vmcoreinfo_symbol(text, "x"), std::nullopt);
  EXPECT_EQ(vmcoreinfo_symbol(text, "odd"), std::nullopt);
}

}  // namespace
}  // namespace kinst::kernel
