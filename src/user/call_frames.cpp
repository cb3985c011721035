// A reader of .eh_frame: the instructions of each function's entry are carried out
// once, and each step forward in its code gives a row. Only what a walk along the stack
// needs is kept: the CFA, the frame pointer, and whether there is a return address.
#include "user/call_frames.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

namespace kinst::user {
namespace {

// A section of a few bytes a row could ask for gigabytes of them.
constexpr std::size_t most_rows = 1U << 22U;

// Reads numbers one after the other. Behind the end it gives zeros and says so.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::uint64_t address)
      : bytes_(bytes), address_(address) {}

  [[nodiscard]] bool is_at_end() const { return at_ >= bytes_.size(); }
  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] std::uint64_t address() const { return address_ + at_; }
  [[nodiscard]] std::size_t position() const { return at_; }
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_.subspan(at_); }

  template <typename Number>
  Number take() {
    Number value{};
    if (bytes_.size() - at_ < sizeof value) {
      is_good_ = false;
      at_ = bytes_.size();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  std::uint64_t take_unsigned() {  // ULEB128
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = take<std::uint8_t>();
      value |= shift < 64 ? std::uint64_t{byte & 0x7fU} << shift : 0;
      if ((byte & 0x80U) == 0) {
        return value;
      }
    }
  }

  std::int64_t take_signed() {  // SLEB128
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
      byte = take<std::uint8_t>();
      value |= shift < 64 ? std::uint64_t{byte & 0x7fU} << shift : 0;
      shift += 7;
    } while ((byte & 0x80U) != 0);
    if (shift < 64 && (byte & 0x40U) != 0) {
      value |= ~std::uint64_t{0} << shift;
    }
    return static_cast<std::int64_t>(value);
  }

  Cursor take_bytes(std::uint64_t count) {
    const std::uint64_t have = std::min<std::uint64_t>(count, bytes_.size() - at_);
    is_good_ = is_good_ && have == count;
    Cursor part(bytes_.subspan(at_, have), address());
    at_ += have;
    return part;
  }

  std::string_view take_text() {
    const auto* begin = reinterpret_cast<const char*>(bytes_.data() + at_);
    const std::string_view text(begin, strnlen(begin, bytes_.size() - at_));
    at_ = std::min(bytes_.size(), at_ + text.size() + 1);
    return text;
  }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t address_;
  std::size_t at_ = 0;
  bool is_good_ = true;
};

// What a damaged section says may overflow: the product wraps around.
std::int64_t multiply(std::int64_t left, std::int64_t right) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) *
                                   static_cast<std::uint64_t>(right));
}

// How pointers are written: DW_EH_PE_*.
constexpr std::uint8_t form_mask = 0x0f;
constexpr std::uint8_t relative_mask = 0x70;
constexpr std::uint8_t relative_to_itself = 0x10;
constexpr std::uint8_t omitted = 0xff;

std::uint64_t take_form(Cursor& cursor, std::uint8_t form) {
  const auto extended = [](auto value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  };
  switch (form & form_mask) {
    case 0x1:
      return cursor.take_unsigned();
    case 0x2:
      return cursor.take<std::uint16_t>();
    case 0x3:
      return cursor.take<std::uint32_t>();
    case 0x9:
      return extended(cursor.take_signed());
    case 0xa:
      return extended(cursor.take<std::int16_t>());
    case 0xb:
      return extended(cursor.take<std::int32_t>());
    default:  // absptr, udata8, sdata8
      return cursor.take<std::uint64_t>();
  }
}

std::uint64_t take_pointer(Cursor& cursor, std::uint8_t encoding) {
  const std::uint64_t base =
      (encoding & relative_mask) == relative_to_itself ? cursor.address() : 0;
  return encoding == omitted ? 0 : base + take_form(cursor, encoding);
}

// What a row says of the CFA and of two registers, as the instructions have it.
struct FrameState {
  std::uint64_t cfa_register = 0;
  std::int64_t cfa_offset = 0;
  std::optional<std::span<const std::byte>> cfa_expression;
  FrameRule::FramePointer frame_pointer = FrameRule::FramePointer::Kept;
  std::int64_t saved_below = 0;
  bool frame_pointer_is_understood = true;
  bool has_return_address = true;
};

