#include "consumer/json_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/overloaded.h"
#include "base/text/json_text.h"
#include "consumer/values/symbol_text.h"

namespace kinst::consumer {
namespace {

using types::TypeId;

void append_number(std::string& out, long double number) {
  if (std::isfinite(number)) {
    fmt::format_to(std::back_inserter(out), "{}", number);
  } else {
    out += "null";  // JSON has no infinities
  }
}

// A place in a value, counted in bits from its first byte so that it can be a
// bit-field.
struct BitPlace {
  std::uint64_t offset_bits = 0;
  std::uint32_t width_bits = 0;
};

// Writes one value of nested types.
class ValueWriter {
 public:
  ValueWriter(std::string& out, const types::TypeTable& table,
              std::span<const std::byte> bytes)
      : out_(out), table_(table), bytes_(bytes) {}

  void write(TypeId type, const BitPlace& place) {
    std::visit(Overloaded{
                   [&](const types::Record& record) { write_record(record, place); },
                   [&](const types::Array& array) { write_array(array, place); },
                   [&](const types::String&) { write_text(place, bytes_.size()); },
                   [&](const types::Float& number) { write_float(number, place); },
                   [&](const types::Enum& enumeration) {
                     write_enum(type, enumeration, place);
                   },
                   [&](const auto&) { write_integer(type, place); },
               },
               table_.resolved(type));
  }

 private:
  void write_record(const types::Record& record, const BitPlace& place) {
    out_ += '{';
    bool is_first = true;
    write_members(record, place, is_first);
    out_ += '}';
  }

  // Members of anonymous records stand among those of the outer one.
  void write_members(const types::Record& record, const BitPlace& place,
                     bool& is_first) {
    for (const types::Member& member : record.members) {
      const BitPlace inner{place.offset_bits + member.offset_bits, member.width_bits};
      if (member.name.empty()) {
        if (const auto* anonymous =
                std::get_if<types::Record>(&table_.resolved(member.type))) {
          write_members(*anonymous, inner, is_first);
        }
        continue;
      }
      out_ += is_first ? "" : ",";
      is_first = false;
      append_json_string(out_, member.name);
      out_ += ':';
      write(member.type, inner);
    }
  }

  void write_array(const types::Array& array, const BitPlace& place) {
    const auto* element = std::get_if<types::Integer>(&table_.resolved(array.element));
    if (element != nullptr && element->is_character) {
      write_text(place, array.count);
      return;
    }
    const std::uint64_t size_bits = 8 * table_.size_of(array.element).value_or(0);
    out_ += '[';
    for (std::uint64_t count = 0; size_bits != 0 && count < array.count; ++count) {
      out_ += count == 0 ? "" : ",";
      const std::uint64_t offset_bits = place.offset_bits + count * size_bits;
      write(array.element, {offset_bits, 0});
      if (offset_bits / 8 >= bytes_.size()) {
        break;  // cut off: one null stands for all that is missing
      }
    }
    out_ += ']';
  }

  void write_text(const BitPlace& place, std::uint64_t limit) {
    const std::uint64_t offset =
        std::min<std::uint64_t>(place.offset_bits / 8, bytes_.size());
    const auto rest = bytes_.subspan(offset);
    const std::string_view text(reinterpret_cast<const char*>(rest.data()),
                                std::min<std::uint64_t>(limit, rest.size()));
    append_json_string(out_, text.substr(0, text.find('\0')));
  }

  void write_float(const types::Float& number, const BitPlace& place) {
    const std::uint64_t offset = place.offset_bits / 8;
    const auto read = [&](auto kind) -> bool {
      if (number.size_bytes != sizeof(kind) || offset + sizeof(kind) > bytes_.size()) {
        return false;
      }
      std::memcpy(&kind, bytes_.data() + offset, sizeof(kind));
      append_number(out_, kind);
      return true;
    };
    if (!read(float{}) && !read(double{})) {
      out_ += "null";
    }
  }

  void write_enum(TypeId type, const types::Enum& enumeration, const BitPlace& place) {
    const auto value = integer(type, place);
    const auto found = std::ranges::find(enumeration.enumerators,
                                         static_cast<std::int64_t>(value.value_or(0)),
                                         &types::Enumerator::value);
    if (value && found != enumeration.enumerators.end()) {
      append_json_string(out_, found->name);
    } else {
      write_integer(type, place);
    }
  }

