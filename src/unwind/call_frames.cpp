// A reader of .eh_frame: the instructions of each function's entry are carried out
// once, and each step forward in its code gives a row. Only what a walk along the stack
// needs is kept: the CFA, the frame pointer, and the return address.
#include "unwind/call_frames.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "unwind/frame_entries.h"

namespace kinst::user {
namespace {

// A section of a few bytes a row could ask for gigabytes of them.
constexpr std::size_t most_rows = 1U << 22U;

// What a damaged section says may overflow: the product wraps around.
std::int64_t multiply(std::int64_t left, std::int64_t right) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) *
                                   static_cast<std::uint64_t>(right));
}

// Where the instructions say that the return address is.
struct ReturnPlace {
  enum class Kind : std::uint8_t { BelowCfa, InLink, Nowhere } kind = Kind::BelowCfa;
  std::int64_t below = 8;
};

// What a row says of the CFA and of two registers, as the instructions have it.
struct FrameState {
  std::uint64_t cfa_register = 0;
  std::int64_t cfa_offset = 0;
  std::optional<std::span<const std::byte>> cfa_expression;
  FrameRule::FramePointer frame_pointer = FrameRule::FramePointer::Kept;
  std::int64_t saved_below = 0;
  bool frame_pointer_is_understood = true;
  ReturnPlace return_address;
};

// A common entry, and what its instructions give each function to begin with.
struct Common {
  CommonEntry entry;
  FrameState initial;
};

constexpr std::uint8_t op_deref = 0x06;
constexpr std::uint8_t op_plus_uconst = 0x23;
constexpr std::uint8_t op_lit0 = 0x30;
constexpr std::uint8_t op_lit15 = 0x3f;
constexpr std::uint8_t op_breg0 = 0x70;

// *(register + place) + offset.
std::optional<FrameRule> saved_cfa(std::span<const std::byte> expression,
                                   const FrameRegisters& registers) {
  FrameCursor cursor(expression, 0);
  const std::uint64_t base = cursor.take<std::uint8_t>();
  FrameRule rule;
  if (base == op_breg0 + registers.stack_pointer) {
    rule.kind = FrameRule::Kind::SavedByStackPointer;
  } else if (base == op_breg0 + registers.frame_pointer) {
    rule.kind = FrameRule::Kind::SavedByFramePointer;
  } else {
    return std::nullopt;
  }
  rule.place = cursor.take_signed();
  if (cursor.take<std::uint8_t>() != op_deref) {
    return std::nullopt;
  }
  if (!cursor.is_at_end() && cursor.take<std::uint8_t>() == op_plus_uconst) {
    rule.offset = static_cast<std::int64_t>(cursor.take_unsigned());
  }
  return cursor.is_good() && cursor.is_at_end() ? std::optional(rule) : std::nullopt;
}

// What linkers write for the procedure linkage table: stack pointer + 8 + 8 * (ip % 16
// >= n). The instruction pointer has the return address's number.
std::optional<FrameRule> stub_cfa(std::span<const std::byte> expression,
                                  std::uint64_t stack_pointer, std::uint64_t ip) {
  constexpr std::uint8_t n_at = 6;
  const std::array<std::uint8_t, 11> form = {
      static_cast<std::uint8_t>(op_breg0 + stack_pointer),
      0x08,
      static_cast<std::uint8_t>(op_breg0 + ip),
      0x00,
      0x3f,
      0x1a,
      0,
      0x2a,
      0x33,
      0x24,
      0x22};
  if (expression.size() != form.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < sizeof form; ++i) {
    if (i != n_at && std::to_integer<std::uint8_t>(expression[i]) != form[i]) {
      return std::nullopt;
    }
  }
  const auto literal = std::to_integer<std::uint8_t>(expression[n_at]);
  if (literal < op_lit0 || literal > op_lit15) {
    return std::nullopt;
  }
  return FrameRule{.kind = FrameRule::Kind::LinkageStub, .offset = literal - op_lit0};
}

