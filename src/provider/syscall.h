// The syscall provider: syscall:vmlinux:<system call>:entry and :return.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/isa.h"
#include "provider/provider.h"

namespace kinst::provider {

/// System calls are named as the kernel's functions are (newstat), and are also found
/// by the name that programs know (stat). Calls of 32-bit programs are not among them:
/// they have other numbers.
class SyscallProvider final : public Provider {
 public:
  explicit SyscallProvider(const isa::Isa& isa) : calls_(isa.system_calls()) {}

  [[nodiscard]] std::string_view name() const override { return "syscall"; }
  Result<Match> match(const d::Description& description) override;
  /// As the kernel's tracepoint for the call declares them.
  [[nodiscard]] std::vector<ProbeArgument> arguments(const Probe& probe) const override;

 private:
  [[nodiscard]] std::string_view kernel_name(std::string_view name) const;

  const isa::SystemCalls& calls_;
  /// Names of the calls that this kernel can trace, sorted; nothing before the first
  /// match, empty where it does not say.
  std::optional<std::vector<std::string>> traced_;
};

}  // namespace kinst::provider
