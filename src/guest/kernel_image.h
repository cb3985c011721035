// Which kernel the guest boots.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace kinst::guest {

/// A kernel that a guest can boot.
struct KernelImage {
  std::filesystem::path path;
  /// "6.1.0-57-cloud-amd64", as `uname -r` says in the guest.
  std::string release;
  /// Its /lib/modules/RELEASE; empty if there is none on this machine.
  std::filesystem::path modules;
};

/// The image at `path`, with the modules beside it or in /lib/modules.
/// Errors: the file cannot be read, or is not a kernel that the guest's machine
/// boots.
Result<KernelImage> open_kernel(const std::filesystem::path& path);

/// Where kernels are looked for.
struct KernelPlaces {
  /// The release of the running kernel.
  std::string running_release;
  std::filesystem::path boot = "/boot";
  std::filesystem::path modules = "/lib/modules";
  /// What scripts/fetch-kernels unpacked: VERSION/vmlinuz.
  std::filesystem::path cache;
};

/// The places of this machine; its cache is ${XDG_CACHE_HOME:-~/.cache}/kinst/kernels.
KernelPlaces this_machines_kernels();

/// The image to boot when none was named: the running kernel's if it has kprobes, else
/// the one of the lowest version in the cache, else the newest installed one that has
/// kprobes. Errors: there is none.
Result<KernelImage> choose_kernel(const KernelPlaces& places);

/// The image that a user names: the version of one in the cache ("6.12", "newest"), or
/// a path. Errors: those of open_kernel(); the versions that there are.
Result<KernelImage> named_kernel(const KernelPlaces& places, const std::string& name);

}  // namespace kinst::guest
