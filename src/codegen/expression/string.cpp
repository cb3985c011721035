// Strings and other bytes carried by reference: how they are copied and compared.
#include "codegen/expression/string.h"

#include <algorithm>
#include <variant>

namespace kinst::codegen {
namespace {

// Up to this many bytes are zeroed by stores, more by copying the zeros among the
// constants.
constexpr std::uint32_t most_bytes_by_stores = 128;

void copy(Helper helper, Register destination, std::uint32_t size,
          const Temporary& source, Emitter& out) {
  if (destination != Register::R1) {
    out.code().emit(bpf::mov(Register::R1, destination));
  }
  out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(size)));
  out.load(Register::R3, source);
  out.code().call(helper);
  out.fault_if_negative(source);
}

}  // namespace

void literal_string(const std::string& text, const Scope& scope, Emitter& out) {
  const auto place = scope.storage.strings.find(text);
  const std::uint32_t offset = place == scope.storage.strings.end() ? 0 : place->second;
  out.code().load_map_value(Register::R0, scope.storage.constants, offset);
  out.pointer_to_number(Register::R0);
}

void compare_strings(Emitter& out) {
  out.code().call("kinst_compare_strings");
  out.leave_if_faulted();
}

void to_string(types::TypeId from, const Scope& scope, Emitter& out) {
  const auto* array = std::get_if<types::Array>(&scope.types.resolved(from));
  // An array without bounds, as at the end of a struct, ends at its zero byte.
  if (array == nullptr || array->count == 0 ||
      array->count >= scope.types.size_of(scope.types.string_type())) {
    return;
  }
  out.code().emit(bpf::mov(Register::R1, Register::R0));
  out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(array->count)));
  out.code().call("kinst_string_of_array");
  out.leave_if_faulted();
}

void copy_string(Register destination, std::uint32_t size, const Temporary& source,
                 Emitter& out) {
  copy(Helper::ProbeReadKernelStr, destination, size, source, out);
}

void copy_bytes(Register destination, std::uint32_t size, const Temporary& source,
                Emitter& out) {
  copy(Helper::ProbeReadKernel, destination, size, source, out);
}

void zero_state(std::uint32_t offset, std::uint32_t size, const Scope& scope,
                Emitter& out) {
  if (size <= most_bytes_by_stores) {
    std::uint32_t done = 0;
    for (const std::uint32_t step : {8U, 4U, 2U, 1U}) {
      for (; done + step <= size; done += step) {
        out.store_state(size_of_bytes(step), offset + done, 0);
      }
    }
    return;
  }
  out.address_of_state(Register::R1, offset);
  out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(size)));
  out.code().load_map_value(Register::R3, scope.storage.constants, 0);
  out.code().call(Helper::ProbeReadKernel);
}

}  // namespace kinst::codegen
