#include "kernel/code/function_reader.h"

#include <algorithm>
#include <utility>

#include "kernel/code/emulation_faults.h"
#include "kernel/memory/core_file.h"
#include "kernel/memory/release.h"

namespace kinst::kernel {

std::optional<Refused> ExaminedFunction::refusal(const isa::Instruction& instruction,
                                                 const ProbeRules& rules,
                                                 const isa::Isa& isa) const {
  return refused ? refused
                 : instruction_refusal(function, instruction, rules, sites, isa);
}

Result<FunctionReader::Kernel*> FunctionReader::kernel_with(const Symbols& symbols) {
  if (!kernel_) {
    Kernel made;
    made.memory = KINST_TRY(CoreFile::open());
    made.rules = KINST_TRY(read_probe_rules(*made.memory, symbols));
    made.probes = KINST_TRY(read_live_probes(*made.memory, symbols, *isa_));
    kernel_ = std::move(made);
  }
  return &*kernel_;
}

// A beginning that is not known must not be taken for one without the tracer's call:
// what nothing else forbids is asked of the kernel.
// base: as function_refusal() has it.
Result<Function> FunctionReader::decode(Kernel& kernel, const Symbols& symbols,
                                        const Symbol& symbol, const Function* base) {
  const auto text = KINST_TRY(read_text(*kernel.memory, symbol, kernel.probes, *isa_));
  Function function = decode_function(symbols, symbol, text, *isa_);
  const auto refused = function_refusal(function, base, kernel.rules);
  if (!refused || refused->refusal != Refusal::NotTraceable) {
    return function;
  }
  if (!kernel.tracer_sites) {
    kernel.tracer_sites = TracerSites::read();
  }
  const TracerSites::Found found = kernel.tracer_sites->find(symbol);
  if (found.site) {
    return decode_function(symbols, symbol, text, *isa_, found.site);
  }
  switch (found.answer) {
    case TracerSites::Answer::Traceable:
      function.has_tracer_call = true;
      break;
    case TracerSites::Answer::NotTraceable:
      break;
    case TracerSites::Answer::Unknown:
      kernel.rules.needs_tracer_call = false;  // the kernel will refuse the probe
      break;
  }
  return function;
}

// Looks whether this kernel has the faults that concern the function's instructions.
Result<void> FunctionReader::find_faults(Kernel& kernel, const Symbols& symbols,
                                         const Function& function) {
  const auto& faults = isa_->emulation_faults;
  std::vector<std::optional<bool>>& known = kernel.rules.emulated_right;
  known.resize(faults.size());
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (!known[i] && std::ranges::any_of(function.instructions, faults[i].concerns)) {
      known[i] = KINST_TRY(is_emulated_right(*kernel.memory, symbols, faults[i]))
                     .value_or(is_since(running_release(), faults[i].right_since));
    }
  }
  return {};
}

Result<ExaminedFunction> FunctionReader::read(const Symbols& symbols,
                                              const Symbol& symbol) {
  Kernel& kernel = *KINST_TRY(kernel_with(symbols));
  if (symbol.module != kernel_module && !kernel.knows_modules) {
    KINST_CHECK(add_module_sites(*kernel.memory, symbols, kernel.rules.sites));
    kernel.knows_modules = true;
  }
  std::optional<Function> whole;
  if (const auto base = whole_of_part(symbols, symbol)) {
    whole = KINST_TRY(decode(kernel, symbols, *base, nullptr));
  }
  const Function* base = whole ? &*whole : nullptr;
  ExaminedFunction out{.function = KINST_TRY(decode(kernel, symbols, symbol, base))};
  const Function& function = out.function;
  KINST_CHECK(find_faults(kernel, symbols, function));
  out.sites =
      sites_within(kernel.rules.sites,
                   {.begin = function.address,
                    .end = function.address + FunctionOffset{function.size_bytes}});
  out.refused = function_refusal(function, base, kernel.rules);
  return out;
}

Result<std::vector<ExaminedFunction>> FunctionReader::read(
    const Symbols& symbols, std::span<const Symbol> functions) {
  std::vector<ExaminedFunction> out;
  for (const Symbol& symbol : functions) {
    if (out.empty() || out.back().function.address != symbol.address) {
      out.push_back(KINST_TRY(read(symbols, symbol)));
    }
  }
  return out;
}

}  // namespace kinst::kernel
