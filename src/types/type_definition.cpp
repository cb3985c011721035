// Lines as pahole(1) writes them, which people who ask for a struct know.
#include "types/type_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/overloaded.h"

namespace kinst::types {
namespace {

constexpr std::size_t columns_before_place = 56;
constexpr std::size_t columns_of_depth = 8;
// Untagged structs within untagged ones; deeper than any that people write.
constexpr std::size_t most_depth = 16;

// Where a member is: its bytes, or its bits for a bit-field.
std::string place_of(const TypeTable& table, const Member& member,
                     std::uint64_t record_bits) {
  const std::uint64_t bits = record_bits + member.offset_bits;
  if (member.width_bits != 0) {
    return fmt::format("/* {:>5}:{:<2} {:>4} bit{} */", bits / 8, bits % 8,
                       member.width_bits, member.width_bits == 1 ? "" : "s");
  }
  return fmt::format("/* {:>5} {:>5} */", bits / 8,
                     table.size_of(member.type).value_or(0));
}

// The untagged struct or union that a member's type is made of, if it is of one: itself
// or an array's element.
const Record* untagged_record(const TypeTable& table, TypeId id) {
  while (const auto* array = std::get_if<Array>(&table.get(id))) {
    id = array->element;
  }
  const auto* record = std::get_if<Record>(&table.get(id));
  return record != nullptr && record->tag.empty() && record->is_complete ? record
                                                                         : nullptr;
}

std::string_view keyword(const Record& record) {
  return record.kind == RecordKind::Struct ? "struct" : "union";
}

std::string enumerators_of(const Enum& type) {
  std::string out = "{\n";
  for (const Enumerator& enumerator : type.enumerators) {
    fmt::format_to(
        std::back_inserter(out), "\t{} = {},\n", enumerator.name,
        type.is_signed
            ? fmt::format("{}", enumerator.value)
            : fmt::format("{}", static_cast<std::uint64_t>(enumerator.value)));
  }
  return out + "}";
}

// Appends the lines of a record's members, of which the outermost record's are one tab
// deep.
class Lines {
 public:
  Lines(const TypeTable& table, std::string& out) : table_(table), out_(out) {}

  // record_bits: where the record begins in the outermost one.
  void members(const Record& record, std::uint64_t record_bits, std::size_t depth) {
    for (const Member& member : record.members) {
      const Record* within = untagged_record(table_, member.type);
      if (within == nullptr || depth >= most_depth) {
        line(depth, declaration_of(table_, member.type, member.name) + ";",
             place_of(table_, member, record_bits));
        continue;
      }
      out_.append(depth, '\t');
      fmt::format_to(std::back_inserter(out_), "{} {{\n", keyword(*within));
      members(*within, record_bits + member.offset_bits, depth + 1);
      // What stands around the type: "}", "} name[4]".
      std::string whole = declaration_of(table_, member.type, member.name);
      const std::string type = fmt::format("{} (anonymous)", keyword(*within));
      whole.replace(whole.find(type), type.size(), "}");
      line(depth, whole + ";", place_of(table_, member, record_bits));
    }
  }

 private:
  void line(std::size_t depth, const std::string& declaration,
            const std::string& place) {
    const std::size_t used = depth * columns_of_depth + declaration.size();
    out_.append(depth, '\t');
    out_ += declaration;
    out_.append(used + 1 < columns_before_place ? columns_before_place - used : 1, ' ');
    out_ += place + "\n";
  }

  const TypeTable& table_;
  std::string& out_;
};

std::string record_text(const TypeTable& table, const Record& record) {
  if (!record.is_complete) {
    return fmt::format("{} {};  /* its members are not known */\n", keyword(record),
                       record.tag);
  }
  std::string out = fmt::format("{}{}{} {{\n", keyword(record),
                                record.tag.empty() ? "" : " ", record.tag);
  Lines(table, out).members(record, 0, 1);
  return out + fmt::format("}};  /* {} bytes */\n", record.size_bytes);
}

std::string typedef_text(const TypeTable& table, const Typedef& type) {
  const std::string bytes =
      fmt::format(";  /* {} bytes */\n", table.size_of(type.target).value_or(0));
  if (const auto* record = std::get_if<Record>(&table.get(type.target));
      record != nullptr && record->tag.empty() && record->is_complete) {
    std::string out = fmt::format("typedef {} {{\n", keyword(*record));
    Lines(table, out).members(*record, 0, 1);
    return out + fmt::format("}} {}{}", type.name, bytes);
  }
  if (const auto* named = std::get_if<Enum>(&table.get(type.target));
      named != nullptr && named->tag.empty()) {
    return fmt::format("typedef enum {} {}{}", enumerators_of(*named), type.name,
                       bytes);
  }
  return fmt::format("typedef {}{}", declaration_of(table, type.target, type.name),
                     bytes);
}

}  // namespace

std::string definition_of(const TypeTable& table, TypeId id) {
  return std::visit(
      Overloaded{
          [&](const Record& record) { return record_text(table, record); },
          [&](const Typedef& type) { return typedef_text(table, type); },
          [&](const Enum& type) {
            return fmt::format("enum {}{}{};  /* {} bytes */\n", type.tag,
                               type.tag.empty() ? "" : " ", enumerators_of(type),
                               type.size_bytes);
          },
          [&](const auto&) {
            return fmt::format("{};  /* {} bytes */\n", table.name_of(id),
                               table.size_of(id).value_or(0));
          },
      },
      table.get(id));
}

}  // namespace kinst::types