FrameRule rule_of(const FrameState& state, const Common& common,
                  const FrameRegisters& registers) {
  if (common.entry.is_signal_frame) {
    return {.kind = FrameRule::Kind::SignalReturn};
  }
  if (state.return_address.kind == ReturnPlace::Kind::Nowhere) {
    return {.kind = FrameRule::Kind::Outermost};
  }
  FrameRule rule;
  if (state.cfa_expression) {
    auto found = saved_cfa(*state.cfa_expression, registers);
    rule = found ? *found
                 : stub_cfa(*state.cfa_expression, registers.stack_pointer,
                            common.entry.return_register)
                       .value_or(FrameRule{});
  } else if (state.cfa_register == registers.stack_pointer) {
    rule = {.kind = FrameRule::Kind::FromStackPointer, .offset = state.cfa_offset};
  } else if (state.cfa_register == registers.frame_pointer) {
    rule = {.kind = FrameRule::Kind::FromFramePointer, .offset = state.cfa_offset};
  }
  if (rule.kind == FrameRule::Kind::Unknown || !state.frame_pointer_is_understood) {
    return {};
  }
  rule.frame_pointer = state.frame_pointer;
  rule.saved_below = state.saved_below;
  if (state.return_address.kind == ReturnPlace::Kind::InLink) {
    rule.return_address = FrameRule::ReturnAddress::InLink;
  }
  rule.return_below = state.return_address.below;
  return rule;
}

// Where the return address is when a function begins.
ReturnPlace place_behind_call(const CommonEntry& entry,
                              const FrameRegisters& registers) {
  if (!registers.link) {
    return {};
  }
  return {.kind = entry.return_register == *registers.link
                      ? ReturnPlace::Kind::InLink
                      : ReturnPlace::Kind::Nowhere};
}

// Carries out the instructions of one function's entry, or those of a CIE.
class Machine {
 public:
  Machine(const Common& common, const FrameRegisters& registers, std::uint64_t begin,
          std::vector<FrameRow>& rows)
      : common_(common),
        registers_(registers),
        location_(begin),
        rows_(&rows),
        first_row_(rows.size()),
        state_(common.initial),
        initial_(common.initial) {}

  FrameState run_common(const FrameCursor& instructions) {
    run(instructions, Adds::No);
    return state_;
  }

  void run_entry(const FrameCursor& instructions) {
    run(instructions, Adds::Yes);
    add_row();
  }

 private:
  enum class Adds : std::uint8_t { No, Yes };

  void run(FrameCursor cursor, Adds adds) {
    while (!cursor.is_at_end() && cursor.is_good() && rows_->size() < most_rows) {
      const auto instruction = cursor.take<std::uint8_t>();
      const std::uint8_t low = instruction & 0x3fU;
      switch (instruction >> 6U) {
        case 1:
          advance(low, adds);
          break;
        case 2:
          save(low, static_cast<std::int64_t>(cursor.take_unsigned()));
          break;
        case 3:
          restore(low);
          break;
        default:
          if (!run_extended(low, cursor, adds)) {
            return;
          }
      }
    }
  }

  // False for what is not known, and whose operands therefore are not.
  bool run_extended(std::uint8_t instruction, FrameCursor& cursor, Adds adds) {
    switch (instruction) {
      case 0x00:  // DW_CFA_nop
        return true;
      case 0x01:  // DW_CFA_set_loc
        if (adds == Adds::Yes) {
          add_row();
        }
        location_ = take_pointer(cursor, common_.entry.pointer_encoding);
        return true;
      case 0x02:  // DW_CFA_advance_loc1
        advance(cursor.take<std::uint8_t>(), adds);
        return true;
      case 0x03:  // DW_CFA_advance_loc2
        advance(cursor.take<std::uint16_t>(), adds);
        return true;
      case 0x04:  // DW_CFA_advance_loc4
        advance(cursor.take<std::uint32_t>(), adds);
        return true;
      case 0x0a:  // DW_CFA_remember_state
        // Compilers remember one state, rarely two.
        if (remembered_.size() == most_remembered) {
          return false;
        }
        remembered_.push_back(state_);
        return true;
      case 0x0b:  // DW_CFA_restore_state
        if (!remembered_.empty()) {
          state_ = remembered_.back();
          remembered_.pop_back();
        }
        return true;
      case 0x2e:  // DW_CFA_GNU_args_size
        cursor.take_unsigned();
        return true;
      default:
        return run_cfa(instruction, cursor) || run_register(instruction, cursor);
    }
  }

  // Instructions about the CFA.
  bool run_cfa(std::uint8_t instruction, FrameCursor& cursor) {
    switch (instruction) {
      case 0x0c:  // DW_CFA_def_cfa
        state_.cfa_register = cursor.take_unsigned();
        state_.cfa_offset = static_cast<std::int64_t>(cursor.take_unsigned());
        break;
      case 0x0d:  // DW_CFA_def_cfa_register
        state_.cfa_register = cursor.take_unsigned();
        break;
      case 0x0e:  // DW_CFA_def_cfa_offset
        state_.cfa_offset = static_cast<std::int64_t>(cursor.take_unsigned());
        break;
      case 0x0f:  // DW_CFA_def_cfa_expression
        state_.cfa_expression = cursor.take_bytes(cursor.take_unsigned()).rest();
        return true;
      case 0x12:  // DW_CFA_def_cfa_sf
        state_.cfa_register = cursor.take_unsigned();
        state_.cfa_offset =
            multiply(cursor.take_signed(), common_.entry.data_alignment);
        break;
      case 0x13:  // DW_CFA_def_cfa_offset_sf
        state_.cfa_offset =
            multiply(cursor.take_signed(), common_.entry.data_alignment);
        break;
      default:
        return false;
    }
    state_.cfa_expression.reset();
    return true;
  }

