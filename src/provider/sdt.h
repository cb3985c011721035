// The sdt and rawtp providers: the kernel's static tracepoints.
#pragma once

#include <optional>
#include <vector>

#include "kernel/code/tracepoints.h"
#include "provider/provider.h"
#include "types/kernel_types.h"

namespace kinst::provider {

/// The names of the kernel's static tracepoints, without system calls and without
/// dynamic probes that programs have made. Read when first needed; shared by the two
/// providers.
class StaticTracepoints {
 public:
  const Result<std::vector<kernel::TracepointName>>& get();

 private:
  std::optional<Result<std::vector<kernel::TracepointName>>> names_;
};

/// sdt:<subsystem>::<tracepoint>, with the fields of the event's record as arguments.
class SdtProvider final : public Provider {
 public:
  SdtProvider(Purpose purpose, StaticTracepoints& tracepoints)
      : purpose_(purpose), tracepoints_(&tracepoints) {}

  [[nodiscard]] std::string_view name() const override { return "sdt"; }
  Result<Match> match(const d::Description& description) override;
  [[nodiscard]] std::vector<ProbeArgument> arguments(const Probe& probe) const override;

 private:
  Purpose purpose_;
  StaticTracepoints* tracepoints_;
};

/// rawtp:<subsystem>::<tracepoint>, with the arguments that the kernel passes to the
/// tracepoint.
class RawTracepointProvider final : public Provider {
 public:
  RawTracepointProvider(Purpose purpose, StaticTracepoints& tracepoints,
                        types::KernelTypes& types, types::TypeTable& table)
      : purpose_(purpose), tracepoints_(&tracepoints), types_(&types), table_(&table) {}

  [[nodiscard]] std::string_view name() const override { return "rawtp"; }
  Result<Match> match(const d::Description& description) override;
  /// Reads the arguments from the kernel's BTF.
  [[nodiscard]] std::vector<ProbeArgument> arguments(const Probe& probe) const override;

 private:
  Purpose purpose_;
  StaticTracepoints* tracepoints_;
  types::KernelTypes* types_;
  types::TypeTable* table_;
};

}  // namespace kinst::provider
