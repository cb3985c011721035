// Symbolizer from a table, for the tests of this folder.
#pragma once

#include <map>
#include <utility>

#include "consumer/values/symbolizer.h"

namespace kinst::consumer {

class TableOfNames : public Symbolizer {
 public:
  std::optional<SymbolOffset> kernel_place(std::uint64_t address) override {
    const auto found = kernel.find(address);
    return found == kernel.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<SymbolOffset> user_place(std::uint64_t process,
                                         std::uint64_t address) override {
    const auto found = user.find({process, address});
    return found == user.end() ? std::nullopt : std::optional(found->second);
  }
  const provider::Probe* probe(std::uint64_t key) override {
    const auto found = probes.find(key);
    return found == probes.end() ? nullptr : &found->second;
  }
  std::string instruction(record::Meaning what, std::uint64_t key) override {
    const auto found = instructions.find({what, key});
    return found == instructions.end() ? "" : found->second;
  }

  std::map<std::uint64_t, SymbolOffset> kernel;
  std::map<std::pair<std::uint64_t, std::uint64_t>, SymbolOffset> user;
  std::map<std::uint64_t, provider::Probe> probes;
  std::map<std::pair<record::Meaning, std::uint64_t>, std::string> instructions;
};

}  // namespace kinst::consumer