  void write_integer(TypeId type, const BitPlace& place) {
    const auto value = integer(type, place);
    if (!value) {
      out_ += "null";
    } else if (table_.is_signed(type)) {
      out_ += std::to_string(static_cast<std::int64_t>(*value));
    } else {
      out_ += std::to_string(*value);
    }
  }

  // The integer, sign-extended. Nothing if `bytes` has not all of it, or if it has more
  // than 64 bits.
  std::optional<std::uint64_t> integer(TypeId type, const BitPlace& place) const {
    const std::uint64_t width =
        place.width_bits != 0 ? place.width_bits : 8 * table_.size_of(type).value_or(0);
    const std::uint64_t offset = place.offset_bits / 8;
    const std::uint64_t shift = place.offset_bits % 8;
    if (width == 0 || width + shift > 64 ||
        offset + (shift + width + 7) / 8 > bytes_.size()) {
      return std::nullopt;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + offset,
                std::min<std::size_t>(8, bytes_.size() - offset));
    value <<= 64 - width - shift;
    return table_.is_signed(type)
               ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >>
                                            (64 - width))
               : value >> (64 - width);
  }

  std::string& out_;
  const types::TypeTable& table_;
  std::span<const std::byte> bytes_;
};

void append_address(std::string& out, const record::Address& address,
                    std::string_view symbol) {
  fmt::format_to(std::back_inserter(out), R"({{"address":{},"symbol":)",
                 address.address);
  append_json_string(out, symbol);
  if (address.process) {
    fmt::format_to(std::back_inserter(out), ",\"process\":{}", *address.process);
  }
  out += '}';
}

void append_frames(std::string& out, Symbolizer& names, const record::Frames& frames) {
  out += "{\"stack\":[";
  for (std::size_t place = 0; place < frames.addresses.size(); ++place) {
    out += place == 0 ? "" : ",";
    const record::Address address{frames.addresses[place], std::nullopt};
    append_address(out, address, frame_text(names, frames, place));
  }
  out += ']';
  if (frames.process) {
    fmt::format_to(std::back_inserter(out), ",\"process\":{}", *frames.process);
  }
  out += '}';
}

}  // namespace

void append_json_value(std::string& out, const types::TypeTable& table, TypeId type,
                       std::span<const std::byte> bytes) {
  ValueWriter(out, table, bytes).write(type, {});
}

void append_json_value(std::string& out, Symbolizer& names,
                       const types::TypeTable& table, const record::Value& value) {
  std::visit(
      Overloaded{
          [&](const record::Integer& integer) {
            out += integer.is_signed
                       ? std::to_string(static_cast<std::int64_t>(integer.value))
                       : std::to_string(integer.value);
          },
          [&](const record::Real& real) { append_number(out, real.value); },
          [&](const record::Text& text) { append_json_string(out, text.text); },
          [&](const record::Bytes& bytes) {
            append_json_value(out, table, value.type, bytes.bytes);
          },
          [&](const record::Address& address) {
            append_address(out, address, symbol_text(names, value.meaning, address));
          },
          [&](const record::Frames& frames) { append_frames(out, names, frames); },
          [&](const record::ProbeKey& key) {
            const std::string text = probe_text(names, value.meaning, key.key);
            const bool is_number =
                !text.empty() && record::is_number(value.meaning) &&
                text.find_first_not_of("0123456789") == std::string::npos;
            if (is_number) {
              out += text;
            } else {
              append_json_string(out, text);
            }
          },
      },
      value.data);
}

void append_json_bytes(std::string& out, std::span<const std::byte> bytes) {
  out += '"';
  for (const std::byte byte : bytes) {
    fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<unsigned>(byte));
  }
  out += '"';
}

void append_json_probe(std::string& out, const provider::Probe* probe) {
  if (probe == nullptr) {
    out += "null";
    return;
  }
  fmt::format_to(std::back_inserter(out), "{{\"id\":{}", probe->id);
  const auto add = [&](std::string_view name, std::string_view text) {
    fmt::format_to(std::back_inserter(out), ",\"{}\":", name);
    append_json_string(out, text);
  };
  add("provider", probe->provider);
  add("module", probe->module);
  add("function", probe->function);
  add("name", probe->name);
  out += '}';
}

}  // namespace kinst::consumer
