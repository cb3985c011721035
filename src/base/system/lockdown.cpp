#include "base/system/lockdown.h"

#include <fstream>

namespace kinst {

std::string explain_lockdown() {
  std::ifstream file("/sys/kernel/security/lockdown");
  std::string line;
  std::getline(file, line);
  if (line.find("[confidentiality]") == std::string::npos) {
    return {};
  }
  return "the kernel is locked down (confidentiality); boot it with lockdown=integrity "
         "or without Secure Boot";
}

}  // namespace kinst