  // Instructions about one register, which comes first.
  bool run_register(std::uint8_t instruction, FrameCursor& cursor) {
    const std::uint64_t which = cursor.take_unsigned();
    switch (instruction) {
      case 0x05:  // DW_CFA_offset_extended
        save(which, static_cast<std::int64_t>(cursor.take_unsigned()));
        return true;
      case 0x11:  // DW_CFA_offset_extended_sf
        save(which, cursor.take_signed());
        return true;
      case 0x2f:  // DW_CFA_GNU_negative_offset_extended
        save(which, static_cast<std::int64_t>(0 - cursor.take_unsigned()));
        return true;
      case 0x06:  // DW_CFA_restore_extended
        restore(which);
        return true;
      case 0x07:  // DW_CFA_undefined
        not_saved(which);
        return true;
      case 0x08:  // DW_CFA_same_value
        keep(which);
        return true;
      case 0x10:  // DW_CFA_expression
        save_by(which, cursor.take_bytes(cursor.take_unsigned()).rest());
        return true;
      case 0x09:  // DW_CFA_register
      case 0x14:  // DW_CFA_val_offset
        cursor.take_unsigned();
        not_understood(which);
        return true;
      case 0x15:  // DW_CFA_val_offset_sf
        cursor.take_signed();
        not_understood(which);
        return true;
      case 0x16:  // DW_CFA_val_expression
        cursor.take_bytes(cursor.take_unsigned());
        not_understood(which);
        return true;
      default:
        return false;
    }
  }

  void advance(std::uint64_t steps, Adds adds) {
    if (adds == Adds::Yes) {
      add_row();
    }
    location_ += steps * common_.entry.code_alignment;
  }

  void add_row() {
    const FrameRule rule = rule_of(state_, common_, registers_);
    const bool is_first = rows_->size() == first_row_;
    if (is_first || rows_->back().address != location_ || rows_->back().rule != rule) {
      rows_->push_back({location_, rule});
    }
  }

  void save(std::uint64_t which, std::int64_t factored_offset) {
    if (which == registers_.frame_pointer) {
      state_.frame_pointer = FrameRule::FramePointer::BelowCfa;
      state_.saved_below =
          multiply(multiply(factored_offset, -1), common_.entry.data_alignment);
      state_.frame_pointer_is_understood = true;
    } else if (which == common_.entry.return_register) {
      state_.return_address = {.below = multiply(multiply(factored_offset, -1),
                                                 common_.entry.data_alignment)};
    }
  }

  void save_by(std::uint64_t which, std::span<const std::byte> expression) {
    if (which != registers_.frame_pointer) {
      not_understood(which);
      return;
    }
    FrameCursor cursor(expression, 0);
    const bool is_pointed_to =
        cursor.take<std::uint8_t>() == op_breg0 + registers_.frame_pointer &&
        cursor.take_signed() == 0 && cursor.is_at_end();
    state_.frame_pointer = FrameRule::FramePointer::PointedTo;
    state_.saved_below = 0;
    state_.frame_pointer_is_understood = is_pointed_to;
  }

  void keep(std::uint64_t which) {
    if (which == registers_.frame_pointer) {
      state_.frame_pointer = FrameRule::FramePointer::Kept;
      state_.saved_below = 0;
      state_.frame_pointer_is_understood = true;
    } else if (which == common_.entry.return_register) {
      state_.return_address = place_behind_call(common_.entry, registers_);
    }
  }

  // The register's value is lost.
  void not_saved(std::uint64_t which) {
    if (which == common_.entry.return_register) {
      state_.return_address = {.kind = ReturnPlace::Kind::Nowhere};
    }
  }

  // The walk ends at such a return address: frame pointers would go on behind the
  // wrong function.
  void not_understood(std::uint64_t which) {
    if (which == registers_.frame_pointer) {
      state_.frame_pointer_is_understood = false;
    } else {
      not_saved(which);
    }
  }

  void restore(std::uint64_t which) {
    if (which == registers_.frame_pointer) {
      state_.frame_pointer = initial_.frame_pointer;
      state_.saved_below = initial_.saved_below;
      state_.frame_pointer_is_understood = initial_.frame_pointer_is_understood;
    } else if (which == common_.entry.return_register) {
      state_.return_address = initial_.return_address;
    }
  }

