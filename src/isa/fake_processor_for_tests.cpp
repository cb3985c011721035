#include "isa/fake_processor_for_tests.h"

namespace kinst::isa::testing::fake {
namespace {

// `count` bits of the word from bit `first` on, as a signed number.
std::uint64_t signed_bits(std::uint32_t word, unsigned first, unsigned count) {
  const std::uint64_t limit = std::uint64_t{1} << count;
  const std::uint64_t value = word >> first & (limit - 1);
  return value < limit / 2 ? value : value - limit;
}

class Processor {
 public:
  Processor(std::uint32_t word, const SavedRegisters& before)
      : word_(word), out_{.after = before} {}

  Execution run() {
    out_.after.program_counter += word_bytes;
    step();
    return out_;
  }

 private:
  void step() {
    switch (static_cast<Operation>(word_ >> 24U)) {
      case Operation::Padding:
      case Operation::Nop:
      case Operation::Trap:
      case Operation::Breakpoint:
        return;
      case Operation::Load:
      case Operation::Store:
        return use(base() + constant());
      case Operation::LoadIndexed:
        return use(base() + constant() + 8 * signed_bits(low(register_c()), 0, 32));
      case Operation::LoadBefore:
      case Operation::StoreBefore:
        base() += constant();
        return use(base());
      case Operation::LoadAfter:
        use(base());
        base() += constant();
        return;
      case Operation::LoadByteAfter:
        use(base());
        base() += register_c();
        return;
      case Operation::LoadExclusive:
      case Operation::StoreExclusive:
        return use(base());
      case Operation::Add:
        register_a() = base() + register_c() + constant();
        return;
      case Operation::BranchIfZero:
        return branch_if(register_a() == 0);
      case Operation::BranchIfNotZero:
        return branch_if(low(register_a()) != 0);
      case Operation::BranchIfBitSet:
        return branch_if(tested_bit() == 1);
      case Operation::BranchIfBitClear:
        return branch_if(tested_bit() == 0);
      case Operation::BranchIfLowerOrSame:
        return branch_if(!has(carry) || has(zero));
      case Operation::BranchIfHigher:
        return branch_if(has(carry) && !has(zero));
      case Operation::BranchIfLess:
        return branch_if(has(negative) != has(overflow));
      case Operation::Jump:
        return jump(here() + word_bytes * signed_bits(word_, 0, 24));
      case Operation::JumpToRegister:
        return jump(register_a());
      case Operation::Call:
        return call(here() + word_bytes * signed_bits(word_, 0, 24));
      case Operation::CallRegister:
        return call(register_a());
      case Operation::Return:
        return jump(out_.after.r(link_register));
    }
  }

  static std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
  }
  std::uint64_t& register_a() { return out_.after.r(word_ >> 20U & 7U); }
  std::uint64_t& base() { return out_.after.r(word_ >> 16U & 7U); }
  std::uint64_t& register_c() { return out_.after.r(word_ >> 12U & 7U); }
  [[nodiscard]] std::uint64_t constant() const { return signed_bits(word_, 0, 12); }
  std::uint64_t tested_bit() { return register_a() >> (word_ >> 14U & 63U) & 1U; }
  [[nodiscard]] bool has(std::uint64_t flag) const {
    return (out_.after.flags & flag) != 0;
  }
  [[nodiscard]] std::uint64_t here() const {
    return out_.after.program_counter - word_bytes;
  }

  void use(std::uint64_t address) { out_.address = address; }

  void jump(std::uint64_t target) {
    out_.jumps = true;
    out_.after.program_counter = target;
  }

  void branch_if(bool is_taken) {
    if (is_taken) {
      jump(here() + word_bytes * signed_bits(word_, 0, 14));
    }
  }

  void call(std::uint64_t target) {
    out_.after.r(link_register) = out_.after.program_counter;
    jump(target);
  }

  std::uint32_t word_;
  Execution out_;
};

}  // namespace

Execution execute(std::uint32_t word, const SavedRegisters& before) {
  return Processor(word, before).run();
}

}  // namespace kinst::isa::testing::fake
