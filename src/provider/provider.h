// Where probes come from. A provider turns descriptions into probes; each has its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "d/ast.h"
#include "provider/probe.h"

namespace kinst::provider {

/// Something that a description covers and that cannot be traced.
struct Skipped {
  std::string probe;   ///< "kinst:vmlinux:vfs_read:17"
  std::string reason;  ///< a clause without a full stop

  bool operator==(const Skipped&) const = default;
};

/// What one description means to one provider.
struct Match {
  /// Ids are given later, by ProbeList.
  std::vector<Probe> probes;
  std::vector<Skipped> skipped;
  /// What to know of the probes that there are: that they are not all that the
  /// description seems to mean. Sentences without their ends.
  std::vector<std::string> notes;
  /// If there are no probes: why, and what would work, as far as this provider knows;
  /// may be empty.
  std::string why_none;
  /// DTrace's tag for that, if it is another than D_PDESC_ZERO.
  std::string tag;
};

/// What probes are wanted for: to be listed only, they need no addresses and no
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

  /// As in the first field of its probes: "kinst". A provider whose name carries a
  /// process (pid123) gives what stands before the number.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Its probes come into being when they are asked for by the provider's name, as
  /// FreeBSD's kinst and DTrace's pid do: a description with another pattern or none
  /// there does not mean them.
  [[nodiscard]] virtual bool is_on_demand() const { return false; }

  /// Whether a description with this provider field is for it.
  [[nodiscard]] virtual bool is_meant_by(std::string_view provider_field) const;

  /// The probes that the description means, in a fixed order.
  /// Errors: a description that names one thing which cannot be had, with the reason
  /// and what would work; what the system refused.
  virtual Result<Match> match(const d::Description& description) = 0;

  /// What the description may come to mean while it is traced: a probe without a place
  /// for each kind of place, for which programs can be made. None where nothing comes.
  [[nodiscard]] virtual std::vector<Probe> awaited(
      const d::Description& description) const;

  /// What the description, which matches nothing now, may mean in modules that are not
  /// loaded: probes that the kernel can find by their names, and probes that stand for
  /// those that have to be looked for. why_none says what cannot be waited for.
  [[nodiscard]] virtual Match coming(const d::Description& description);

  /// The typed arguments of a probe of its own; none where none are known.
  [[nodiscard]] virtual std::vector<ProbeArgument> arguments(const Probe& probe) const;
};

/// Whether the probe stands for those that may come, and has no place.
bool is_awaited(const Probe& probe);

/// Whether the description's module, function and name, taken as patterns, cover the
/// probe's. For providers whose probes are a list.
bool covers(const d::Description& description, const Probe& probe);

/// All probes of a run, each once, numbered from 1 in the order they were first meant.
class ProbeList {
 public:
  /// The index of the probe, which is added if it is new. Probes are the same if their
  /// names and keys are; a key of 0 becomes the probe's id.
  std::size_t add(Probe probe);

  /// Makes room for so many probes at once.
  void reserve(std::size_t probes) {
    probes_.reserve(probes);
    index_.reserve(probes);
  }

  /// Another way to the same place.
  void set_site(std::size_t index, Site site) { probes_[index].site = std::move(site); }

  [[nodiscard]] const std::vector<Probe>& all() const { return probes_; }

 private:
  static std::size_t hash_of(const Probe& probe);

  std::vector<Probe> probes_;
  std::unordered_multimap<std::size_t, std::size_t> index_;  ///< by hash_of()
};

}  // namespace kinst::provider
