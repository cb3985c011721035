#include "listing/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "isa/instruction_class.h"
#include "kernel/code/reference_text.h"
#include "kernel/symbols/missing_function.h"

namespace kinst::listing {
namespace {

using isa::Instruction;

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte byte : bytes) {
    out += fmt::format("{}{:02x}", out.empty() ? "" : " ", static_cast<unsigned>(byte));
  }
  return out;
}

// "+0x12" for the function's own places, as they are named here; else by symbol.
std::string place_name(const kernel::Function& function, const Instruction& instruction,
                       KernelAddress address, const kernel::Symbols& symbols,
                       const isa::Isa& isa) {
  std::string name = place_within(function, address);
  return name.empty() ? kernel::reference_text(instruction, address, symbols, isa)
                      : name;
}

Row make_row(const kernel::Function& function, const Instruction& instruction,
             const kernel::Symbols& symbols, const isa::Isa& isa, isa::Syntax syntax) {
  const isa::Symbolize symbolize = [&](KernelAddress address) {
    return place_name(function, instruction, address, symbols, isa);
  };
  Row out{.offset = instruction.offset,
          .bytes = hexadecimal(instruction.encoding()),
          .text = isa.text(instruction, syntax, symbolize),
          .mnemonic = isa.mnemonic(instruction),
          .classes = instruction.classes};
  if (instruction.branch.target == isa::TargetKind::Direct) {
    out.target = symbolize(instruction.branch.address);
  }
  return out;
}

std::string class_names(isa::ClassSet classes) {
  std::string out;
  for (const isa::InstructionClassInfo& row : isa::rows_of(classes)) {
    out += fmt::format("{}{}", out.empty() ? "" : " ", row.name);
  }
  return out;
}

std::string_view colour_of(isa::Control control) {
  switch (control) {
    case isa::Control::GoesOn:
      return "";
    case isa::Control::Calls:
      return "\x1b[36m";
    case isa::Control::Jumps:
      return "\x1b[33m";
    case isa::Control::Returns:
      return "\x1b[31m";
  }
  return "";
}

// Terminal colours: what cannot be traced is dim, what moves control stands out.
std::string_view colour_of(const Row& row) {
  if (!row.refused.empty()) {
    return "\x1b[2m";
  }
  const auto classes = isa::rows_of(row.classes);
  return classes.empty() ? std::string_view() : colour_of(classes.front().control);
}

std::string row_text(const Row& row, Colour colour) {
  // Ten bytes are as long as all but a few instructions; longer ones push the line on.
  std::string out =
      fmt::format("{:>6} {:>7}  {:<29}  {:<44}", number(row.offset),
                  fmt::format("+{:#x}", number(row.offset)), row.bytes, row.text);
  const std::string classes = class_names(row.classes);
  if (!row.refused.empty()) {
    out += fmt::format(" {}{}cannot be traced: {}", classes,
                       classes.empty() ? "" : "; ", row.refused);
  } else {
    out += fmt::format(" {}", classes);
  }
  if (!row.on_disk.empty()) {
    out += fmt::format("{}on disk: {}",
                       classes.empty() && row.refused.empty() ? "" : "; ", row.on_disk);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  const std::string_view begin = colour == Colour::Yes ? colour_of(row) : "";
  return begin.empty() ? out : fmt::format("{}{}\x1b[0m", begin, out);
}

std::string header(const Disassembly& function, Colour colour) {
  const auto different = std::ranges::count_if(
      function.rows, [](const Row& row) { return !row.on_disk.empty(); });
  const auto traceable = std::ranges::count_if(
      function.rows, [](const Row& row) { return row.refused.empty(); });
  const std::string name = fmt::format("{}:{}", function.module, function.function);
  std::string out =
      fmt::format("{} at {:#x}: {} bytes, {} instructions, {} can be traced{}\n",
                  colour == Colour::Yes ? fmt::format("\x1b[1m{}\x1b[0m", name) : name,
                  number(function.address), function.size_bytes, function.rows.size(),
                  function.refused.empty() ? traceable : 0,
                  different == 0 ? "" : fmt::format(", {} differ on disk", different));
  if (!function.refused.empty()) {
    out += fmt::format("  nothing here can be traced: {}\n", function.refused);
  }
  return out;
}

struct FunctionName {
  std::string_view module;
  std::string_view function;
};

// "vfs_read", "ext4:ext4_read", and both as descriptions of kinst probes have them:
// "kinst::vfs_read", "kinst::vfs_read:". What names an instruction is refused.
Result<FunctionName> parse_function_name(std::string_view text) {
  constexpr std::string_view provider = "kinst:";
  std::string_view rest = text;
  if (rest.starts_with(provider)) {
    rest.remove_prefix(provider.size());
    if (rest.ends_with(':')) {
      rest.remove_suffix(1);
    }
    if (rest.find(':') == std::string_view::npos) {
      return FunctionName{.module = {}, .function = rest};
    }
  }
  const std::size_t colon = rest.find(':');
  const bool has_module = colon != std::string_view::npos;
  FunctionName name{.module = has_module ? rest.substr(0, colon) : "",
                    .function = has_module ? rest.substr(colon + 1) : rest};
  const auto is_offset = [](std::string_view field) {
    return !field.empty() && field.front() >= '0' && field.front() <= '9';
  };
  const std::size_t behind = name.function.find_first_of(":+");
  const std::string_view whole =
      is_offset(name.function) ? name.module : name.function.substr(0, behind);
  if (whole.empty() ||
      (behind == std::string_view::npos && !is_offset(name.function))) {
    return name;
  }
  return error(
      "'{}' names an instruction, and whole functions are shown; did you mean "
      "'{}'?",
      text, whole);
}

// Appends what one of the names means.
Result<void> examine_one(std::string_view name, const kernel::Symbols& symbols,
                         kernel::FunctionReader& reader,
                         std::vector<kernel::ExaminedFunction>& out) {
  const auto [module, function] = KINST_TRY(parse_function_name(name));
  if (function.empty()) {
    return error("a function is wanted, as in vfs_read or ext4:*read*");
  }
  const auto matching = symbols.functions(module, function);
  if (matching.empty()) {
    return error("{}", kernel::why_no_function(symbols, module, function));
  }
  std::ranges::move(KINST_TRY(reader.read(symbols, matching)), std::back_inserter(out));
  return {};
}

// Equal, but for one address that has moved along with the kernel.
bool is_same(std::span<const std::byte> live, std::span<const std::byte> disk,
             std::uint64_t displacement, const isa::Isa& isa) {
  return std::ranges::equal(live, disk) || isa.is_moved(live, disk, displacement);
}

}  // namespace

