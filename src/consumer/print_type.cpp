// The form is that of DTrace on Linux. A closing brace is held back until it is known
// what follows, because the "..." of a truncated value comes before it.
#include "consumer/print_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "base/overloaded.h"

namespace kinst::consumer {
namespace {

using types::TypeId;

constexpr std::size_t indent_columns = 44;
constexpr std::size_t depth_limit = 10;

// A part of the value: its place and its name.
struct Part {
  std::string_view name;  // empty for elements and anonymous members
  TypeId type{};
  std::uint64_t offset_bits = 0;
  std::uint32_t width_bits = 0;  // 0 unless it is a bit-field
};

class Printer {
 public:
  Printer(std::string& out, const types::TypeTable& table,
          std::span<const std::byte> bytes)
      : out_(out), table_(table), bytes_(bytes) {}

  // Returns false if the value ended within the part.
  bool print(const Part& part, std::size_t depth) {
    const std::uint64_t offset = part.offset_bits / 8;
    if (offset >= bytes_.size() || depth >= depth_limit || !holds(part)) {
      line(depth, "...");
      return false;
    }
    flush_closings();
    if (depth > 0 && is_zero(part)) {
      return true;
    }
    const types::Type& type = table_.resolved(part.type);
    if (const auto* record = std::get_if<types::Record>(&type)) {
      return print_record(part, *record, depth);
    }
    if (const auto* array = std::get_if<types::Array>(&type)) {
      return print_array(part, *array, depth);
    }
    const std::string text = scalar(part, type);
    if (!text.empty()) {
      line(depth, fmt::format("{}({}){},", label(part), type_name(part.type), text));
    }
    return true;
  }

  void flush_closings() {
    for (const Closing& closing : closings_) {
      line(closing.depth, closing.text);
    }
    closings_.clear();
  }

 private:
  struct Closing {
    std::size_t depth = 0;
    std::string_view text;
  };

  bool print_record(const Part& part, const types::Record& record, std::size_t depth) {
    line(depth, fmt::format("{}({}) {{", label(part), type_name(part.type)));
    bool is_whole = true;
    for (const types::Member& member : record.members) {
      is_whole = print({member.name, member.type, part.offset_bits + member.offset_bits,
                        member.width_bits},
                       depth + 1);
      if (!is_whole) {
        break;
      }
    }
    closings_.push_back({depth, depth == 0 ? "}" : "},"});
    return is_whole;
  }

  bool print_array(const Part& part, const types::Array& array, std::size_t depth) {
    line(depth, fmt::format("{}({}) [{}", label(part), type_name(part.type),
                            array.count == 0 ? "]," : ""));
    const std::uint64_t size_bytes = table_.size_of(array.element).value_or(0);
    bool is_whole = true;
    bool is_text_cut = false;  // which is told behind what there is of it
    for (std::uint64_t place = 0; size_bytes != 0 && place < array.count; ++place) {
      const Part element{
          {}, array.element, part.offset_bits + 8 * size_bytes * place, 0};
      is_text_cut = is_character(array.element) && place > 0 && !holds(element);
      if (is_text_cut || (is_character(array.element) && is_end_of_text(element))) {
        break;
      }
      is_whole = print(element, depth + 1);
      if (!is_whole) {
        break;
      }
    }
    flush_closings();
    if (array.count != 0) {
      line(depth, "],");
    }
    if (is_text_cut) {
      line(depth, "...");
    }
    return is_whole && !is_text_cut;
  }

  std::string scalar(const Part& part, const types::Type& type) const {
    return std::visit(
        Overloaded{
            [&](const types::Integer& integer) { return integer_text(part, integer); },
            [&](const types::Enum& enumeration) {
              return enum_text(part, enumeration);
            },
            [&](const types::Pointer&) { return fmt::format("{:#x}", bits(part)); },
            [&](const types::Float& number) { return float_text(part, number); },
            [&](const types::String&) { return string_text(part); },
            [](const auto&) { return std::string(); },
        },
        type);
  }

  std::string integer_text(const Part& part, const types::Integer& integer) const {
    if (integer.size_bytes > 8) {
      return fmt::format("?({} bit value)", 8 * integer.size_bytes);
    }
    if (integer.name == "char" && type_name(part.type) == "char") {
      return fmt::format("'{}'", static_cast<char>(bits(part)));
    }
    return integer.is_signed ? std::to_string(signed_bits(part))
                             : std::to_string(bits(part));
  }

