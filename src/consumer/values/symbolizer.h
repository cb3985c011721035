// The names of addresses and probes. The consumer asks for them; in a run the answers
// come from the kernel's symbols, the processes' maps and the run's probes, and in
// tests from a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provider/probe.h"
#include "record/meaning.h"

namespace kinst::consumer {

/// The place of an address.
struct SymbolOffset {
  std::string object;  ///< "vmlinux", a module, a program's or library's file name
  std::string symbol;  ///< empty if only the object is known
  std::uint64_t offset = 0;  ///< from the symbol's first byte
};

class Symbolizer {
 public:
  Symbolizer() = default;
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;
  Symbolizer(Symbolizer&&) = delete;
  Symbolizer& operator=(Symbolizer&&) = delete;
  virtual ~Symbolizer() = default;

  virtual std::optional<SymbolOffset> kernel_place(std::uint64_t address) = 0;
  virtual std::optional<SymbolOffset> user_place(std::uint64_t process,
                                                 std::uint64_t address) = 0;
  /// The probe with this key; null if there is none. It lives as long as this.
  virtual const provider::Probe* probe(std::uint64_t key) = 0;
  /// A fact about the instruction at a probe: its text, its mnemonic, its source file
  /// or line; empty if it is not known.
  virtual std::string instruction(record::Meaning what, std::uint64_t key) = 0;
};

}  // namespace kinst::consumer
