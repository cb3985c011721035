// A grammar that is walked through by chance. Every expression is in parentheses, and
// its kind (integer, string, address, struct) is known where it is made, so that no
// type can be wrong. What functions and variables there are is read from D's tables.
#include "verifier/random_program.h"

#include <fmt/format.h>

#include <random>

#include "d/tables/action.h"
#include "d/tables/builtin.h"
#include "d/tables/prototype.h"
#include "d/tables/subroutine.h"
#include "record/aggregating_function.h"

namespace kinst::verifier {
namespace {

using Texts = std::vector<std::string_view>;

const Texts integer_types = {"char",     "int8_t",   "uint8_t", "int16_t",  "uint16_t",
                             "int",      "uint32_t", "int64_t", "uint64_t", "long",
                             "unsigned", "pid_t",    "size_t",  "short"};

// One struct and one union with all that a member can be.
constexpr std::string_view declarations = R"(#pragma D option quiet
#pragma D option bufsize=64k
#pragma D option aggsize=256k
#pragma D option dynvarsize=256k
enum colour { RED, GREEN = 5, BLUE = -7 };
struct inner { int8_t a; uint16_t b; int64_t c; char text[12]; };
struct outer {
	int8_t i8; uint8_t u8; int16_t i16; uint16_t u16; int i32; uint32_t u32;
	int64_t i64; uint64_t u64; int low : 3; unsigned high : 9; uint64_t wide : 40;
	char text[20]; int numbers[5]; struct inner in; struct outer *next; int *at;
	union { uint32_t word; uint8_t bytes[4]; } either;
};
int8_t g_i8; uint8_t g_u8; int16_t g_i16; uint16_t g_u16; int g_i32; uint32_t g_u32;
int64_t g_i64; uint64_t g_u64; char g_char; string g_text; string g_name;
struct outer g_struct; struct inner g_inner; int g_numbers[8]; struct inner g_inners[3];
struct outer *g_pointer; int *g_int_pointer; enum colour g_colour;
self int s_i32; self uint64_t s_u64; self string s_text; self struct outer s_struct;
self int8_t s_i8; self struct outer *s_pointer;
this int t_i32; this int64_t t_i64; this string t_text; this struct outer t_struct;
this uint8_t t_u8; this struct outer *t_pointer; this int t_numbers[4];
int a_int[int]; string a_text[string]; int64_t a_mixed[string, int, uint8_t];
struct inner a_struct[int64_t]; self int sa_int[int, string];
)";

const Texts integer_variables = {
    "g_i8",        "g_u8",       "g_i16",       "g_u16",       "g_i32",
    "g_u32",       "g_i64",      "g_u64",       "g_char",      "self->s_i32",
    "self->s_u64", "self->s_i8", "this->t_i32", "this->t_i64", "this->t_u8"};
const Texts string_variables = {"g_text", "g_name", "self->s_text", "this->t_text"};
const Texts structs = {"g_struct", "self->s_struct", "this->t_struct"};
const Texts pointers = {"g_pointer", "self->s_pointer", "this->t_pointer"};
const Texts integer_members = {"i8",
                               "u8",
                               "i16",
                               "u16",
                               "i32",
                               "u32",
                               "i64",
                               "u64",
                               "low",
                               "high",
                               "wide",
                               "in.a",
                               "in.b",
                               "in.c",
                               "either.word",
                               "numbers[2]",
                               "either.bytes[1]"};
const Texts binary_operators = {"+",  "-", "*",  "&", "|",  "^",  "<<", ">>", "==",
                                "!=", "<", "<=", ">", ">=", "&&", "||", "^^"};
const Texts assignments = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="};
const Texts comparisons = {"==", "!=", "<", "<=", ">", ">="};
const Texts literals = {"\"\"",
                        "\"a\"",
                        "\"/usr/lib/x\"",
                        "\"%d %s\"",
                        "\"kinst\"",
                        "\"a b,c\"",
                        "\"{\\\"a\\\":[1,{\\\"b\\\":2}]}\"",
                        "\"0123456789abcdefghijklmnopqrstuvwxyz\""};
const Texts numbers = {"0",
                       "1",
                       "-1",
                       "2",
                       "7",
                       "255",
                       "-128",
                       "65536",
                       "'x'",
                       "2147483647",
                       "-2147483648",
                       "4294967296",
                       "0xffffffffffffffff",
                       "RED",
                       "BLUE",
                       "sizeof (struct outer)",
                       "offsetof(struct outer, in)",
                       "sizeof (g_text)"};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  std::string program(const std::vector<const ProbeKind*>& kinds);

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string_view one_of(const Texts& texts) { return texts[below(texts.size())]; }

