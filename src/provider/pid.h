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

/// Probes come into being when a process is named. The object is a program's or
/// library's name ("libc", "libc.so", "libc.so.6", a pattern) or "a.out", the program;
/// an offset is hexadecimal, from the function's first byte. The return is at all
/// instructions by which the function is left (user_exits.h). A pattern or nothing for
/// the name means entry, return and every instruction but the first, which is entry's.
class PidProvider final : public Provider {
 public:
  /// most: how many probes one description may mean.
  PidProvider(const isa::Isa& isa, user::Processes& processes,
              std::size_t most = default_most)
      : isa_(&isa), processes_(&processes), most_(most) {}

  [[nodiscard]] std::string_view name() const override { return "pid"; }
  [[nodiscard]] bool is_on_demand() const override { return true; }
  /// "pid123", or a pattern of "pid" before a number: "p*d123"; also "pid" alone, which
  /// match() refuses with what it lacks.
  [[nodiscard]] bool is_meant_by(std::string_view provider_field) const override;
  Result<Match> match(const d::Description& description) override;
  [[nodiscard]] std::vector<Probe> awaited(
      const d::Description& description) const override;

  /// From now on only probes in objects that are not among these are matched.
  void leave_out(std::set<user::FileKey> objects) { left_out_ = std::move(objects); }

  static constexpr std::size_t default_most = 100'000;

 private:
  const isa::Isa* isa_;
  user::Processes* processes_;
  std::size_t most_;
  std::set<user::FileKey> left_out_;
  std::optional<bool> nops_stay_;  ///< as nops_stay_when_probed() found
};

/// The process that a provider field ends with: 123 of "pid123"; nothing if none.
std::optional<pid_t> process_of(std::string_view provider_field);

}  // namespace kinst::provider
