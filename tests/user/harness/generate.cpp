// Writes an assembly file: each template of templates.h a few times with random
// operands, as functions sequence_NAME_N, and a table of them for driver.c.
// usage: generate SEED COPIES > sequences.S
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "templates.h"

namespace harness {
namespace {

struct Names {
  std::string_view q, d, w, b;
};
constexpr std::array<Names, 15> registers = {
    Names{"%rax", "%eax", "%ax", "%al"},      Names{"%rbx", "%ebx", "%bx", "%bl"},
    Names{"%rcx", "%ecx", "%cx", "%cl"},      Names{"%rdx", "%edx", "%dx", "%dl"},
    Names{"%rsi", "%esi", "%si", "%sil"},     Names{"%rdi", "%edi", "%di", "%dil"},
    Names{"%rbp", "%ebp", "%bp", "%bpl"},     Names{"%r8", "%r8d", "%r8w", "%r8b"},
    Names{"%r9", "%r9d", "%r9w", "%r9b"},     Names{"%r10", "%r10d", "%r10w", "%r10b"},
    Names{"%r11", "%r11d", "%r11w", "%r11b"}, Names{"%r12", "%r12d", "%r12w", "%r12b"},
    Names{"%r13", "%r13d", "%r13w", "%r13b"}, Names{"%r14", "%r14d", "%r14w", "%r14b"},
    Names{"%r15", "%r15d", "%r15w", "%r15b"}};
constexpr unsigned first_high = 7;   // r8
constexpr unsigned first_plain = 6;  // rbp, which no instruction uses by itself
constexpr std::array<std::string_view, 16> conditions = {
    "o", "no", "b", "ae", "e", "ne", "be", "a",
    "s", "ns", "p", "np", "l", "ge", "le", "g"};

// The operands of one sequence. base and index stay as they are, so no instruction gets
// them as registers of its own.
class Operands {
 public:
  explicit Operands(std::mt19937_64& random) : random_(&random) {
    base = first_high + below(8);
    do {
      index = first_high + below(8);
    } while (index == base);
  }

  // What stands for the text between < and >.
  std::string choose(std::string_view place) {
    const char kind = place.front();
    const std::string digit(place.substr(1));
    if (place == "base") {
      return std::string(registers.at(base).q);
    }
    if (kind == 'i') {
      return std::to_string(immediate(std::atoi(digit.c_str())));
    }
    switch (kind) {
      case 'q':
        return std::string(registers.at(pick("r" + digit, 0)).q);
      case 'd':
        return std::string(registers.at(pick("r" + digit, 0)).d);
      case 'w':
        return std::string(registers.at(pick("r" + digit, 0)).w);
      case 'b':
        return std::string(registers.at(pick("r" + digit, 0)).b);
      case 'n':
        return std::string(registers.at(pick("n" + digit, first_plain)).q);
      case 'e':
        return std::string(registers.at(pick("n" + digit, first_plain)).d);
      case 'm':
        return memory();
      case 'p':
        return "data+" + std::to_string(below(2048)) + "(%rip)";
      case 'a':
        return below(2) == 0 ? "data+" + std::to_string(64 * below(32)) + "(%rip)"
                             : std::to_string(64 * below(8)) + "(" +
                                   std::string(registers.at(base).q) + ")";
      case 'c':
        return std::string(conditions.at(below(16)));
      case 'x':
      case 'X':
        return "%xmm" + vector(digit, kind == 'x' ? 16 : 32);
      case 'y':
      case 'Y':
        return "%ymm" + vector(digit, kind == 'y' ? 16 : 32);
      case 'z':
      case 'Z':
        return "%zmm" + vector(digit, kind == 'z' ? 16 : 32);
      case 'k':
        return "%k" + std::to_string(1 + distinct("k" + digit, 0, 7));
      case 'h':
        return "%mm" + std::to_string(distinct("h" + digit, 0, 8));
      default:
        std::fprintf(stderr, "no operand <%s>\n", std::string(place).c_str());
        std::exit(2);
    }
  }

  unsigned base = 0;
  unsigned index = 0;

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>((*random_)() % bound); }

  std::int64_t immediate(int bits) {
    const auto value = static_cast<std::int64_t>((*random_)());
    return bits == 8    ? static_cast<std::int8_t>(value)
           : bits == 16 ? static_cast<std::int16_t>(value)
                        : static_cast<std::int32_t>(value);
  }

