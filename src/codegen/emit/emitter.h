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

#include "base/text/diagnostic.h"
#include "bpf/code/function_builder.h"
#include "bpf/code/program.h"
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

/// 8 bytes of the function's stack, which its destructor gives back.
class Temporary {
 public:
  Temporary(Temporary&& other) noexcept
      : emitter_(std::exchange(other.emitter_, nullptr)), offset_(other.offset_) {}
  Temporary& operator=(Temporary&&) = delete;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  /// The offset from R10; negative.
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

  /// Returns a new temporary. If the stack is used up, the expression is refused
  /// (once), and the last slot is returned again so that generation can continue.
  Temporary temporary();
  /// Returns a temporary into which `source` has been stored.
  Temporary saved(Register source);
  void load(Register destination, const Temporary& from);
  void store(const Temporary& to, Register source);
  /// Loads the temporary's address: R10 + offset.
  void address_of(Register destination, const Temporary& of);

  /// Loads and stores at an offset of this CPU's state, which may be of any size.
  void load_state(Size size, Register destination, std::uint32_t offset);
  void store_state(Size size, std::uint32_t offset, Register source);
  void store_state(Size size, std::uint32_t offset, std::int32_t value);
  void address_of_state(Register destination, std::uint32_t offset);

  /// Turns a pointer into a map, held in `pointer`, into a number: it is stored to a
  /// map and loaded again. The verifier allows this to users who may see kernel
  /// addresses.
  void pointer_to_number(Register pointer);

  /// R0 = the address of the map's row for the key of the probe that fired. Faults if
  /// there is no row.
  void find_row_of_probe(bpf::MapId map);

  /// Marks the clause as failed and leaves it, unconditionally. If the fault has an
  /// address, it must be in R1.
  void fault(kinst_fault kind);
  /// Leaves the clause if the runtime function just called has set a fault.
  void leave_if_faulted();
  /// Fails the clause with BADADDR if R0, the result of a helper, is negative. address:
  /// the address that the helper was to read.
  void fault_if_negative(const Temporary& address);

  /// Leaves the clause if a register is 0; this makes no record and no fault.
  void leave_if_zero(Register value) {
    builder_.jump_if(value, Condition::Equal, 0, quiet_exit_);
  }

  /// Begins a clause. fault_exit: where its faults go. quiet_exit: where it ends
  /// without a record.
  void begin_clause(Label fault_exit, Label quiet_exit) {
    fault_exit_ = fault_exit;
    quiet_exit_ = quiet_exit;
    next_place_ = 0;
  }
  /// Sets the place in the source for messages that have no span of their own.
  void at(Span place) { place_ = place; }

  /// Reports that code for this clause cannot be generated; once for each span.
  void refuse(Span span, std::string_view tag, std::string message);

  /// Adds 1 to a counter of this CPU. counter_offset: offsetof(kinst_counters, …). Uses
  /// R1.
  void count(std::uint32_t counter_offset);

 private:
  friend class Temporary;
  void mark_place();

  bpf::FunctionBuilder builder_;
  Diagnostics* diagnostics_;
  std::vector<bool> slots_;
  Label fault_exit_{};
  Label quiet_exit_{};
  std::int32_t next_place_ = 0;  ///< numbers the places in a clause that can fail
  Span place_;
  bool stack_refused_ = false;
};

/// Sign- or zero-extends an integer of `size_bytes` in the register to 64 bits.
void extend(Emitter& out, Register value, std::uint64_t size_bytes, bool is_signed);

}  // namespace kinst::codegen