  static constexpr std::size_t most_remembered = 64;

  const Common& common_;
  const FrameRegisters& registers_;
  std::uint64_t location_;
  std::vector<FrameRow>* rows_;
  std::size_t first_row_;  // of this entry
  FrameState state_;
  FrameState initial_;
  std::vector<FrameState> remembered_;
};

// A function, and what its own entry says.
struct Function {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const Common* common = nullptr;
  FrameCursor instructions{{}, 0};
};

// The entries of a section one after the other. What it makes is bounded, whatever the
// section says.
class SectionReader {
 public:
  explicit SectionReader(const FrameRegisters& registers) : registers_(registers) {}

  void read(const CallFrameSection& section) {
    constexpr std::uint32_t is_wide = 0xffffffff;
    FrameCursor cursor(section.bytes, section.address);
    while (!cursor.is_at_end() && cursor.is_good()) {
      const std::size_t begin = cursor.position();
      std::uint64_t length = cursor.take<std::uint32_t>();
      if (length == 0) {
        continue;  // where files were put together
      }
      if (length == is_wide) {
        length = cursor.take<std::uint64_t>();
      }
      const std::size_t back_from = cursor.position();
      FrameCursor entry = cursor.take_bytes(length);
      const auto back = entry.take<std::uint32_t>();
      if (back == 0) {
        add_common(begin, entry);
      } else if (const auto common = commons_.find(back_from - back);
                 common != commons_.end()) {
        add_function(entry, common->second);
      }
    }
  }

  // In the order of their addresses. Each function's rows are made when it is its turn,
  // so that no row is held twice.
  std::vector<FrameRow> rows(std::size_t expected) {
    std::ranges::stable_sort(functions_, {}, &Function::begin);
    std::vector<FrameRow> rows;
    rows.reserve(std::min(expected, most_rows));
    const auto add = [&](const FrameRow& row) {
      if (!rows.empty() && rows.back().address == row.address) {
        rows.pop_back();
      }
      if (rows.size() < most_rows && (rows.empty() || rows.back().rule != row.rule)) {
        rows.push_back(row);
      }
    };
    std::vector<FrameRow> own;
    std::uint64_t covered_to = 0;
    for (const Function& function : functions_) {
      if (rows.size() == most_rows) {
        break;
      }
      if (function.begin < covered_to) {
        continue;  // a second entry for the same code
      }
      own.clear();
      Machine(*function.common, registers_, function.begin, own)
          .run_entry(function.instructions);
      std::uint64_t reached = function.begin;
      for (const FrameRow& row : own) {
        if (row.address >= reached && row.address < function.end) {
          add(row);
          reached = row.address;
        }
      }
      covered_to = function.end;
      add({covered_to, {}});
    }
    if (rows.size() == most_rows) {  // the last rule does not hold for the rest
      const std::uint64_t address = rows.back().address;
      rows.pop_back();
      add({address, {}});
    }
    return rows;
  }

 private:
  // Each carries out its instructions once, not again for each of its functions.
  void add_common(std::size_t place, const FrameCursor& entry) {
    if (commons_.size() == most_commons) {
      return;
    }
    if (const auto read = read_common_entry(entry)) {
      Common common{.entry = *read, .initial = {}};
      common.initial.return_address = place_behind_call(*read, registers_);
      std::vector<FrameRow> none;
      common.initial =
          Machine(common, registers_, 0, none).run_common(read->instructions);
      commons_.emplace(place, common);
    }
  }

  void add_function(FrameCursor cursor, const Common& common) {
    Function function;
    function.begin = take_pointer(cursor, common.entry.pointer_encoding);
    function.end = function.begin + take_form(cursor, common.entry.pointer_encoding);
    if (common.entry.has_augmentation_data) {
      cursor.take_bytes(cursor.take_unsigned());
    }
    if (!cursor.is_good() || function.end <= function.begin ||
        functions_.size() == most_functions) {
      return;
    }
    function.common = &common;
    function.instructions = cursor;
    functions_.push_back(function);
  }

  static constexpr std::size_t most_commons = 1U << 16U;
  static constexpr std::size_t most_functions = 1U << 21U;

  FrameRegisters registers_;
  std::map<std::size_t, Common> commons_;  // by their place
  std::vector<Function> functions_;
};

}  // namespace

std::vector<FrameRow> read_call_frames(const CallFrameSection& section,
                                       const FrameRegisters& registers) {
  SectionReader reader(registers);
  reader.read(section);
  // An entry has a row for each five bytes or so.
  return reader.rows(section.bytes.size() / 4);
}

}  // namespace kinst::user
