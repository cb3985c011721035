#include "bpf/code/interpreter_for_tests.h"

#include <linux/bpf.h>

#include <bit>
#include <cassert>
#include <cstdlib>
#include <cstring>

namespace kinst::bpf::testing {
namespace {

std::uint64_t arithmetic(unsigned operation, std::uint64_t left, std::uint64_t right) {
  const auto shift = right & 63U;
  switch (static_cast<Arithmetic>(operation)) {
    case Arithmetic::Add:
      return left + right;
    case Arithmetic::Subtract:
      return left - right;
    case Arithmetic::Multiply:
      return left * right;
    case Arithmetic::Divide:
      return right == 0 ? 0 : left / right;
    case Arithmetic::Or:
      return left | right;
    case Arithmetic::And:
      return left & right;
    case Arithmetic::ShiftLeft:
      return left << shift;
    case Arithmetic::ShiftRight:
      return left >> shift;
    case Arithmetic::Modulo:
      return right == 0 ? left : left % right;
    case Arithmetic::Xor:
      return left ^ right;
    case Arithmetic::Move:
      return right;
    case Arithmetic::ShiftRightSigned:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(left) >> shift);
  }
  std::abort();
}

bool holds(unsigned condition, std::uint64_t left, std::uint64_t right) {
  const auto signed_left = static_cast<std::int64_t>(left);
  const auto signed_right = static_cast<std::int64_t>(right);
  switch (static_cast<Condition>(condition)) {
    case Condition::Equal:
      return left == right;
    case Condition::NotEqual:
      return left != right;
    case Condition::AnyBitSet:
      return (left & right) != 0;
    case Condition::Greater:
      return left > right;
    case Condition::GreaterOrEqual:
      return left >= right;
    case Condition::Less:
      return left < right;
    case Condition::LessOrEqual:
      return left <= right;
    case Condition::SignedGreater:
      return signed_left > signed_right;
    case Condition::SignedGreaterOrEqual:
      return signed_left >= signed_right;
    case Condition::SignedLess:
      return signed_left < signed_right;
    case Condition::SignedLessOrEqual:
      return signed_left <= signed_right;
  }
  std::abort();
}

std::size_t bytes_of(std::uint8_t opcode) {
  switch (static_cast<Size>(opcode & 0x18U)) {
    case Size::Byte:
      return 1;
    case Size::Half:
      return 2;
    case Size::Word:
      return 4;
    case Size::Double:
      return 8;
  }
  std::abort();
}

class Machine {
 public:
  Machine(const AssembledFunction& function, const void* context,
          const CallHelper& call)
      : code_(function.instructions), call_(&call) {
    of(Register::R1) = std::bit_cast<std::uint64_t>(context);
    of(Register::R10) = std::bit_cast<std::uint64_t>(stack_.data() + stack_.size());
  }

  std::uint64_t run() {
    while (true) {
      const Instruction& one = code_.at(next_++);
      if (one.opcode == (BPF_JMP | BPF_EXIT)) {
        return of(Register::R0);
      }
      step(one);
    }
  }

 private:
  std::uint64_t& of(Register which) {
    return registers_.at(static_cast<std::size_t>(which));
  }

  void step(const Instruction& one) {
    switch (one.opcode & 7U) {
      case BPF_ALU64:
        of(one.destination) =
            arithmetic(one.opcode & 0xf0U, of(one.destination), right(one));
        return;
      case BPF_JMP:
        return jump(one);
      case BPF_LD:
        of(one.destination) =
            lower(right(one)) |
            std::uint64_t{lower(static_cast<std::uint64_t>(code_.at(next_).immediate))}
                << 32U;
        ++next_;
        return;
      case BPF_LDX:
      case BPF_ST:
      case BPF_STX:
        return access(one);
      default:
        std::abort();  // operations on 32 bits, which expressions do not need
    }
  }

  static std::uint32_t lower(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
  }

  std::uint64_t right(const Instruction& one) {
    const bool is_register = (one.opcode & BPF_X) != 0 && (one.opcode & 7U) != BPF_LD;
    return is_register ? of(one.source)
                       : static_cast<std::uint64_t>(std::int64_t{one.immediate});
  }

  void jump(const Instruction& one) {
    const unsigned operation = one.opcode & 0xf0U;
    if (operation == BPF_CALL) {
      of(Register::R0) = (*call_)(static_cast<Helper>(one.immediate),
                                  {of(Register::R1), of(Register::R2), of(Register::R3),
                                   of(Register::R4), of(Register::R5)});
      return;
    }
    if (operation == BPF_JA || holds(operation, of(one.destination), right(one))) {
      next_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(next_) + one.offset);
    }
  }

  // Loads and stores.
  void access(const Instruction& one) {
    assert((one.opcode & 0xe0U) == BPF_MEM);
    const std::size_t bytes = bytes_of(one.opcode);
    const auto at = [&](Register base) {
      return std::bit_cast<std::byte*>(of(base) +
                                       static_cast<std::uint64_t>(one.offset));
    };
    if ((one.opcode & 7U) == BPF_LDX) {
      std::uint64_t value = 0;
      std::memcpy(&value, at(one.source), bytes);
      of(one.destination) = value;
      return;
    }
    const std::uint64_t value =
        (one.opcode & 7U) == BPF_STX
            ? of(one.source)
            : static_cast<std::uint64_t>(std::int64_t{one.immediate});
    std::memcpy(at(one.destination), &value, bytes);
  }

  const std::vector<Instruction>& code_;
  const CallHelper* call_;
  std::size_t next_ = 0;
  std::array<std::uint64_t, 11> registers_{};
  alignas(8) std::array<std::byte, 512> stack_{};
};

}  // namespace

std::uint64_t interpret(const AssembledFunction& function, const void* context,
                        const CallHelper& call) {
  assert(function.references.empty());
  return Machine(function, context, call).run();
}

}  // namespace kinst::bpf::testing
