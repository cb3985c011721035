// What addresses and probes are called. The consumer asks, the session answers from the
// kernel's symbols, the processes' maps and the probes that it made; a test from a
// table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provider/probe.h"
#include "record/layout.h"

namespace kinst::consumer {

/// Where an address is.
struct Place {
  std::string object;  ///< "vmlinux", a module, a program's or library's file name
  std::string symbol;  ///< empty where only the object is known
  std::uint64_t offset = 0;  ///< from the symbol's first byte
};

class Names {
 public:
  Names() = default;
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;
  Names(Names&&) = delete;
  Names& operator=(Names&&) = delete;
  virtual ~Names() = default;

  virtual std::optional<Place> kernel_place(std::uint64_t address) = 0;
  virtual std::optional<Place> user_place(std::uint64_t process,
                                          std::uint64_t address) = 0;
  /// The probe of a record's key; null if there is none. It lives as long as this.
  virtual const provider::Probe* probe(std::uint64_t key) = 0;
  /// What is known of the instruction at a probe, for Meaning::Instruction and those
  /// after it; empty where nothing is.
  virtual std::string instruction(record::Meaning what, std::uint64_t key) = 0;
};

}  // namespace kinst::consumer
