// Functions that are chosen when a program starts: what carries their names is a
// resolver (STT_GNU_IFUNC), which has run when the program can be looked at.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "isa/isa.h"
#include "provider/user_exits.h"
#include "user/process.h"

namespace kinst::provider {

class IndirectFunctions {
 public:
  /// Both must outlive it.
  IndirectFunctions(user::Process& process, const isa::Isa& isa)
      : process_(&process), isa_(&isa) {}

  /// What stands for the resolver's function: those among the functions whose addresses
  /// the resolver takes that are in the process's data, where the dynamic linker puts
  /// what was chosen; all of them if none is. Empty if the resolver takes no address.
  /// Each has the resolver's name, and size 0 if nothing tells where it ends. The
  /// symbols live as long as this.
  std::vector<const user::ElfSymbol*> implementations(const user::LoadedObject& object,
                                                      const user::ElfSymbol& resolver,
                                                      const ReadCode& read);

 private:
  bool is_in_data(std::uint64_t address);

  user::Process* process_;
  const isa::Isa* isa_;
  std::deque<user::ElfSymbol> found_;
  /// All words of the process's data that are addresses of its code, ascending; read
  /// when first asked for.
  std::optional<std::vector<std::uint64_t>> code_addresses_;
};

}  // namespace kinst::provider
