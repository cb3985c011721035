// Whether this machine's hardware can run a guest.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kinst::guest {

/// What is known of /dev/kvm since this machine booted. Its mere presence says little:
/// below another hypervisor it can accept every request and yet never run a guest.
enum class Kvm { Absent, Untried, Works, Fails };

/// `memory` is the file that remember() writes, `boot_id` names the boot of this
/// machine that the verdict is for, `device` is /dev/kvm.
Kvm recall(const std::filesystem::path& memory, std::string_view boot_id,
           const std::filesystem::path& device = "/dev/kvm");

/// Writes down whether a guest was seen to boot. A failure to write is no error: the
/// next run finds out again.
void remember(const std::filesystem::path& memory, std::string_view boot_id, Kvm kvm);

/// The first line of /proc/sys/kernel/random/boot_id, or nothing.
std::string this_boot();

}  // namespace kinst::guest