// What the entries of several functions have in common: a CIE.
struct Common {
  std::uint64_t code_alignment = 1;
  std::int64_t data_alignment = 1;
  std::uint64_t return_register = 0;
  std::uint8_t pointer_encoding = 0;
  bool has_augmentation_data = false;
  bool is_signal_frame = false;
  Cursor instructions{{}, 0};
  FrameState initial;  // what its instructions give each function to begin with
};

std::optional<Common> read_common(Cursor cursor) {
  Common common;
  const auto version = cursor.take<std::uint8_t>();
  const std::string_view augmentation = cursor.take_text();
  common.code_alignment = cursor.take_unsigned();
  common.data_alignment = cursor.take_signed();
  common.return_register =
      version == 1 ? cursor.take<std::uint8_t>() : cursor.take_unsigned();
  if (augmentation.starts_with('z')) {
    common.has_augmentation_data = true;
    Cursor data = cursor.take_bytes(cursor.take_unsigned());
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'R') {
        common.pointer_encoding = data.take<std::uint8_t>();
      } else if (letter == 'P') {
        const auto encoding = data.take<std::uint8_t>();
        take_pointer(data, encoding);
      } else if (letter == 'L') {
        data.take<std::uint8_t>();
      } else if (letter == 'S') {
        common.is_signal_frame = true;
      } else {
        break;  // what follows is of an unknown form
      }
    }
  } else if (!augmentation.empty()) {
    return std::nullopt;
  }
  common.instructions = cursor;
  return cursor.is_good() && (version == 1 || version == 3 || version == 4)
             ? std::optional(common)
             : std::nullopt;
}

constexpr std::uint8_t op_deref = 0x06;
constexpr std::uint8_t op_plus_uconst = 0x23;
constexpr std::uint8_t op_lit0 = 0x30;
constexpr std::uint8_t op_lit15 = 0x3f;
constexpr std::uint8_t op_breg0 = 0x70;

