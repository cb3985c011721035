// Writes one BPF function item by item: the code generator's pen.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "bpf/code/program.h"

namespace kinst::bpf {

/// Collects the items of one function. Labels may be jumped to before they are bound;
/// link() reports those never bound. Jumps may have any length. Code that nothing
/// reaches (behind an exit, say) may be written: link() leaves it out.
class FunctionBuilder {
 public:
  explicit FunctionBuilder(std::string name) { function_.name = std::move(name); }

  /// A new place, not yet bound.
  Label label() { return Label{next_label_++}; }
  /// Binds the label here. Once for each label.
  void bind(Label label) { add(LabelDefinition{label}); }
  /// A new label, bound here.
  Label here() {
    const Label result = label();
    bind(result);
    return result;
  }

  void emit(const Instruction& instruction) { add(instruction); }

  void jump(Label target) { add(JumpToLabel{bpf::jump(), target}); }
  void jump_if(Register left, Condition condition, Register right, Label target) {
    add(JumpToLabel{bpf::jump_if(left, condition, right), target});
  }
  void jump_if(Register left, Condition condition, std::int32_t right, Label target) {
    add(JumpToLabel{bpf::jump_if(left, condition, right), target});
  }
  void jump_if32(Register left, Condition condition, Register right, Label target) {
    add(JumpToLabel{bpf::jump_if32(left, condition, right), target});
  }
  void jump_if32(Register left, Condition condition, std::int32_t right, Label target) {
    add(JumpToLabel{bpf::jump_if32(left, condition, right), target});
  }

  void call(Helper helper) { emit(bpf::call(helper)); }
  /// A subprogram of this program, else a function of the runtime.
  void call(std::string_view function) { add(CallFunction{std::string(function)}); }
  void exit() { emit(bpf::exit()); }

  void load_map(Register destination, MapId map) { add(LoadMap{destination, map}); }
  void load_map_value(Register destination, MapId map, std::uint32_t offset) {
    add(LoadMapValue{destination, map, offset});
  }
  /// Any 64-bit constant by the shortest instruction.
  void load_constant(Register destination, std::uint64_t value) {
    const auto wanted = static_cast<std::int64_t>(value);
    if (wanted >= std::numeric_limits<std::int32_t>::min() &&
        wanted <= std::numeric_limits<std::int32_t>::max()) {
      emit(mov(destination, static_cast<std::int32_t>(wanted)));
    } else {
      add(LoadConstant{destination, value});
    }
  }

  /// Goes into the dump before the next instruction.
  void comment(std::string text) { add(Comment{std::move(text)}); }

  [[nodiscard]] Function finish() && { return std::move(function_); }

 private:
  // Not inline: g++ 12 sees uninitialized strings in an inlined move of the variant.
  void add(Item item);

  Function function_;
  std::uint32_t next_label_ = 0;
};

}  // namespace kinst::bpf