  std::string integer(int depth);
  std::string operation(int depth);
  std::string changed_variable(int depth);
  std::string element(int depth);
  std::string string(int depth);
  std::string pointer(int depth);
  std::string address(int depth);
  std::string builtin(std::string_view wanted);
  std::string call(bool gives_string, int depth);
  std::string argument(const d::PrototypeParameter& parameter, int depth);
  std::string key(int depth);
  std::string statement(int depth);
  std::string record(int depth);
  std::string aggregate(int depth);
  std::string print_formatted(int depth);
  std::string block(int depth, std::uint64_t most);
  std::string clause(std::string_view probe, int depth);

  std::mt19937_64 random_;
  const ProbeKind* kind_ = nullptr;
};

bool is_string_type(std::string_view type) {
  return type == "string";
}

bool is_integer_type(std::string_view type) {
  return type != "string" && type != "void" && type.find('*') == std::string_view::npos;
}

// Left out: what needs an instruction's operands or a typed argument, which
// ProbeKind::integers has, and what a run could be changed by.
bool is_everywhere(const d::BuiltinInfo& row) {
  return !row.is_array() &&
         (row.of == d::BuiltinOf::Firing || row.of == d::BuiltinOf::Arguments);
}

std::string Maker::builtin(std::string_view wanted) {
  std::vector<std::string_view> fitting;
  for (const d::BuiltinInfo& row : d::all_builtins()) {
    if (is_everywhere(row) &&
        (wanted == "string" ? is_string_type(row.type) : is_integer_type(row.type))) {
      fitting.push_back(row.name);
    }
  }
  return std::string(one_of(fitting));
}

std::string Maker::argument(const d::PrototypeParameter& parameter, int depth) {
  if (parameter.type == "string" || parameter.type == "const char *") {
    return string(depth);
  }
  if (parameter.type.find('*') != std::string_view::npos) {
    return fmt::format("(({}){})", parameter.type, address(depth));
  }
  if (parameter.type == "size_t" && chance(70)) {
    return fmt::format("({} & {})", integer(depth), chance(50) ? "0x1f" : "0xfff");
  }
  return integer(depth);
}

std::string Maker::call(bool gives_string, int depth) {
  std::vector<const d::SubroutineInfo*> fitting;
  for (const d::SubroutineInfo& row : d::all_subroutines()) {
    const std::string_view result = d::parse_prototype(row.prototype).result;
    if (!row.is_destructive &&
        (gives_string ? is_string_type(result) : is_integer_type(result))) {
      fitting.push_back(&row);
    }
  }
  const d::SubroutineInfo& row = *fitting[below(fitting.size())];
  const d::Prototype prototype = d::parse_prototype(row.prototype);
  std::string text;
  for (std::size_t number = 0; number < prototype.parameters.size(); ++number) {
    const d::PrototypeParameter& parameter = prototype.parameters[number];
    if (parameter.is_optional && chance(50)) {
      break;
    }
    text += text.empty() ? "" : ", ";
    text += row.constant == number ? "1" : argument(parameter, depth - 1);
  }
  return fmt::format("{}({})", row.name, text);
}

std::string Maker::address(int depth) {
  switch (below(depth > 0 ? 7 : 4)) {
    case 0:
      return fmt::format("&{}->{}", one_of(pointers),
                         one_of({"i32", "in", "numbers", "either", "text"}));
    case 1:
      return "curthread";
    case 2:
      return "g_numbers";
    case 3:
      return fmt::format("{}", one_of(pointers));
    case 4:
      return fmt::format("alloca({} & 63)", integer(depth - 1));
    case 5:
      return fmt::format("copyin({}, {})", integer(depth - 1), 1 + below(64));
    default:
      return integer(depth - 1);
  }
}

std::string Maker::pointer(int depth) {
  switch (below(depth > 0 ? 5 : 2)) {
    case 0:
    case 1:
      return std::string(one_of(pointers));
    case 2:
      return "((struct outer *)alloca(sizeof (struct outer)))";
    case 3:
      return fmt::format("((struct outer *){})", address(depth - 1));
    default:
      return fmt::format("({} ? {} : {})", integer(depth - 1), pointer(depth - 1),
                         pointer(depth - 1));
  }
}