Disassembly disassemble(const kernel::ExaminedFunction& examined,
                        const kernel::Symbols& symbols, const kernel::ProbeRules& rules,
                        const isa::Isa& isa, isa::Syntax syntax) {
  const kernel::Function& function = examined.function;
  Disassembly out{.module = function.module,
                  .function = function.name,
                  .address = function.address,
                  .size_bytes = function.size_bytes,
                  .refused = examined.refused ? examined.refused->reason : ""};
  for (const Instruction& instruction : function.instructions) {
    Row row = make_row(function, instruction, symbols, isa, syntax);
    if (!examined.refused) {
      if (const auto refused = examined.refusal(instruction, rules, isa)) {
        row.refused = refused->reason;
      }
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

void note_differences(Disassembly& listing, const kernel::Function& function,
                      const ImageOfFunction& on_disk, const Notation& notation) {
  const auto instructions = notation.isa.decode(on_disk.bytes, function.address);
  const Instruction* noted = nullptr;  // said once, however many are in its place
  for (std::size_t i = 0; i < listing.rows.size(); ++i) {
    const Instruction& live = function.instructions[i];
    const std::size_t begin = number(live.offset);
    if (begin + live.length > on_disk.bytes.size() ||
        is_same(live.encoding(), on_disk.bytes.subspan(begin, live.length),
                on_disk.displacement, notation.isa)) {
      continue;
    }
    for (const Instruction& instruction : instructions) {
      if (&instruction != noted && number(instruction.offset) < begin + live.length &&
          number(instruction.end()) > begin) {
        noted = &instruction;
        std::string& text = listing.rows[i].on_disk;
        text += (text.empty() ? "" : "; ") +
                notation.isa.text(instruction, notation.syntax, notation.symbolize);
      }
    }
  }
}

std::string place_within(const kernel::Function& function, KernelAddress address) {
  return address != function.address && function.contains(address)
             ? fmt::format("+{:#x}", number(address - function.address))
             : std::string();
}

Result<std::vector<kernel::ExaminedFunction>> examine(std::string_view names,
                                                      const kernel::Symbols& symbols,
                                                      kernel::FunctionReader& reader) {
  std::vector<kernel::ExaminedFunction> out;
  while (true) {
    const std::size_t comma = std::min(names.find(','), names.size());
    KINST_CHECK(examine_one(names.substr(0, comma), symbols, reader, out));
    if (comma == names.size()) {
      return out;
    }
    names.remove_prefix(comma + 1);
  }
}

std::string to_text(std::span<const Disassembly> functions, Colour colour) {
  std::string out;
  for (const Disassembly& function : functions) {
    out += out.empty() ? "" : "\n";
    out += header(function, colour);
    for (const Row& row : function.rows) {
      out += row_text(row, colour) + "\n";
    }
  }
  return out;
}

void write_members(JsonWriter& json, const Row& row) {
  json.member("offset", number(row.offset));
  json.member("bytes", row.bytes);
  json.member("text", row.text);
  json.member("mnemonic", row.mnemonic);
  json.key("classes");
  json.begin_array();
  for (const isa::InstructionClassInfo& info : isa::rows_of(row.classes)) {
    json.value(info.name);
  }
  json.end_array();
  json.member_unless_empty("target", row.target);
  json.member_unless_empty("untraceable", row.refused);
  json.member_unless_empty("on_disk", row.on_disk);
}

void write_members(JsonWriter& json, const Disassembly& function) {
  json.member("module", function.module);
  json.member("function", function.function);
  json.member("address", fmt::format("{:#x}", number(function.address)));
  json.member("size", function.size_bytes);
}

std::string to_json(std::span<const Disassembly> functions) {
  std::string out;
  for (const Disassembly& function : functions) {
    append_json_line(out, "disassembly", [&](JsonWriter& json) {
      write_members(json, function);
      json.member_unless_empty("untraceable", function.refused);
      json.key("instructions");
      json.begin_array();
      for (const Row& row : function.rows) {
        json.begin_object();
        write_members(json, row);
        json.end_object();
      }
      json.end_array();
    });
  }
  return out;
}

}  // namespace kinst::listing