// *(register + place) + offset.
std::optional<FrameRule> saved_cfa(std::span<const std::byte> expression,
                                   const FrameRegisters& registers) {
  Cursor cursor(expression, 0);
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
// >= n).
std::optional<FrameRule> stub_cfa(std::span<const std::byte> expression) {
  constexpr std::uint8_t n_at = 6;
  constexpr std::array<std::uint8_t, 11> form = {0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a,
                                                 0,    0x2a, 0x33, 0x24, 0x22};
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
  if (common.is_signal_frame) {
    return {.kind = FrameRule::Kind::SignalReturn};
  }
  if (!state.has_return_address) {
    return {.kind = FrameRule::Kind::Outermost};
  }
  FrameRule rule;
  if (state.cfa_expression) {
    auto found = saved_cfa(*state.cfa_expression, registers);
    rule = found ? *found : stub_cfa(*state.cfa_expression).value_or(FrameRule{});
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
  return rule;
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

  FrameState run_common(const Cursor& instructions) {
    run(instructions, Adds::No);
    return state_;
  }

  void run_entry(const Cursor& instructions) {
    run(instructions, Adds::Yes);
    add_row();
  }

 private:
  enum class Adds : std::uint8_t { No, Yes };

  void run(Cursor cursor, Adds adds) {
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
  bool run_extended(std::uint8_t instruction, Cursor& cursor, Adds adds) {
    switch (instruction) {
      case 0x00:  // DW_CFA_nop
        return true;
      case 0x01:  // DW_CFA_set_loc
        if (adds == Adds::Yes) {
          add_row();
        }
        location_ = take_pointer(cursor, common_.pointer_encoding);
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
  bool run_cfa(std::uint8_t instruction, Cursor& cursor) {
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
        state_.cfa_offset = multiply(cursor.take_signed(), common_.data_alignment);
        break;
      case 0x13:  // DW_CFA_def_cfa_offset_sf
        state_.cfa_offset = multiply(cursor.take_signed(), common_.data_alignment);
        break;
      default:
        return false;
    }
    state_.cfa_expression.reset();
    return true;
  }

  // Instructions about one register, which comes first.
  bool run_register(std::uint8_t instruction, Cursor& cursor) {
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
        if (which == common_.return_register) {
          state_.has_return_address = false;
        }
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
    location_ += steps * common_.code_alignment;
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
          multiply(multiply(factored_offset, -1), common_.data_alignment);
      state_.frame_pointer_is_understood = true;
    }
  }

  void save_by(std::uint64_t which, std::span<const std::byte> expression) {
    if (which != registers_.frame_pointer) {
      return;
    }
    Cursor cursor(expression, 0);
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
    }
  }

  void not_understood(std::uint64_t which) {
    if (which == registers_.frame_pointer) {
      state_.frame_pointer_is_understood = false;
    }
  }

  void restore(std::uint64_t which) {
    if (which == registers_.frame_pointer) {
      state_.frame_pointer = initial_.frame_pointer;
      state_.saved_below = initial_.saved_below;
      state_.frame_pointer_is_understood = initial_.frame_pointer_is_understood;
    } else if (which == common_.return_register) {
      state_.has_return_address = initial_.has_return_address;
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

// A function, and which of all rows are its own.
struct FunctionRows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t first = 0;
  std::size_t count = 0;
};

// The entries of a section one after the other. What it makes is bounded, whatever the
// section says.
class SectionReader {
 public:
  explicit SectionReader(const FrameRegisters& registers) : registers_(registers) {}

  void read(const CallFrameSection& section) {
    constexpr std::uint32_t is_wide = 0xffffffff;
    Cursor cursor(section.bytes, section.address);
    while (!cursor.is_at_end() && cursor.is_good() && rows_.size() < most_rows) {
      const std::size_t begin = cursor.position();
      std::uint64_t length = cursor.take<std::uint32_t>();
      if (length == 0) {
        continue;  // where files were put together
      }
      if (length == is_wide) {
        length = cursor.take<std::uint64_t>();
      }
      const std::size_t back_from = cursor.position();
      Cursor entry = cursor.take_bytes(length);
      const auto back = entry.take<std::uint32_t>();
      if (back == 0) {
        add_common(begin, entry);
      } else if (const auto common = commons_.find(back_from - back);
                 common != commons_.end()) {
        add_function(entry, common->second);
      }
    }
  }

  // In the order of their addresses.
  std::vector<FrameRow> rows() {
    std::ranges::stable_sort(functions_, {}, &FunctionRows::begin);
    std::vector<FrameRow> rows;
    const auto add = [&](const FrameRow& row) {
      if (!rows.empty() && rows.back().address == row.address) {
        rows.pop_back();
      }
      if (rows.empty() || rows.back().rule != row.rule) {
        rows.push_back(row);
      }
    };
    std::uint64_t covered_to = 0;
    for (const FunctionRows& function : functions_) {
      if (function.begin < covered_to) {
        continue;  // a second entry for the same code
      }
      std::uint64_t reached = function.begin;
      for (const FrameRow& row :
           std::span(rows_).subspan(function.first, function.count)) {
        if (row.address >= reached && row.address < function.end) {
          add(row);
          reached = row.address;
        }
      }
      covered_to = function.end;
      add({covered_to, {}});
    }
    return rows;
  }

 private:
  // Each carries out its instructions once, not again for each of its functions.
  void add_common(std::size_t place, const Cursor& entry) {
    if (commons_.size() == most_commons) {
      return;
    }
    if (auto common = read_common(entry)) {
      std::vector<FrameRow> none;
      common->initial =
          Machine(*common, registers_, 0, none).run_common(common->instructions);
      commons_.emplace(place, *common);
    }
  }

  void add_function(Cursor cursor, const Common& common) {
    FunctionRows function;
    function.begin = take_pointer(cursor, common.pointer_encoding);
    function.end = function.begin + take_form(cursor, common.pointer_encoding);
    if (common.has_augmentation_data) {
      cursor.take_bytes(cursor.take_unsigned());
    }
    if (!cursor.is_good() || function.end <= function.begin ||
        functions_.size() == most_functions) {
      return;
    }
    function.first = rows_.size();
    Machine(common, registers_, function.begin, rows_).run_entry(cursor);
    function.count = rows_.size() - function.first;
    functions_.push_back(function);
  }

  static constexpr std::size_t most_commons = 1U << 16U;
  static constexpr std::size_t most_functions = 1U << 21U;

  FrameRegisters registers_;
  std::map<std::size_t, Common> commons_;  // by their place
  std::vector<FrameRow> rows_;
  std::vector<FunctionRows> functions_;
};

}  // namespace

std::vector<FrameRow> read_call_frames(const CallFrameSection& section,
                                       const FrameRegisters& registers) {
  SectionReader reader(registers);
  reader.read(section);
  return reader.rows();
}

}  // namespace kinst::user
