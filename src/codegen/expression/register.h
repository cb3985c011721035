// Registers at the probe, and the registers of the user program below it.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// R0 = regs[index]: the register at the probe. Refuses a register that is not saved
/// there. span: of regs[index].
void generate_register(const d::typed::Expression& index, const Span& span,
                       const Scope& scope, Emitter& out);

/// R0 = uregs[index]: the register with which the current thread entered the kernel, or
/// which the kernel keeps for the thread.
void generate_user_register(const d::typed::Expression& index, const Span& span,
                            const Scope& scope, Emitter& out);

/// R0 = the user program's register at `offset` of its pt_regs.
void load_user_register(std::uint32_t offset, const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