std::string Maker::element(int depth) {
  switch (below(8)) {
    case 0:
      return fmt::format("g_numbers[{}]", below(8));
    case 1:
      return fmt::format("g_numbers[({}) & 7]", integer(depth));
    case 2:
      return fmt::format("a_int[{}]", integer(depth));
    case 3:
      return fmt::format("a_mixed[{}, {}, {}]", string(depth), integer(depth),
                         integer(depth));
    case 4:
      return fmt::format("self->sa_int[{}, {}]", integer(depth), string(depth));
    case 5:
      return fmt::format("g_inners[{}].{}", below(3), chance(50) ? "a" : "c");
    case 6:
      return fmt::format("a_struct[{}].b", integer(depth));
    default:
      return fmt::format("this->t_numbers[{}]", below(4));
  }
}

std::string Maker::changed_variable(int depth) {
  const std::string target =
      chance(30) && depth > 0
          ? fmt::format("{}.{}", one_of(structs), one_of(integer_members))
      : chance(30) && depth > 0 ? element(depth - 1)
                                : std::string(one_of(integer_variables));
  switch (below(6)) {
    case 0:
      return fmt::format("(++{})", target);
    case 1:
      return fmt::format("({}--)", target);
    case 2:
      return fmt::format("({} {} ({} | 1))", target,
                         chance(50) ? "/=" : "%=", one_of(integer_variables));
    default:
      return fmt::format("({} {} {})", target, one_of(assignments), integer(depth - 1));
  }
}

std::string Maker::operation(int depth) {
  switch (below(12)) {
    case 0:
      return fmt::format("({} ? {} : {})", integer(depth - 1), integer(depth - 1),
                         integer(depth - 1));
    case 1:
      return fmt::format("({} {})", one_of({"-", "~", "!", "+"}), integer(depth - 1));
    case 2:
      return fmt::format("(({}){})", one_of(integer_types), integer(depth - 1));
    case 3:
      return fmt::format("({} {} ({} + {}))", integer(depth - 1),
                         chance(50) ? "/" : "%", one_of(integer_variables),
                         integer(depth - 1));
    case 4:
      return fmt::format("({} {} {})", string(depth - 1), one_of(comparisons),
                         string(depth - 1));
    case 5:
      return fmt::format("({} {} {})", pointer(depth - 1), one_of(comparisons),
                         pointer(depth - 1));
    case 6:
      return fmt::format("({}, {})", integer(depth - 1), integer(depth - 1));
    default:
      return fmt::format("({} {} {})", integer(depth - 1), one_of(binary_operators),
                         integer(depth - 1));
  }
}

std::string Maker::integer(int depth) {
  if (depth <= 0) {
    switch (below(4)) {
      case 0:
        return std::string(one_of(numbers));
      case 1:
        return builtin("integer");
      case 2:
        if (!kind_->integers.empty()) {
          return std::string(one_of(kind_->integers));
        }
        [[fallthrough]];
      default:
        return std::string(one_of(integer_variables));
    }
  }
  switch (below(14)) {
    case 0:
      return integer(0);
    case 1:
      return call(false, depth);
    case 2:
      return fmt::format("{}->{}", pointer(depth - 1), one_of(integer_members));
    case 3:
      return fmt::format("{}.{}", one_of(structs), one_of(integer_members));
    case 4:
      return fmt::format("(*(({} *){}))", one_of(integer_types), address(depth - 1));
    case 5:
      return element(depth - 1);
    case 6:
      return changed_variable(depth);
    case 7:
      return fmt::format("curthread->{}",
                         one_of({"pid", "tgid", "real_parent->pid", "flags", "comm[0]",
                                 "group_leader->tgid", "se.sum_exec_runtime"}));
    default:
      return operation(depth);
  }
}

std::string Maker::string(int depth) {
  switch (below(depth > 0 ? 11 : 4)) {
    case 0:
      return std::string(one_of(literals));
    case 1:
      return builtin("string");
    case 2:
      return std::string(one_of(string_variables));
    case 3:
      return kind_->strings.empty() ? "execname" : std::string(one_of(kind_->strings));
    case 4:
      return fmt::format("({} ? {} : {})", integer(depth - 1), string(depth - 1),
                         string(depth - 1));
    case 5:
      return fmt::format("stringof({})", address(depth - 1));
    case 6:
      return fmt::format("a_text[{}]", string(depth - 1));
    case 7:
      return fmt::format("({} = {})", one_of(string_variables), string(depth - 1));
    case 8:
      return fmt::format("stringof({}.{})", one_of(structs),
                         chance(50) ? "text" : "in.text");
    default:
      return call(true, depth);
  }
}

