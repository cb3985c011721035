// When modules come into the kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "bpf/ring_buffer.h"

namespace kinst::session {

/// Tells of each module that is loaded, when its init function is about to run; it does
/// not wait for anybody.
class ModuleLoads {
 public:
  /// Errors: what the kernel refused; it has no modules.
  static Result<ModuleLoads> start();

  /// Readable when modules have come.
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }
  /// Forgets what has come so far.
  void take();

 private:
  ModuleLoads(bpf::Object object, bpf::RingBuffer records,
              bpf::OwnedAttachment attachment);

  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::OwnedAttachment attachment_;
};

/// The modules that are in the kernel now, ready or not, each with a number that is
/// another each time that the module is loaded.
std::map<std::string, std::uint64_t> loaded_modules();

}  // namespace kinst::session
