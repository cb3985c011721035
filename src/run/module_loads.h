// Watches for modules that are loaded into the kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"
#include "bpf/load/ring_buffer.h"

namespace kinst::run {

/// Notices each module that is loaded, when its init function is about to run. Does not
/// delay the module.
class ModuleLoads {
 public:
  /// Errors: what the kernel refused; the kernel has no modules.
  static Result<ModuleLoads> start();

  /// Readable when modules have been loaded since the last take().
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }
  /// Forgets the modules that have been loaded so far.
  void take();

 private:
  ModuleLoads(bpf::Object object, bpf::RingBuffer records,
              bpf::OwnedAttachment attachment);

  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::OwnedAttachment attachment_;
};

/// The names of the modules in the kernel, whether ready or not, each with a number
/// that changes each time the module is loaded.
std::map<std::string, std::uint64_t> loaded_modules();

}  // namespace kinst::run