std::string Maker::key(int depth) {
  switch (below(9)) {
    case 0:
    case 1:
      return string(depth);
    case 2:
      return chance(30) ? "stack()" : "stack(3)";
    case 3:
      return chance(30) ? "ustack(20)" : "ustack(2)";
    case 4:
      return fmt::format("{}({})", one_of({"func", "sym", "mod"}), integer(depth));
    case 5:
      return fmt::format("{}({})", one_of({"ufunc", "usym", "umod", "uaddr"}),
                         integer(depth));
    default:
      return integer(depth);
  }
}

std::string Maker::aggregate(int depth) {
  const auto functions = record::all_aggregating_functions();
  const record::AggregatingFunctionInfo& function = functions[below(functions.size())];
  std::string keys;
  const std::uint64_t count = below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    keys += (i == 0 ? "" : ", ") + key(depth - 1);
  }
  std::string arguments;
  if (!d::parse_prototype(function.prototype).parameters.empty()) {
    arguments = integer(depth - 1);
  }
  switch (function.buckets) {
    case record::Buckets::None:
    case record::Buckets::Powers:
      break;
    case record::Buckets::Linear:
      arguments += ", -100, 1000, 10";
      break;
    case record::Buckets::LogLinear:
      arguments += ", 10, 0, 4, 20";
      break;
  }
  // A name of its own: an aggregation has one function and one kind of key.
  return fmt::format("@x{}{} = {}({});", random_() % 1000000,
                     keys.empty() ? "" : "[" + keys + "]", function.name, arguments);
}

std::string Maker::print_formatted(int depth) {
  std::string format;
  std::string arguments;
  const std::uint64_t count = 1 + below(5);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (chance(35)) {
      format += chance(50) ? "%s " : "%-10.5s ";
      arguments += ", " + string(depth - 1);
    } else {
      const bool is_long = chance(60);
      format += is_long ? one_of({"%lld ", "%llx ", "%5lld ", "%#llx "})
                        : one_of({"%d ", "%x ", "%5d ", "%c "});
      arguments +=
          fmt::format(", ({}){}", is_long ? "int64_t" : "int", integer(depth - 1));
    }
  }
  return fmt::format("printf(\"{}\"{});", format, arguments);
}

std::string Maker::record(int depth) {
  switch (below(9)) {
    case 0:
      return fmt::format("trace({});", integer(depth - 1));
    case 1:
      return fmt::format("trace({});", string(depth - 1));
    case 2:
      return fmt::format("print({});", chance(50) ? one_of(structs) : "g_inner");
    case 3:
      return fmt::format("tracemem({}, {});", address(depth - 1), 1 + below(100));
    case 4:
      return fmt::format("{};",
                         one_of({"stack()", "stack(5)", "ustack()", "ustack(7)"}));
    case 5:
      return fmt::format("tracemem({}, 64, {});", address(depth - 1),
                         integer(depth - 1));
    default:
      return print_formatted(depth);
  }
}

std::string Maker::statement(int depth) {
  switch (below(10)) {
    case 0:
    case 1:
      return depth > 1
                 ? fmt::format(
                       "if ({}) {{ {} }}{}", integer(depth - 1), block(depth - 1, 3),
                       chance(50) ? fmt::format(" else {{ {} }}", block(depth - 1, 3))
                                  : "")
                 : changed_variable(depth) + ";";
    case 2:
    case 3:
      return record(depth);
    case 4:
      return aggregate(depth);
    case 5:
      return fmt::format("{} = {};", one_of(string_variables), string(depth));
    case 6:
      switch (below(5)) {
        case 0:
          return fmt::format("{} = {};", one_of(structs), one_of(structs));
        case 1:
          return fmt::format("a_text[{}] = {};", string(depth - 1), string(depth - 1));
        case 2:
          return fmt::format("{} = *{};", one_of(structs), pointer(depth - 1));
        case 3:
          return fmt::format("a_struct[{}] = g_inner;", integer(depth - 1));
        default:
          return fmt::format("bcopy((void *){}, alloca(64), {} & 63);",
                             address(depth - 1), integer(depth - 1));
      }
    case 7:
      return fmt::format("{} = {};", one_of(pointers), pointer(depth));
    default:
      return changed_variable(depth) + ";";
  }
}

