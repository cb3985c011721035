// Random D programs that are well typed, so that the compiler takes them and the
// kernel's verifier must.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinst::verifier {

/// The probes of one provider that programs may be made for.
struct ProbeKind {
  std::string_view name;  ///< as the command line says it
  std::vector<std::string_view>
      probes;  ///< descriptions, each with a context of the kind
  std::vector<std::string_view> integers = {};  ///< expressions that only it has
  std::vector<std::string_view> strings = {};
  bool needs_target = false;  ///< a process, as -c gives one
  bool needs_kprobes = false;
};

const std::vector<ProbeKind>& probe_kinds();

/// A program of declarations, some clauses for each kind, ERROR's clauses, and BEGIN's
/// that ends the run. The same for the same seed.
std::string random_program(std::uint64_t seed,
                           const std::vector<const ProbeKind*>& kinds);

}  // namespace kinst::verifier
