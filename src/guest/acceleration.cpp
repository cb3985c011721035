#include "guest/acceleration.h"

#include <unistd.h>

#include <fstream>
#include <system_error>

namespace kinst::guest {

Kvm recall(const std::filesystem::path& memory, std::string_view boot_id,
           const std::filesystem::path& device) {
  if (::access(device.c_str(), R_OK | W_OK) != 0) {
    return Kvm::Absent;
  }
  std::ifstream file(memory);
  std::string boot;
  std::string verdict;
  file >> boot >> verdict;
  if (boot != boot_id) {
    return Kvm::Untried;
  }
  return verdict == "works" ? Kvm::Works : Kvm::Fails;
}

void remember(const std::filesystem::path& memory, std::string_view boot_id, Kvm kvm) {
  std::error_code ignored;
  std::filesystem::create_directories(memory.parent_path(), ignored);
  std::ofstream(memory) << boot_id << ' ' << (kvm == Kvm::Works ? "works" : "fails")
                        << '\n';
}

std::string this_boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

}  // namespace kinst::guest
