#include "d/check/checker_fixture.h"

#include <fmt/format.h>

#include "d/syntax/parse.h"
#include "d/typed/typed_text.h"
#include "types/lay_out.h"

namespace kinst::d::testing {

using types::TypeId;

FakeKernel::FakeKernel(types::TypeTable& types) : table(types) {
  const TypeId int_type = table.int_type();
  const TypeId unsigned_int = table.add(
      types::Integer{.name = "unsigned int", .size_bytes = 4, .is_signed = false});
  unsigned_long = table.add(
      types::Integer{.name = "unsigned long", .size_bytes = 8, .is_signed = false});
  device = table.add(types::Typedef{.name = "__kernel_dev_t", .target = unsigned_int});
  atomic = table.add(types::Typedef{
      .name = "atomic_t",
      .target = table.add(*types::lay_out(table, types::RecordKind::Struct, "",
                                          {{.name = "counter", .type = int_type}}))});
  list = table.add(types::Record{.tag = "list"});
  table.replace(list,
                *types::lay_out(table, types::RecordKind::Struct, "list",
                                {{.name = "next", .type = table.pointer_to(list)}}));
  memory = table.add(types::Record{.tag = "mm_struct"});
  task = table.add(types::Record{.tag = "task_struct"});
  table.replace(
      task,
      *types::lay_out(table, types::RecordKind::Struct, "task_struct",
                      {{.name = "pid", .type = int_type},
                       {.name = "comm", .type = table.array_of(table.char_type(), 16)},
                       {.name = "flags", .type = unsigned_int, .width_bits = 3},
                       {.name = "exiting", .type = unsigned_int, .width_bits = 1},
                       {.name = "parent", .type = table.pointer_to(task)},
                       {.name = "tasks", .type = list},
                       {.name = "mm", .type = table.pointer_to(memory)}}));
  state = table.add(types::Enum{.tag = "state",
                                .enumerators = {{.name = "RUNNING", .value = 0},
                                                {.name = "SLEEPING", .value = 5}}});
  vfs_read = table.add(types::Function{.result = int_type, .parameters = {int_type}});
}

std::optional<TypeId> FakeKernel::kernel_type(std::string_view object,
                                              TypeNameKind kind,
                                              std::string_view name) {
  if (!object.empty() && object != "vmlinux") {
    return std::nullopt;
  }
  if (kind == TypeNameKind::Struct) {
    return name == "task_struct" ? std::optional(task)
           : name == "list"      ? std::optional(list)
           : name == "mm_struct" ? std::optional(memory)
                                 : std::nullopt;
  }
  if (kind == TypeNameKind::Typedef) {
    return name == "atomic_t"         ? std::optional(atomic)
           : name == "__kernel_dev_t" ? std::optional(device)
                                      : std::nullopt;
  }
  return kind == TypeNameKind::Enum && name == "state" ? std::optional(state)
                                                       : std::nullopt;
}

std::optional<KernelSymbolInfo> FakeKernel::kernel_symbol(std::string_view object,
                                                          std::string_view name) {
  if (!object.empty() && object != "vmlinux") {
    return std::nullopt;
  }
  const auto symbol = [](std::uint64_t address, std::optional<TypeId> type,
                         std::uint64_t size_bytes) {
    return KernelSymbolInfo{.object = "vmlinux",
                            .address = address,
                            .type = type,
                            .size_bytes = size_bytes};
  };
  if (name == "jiffies") {
    return symbol(4096, unsigned_long, 8);
  }
  if (name == "init_task") {
    return symbol(8192, task, 64);
  }
  if (name == "vfs_read") {
    return symbol(12288, vfs_read, 200);
  }
  return name == "secret" ? std::optional(symbol(16384, std::nullopt, 8))
                          : std::nullopt;
}

void FakeKernel::offer_symbols(std::string_view /*object*/, NearNames& near) {
  for (const char* name : {"jiffies", "init_task", "vfs_read", "secret"}) {
    near.offer(name);
  }
}

std::optional<Environment::EnumeratorInfo> FakeKernel::kernel_enumerator(
    std::string_view name) {
  return name == "SLEEPING" ? std::optional(EnumeratorInfo{.value = 5, .type = state})
                            : std::nullopt;
}

std::optional<std::uint32_t> FakeKernel::register_index(std::string_view name) {
  return name == "R_RAX"   ? std::optional(0U)
         : name == "R_RSI" ? std::optional(1U)
                           : std::nullopt;
}

std::vector<std::string> FakeKernel::register_names() const {
  return {"R_RAX", "R_RSI"};
}

ProbeContext instruction_probe() {
  return {.description = "kinst::f:4",
          .arguments = std::vector<ProbeArgument>(),
          .has_arg_variables = false,
          .has_registers = true,
          .is_instruction = true};
}

Checked check_text(std::string_view program, const ProbeContext& probe,
                   const CheckOptions& options) {
  types::TypeTable table;
  FakeKernel kernel(table);
  std::vector<Source> sources = {{.name = "test", .text = std::string(program)}};
  Diagnostics diagnostics;
  const ParseOptions parse_options{.kind = TextKind::Script,
                                   .is_type_name = [&](std::string_view name) {
                                     return find_type(name, kernel, table).has_value();
                                   }};
  const Program parsed = parse(sources.front(), 0, parse_options, diagnostics);
  std::size_t descriptions = 0;
  for (const Item& item : parsed.items) {
    if (const auto* clause = std::get_if<Clause>(&item)) {
      descriptions += clause->probes.size();
    }
  }
  Checked result;
  if (!diagnostics.has_errors()) {
    const std::vector<ProbeContext> probes(descriptions, probe);
    const std::vector<Unit> units = {{.program = &parsed}};
    FakeCode code;
    const auto checked = check({.units = units, .probes = probes, .code = code},
                               options, kernel, table, diagnostics);
    if (checked) {
      result.text = to_text(*checked, table);
    }
  }
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    result.diagnostics += render(diagnostic, sources, ShowTags::Yes);
    result.tags.push_back(diagnostic.tag);
  }
  return result;
}

std::string tags_of(std::string_view body) {
  const Checked checked =
      check_text(fmt::format("BEGIN {{ {} }}", body), {.description = "BEGIN"});
  std::string tags;
  for (const std::string& tag : checked.tags) {
    tags += (tags.empty() ? "" : " ") + tag;
  }
  return tags;
}

std::string typed_body(std::string_view body) {
  const Checked checked =
      check_text(fmt::format("BEGIN {{ {} }}", body), {.description = "BEGIN"});
  if (checked.text.empty()) {
    return checked.diagnostics;
  }
  // Behind the line of the description; statements are indented by two blanks.
  std::string statements;
  std::size_t begin = checked.text.find("description 0");
  begin = checked.text.find('\n', begin) + 1;
  while (begin < checked.text.size()) {
    const std::size_t end = checked.text.find('\n', begin);
    statements += checked.text.substr(begin + 2, end - begin - 1);
    begin = end + 1;
  }
  return statements;
}

}  // namespace kinst::d::testing
