// A piece of the kernel's address space.
#pragma once

#include "base/address.h"

namespace kinst::kernel {

/// From `begin` up to, not including, `end`.
struct AddressRange {
  KernelAddress begin{};
  KernelAddress end{};

  [[nodiscard]] bool contains(KernelAddress address) const {
    return begin <= address && address < end;
  }
  bool operator==(const AddressRange&) const = default;
};

}  // namespace kinst::kernel
