// The pid provider: pid<PID>:<object>:<function>:entry, :return and :<hex offset>, the
// user-space sibling of kinst.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/isa.h"
#include "provider/provider.h"
#include "user/process.h"

namespace kinst::provider {

/// Makes the probes that a description names in a process. The object is the name of a
/// program or library ("libc", "libc.so", "libc.so.6", a pattern), or "a.out" for the
/// program. An offset is hexadecimal, from the function's first byte. The return probe
/// is at all instructions that leave the function (user_exits.h). An empty name or a
/// pattern means entry, return, and every instruction but the first, which is the
/// entry's.
class PidProvider final : public Provider {
 public:
  /// most: how many probes one description may match.
  PidProvider(const isa::Isa& isa, user::Processes& processes,
              std::size_t most = default_most)
      : isa_(&isa), processes_(&processes), most_(most) {}

  [[nodiscard]] std::string_view name() const override { return process_provider; }
  [[nodiscard]] bool is_on_demand() const override { return true; }
  /// True for "pid123", for a pattern of "pid" before a number ("p*d123"), and for
  /// "pid" alone, which match() refuses with the reason.
  [[nodiscard]] bool is_meant_by(std::string_view provider_field) const override;
  Result<Match> match(const d::Description& description) override;
  [[nodiscard]] std::vector<Probe> awaited(
      const d::Description& description) const override;

  /// From now on, match() ignores these objects.
  void leave_out(std::set<user::FileKey> objects) { left_out_ = std::move(objects); }

  static constexpr std::size_t default_most = 100'000;

 private:
  const isa::Isa* isa_;
  user::Processes* processes_;
  std::size_t most_;
  std::set<user::FileKey> left_out_;
  std::optional<bool> nops_stay_;  ///< of nops_stay_when_probed(), once asked
};

/// The process number at the end of a provider field: 123 for "pid123". Nothing if
/// there is none.
std::optional<pid_t> process_of(std::string_view provider_field);

}  // namespace kinst::provider
