// The syscall provider: syscall:vmlinux:<system call>:entry and :return.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/isa.h"
#include "provider/provider.h"

namespace kinst::provider {

/// Names system calls as the kernel's functions do (newstat), and also finds them by
/// the name that programs use (stat). Calls of 32-bit programs are not included,
/// because they have other numbers.
class SyscallProvider final : public Provider {
 public:
  explicit SyscallProvider(const isa::Isa& isa) : calls_(isa.system_calls()) {}

  [[nodiscard]] std::string_view name() const override { return "syscall"; }
  Result<Match> match(const d::Description& description) override;
  /// Reads the arguments from the format of the kernel's tracepoint for the call.
  [[nodiscard]] std::vector<ProbeArgument> arguments(const Probe& probe) const override;

 private:
  [[nodiscard]] std::string_view kernel_name(std::string_view name) const;

  const isa::SystemCalls& calls_;
  /// The names of the calls that this kernel can trace, sorted. Nothing before the
  /// first match; empty if the kernel does not tell them.
  std::optional<std::vector<std::string>> traced_;
};

}  // namespace kinst::provider
