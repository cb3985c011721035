// Providers, which turn descriptions into probes. Each provider has its own file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "d/syntax/ast.h"
#include "provider/probe.h"

namespace kinst::provider {

/// Something that a description matches but that cannot be traced.
struct Skipped {
  std::string probe;   ///< "kinst:vmlinux:vfs_read:17"
  std::string reason;  ///< a clause without a full stop

  bool operator==(const Skipped&) const = default;
};

/// The probes of one provider that a description matches.
struct Match {
  /// ProbeList assigns their ids.
  std::vector<Probe> probes;
  std::vector<Skipped> skipped;
  /// Notes that the probes are fewer than the description seems to mean; sentences
  /// without full stops.
  std::vector<std::string> notes;
  /// Why there are no probes, and what would work, if this provider knows; may be
  /// empty.
  std::string why_none;
  /// DTrace's tag for that reason; empty for D_PDESC_ZERO.
  std::string tag;
};

/// What the probes are for. Probes that are only listed need neither addresses nor
/// formats, which take time to find.
enum class Purpose : std::uint8_t { Listing, Tracing };

class Provider {
 public:
  Provider() = default;
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;
  Provider(Provider&&) = delete;
  Provider& operator=(Provider&&) = delete;
  virtual ~Provider() = default;

  /// The first field of its probes: "kinst". For a provider whose field includes a
  /// process (pid123), only the part before the number.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Whether its probes exist only if a description names the provider, as with
  /// FreeBSD's kinst and DTrace's pid. A description whose provider field is empty or
  /// another pattern does not match them.
  [[nodiscard]] virtual bool is_on_demand() const { return false; }

  /// Whether descriptions with this provider field are for this provider.
  [[nodiscard]] virtual bool is_meant_by(std::string_view provider_field) const;

  /// The probes that the description matches, in a fixed order.
  /// Errors: the description names a single thing that cannot be traced (the message
  /// gives the reason and what would work); what the system refused.
  virtual Result<Match> match(const d::Description& description) = 0;

  /// Placeholders for the probes that the description may match while it is traced: one
  /// for each kind of place, without an address, so that programs can be made for them.
  /// Empty if no probes can appear later.
  [[nodiscard]] virtual std::vector<Probe> awaited(
      const d::Description& description) const;

  /// For a description that matches nothing now: its probes in modules that are not
  /// loaded. These are probes that the kernel can find by name, and placeholders for
  /// probes that must be searched. If probes cannot be waited for, why_none says why.
  [[nodiscard]] virtual Match coming(const d::Description& description);

  /// The typed arguments of one of this provider's probes; empty if they are not known.
  [[nodiscard]] virtual std::vector<ProbeArgument> arguments(const Probe& probe) const;
};

/// What the provider fields of probes in a process's code begin with, before the number
/// of the process.
inline constexpr std::string_view process_provider = "pid";

/// Whether a description with this provider field means places in the code of a
/// process; its module is then a program or a library, and none of the kernel's.
bool means_process(std::string_view provider_field);

/// Whether the probe is a placeholder for probes that may appear later.
bool is_awaited(const Probe& probe);

/// Whether the probe is in a module that is not loaded yet.
bool comes_with_module(const Probe& probe);
/// Whether one of the probes is.
bool waits_for_modules(std::span<const Probe> probes);

/// Whether the probe fires whatever the system does: at a time, or because kinst begins
/// or ends.
bool fires_by_itself(const Probe& probe);

/// Whether the probe is at the beginning of a kernel function, so that the function's
/// parameters are its arguments.
bool is_function_entry(const Probe& probe);

/// Whether the probe is where a kernel function returns, so that arg1 is its result.
bool is_function_return(const Probe& probe);

/// Whether the description's module, function and name, taken as patterns, match the
/// probe's. For providers that have a list of probes.
bool covers(const d::Description& description, const Probe& probe);

/// All probes of a run, each once. Ids count from 1, in the order in which probes are
/// added.
class ProbeList {
 public:
  /// Adds the probe if it is new, and returns its index. Probes with the same names and
  /// key are the same. A key of 0 is replaced by the probe's id.
  std::size_t add(Probe probe);

  /// Reserves room for `probes` probes.
  void reserve(std::size_t probes) {
    probes_.reserve(probes);
    index_.reserve(probes);
  }

  [[nodiscard]] const std::vector<Probe>& all() const { return probes_; }

 private:
  static std::size_t hash_of(const Probe& probe);

  std::vector<Probe> probes_;
  std::unordered_multimap<std::size_t, std::size_t> index_;  ///< by hash_of()
};

}  // namespace kinst::provider
