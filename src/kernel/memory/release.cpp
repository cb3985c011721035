#include "kernel/memory/release.h"

#include <sys/utsname.h>

namespace kinst::kernel {

std::string running_release() {
  utsname name{};
  return ::uname(&name) == 0 ? std::string(&name.release[0]) : std::string();
}

}  // namespace kinst::kernel
