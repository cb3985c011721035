// Functions whose code is chosen when the program starts. The symbol of such a function
// is a resolver (STT_GNU_IFUNC), which has already run when the program is examined.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "isa/isa.h"
#include "provider/user/user_exits.h"
#include "user/process.h"

namespace kinst::provider {

class IndirectFunctions {
 public:
  /// Both must outlive it.
  IndirectFunctions(user::Process& process, const isa::Isa& isa)
      : process_(&process), isa_(&isa) {}

  /// The functions that may implement the resolver's function. Candidates are the
  /// functions whose addresses the resolver takes. The dynamic linker writes the chosen
  /// address to the process's data, so the candidates found there are returned; if none
  /// is found there, all are. Empty if the resolver takes no address.
  /// Each symbol has the resolver's name; its size is 0 if nothing tells where the
  /// function ends. The symbols live as long as this.
  std::vector<const user::ElfSymbol*> implementations(const user::LoadedObject& object,
                                                      const user::ElfSymbol& resolver,
                                                      const ReadCode& read);

 private:
  bool is_in_data(std::uint64_t address);

  user::Process* process_;
  const isa::Isa* isa_;
  std::deque<user::ElfSymbol> found_;
  /// All words in the process's data that are addresses of its code, ascending; read
  /// when first needed.
  std::optional<std::vector<std::uint64_t>> code_addresses_;
};

}  // namespace kinst::provider
