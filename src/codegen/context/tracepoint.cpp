// Static tracepoints: the context is the record that the event makes, whose fields are
// the arguments, or the array of what the kernel's code gives the tracepoint.
#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

using kernel::FieldForm;
using kernel::TracepointField;

void load_integer(const TracepointField& field, Emitter& out) {
  out.code().emit(bpf::load(size_of_bytes(field.size_bytes), Register::R0,
                            context_register, static_cast<std::int16_t>(field.offset)));
  if (field.is_signed) {
    extend(out, Register::R0, field.size_bytes, true);
  }
}

// R0 = the address of the field's bytes.
void load_address(const TracepointField& field, Emitter& out) {
  std::uint32_t base = field.offset;
  if (field.form == FieldForm::DynamicFromStart) {
    base = 0;
  } else if (field.form == FieldForm::DynamicFromHere) {
    base = field.offset + 4;
  }
  out.code().emit(bpf::mov(Register::R0, context_register));
  out.pointer_to_number(Register::R0);
  out.code().emit(
      bpf::alu(Arithmetic::Add, Register::R0, static_cast<std::int32_t>(base)));
  if (field.form != FieldForm::Bytes) {
    // The low half says where, the high half how much.
    out.code().emit(bpf::load(Size::Half, Register::R1, context_register,
                              static_cast<std::int16_t>(field.offset)));
    out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, Register::R1));
  }
}

void record_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  const auto& fields =
      std::get<provider::Tracepoint>(scope.only_probe->site).format.fields;
  if (number >= fields.size()) {
    out.code().emit(bpf::mov(Register::R0, 0));
  } else if (fields[number].form == FieldForm::Integer) {
    load_integer(fields[number], out);
  } else {
    load_address(fields[number], out);
  }
}

void raw_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  const auto& site = std::get<provider::RawTracepoint>(scope.only_probe->site);
  if (number >= site.arguments) {
    out.code().emit(
        bpf::mov(Register::R0, 0));  // the kernel lets no program look there
    return;
  }
  out.code().emit(bpf::load(Size::Double, Register::R0, context_register,
                            static_cast<std::int16_t>(number * 8)));
}

}  // namespace

const Context tracepoint_context = {
    .name = "tracepoint",
    .program = bpf::ProgramType::Tracepoint,
    .argument = record_argument,
};

const Context raw_tracepoint_context = {
    .name = "raw tracepoint",
    .program = bpf::ProgramType::RawTracepoint,
    .has_own_frames = true,
    .argument = raw_argument,
};

}  // namespace kinst::codegen
