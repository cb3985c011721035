// What the debug_information files share. Not for others.
#pragma once

#include <elfutils/libdwfl.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "isa/isa.h"
#include "kernel/memory/address_range.h"

namespace kinst::kernel {

struct EndDwfl {
  void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};

/// libdwfl's view of one module. It keeps pointers to this, so it stays where it is.
struct DwflHandle {
  Dwfl_Callbacks callbacks{};
  std::string file;  ///< found already; empty: to be asked for by build-id
  std::unique_ptr<Dwfl, EndDwfl> dwfl;
  Dwfl_Module* module = nullptr;
  const isa::Isa* isa = nullptr;
};

/// The path of the running kernel's uncompressed image; empty if none is found. It may
/// be another build's.
std::string find_kernel_file();

/// The build-id of what runs as that module ("vmlinux": the kernel) and of a file;
/// empty if it has none.
std::string running_build_id(std::string_view module);
std::string file_build_id(const std::string& path);

/// The compilation unit that has the address, and by how much its addresses are less
/// than the running kernel's.
struct Unit {
  Dwarf_Die* die = nullptr;
  Dwarf_Addr bias = 0;
};

std::optional<Unit> unit_at(Dwfl_Module* module, KernelAddress address);

/// A DIE's name attribute, its abstract origin's if it has none of its own.
std::string die_name(Dwarf_Die* die);

/// The DIE that an attribute points to, its abstract origin's if it has none of its
/// own.
std::optional<Dwarf_Die> referred_die(Dwarf_Die* die, unsigned attribute_name);

/// The address ranges of a DIE, as they run.
std::vector<AddressRange> die_ranges(Dwarf_Die* die, Dwarf_Addr bias);

}  // namespace kinst::kernel
