// A jump out of the symbol is a call of another function only if the stack is as it was
// at the beginning: call frame information tells, where names do not.
#include "provider/user/user_exits.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text/cold_names.h"
#include "unwind/frame_registers.h"

namespace kinst::provider {
namespace {

using isa::Instruction;
using isa::InstructionClass;
using isa::TargetKind;

bool jumps(const Instruction& one) {
  return one.is(InstructionClass::Jump) || one.is(InstructionClass::Branch);
}

// A table of places is indexed by the jump itself, or just before it.
bool goes_by_table(const std::vector<Instruction>& code, std::size_t jump) {
  constexpr std::size_t near = 8;
  const auto is_indexed = [](const Instruction& one) {
    return std::ranges::any_of(one.memory, [](const isa::MemoryOperand& memory) {
      return memory.read && memory.index != isa::RegisterId::None;
    });
  };
  const std::size_t first = jump < near ? 0 : jump - near;
  return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(first),
                     code.begin() + static_cast<std::ptrdiff_t>(jump) + 1, is_indexed);
}

}  // namespace

// The search for one function's exits: its parts grow while they are looked at.
class ExitFinder::Search {
 public:
  Search(ExitFinder& finder, const user::ElfSymbol& function, const ReadCode& read)
      : finder_(finder), function_(function), read_(read), parts_{&function} {}

  CodeExits run() {
    for (std::size_t number = 0; number < parts_.size(); ++number) {
      std::string why = add_exits(*parts_[number]);
      if (!why.empty()) {
        return {.exits = {}, .why_none = std::move(why)};
      }
    }
    return {.exits = exits_,
            .why_none = exits_.empty() ? std::string("it never returns") : ""};
  }

 private:
  [[nodiscard]] std::string name_of(std::uint64_t address) const {
    return address < function_.address
               ? fmt::format("{:#x}", address)
               : fmt::format("{}+{:#x}", function_.name, address - function_.address);
  }

  [[nodiscard]] bool is_within(std::uint64_t address) const {
    return std::ranges::any_of(parts_, [&](const user::ElfSymbol* part) {
      return address - part->address < part->size_bytes;
    });
  }

  Result<std::vector<Instruction>> decode(std::uint64_t address, std::uint64_t bytes) {
    const std::vector<std::byte> text = KINST_TRY(read_(address, bytes));
    return finder_.isa_->decode(text, KernelAddress{address});
  }

  // Adds the part's exits, or says why there are none that can be relied on.
  std::string add_exits(const user::ElfSymbol& part) {
    const auto code = decode(part.address, part.size_bytes);
    if (!code) {
      return code.error().message;
    }
    for (std::size_t number = 0; number < code->size(); ++number) {
      const Instruction& one = (*code)[number];
      if (one.decoding != isa::Decoding::Good || !one.boundary_certain) {
        return fmt::format("not all of its instructions are understood, from {} on",
                           name_of(kinst::number(one.address)));
      }
      std::string why = add_exit(*code, number);
      if (!why.empty()) {
        return why;
      }
    }
    if (!code->empty() && finder_.isa_->goes_on(code->back()) &&
        !code->back().is(InstructionClass::Call) &&
        !is_within(kinst::number(code->back().address) + code->back().length)) {
      return "it does not return but runs into the code behind it";
    }
    return {};
  }

  std::string add_exit(const std::vector<Instruction>& code, std::size_t number) {
    const Instruction& one = code[number];
    if (!leaves(code, number)) {
      return why_unsure_;
    }
    const std::uint64_t address = kinst::number(one.address);
    if (one.is(InstructionClass::Branch)) {
      return fmt::format("it leaves by a conditional jump, at {}", name_of(address));
    }
    const std::string_view why_not = finder_.isa_->why_no_uprobe(one.encoding());
    if (!why_not.empty()) {
      return fmt::format("it returns at {}: {}", name_of(address), why_not);
    }
    exits_.push_back(
        {.address = address, .has_result = one.is(InstructionClass::Return)});
    return {};
  }

