#include "kernel/function_reader.h"

#include <algorithm>
#include <utility>

#include "kernel/core_file.h"
#include "kernel/register_calls.h"

namespace kinst::kernel {

std::optional<Refused> ExaminedFunction::refusal(const isa::Instruction& instruction,
                                                 const ProbeRules& rules,
                                                 const isa::Isa& isa) const {
  return refused ? refused : instruction_refusal(instruction, rules, sites, isa);
}

Result<FunctionReader::Kernel*> FunctionReader::kernel_with(const Symbols& symbols) {
  if (!kernel_) {
    Kernel made;
    made.memory = KINST_TRY(CoreFile::open());
    made.rules = KINST_TRY(read_probe_rules(*made.memory, symbols));
    made.probes = KINST_TRY(read_live_probes(*made.memory, symbols));
    kernel_ = std::move(made);
  }
  return &*kernel_;
}

Result<ExaminedFunction> FunctionReader::read(const Symbols& symbols,
                                              const Symbol& symbol) {
  Kernel& kernel = *KINST_TRY(kernel_with(symbols));
  if (symbol.module != kernel_module && !kernel.knows_modules) {
    KINST_CHECK(add_module_sites(*kernel.memory, symbols, kernel.rules.sites));
    kernel.knows_modules = true;
  }
  ExaminedFunction out{.function = KINST_TRY(read_function(
                           *kernel.memory, symbols, symbol, kernel.probes, *isa_))};
  const Function& function = out.function;
  const bool calls_through_registers = std::ranges::any_of(
      function.instructions,
      [&](const isa::Instruction& one) { return is_register_call(one, *isa_); });
  if (calls_through_registers && !kernel.rules.emulates_register_calls) {
    kernel.rules.emulates_register_calls =
        KINST_TRY(emulates_register_calls(*kernel.memory, symbols, *isa_));
  }
  out.sites =
      sites_within(kernel.rules.sites,
                   {.begin = function.address,
                    .end = function.address + FunctionOffset{function.size_bytes}});
  std::optional<Function> whole;
  if (const auto base = whole_of_part(symbols, symbol)) {
    whole =
        KINST_TRY(read_function(*kernel.memory, symbols, *base, kernel.probes, *isa_));
  }
  out.refused = function_refusal(out.function, whole ? &*whole : nullptr, kernel.rules);
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