  // A number for a name, the same whenever the name comes again; of one kind, all have
  // other numbers.
  unsigned distinct(const std::string& name, unsigned from, unsigned to) {
    if (const auto known = chosen_.find(name); known != chosen_.end()) {
      return known->second;
    }
    unsigned number = 0;
    do {
      number = from + below(to - from);
    } while (!taken_.insert(name.front() + std::to_string(number)).second);
    return chosen_[name] = number;
  }

  unsigned pick(const std::string& name, unsigned from) {
    while (true) {
      const unsigned number = distinct(name, from, registers.size());
      if (number != base && number != index) {
        return number;
      }
      chosen_.erase(name);
    }
  }

  std::string vector(const std::string& digit, unsigned count) {
    return std::to_string(distinct("v" + digit, 0, count));
  }

  std::string memory() {
    const std::string base_name(registers.at(base).q);
    const std::string displacement =
        std::to_string(static_cast<int>(below(1024)) - 512);
    switch (below(4)) {
      case 0:
        return displacement + "(" + base_name + ")";
      case 1:
        return displacement + "(" + base_name + "," +
               std::string(registers.at(index).q) + "," +
               std::to_string(1U << below(4)) + ")";
      case 2:
        return "data+" + std::to_string(below(2048)) + "(%rip)";
      default:
        return "-" + std::to_string(72 + below(56)) + "(%rsp)";
    }
  }

  std::mt19937_64* random_;
  std::map<std::string, unsigned> chosen_;
  std::set<std::string> taken_;
};

std::string fill_in(std::string_view text, Operands& operands) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = text.find('<');
    filled += text.substr(0, open);
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = text.find('>', open);
    filled += operands.choose(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return filled;
}

void write_sequence(const Template& row, unsigned number, std::mt19937_64& random) {
  Operands operands(random);
  const std::string name =
      "sequence_" + std::string(row.name) + "_" + std::to_string(number);
  std::printf("  .text\n  .p2align 4\n  .globl %s\n  .type %s, @function\n%s:\n",
              name.c_str(), name.c_str(), name.c_str());
  std::string offsets;
  unsigned count = 0;
  const auto instruction = [&](const std::string& text) {
    std::printf("77%u: %s\n", count, text.c_str());
    std::printf("  .section .rodata.places, \"a\"\n  .quad 77%ub\n  .text\n", count);
    ++count;
  };
  std::printf("  .section .rodata.places, \"a\"\n  .p2align 3\n666:\n  .text\n");
  std::string text = fill_in(row.text, operands) + "; ret";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string one = text.substr(0, end);
    text.erase(0, std::min(end + 1, text.size()));
    one.erase(0, one.find_first_not_of(' '));
    // A label of the template: a digit and a colon.
    if (one.size() > 2 && one[1] == ':') {
      std::printf("%c:\n", one[0]);
      one.erase(0, 3);
    }
    instruction(one);
  }
  std::printf("  .size %s, . - %s\n", name.c_str(), name.c_str());
  std::printf("  .section .rodata.names, \"aMS\", @progbits, 1\n555: .string \"%s\"\n",
              name.c_str());
  std::printf(
      "  .section .rodata.sequences, \"a\"\n  .quad 555b, %s, 666b\n  .long %u\n"
      "  .byte %u, %u, %u, 0\n",
      name.c_str(), count, operands.base, operands.index,
      static_cast<unsigned>(row.needs));
}

void write_all(std::uint64_t seed, unsigned copies) {
  std::mt19937_64 random(seed);
  std::printf(
      "  .section .rodata.sequences, \"a\"\n  .p2align 3\n  .globl sequences\n"
      "sequences:\n");
  for (const Template& row : templates) {
    for (unsigned number = 0; number < copies; ++number) {
      write_sequence(row, number, random);
    }
  }
  std::printf(
      "  .section .rodata.sequences, \"a\"\n  .globl sequences_end\n"
      "sequences_end:\n  .section .rodata\n  .p2align 2\n"
      "zero_mxcsr: .long 0x1f80\n"
      "  .section .note.GNU-stack, \"\", @progbits\n");
}

}  // namespace
}  // namespace harness

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: generate SEED COPIES\n", stderr);
    return 2;
  }
  harness::write_all(std::strtoull(arguments[1], nullptr, 0),
                     static_cast<unsigned>(std::atoi(arguments[2])));
  return 0;
}
