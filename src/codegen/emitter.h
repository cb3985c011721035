// Writes the instructions of one function, on the conventions all generated code keeps:
//
//   R6       the program's context, as the kernel gave it
//   R7       this CPU's struct kinst_state and what follows it (runtime/abi.h)
//   R0       the value of the expression just generated
//   R1–R5    lost by every expression
//   stack    temporaries of 8 bytes, taken and given back in a nest
//
// An expression that needs a value to outlive another one puts it into a temporary. No
// register allocation: nothing that can run out, and the JIT makes spills cheap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "bpf/function_builder.h"
#include "bpf/program.h"
#include "runtime/abi.h"

namespace kinst::codegen {

using bpf::Arithmetic;
using bpf::Condition;
using bpf::Helper;
using bpf::Label;
using bpf::MapId;
using bpf::Register;
using bpf::Size;

inline constexpr Register context_register = Register::R6;
inline constexpr Register state_register = Register::R7;

/// The load and store size of an integer of 1, 2, 4 or 8 bytes.
Size size_of_bytes(std::uint64_t bytes);

class Emitter;

/// 8 bytes of the function's stack, given back when it goes out of scope.
class Temporary {
 public:
  Temporary(Temporary&& other) noexcept
      : emitter_(std::exchange(other.emitter_, nullptr)), offset_(other.offset_) {}
  Temporary& operator=(Temporary&&) = delete;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  /// From R10, negative.
  [[nodiscard]] std::int16_t offset() const { return offset_; }

 private:
  friend class Emitter;
  Temporary(Emitter* emitter, std::int16_t offset)
      : emitter_(emitter), offset_(offset) {}

  Emitter* emitter_;
  std::int16_t offset_;
};

class Emitter {
 public:
  Emitter(std::string name, Diagnostics& diagnostics)
      : builder_(std::move(name)), diagnostics_(&diagnostics) {}

  bpf::FunctionBuilder& code() { return builder_; }

  /// A temporary. When the stack is used up, the expression is refused (once) and the
  /// last slot is given out again, so that generation can go on.
  Temporary temporary();
  /// A temporary that holds `source`.
  Temporary saved(Register source);
  void load(Register destination, const Temporary& from);
  void store(const Temporary& to, Register source);
  /// The temporary's address: R10 + offset.
  void address_of(Register destination, const Temporary& of);

  /// Loads and stores at an offset of this CPU's state, of any size of state.
  void load_state(Size size, Register destination, std::uint32_t offset);
  void store_state(Size size, std::uint32_t offset, Register source);
  void store_state(Size size, std::uint32_t offset, std::int32_t value);
  void address_of_state(Register destination, std::uint32_t offset);

  /// A pointer into a map, which is in `pointer`, becomes a number there: stored to a
  /// map and read back, which the verifier allows those who may see kernel addresses.
  void pointer_to_number(Register pointer);

  /// R0 = the address of the row that the map has for the probe that fired, by its key;
  /// a fault if it has none.
  void find_row_of_probe(bpf::MapId map);

  /// Marks the clause as failed, unconditionally, and leaves it. The address, where it
  /// matters, is in R1.
  void fault(kinst_fault kind);
  /// Leaves the clause if the runtime function just called has set a fault.
  void leave_if_faulted();
  /// Fails the clause with BADADDR if R0, a helper's result, is negative. `address` is
  /// what was to be read.
  void fault_if_negative(const Temporary& address);

  /// Leaves the clause, without a record and without a fault, if a register is 0.
  void leave_if_zero(Register value) {
    builder_.jump_if(value, Condition::Equal, 0, quiet_exit_);
  }

  /// Begins a clause: where its faults go, and where it is over.
  void begin_clause(Label fault_exit, Label quiet_exit) {
    fault_exit_ = fault_exit;
    quiet_exit_ = quiet_exit;
    next_place_ = 0;
  }
  /// What is being generated, for messages that cannot know better.
  void at(Span place) { place_ = place; }

  /// The generated clause cannot be had; said once for each span.
  void refuse(Span span, std::string_view tag, std::string message);

  /// Adds 1 to a counter of this CPU. Offset: offsetof(kinst_counters, …). Uses R1.
  void count(std::uint32_t counter_offset);

 private:
  friend class Temporary;
  void mark_place();

  bpf::FunctionBuilder builder_;
  Diagnostics* diagnostics_;
  std::vector<bool> slots_;
  Label fault_exit_{};
  Label quiet_exit_{};
  std::int32_t next_place_ = 0;  ///< numbers the places of a clause that can fail
  Span place_;
  bool stack_refused_ = false;
};

/// Brings the register to the value that an integer of that size and sign holds.
void extend(Emitter& out, Register value, std::uint64_t size_bytes, bool is_signed);

}  // namespace kinst::codegen
