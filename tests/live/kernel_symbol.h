// Addresses of kernel functions, for tests of attaching.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "base/address.h"

namespace kinst::live {

/// The address of a kernel function by its name.
inline KernelAddress address_of(std::string_view function) {
  std::ifstream symbols("/proc/kallsyms");
  std::string address;
  std::string type;
  std::string name;
  while (symbols >> address >> type >> name) {
    if (name == function) {
      return KernelAddress{std::stoull(address, nullptr, 16)};
    }
    symbols.ignore(1000, '\n');
  }
  return KernelAddress{};
}

}  // namespace kinst::live