  bool leaves(const std::vector<Instruction>& code, std::size_t number) {
    const Instruction& one = code[number];
    if (one.is(InstructionClass::Return)) {
      return true;
    }
    if (!jumps(one)) {
      return false;
    }
    switch (one.branch.target) {
      case TargetKind::Direct:
        return leads_elsewhere(one);
      case TargetKind::Register:
      case TargetKind::Memory:
        return finder_.stack_at(kinst::number(one.address)) != Stack::HoldsFrame &&
               !goes_by_table(code, number);
      case TargetKind::None:
        break;
    }
    return false;
  }

  bool leads_elsewhere(const Instruction& jump) {
    const std::uint64_t target = kinst::number(jump.branch.address);
    if (is_within(target)) {
      return false;
    }
    if (const user::ElfSymbol* named = finder_.file_->symbols.at(target)) {
      if (!whole_of_cold_part(named->name).empty()) {
        parts_.push_back(named);
        return false;
      }
      return whole_of_cold_part(function_.name) != named->name;
    }
    switch (finder_.stack_at(kinst::number(jump.address))) {
      case Stack::Unknown:
        return true;
      case Stack::HoldsFrame:
        look_at_nameless(target);
        return false;
      case Stack::IsAsCalled:
        break;
    }
    if (!look_at_nameless(target)) {
      why_unsure_.clear();
      return true;
    }
    return false;
  }

  // Follows code without a name, to which the function goes on. Returns whether it
  // comes back to the function; if it may return itself, that is a reason to be unsure,
  // as nothing tells where it ends.
  bool look_at_nameless(std::uint64_t begin) {
    constexpr std::size_t most = 2000;
    std::deque<std::uint64_t> open{begin};
    std::set<std::uint64_t> seen;
    bool comes_back = false;
    while (!open.empty() && seen.size() < most) {
      const std::uint64_t address = open.front();
      open.pop_front();
      if (is_within(address)) {
        comes_back = true;
        continue;
      }
      if (finder_.file_->symbols.at(address) != nullptr ||
          !seen.insert(address).second) {
        continue;
      }
      const auto code = decode(address, finder_.isa_->longest_instruction_bytes);
      if (!code || code->empty() || code->front().decoding != isa::Decoding::Good) {
        continue;
      }
      const Instruction& one = code->front();
      if (one.is(InstructionClass::Return)) {
        why_unsure_ = fmt::format(
            "it goes on in code that has no name, at {:#x}, and may return from there",
            begin);
      }
      if (jumps(one) && one.branch.target == TargetKind::Direct) {
        open.push_back(kinst::number(one.branch.address));
      }
      if (finder_.isa_->goes_on(one)) {
        open.push_back(address + one.length);
      }
    }
    return comes_back;
  }

  ExitFinder& finder_;
  const user::ElfSymbol& function_;
  const ReadCode& read_;
  std::vector<const user::ElfSymbol*> parts_;
  std::vector<CodeExit> exits_;
  std::string why_unsure_;
};

CodeExits ExitFinder::find(const user::ElfSymbol& function, const ReadCode& read) {
  return Search(*this, function, read).run();
}

ExitFinder::Stack ExitFinder::stack_at(std::uint64_t address) {
  if (!has_rows_) {
    has_rows_ = true;
    if (const auto registers = user::frame_registers(*isa_)) {
      rows_ = user::read_call_frames(
          user::read_call_frame_section(openable_, file_->elf), *registers);
    }
  }
  using Kind = user::FrameRule::Kind;
  auto row = std::ranges::upper_bound(rows_, address, {}, &user::FrameRow::address);
  if (row == rows_.begin() || (--row)->rule.kind == Kind::Unknown) {
    return Stack::Unknown;
  }
  const bool is_in_link =
      row->rule.return_address == user::FrameRule::ReturnAddress::InLink;
  return row->rule.kind == Kind::FromStackPointer &&
                 row->rule.offset == std::int64_t{8} * isa_->return_address_words &&
                 is_in_link == (isa_->link_register != isa::RegisterId::None)
             ? Stack::IsAsCalled
             : Stack::HoldsFrame;
}

}  // namespace kinst::provider
