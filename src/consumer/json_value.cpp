#include "consumer/json_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/overloaded.h"
#include "consumer/values/symbol_text.h"

namespace kinst::consumer {
namespace {

using types::TypeId;

// A place in a value, counted in bits from its first byte so that it can be a
// bit-field.
struct BitPlace {
  std::uint64_t offset_bits = 0;
  std::uint32_t width_bits = 0;
};

// Writes one value of nested types.
class ValueWriter {
 public:
  ValueWriter(JsonWriter& json, const types::TypeTable& table,
              std::span<const std::byte> bytes)
      : json_(json), table_(table), bytes_(bytes) {}

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
    json_.begin_object();
    write_members(record, place);
    json_.end_object();
  }

  // Members of anonymous records stand among those of the outer one.
  void write_members(const types::Record& record, const BitPlace& place) {
    for (const types::Member& member : record.members) {
      const BitPlace inner{place.offset_bits + member.offset_bits, member.width_bits};
      if (member.name.empty()) {
        if (const auto* anonymous =
                std::get_if<types::Record>(&table_.resolved(member.type))) {
          write_members(*anonymous, inner);
        }
        continue;
      }
      json_.key(member.name);
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
    json_.begin_array();
    for (std::uint64_t count = 0; size_bits != 0 && count < array.count; ++count) {
      const std::uint64_t offset_bits = place.offset_bits + count * size_bits;
      write(array.element, {offset_bits, 0});
      if (offset_bits / 8 >= bytes_.size()) {
        break;  // cut off: one null stands for all that is missing
      }
    }
    json_.end_array();
  }

  void write_text(const BitPlace& place, std::uint64_t limit) {
    const std::uint64_t offset =
        std::min<std::uint64_t>(place.offset_bits / 8, bytes_.size());
    const auto rest = bytes_.subspan(offset);
    const std::string_view text(reinterpret_cast<const char*>(rest.data()),
                                std::min<std::uint64_t>(limit, rest.size()));
    json_.value(text.substr(0, text.find('\0')));
  }

  void write_float(const types::Float& number, const BitPlace& place) {
    const std::uint64_t offset = place.offset_bits / 8;
    const auto read = [&](auto kind) -> bool {
      if (number.size_bytes != sizeof(kind) || offset + sizeof(kind) > bytes_.size()) {
        return false;
      }
      std::memcpy(&kind, bytes_.data() + offset, sizeof(kind));
      json_.value(kind);
      return true;
    };
    if (!read(float{}) && !read(double{})) {
      json_.null();
    }
  }

  void write_enum(TypeId type, const types::Enum& enumeration, const BitPlace& place) {
    const auto value = integer(type, place);
    const auto found = std::ranges::find(enumeration.enumerators,
                                         static_cast<std::int64_t>(value.value_or(0)),
                                         &types::Enumerator::value);
    if (value && found != enumeration.enumerators.end()) {
      json_.value(found->name);
    } else {
      write_integer(type, place);
    }
  }

  void write_integer(TypeId type, const BitPlace& place) {
    const auto value = integer(type, place);
    if (value && table_.is_signed(type)) {
      json_.value(static_cast<std::int64_t>(*value));
    } else {
      json_.value(value);
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

  JsonWriter& json_;
  const types::TypeTable& table_;
  std::span<const std::byte> bytes_;
};

void write_integer(JsonWriter& json, const record::Integer& integer) {
  if (integer.is_signed) {
    json.value(static_cast<std::int64_t>(integer.value));
  } else {
    json.value(integer.value);
  }
}

void write_process(JsonWriter& json, const std::optional<std::uint64_t>& process) {
  if (process) {
    json.member("process", *process);
  }
}

void write_address(JsonWriter& json, const record::Address& address,
                   std::string_view symbol) {
  json.begin_object();
  json.member("address", address.address);
  json.member("symbol", symbol);
  write_process(json, address.process);
  json.end_object();
}

void write_frames(JsonWriter& json, Symbolizer& names, const record::Frames& frames) {
  json.begin_object();
  json.key("stack");
  json.begin_array();
  for (std::size_t place = 0; place < frames.addresses.size(); ++place) {
    const record::Address address{frames.addresses[place], std::nullopt};
    write_address(json, address, frame_text(names, frames, place));
  }
  json.end_array();
  write_process(json, frames.process);
  json.end_object();
}

// As a number where it is one: an unknown probe has none, and not each has a line.
void write_probe_text(JsonWriter& json, record::Meaning meaning,
                      std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (record::is_number(meaning) && parsed.ec == std::errc() && parsed.ptr == end) {
    json.value(number);
  } else {
    json.value(text);
  }
}

}  // namespace

void write_value(JsonWriter& json, const types::TypeTable& table, TypeId type,
                 std::span<const std::byte> bytes) {
  ValueWriter(json, table, bytes).write(type, {});
}

void write_value(JsonWriter& json, Symbolizer& names, const types::TypeTable& table,
                 const record::Value& value) {
  std::visit(
      Overloaded{
          [&](const record::Integer& integer) { write_integer(json, integer); },
          [&](const record::Real& real) { json.value(real.value); },
          [&](const record::Text& text) { json.value(text.text); },
          [&](const record::Bytes& bytes) {
            write_value(json, table, value.type, bytes.bytes);
          },
          [&](const record::Address& address) {
            write_address(json, address, symbol_text(names, value.meaning, address));
          },
          [&](const record::Frames& frames) { write_frames(json, names, frames); },
          [&](const record::ProbeKey& key) {
            write_probe_text(json, value.meaning,
                             probe_text(names, value.meaning, key.key));
          },
      },
      value.data);
}

void write_bytes(JsonWriter& json, std::span<const std::byte> bytes) {
  std::string digits;
  digits.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    fmt::format_to(std::back_inserter(digits), "{:02x}", static_cast<unsigned>(byte));
  }
  json.value(digits);
}

void write_probe(JsonWriter& json, const provider::Probe* probe) {
  if (probe == nullptr) {
    json.null();
    return;
  }
  json.begin_object();
  json.member("id", probe->id);
  json.member("provider", probe->provider);
  json.member("module", probe->module);
  json.member("function", probe->function);
  json.member("name", probe->name);
  json.end_object();
}

}  // namespace kinst::consumer