  std::string enum_text(const Part& part, const types::Enum& enumeration) const {
    const std::int64_t value = enumeration.is_signed
                                   ? signed_bits(part)
                                   : static_cast<std::int64_t>(bits(part));
    const auto found =
        std::ranges::find(enumeration.enumerators, value, &types::Enumerator::value);
    return found == enumeration.enumerators.end() ? std::to_string(value) : found->name;
  }

  std::string float_text(const Part& part, const types::Float& number) const {
    if (number.size_bytes == sizeof(float)) {
      return fmt::format("{}",
                         std::bit_cast<float>(static_cast<std::uint32_t>(bits(part))));
    }
    return number.size_bytes == sizeof(double)
               ? fmt::format("{}", std::bit_cast<double>(bits(part)))
               : std::string();
  }

  std::string string_text(const Part& part) const {
    const auto bytes = bytes_.subspan(part.offset_bits / 8);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                                bytes.size());
    return fmt::format("\"{}\"", text.substr(0, text.find('\0')));
  }

  // Whether `bytes` has all of a scalar. A struct may be truncated.
  [[nodiscard]] bool holds(const Part& part) const {
    const types::Type& type = table_.resolved(part.type);
    if (std::holds_alternative<types::Record>(type) ||
        std::holds_alternative<types::Array>(type) ||
        std::holds_alternative<types::String>(type)) {
      return true;
    }
    const std::uint64_t end =
        part.width_bits != 0
            ? (part.offset_bits + part.width_bits + 7) / 8
            : part.offset_bits / 8 + table_.size_of(part.type).value_or(0);
    return end <= bytes_.size();
  }

  [[nodiscard]] bool is_zero(const Part& part) const {
    if (part.width_bits != 0) {
      return bits(part) == 0;
    }
    const auto rest = bytes_.subspan(part.offset_bits / 8);
    const std::uint64_t size_bytes = std::min<std::uint64_t>(
        table_.size_of(part.type).value_or(rest.size()), rest.size());
    return std::ranges::all_of(rest.first(size_bytes),
                               [](std::byte byte) { return byte == std::byte{0}; });
  }

  // A scalar's bits, of at most 64, not extended.
  [[nodiscard]] std::uint64_t bits(const Part& part) const {
    const std::uint64_t offset = part.offset_bits / 8;
    std::uint64_t value = 0;
    const std::size_t available = std::min<std::size_t>(8, bytes_.size() - offset);
    std::memcpy(&value, bytes_.data() + offset, available);
    value >>= part.offset_bits % 8;
    const std::uint32_t width = width_of(part);
    return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
  }

  [[nodiscard]] std::int64_t signed_bits(const Part& part) const {
    const std::uint32_t unused = 64 - std::min(width_of(part), 64U);
    return static_cast<std::int64_t>(bits(part) << unused) >> unused;
  }

  [[nodiscard]] std::uint32_t width_of(const Part& part) const {
    return part.width_bits != 0
               ? part.width_bits
               : static_cast<std::uint32_t>(8 * table_.size_of(part.type).value_or(0));
  }

  [[nodiscard]] bool is_character(TypeId type) const {
    const auto* integer = std::get_if<types::Integer>(&table_.resolved(type));
    return integer != nullptr && integer->is_character;
  }

  [[nodiscard]] bool is_end_of_text(const Part& element) const {
    const std::uint64_t offset = element.offset_bits / 8;
    return offset < bytes_.size() && bytes_[offset] == std::byte{0};
  }

  // "struct" alone for those without a tag.
  [[nodiscard]] std::string type_name(TypeId type) const {
    constexpr std::string_view anonymous = " (anonymous)";
    std::string name = table_.name_of(type);
    if (const auto place = name.find(anonymous); place != std::string::npos) {
      name.erase(place, anonymous.size());
    }
    return name;
  }

  static std::string label(const Part& part) {
    return part.name.empty() ? "" : fmt::format(".{} = ", part.name);
  }

  void line(std::size_t depth, std::string_view text) {
    out_.append(indent_columns + depth, ' ');
    out_ += text;
    out_ += '\n';
  }

  std::string& out_;
  const types::TypeTable& table_;
  std::span<const std::byte> bytes_;
  std::vector<Closing> closings_;
};

}  // namespace

void append_printed(std::string& out, const types::TypeTable& table, TypeId type,
                    std::span<const std::byte> bytes,
                    std::optional<std::uint64_t> address) {
  if (address) {
    fmt::format_to(std::back_inserter(out), "{:#x} = *\n", *address);
  }
  Printer printer(out, table, bytes);
  printer.print({{}, type, 0, 0}, 0);
  printer.flush_closings();
}

}  // namespace kinst::consumer
