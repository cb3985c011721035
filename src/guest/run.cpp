// Hardware acceleration is used once it has been seen to boot a guest here, since a
// /dev/kvm that never runs one looks like any other.
#include "guest/run.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "guest/acceleration.h"
#include "guest/dialogue.h"
#include "guest/init_script.h"
#include "guest/initramfs.h"
#include "guest/kernel_image.h"
#include "guest/qemu.h"
#include "guest/signal_watch.h"

namespace kinst::guest {
namespace {

using namespace std::chrono_literals;

// Accelerated, a guest is up within a second; emulated on a busy machine within twenty.
constexpr auto accelerated_boot = 5s;
constexpr auto emulated_boot = 120s;

/// A text that no command prints by chance.
Result<std::string> make_end_mark() {
  std::ifstream file("/proc/sys/kernel/random/uuid");
  std::string unique;
  if (!std::getline(file, unique)) {
    return error("cannot read {}", "/proc/sys/kernel/random/uuid");
  }
  return fmt::format("\x1e[end {}]", unique);
}

// Whether the init script reported that this kernel has no virtio console.
bool lacks_console(const Dialogue& dialogue) {
  return dialogue.crash_report().find(no_console) != std::string::npos;
}

// Where to put such a kernel's modules: they were not found, or were not the right
// ones.
std::string where_modules_belong(const KernelImage& kernel) {
  if (!kernel.modules.empty()) {
    return fmt::format("nor a module for one in {}", kernel.modules.native());
  }
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::canonical(kernel.path, ignored).parent_path().parent_path();
  return fmt::format("and its modules are neither in {} nor in /lib/modules/{}",
                     (folder / "lib/modules" / kernel.release).native(),
                     kernel.release);
}

Result<int> finish(Dialogue& dialogue, Dialogue::Outcome outcome,
                   const KernelImage& kernel) {
  if (outcome == Dialogue::Outcome::Up) {
    outcome = KINST_TRY(dialogue.wait_until_exit());
  }
  switch (outcome) {
    case Dialogue::Outcome::Exited:
      if (dialogue.has_lost_output()) {
        return error(
            "cannot write the output: its reader takes nothing; the rest is lost");
      }
      return dialogue.status();
    case Dialogue::Outcome::Interrupted:
      return dialogue.status();
    case Dialogue::Outcome::Overdue:
      return error("the guest did not boot within {} s; {}", emulated_boot.count(),
                   dialogue.crash_report());
    default:
      if (lacks_console(dialogue)) {
        return error("cannot use {}: Linux {} has no virtio console built in, {}",
                     kernel.path.native(), kernel.release,
                     where_modules_belong(kernel));
      }
      return error("{}", dialogue.crash_report());
  }
}

}  // namespace

Result<int> run(const Machine& machine, const Command& command, const Tell& tell) {
  const std::string end_mark = KINST_TRY(make_end_mark());
  const std::string initramfs = KINST_TRY(make_initramfs(machine, command, end_mark));
  const SignalWatch signals = KINST_TRY(SignalWatch::start());
  const auto boot = [&](Acceleration acceleration) -> Result<Dialogue> {
    return Dialogue(KINST_TRY(start_qemu(machine, acceleration, initramfs)), end_mark,
                    signals, command.file);
  };

  tell(fmt::format("booting Linux {} ({})", machine.kernel.release,
                   machine.kernel.path.native()));
  const std::filesystem::path memory =
      this_machines_kernels().cache.parent_path() / "kvm";
  const std::string boot_id = this_boot();
  const Kvm kvm = recall(memory, boot_id);
  if (kvm == Kvm::Works || kvm == Kvm::Untried) {
    Dialogue dialogue = KINST_TRY(boot(Acceleration::Kvm));
    const auto outcome = KINST_TRY(dialogue.wait_until_up(accelerated_boot));
    if (outcome == Dialogue::Outcome::Interrupted) {
      return finish(dialogue, outcome, machine.kernel);
    }
    if (outcome == Dialogue::Outcome::Up) {
      tell("the guest runs on hardware acceleration (/dev/kvm)");
      remember(memory, boot_id, Kvm::Works);
      return finish(dialogue, outcome, machine.kernel);
    }
    remember(memory, boot_id, Kvm::Fails);
  }
  tell(kvm == Kvm::Absent
           ? "the guest runs on software emulation: /dev/kvm cannot be used"
           : "the guest runs on software emulation: none was seen to boot on /dev/kvm");
  // Once in some hundred boots an emulated processor executes an instruction that the
  // kernel is just patching, and the kernel dies of it. The next boot is another throw.
  constexpr int tries = 2;
  for (int left = tries - 1;; --left) {
    Dialogue dialogue = KINST_TRY(boot(Acceleration::Emulation));
    const auto outcome = KINST_TRY(dialogue.wait_until_up(emulated_boot));
    if (outcome != Dialogue::Outcome::Lost || left == 0 || lacks_console(dialogue)) {
      return finish(dialogue, outcome, machine.kernel);
    }
    tell("the guest's kernel died while it booted: booting again");
  }
}

}  // namespace kinst::guest
