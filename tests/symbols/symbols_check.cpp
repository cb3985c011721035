// Compares the symbols that the kernel's own tables give with /proc/kallsyms, one by
// one and in every way of asking. To be run as root in a guest; the guest's case
// symbols does.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "kernel/symbols/symbols.h"

namespace kinst {
namespace {

using kernel::Symbol;
using kernel::Symbols;

// What the kernel compiles at run time comes and goes, and is in its list only.
bool is_of_a_file(const Symbol& symbol) {
  return symbol.module != "bpf" && !symbol.module.starts_with("__builtin__");
}

// A module's exported symbols have capital letters in the list only. Offsets into the
// per-CPU area are no addresses, and end where a module has some, too.
std::string line(const Symbol& symbol) {
  const char type = static_cast<char>(std::tolower(symbol.type));
  return fmt::format("{:x} {} {} [{}] {}", number(symbol.address), type, symbol.name,
                     symbol.module,
                     type == 'a'           ? ""
                     : symbol.end_is_known ? fmt::format("{}", symbol.size_bytes)
                                           : "or so");
}

std::vector<Symbol> all_of(const Symbols& symbols) {
  std::vector<Symbol> out;
  symbols.for_each({}, [&](const Symbol& one) {
    if (is_of_a_file(one)) {
      out.push_back(one);
    }
  });
  std::stable_partition(out.begin(), out.end(), [](const Symbol& one) {
    return one.module == kernel::kernel_module;
  });
  return out;
}

class Comparison {
 public:
  Comparison(const Symbols& tables, const Symbols& list)
      : tables_(tables), list_(list) {}

  void compare_all() {
    const std::vector<Symbol> ours = all_of(tables_);
    const std::vector<Symbol> theirs = all_of(list_);
    expect(ours.size() == theirs.size(),
           fmt::format("{} symbols, {} in the list", ours.size(), theirs.size()));
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
      // Where the image ends, the list goes on with modules. In newer kernels, where
      // variables of each CPU have addresses, a module's can be amid the image's.
      Symbol of_tables = ours[i];
      of_tables.end_is_known = ours[i].end_is_known && theirs[i].end_is_known;
      const bool same = line(of_tables) == line(theirs[i]) || !ours[i].end_is_known;
      expect(same, line(ours[i]) + " is in the list " + line(theirs[i]));
      if (i % 997 == 0) {
        look_up(theirs[i]);
      }
    }
    compared = ours.size();
  }

  std::size_t compared = 0;
  std::size_t wrong = 0;

 private:
  void look_up(const Symbol& one) {
    ++looked_up;
    const auto of_name = tables_.find(one.module, one.name);
    const auto listed = list_.find(one.module, one.name);
    expect(of_name && listed && line(*of_name) == line(*listed), "find " + line(one));
    const KernelAddress inside = one.address + FunctionOffset{one.size_bytes / 2};
    const auto at = tables_.at(inside);
    const auto listed_at = list_.at(inside);
    expect(at.has_value() == listed_at.has_value() &&
               (!at || line(*at) == line(*listed_at)),
           "at " + line(one));
    const auto functions = tables_.functions(one.module, one.name);
    const auto listed_functions = list_.functions(one.module, one.name);
    expect(functions.size() == listed_functions.size(), "functions " + line(one));
    expect(tables_.beginning_at(one.address).size() ==
               list_.beginning_at(one.address).size(),
           "beginning at " + line(one));
  }

  void expect(bool holds, const std::string& what) {
    if (!holds && ++wrong <= 10) {
      fmt::print("differs: {}\n", what);
    }
  }

  const Symbols& tables_;
  const Symbols& list_;

 public:
  std::size_t looked_up = 0;
};

Result<bool> run() {
  const Symbols tables = KINST_TRY(Symbols::read_tables());
  const Symbols list = KINST_TRY(Symbols::read_kallsyms());
  Comparison comparison(tables, list);
  comparison.compare_all();
  fmt::print("{} symbols compared, {} looked up, {} differ\n", comparison.compared,
             comparison.looked_up, comparison.wrong);
  return comparison.wrong == 0 && comparison.compared > 10000;
}

}  // namespace
}  // namespace kinst

int main() {
  const auto good = kinst::run();
  if (!good) {
    fmt::print(stderr, "symbols_check: {}\n", good.error().message);
    return 1;
  }
  return *good ? 0 : 1;
}
