// Reads fields by the layout that the code generator wrote them by.
#include "record/decode.h"

#include <algorithm>
#include <cstring>

namespace kinst::record {
namespace {

using Span = std::span<const std::byte>;

// The caller has checked that `bytes` contains the value.
template <typename T>
T read_at(Span bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

std::uint64_t word_at(Span bytes, std::size_t place) {
  return read_at<std::uint64_t>(bytes, 8 * place);
}

// A little-endian integer of any size up to 8, extended by its sign.
Integer integer(Span bytes, bool is_signed) {
  const std::size_t size_bytes = std::min<std::size_t>(bytes.size(), 8);
  std::uint64_t value = 0;
  if (size_bytes != 0) {
    std::memcpy(&value, bytes.data(), size_bytes);
    const auto unused_bits = static_cast<unsigned>(64 - 8 * size_bytes);
    value <<= unused_bits;
    value = is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >>
                                                   unused_bits)
                      : value >> unused_bits;
  }
  return Integer{value, static_cast<std::uint32_t>(size_bytes), is_signed};
}

std::optional<Real> real(Span bytes) {
  switch (bytes.size()) {
    case sizeof(float):
      return Real{read_at<float>(bytes, 0), sizeof(float)};
    case sizeof(double):
      return Real{read_at<double>(bytes, 0), sizeof(double)};
    case sizeof(long double):
      return Real{read_at<long double>(bytes, 0), sizeof(long double)};
    default:
      return std::nullopt;
  }
}

Text text(Span bytes) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return Text{all.substr(0, all.find('\0'))};
}

bool is_text(const types::TypeTable& table, types::TypeId type) {
  const types::Type& resolved = table.resolved(type);
  if (const auto* array = std::get_if<types::Array>(&resolved)) {
    const auto* element = std::get_if<types::Integer>(&table.resolved(array->element));
    return element != nullptr && element->is_character;
  }
  return std::holds_alternative<types::String>(resolved);
}

void set_plain(Value& value, const types::TypeTable& table) {
  if (table.is_integer(value.type) || table.is_pointer(value.type)) {
    value.data = integer(value.bytes, table.is_signed(value.type));
    return;
  }
  if (is_text(table, value.type)) {
    value.data = text(value.bytes);
    return;
  }
  value.data = Bytes{value.bytes};
  if (std::holds_alternative<types::Float>(table.resolved(value.type))) {
    if (const auto number = real(value.bytes)) {
      value.data = *number;
    }
  }
}

Frames frames(Span bytes, bool is_user) {
  Frames result;
  std::size_t place = 0;
  const std::size_t count = bytes.size() / 8;
  if (is_user && count != 0) {
    const std::uint64_t process = word_at(bytes, place++);
    if (process != kernel_stack_mark) {
      result.process = process;
    }
  }
  for (; place < count && word_at(bytes, place) != 0; ++place) {
    result.addresses.push_back(word_at(bytes, place));
  }
  return result;
}

std::size_t least_bytes(Form form) {
  switch (form) {
    case Form::Value:
    case Form::Frames:
      return 0;
    case Form::UserFrames:
    case Form::Address:
    case Form::ProbeKey:
      return 8;
    case Form::UserAddress:
      return 16;
  }
  return 0;
}

bool is_within(std::size_t offset, std::size_t size_bytes, Span bytes) {
  return offset <= bytes.size() && size_bytes <= bytes.size() - offset;
}

}  // namespace

std::optional<Value> decode_field(const types::TypeTable& table, const Field& field,
                                  std::span<const std::byte> bytes) {
  const Form form = form_of(field.meaning);
  if (!is_within(field.offset, field.size_bytes, bytes) ||
      field.size_bytes < least_bytes(form)) {
    return std::nullopt;
  }
  Value value{.meaning = field.meaning, .type = field.type};
  value.bytes = bytes.subspan(field.offset, field.size_bytes);
  switch (form) {
    case Form::Value:
      set_plain(value, table);
      break;
    case Form::Frames:
      value.data = frames(value.bytes, false);
      break;
    case Form::UserFrames:
      value.data = frames(value.bytes, true);
      break;
    case Form::Address:
      value.data = Address{word_at(value.bytes, 0), std::nullopt};
      break;
    case Form::UserAddress:
      value.data = Address{word_at(value.bytes, 1), word_at(value.bytes, 0)};
      break;
    case Form::ProbeKey:
      value.data = ProbeKey{word_at(value.bytes, 0)};
      break;
  }
  return value;
}

Result<std::variant<DecodedRecord, kinst_error_record>> decode(
    const types::TypeTable& table, const Layouts& layouts,
    std::span<const std::byte> bytes) {
  DecodedRecord record;
  if (bytes.size() < sizeof(record.header)) {
    return error("a record of {} bytes has no room for its header", bytes.size());
  }
  record.header = read_at<kinst_record_header>(bytes, 0);
  const std::uint32_t clause = record.header.clause;
  if (clause == KINST_RECORD_ERROR) {
    if (bytes.size() < sizeof(kinst_error_record)) {
      return error("an error's record has {} bytes", bytes.size());
    }
    return read_at<kinst_error_record>(bytes, 0);
  }
  if (clause >= layouts.clauses.size()) {
    return error("a record is of clause {}, of {}", clause, layouts.clauses.size());
  }
  record.layout = &layouts.clauses[clause];
  for (const Action& action : record.layout->actions) {
    if (action.guard_offset) {
      if (!is_within(*action.guard_offset, 1, bytes)) {
        return error("a record of clause {} is cut off", clause);
      }
      if (bytes[*action.guard_offset] == std::byte{0}) {
        continue;
      }
    }
    DecodedAction& decoded = record.actions.emplace_back();
    decoded.action = &action;
    for (const Field& field : action.fields) {
      auto value = decode_field(table, field, bytes);
      if (!value) {
        return error("a record of clause {} is cut off", clause);
      }
      decoded.values.push_back(std::move(*value));
    }
  }
  return record;
}

}  // namespace kinst::record
