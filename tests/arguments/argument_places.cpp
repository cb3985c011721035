// Prints where kinst takes the parameters of kernel functions to be, for
// compare_with_compiler.
//
// usage: argument_places DIRECTORY < NAMES    DIRECTORY/vmlinux is BTF
//
// A line for each name: NAME, a colon, and for each parameter the numbers of the words
// that hold it, joined by commas; "-" for one in a vector register, "." for one without
// bytes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <string>

#include "isa/isa.h"
#include "provider/kernel/function_arguments.h"
#include "types/kernel_types.h"
#include "types/type.h"

namespace {

std::string place_text(const kinst::isa::ParameterPlace& place) {
  if (!place.is_readable) {
    return "-";
  }
  return place.words.empty() ? "." : fmt::format("{}", fmt::join(place.words, ","));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: argument_places DIRECTORY < NAMES\n";
    return 2;
  }
  kinst::types::TypeTable table;
  kinst::types::KernelTypes types(table, arguments[1]);
  std::string name;
  while (std::getline(std::cin, name)) {
    const auto prototype = types.find_function(name, "vmlinux");
    if (!prototype || !*prototype) {
      std::cerr << "no function " << name << "\n";
      return 1;
    }
    std::string line = name + ":";
    const auto places = kinst::isa::native().function_places(
        kinst::provider::shape_of(**prototype, table));
    for (const kinst::isa::ParameterPlace& place : places.parameters) {
      line += " " + place_text(place);
    }
    std::cout << line << "\n";
  }
  return 0;
}
