// Records and fields as a ring buffer may hold them once something has gone wrong, by
// layouts that are themselves input.
#include <cstring>
#include <optional>
#include <vector>

#include "consumer/print_type.h"
#include "consumer/trace_text.h"
#include "consumer/values/symbolizer_for_tests.h"
#include "fuzz/fuzz.h"
#include "record/decode.h"

using kinst::fuzz::require;
namespace record = kinst::record;

// Takes numbers off the input.
class Numbers {
 public:
  explicit Numbers(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint32_t take(std::uint32_t below) {
    std::uint16_t number = 0;
    if (bytes_.size() >= sizeof number) {
      std::memcpy(&number, bytes_.data(), sizeof number);
      bytes_ = bytes_.subspan(sizeof number);
    }
    return number % below;
  }
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(kinst::fuzz::bytes_of(data, size));
  kinst::types::TypeTable table;
  const std::vector<kinst::types::TypeId> types = {
      table.int_type(),
      table.char_type(),
      table.uint64_type(),
      table.string_type(),
      table.array_of(table.char_type(), 5),
      table.array_of(table.int_type(), 3),
      table.pointer_to(table.int_type()),
      table.add(kinst::types::Float{.name = "double"}),
  };
  record::Layout layout{.clause = 0, .size_bytes = numbers.take(200)};
  const std::uint32_t actions = numbers.take(4);
  for (std::uint32_t i = 0; i < actions; ++i) {
    record::Action action{.kind = static_cast<record::ActionKind>(numbers.take(16))};
    if (numbers.take(2) == 1) {
      action.guard_offset = numbers.take(200);
    }
    const std::uint32_t fields = numbers.take(4);
    for (std::uint32_t field = 0; field < fields; ++field) {
      action.fields.push_back(
          {.offset = numbers.take(200),
           .size_bytes = numbers.take(70),
           .type = types[numbers.take(static_cast<std::uint32_t>(types.size()))],
           .meaning = static_cast<record::Meaning>(numbers.take(
               1 + static_cast<std::uint32_t>(record::Meaning::SourceLine)))});
    }
    layout.actions.push_back(action);
  }
  record::Layouts layouts;
  layouts.clauses.push_back(layout);
  const auto decoded = record::decode(table, layouts, numbers.rest());
  if (!decoded) {
    return 0;
  }
  const auto* whole = std::get_if<record::DecodedRecord>(&*decoded);
  if (whole == nullptr) {
    return 0;
  }
  kinst::consumer::TableOfNames names;
  for (const record::DecodedAction& action : whole->actions) {
    for (const record::Value& value : action.values) {
      std::string out;
      kinst::consumer::append_traced(out, {.names = names}, value,
                                     kinst::consumer::Columns::Aligned);
      kinst::consumer::append_key(out, {.names = names}, value);
      kinst::consumer::append_printed(out, table, value.type, value.bytes,
                                      std::nullopt);
      require(out.size() < 100000);
    }
  }
  return 0;
}