std::string Maker::block(int depth, std::uint64_t most) {
  std::string text;
  const std::uint64_t count = 1 + below(most);
  for (std::uint64_t i = 0; i < count; ++i) {
    text += "\t" + statement(depth) + "\n";
  }
  return text;
}

std::string Maker::clause(std::string_view probe, int depth) {
  std::string head(probe);
  if (chance(40)) {
    head += fmt::format("\n/{}/", integer(depth));
  }
  std::string begin;
  switch (below(12)) {
    case 0:
      begin = "\tspeculate(self->s_i32);\n";
      break;
    case 1:
      return fmt::format("{}\n{{\n\t{}(self->s_i32);\n}}\n", head,
                         chance(50) ? "commit" : "discard");
    case 2:
      begin = "\tself->s_i32 = speculation();\n";
      break;
    default:
      break;
  }
  if (begin.find("speculate") != std::string::npos) {
    return fmt::format("{}\n{{\n{}\t{}\n\t{}\n}}\n", head, begin, record(depth),
                       record(depth));
  }
  return fmt::format("{}\n{{\n{}{}}}\n", head, begin,
                     block(depth, chance(10) ? 40 : 6));
}

std::string Maker::program(const std::vector<const ProbeKind*>& kinds) {
  std::string text(declarations);
  const int depth = static_cast<int>(1 + below(5));
  for (const ProbeKind* kind : kinds) {
    kind_ = kind;
    const std::string_view probe = one_of(kind->probes);
    const std::uint64_t clauses = 1 + below(3);
    for (std::uint64_t i = 0; i < clauses; ++i) {
      text += clause(probe, depth);
    }
  }
  static const ProbeKind error{.name = "ERROR", .probes = {"ERROR"}};
  kind_ = &error;
  for (std::uint64_t i = below(3); i > 0; --i) {
    text += clause("ERROR", depth);
  }
  return text + "BEGIN\n{\n\texit(0);\n}\n";
}

}  // namespace

const std::vector<ProbeKind>& probe_kinds() {
  static const std::vector<ProbeKind> kinds = {
      {.name = "own", .probes = {"BEGIN", "END"}},
      {.name = "syscall",
       .probes = {"syscall::read:entry", "syscall::openat:return",
                  "syscall::mmap:entry", "syscall::close:return",
                  "syscall::vhangup:entry"},
       .integers = {"arg0", "arg1", "errno", "uregs[R_RIP]"},
       .strings = {"copyinstr(arg1)", "copyinstr(arg0, 20)", "probefunc"}},
      {.name = "profile",
       .probes = {"profile-97", "tick-10ms", "profile-1234us"},
       .integers = {"arg0", "arg1", "regs[R_RIP]", "uregs[R_RSP]"}},
      {.name = "rawtp",
       .probes = {"rawtp:::sched_switch", "rawtp:::sys_enter"},
       .integers = {"arg0", "arg1", "arg2"}},
      {.name = "sdt",
       .probes = {"sdt:::sched_switch", "sdt:::sched_process_fork"},
       .integers = {"arg0", "arg1", "arg2"}},
      {.name = "pid",
       .probes = {"pid$target:libc:malloc:entry", "pid$target:libc:malloc:return",
                  "pid$target:libc:free:0"},
       .integers = {"arg0", "arg1", "uregs[R_RDI]", "regs[R_RIP]"},
       .needs_target = true},
      {.name = "kinst",
       .probes = {"kinst::vfs_read:entry", "kinst::vfs_read:call",
                  "kinst::vfs_read:mem", "kinst::__x64_sys_close:"},
       .integers = {"regs[R_RDI]", "memaddr", "memval", "branchtaken", "branchtarget",
                    "insnlen", "memsize", "uregs[R_RIP]"},
       .strings = {"insn", "mnemonic"},
       .needs_kprobes = true},
      {.name = "fbt",
       .probes = {"fbt::vfs_read:entry", "fbt::vfs_read:return", "fbt::vfs_open:entry"},
       .integers = {"arg0", "arg1", "arg2"},
       .needs_kprobes = true}};
  return kinds;
}

std::string random_program(std::uint64_t seed,
                           const std::vector<const ProbeKind*>& kinds) {
  return Maker(seed).program(kinds);
}

}  // namespace kinst::verifier
