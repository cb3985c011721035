// A jump's offset has 16 bits. Islands stand in the code at regular distances:
//
//             ja over
//     hop_1:  ja target_1          one for each target that jumps pass the island for
//     hop_2:  ja hop_2'            or, if that is still too far, the next island's hop
//     over:
#include "bpf/code/long_jumps.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/overloaded.h"

namespace kinst::bpf {
namespace {

// An island's own size comes on top of both: together less than 32,767.
constexpr std::size_t between_islands = 12'000;
constexpr std::size_t reach = 20'000;

std::uint32_t number(Label label) {
  return static_cast<std::uint32_t>(label);
}

// Where items and labels are, in slots, before islands are put between.
struct Places {
  std::vector<std::size_t> items;
  std::unordered_map<std::uint32_t, std::size_t> labels;
  std::size_t end = 0;
  std::uint32_t next_label = 0;
};

Places find_places(const Function& function) {
  Places places;
  for (const Item& item : function.items) {
    places.items.push_back(places.end);
    places.end += slots(item);
    if (const auto* label = std::get_if<LabelDefinition>(&item)) {
      places.labels.emplace(number(label->label), places.items.back());
      places.next_label = std::max(places.next_label, number(label->label) + 1);
    }
  }
  return places;
}

class Islands {
 public:
  explicit Islands(Places places) : places_(std::move(places)) {}

  /// Where a jump at a slot is to go so as to come to the target at last.
  Label stop_on_the_way(std::size_t from, Label target) {
    const auto found = places_.labels.find(number(target));
    if (found == places_.labels.end()) {
      return target;
    }
    const std::size_t to = found->second;
    if ((to > from ? to - from : from - to) <= reach) {
      return target;
    }
    // The island behind the jump, or the one before it.
    const std::size_t next = from / between_islands + 1;
    return hop(to > from ? next : next - 1 - (from % between_islands == 0 ? 1 : 0),
               target);
  }

  /// Appends the islands that stand before a slot and have not been appended yet.
  void append_before(std::size_t slot, std::vector<Item>& items) {
    for (; next_island_ * between_islands <= slot; ++next_island_) {
      append(next_island_, items);
    }
  }

  /// Finds all stops of a function's jumps, so that every island is complete.
  void plan(const std::vector<Item>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (const auto* jump = std::get_if<JumpToLabel>(&items[i])) {
        stop_on_the_way(places_.items[i], jump->target);
      }
    }
  }

 private:
  // The island's jump to the target; all islands from there on have one, too.
  Label hop(std::size_t island, Label target) {
    const auto known = hops_[island].find(number(target));
    if (known != hops_[island].end()) {
      return known->second;
    }
    const Label here{places_.next_label++};
    hops_[island].emplace(number(target), here);
    stop_on_the_way(island * between_islands, target);
    return here;
  }

  void append(std::size_t island, std::vector<Item>& items) {
    const auto hops = hops_.find(island);
    if (hops == hops_.end()) {
      return;
    }
    const Label over{places_.next_label++};
    items.emplace_back(JumpToLabel{bpf::jump(), over});
    // A copy: naming a stop may not, but could, add to the map.
    const std::map<std::uint32_t, Label> here = hops->second;
    for (const auto& [target, label] : here) {
      items.emplace_back(LabelDefinition{label});
      items.emplace_back(JumpToLabel{
          bpf::jump(), stop_on_the_way(island * between_islands, Label{target})});
    }
    items.emplace_back(LabelDefinition{over});
  }

  Places places_;
  /// By island, then by the target's number. The first island is number 1.
  std::map<std::size_t, std::map<std::uint32_t, Label>> hops_;
  std::size_t next_island_ = 1;
};

}  // namespace

std::size_t slots(const Item& item) {
  return std::visit(Overloaded{
                        [](const Instruction&) -> std::size_t { return 1; },
                        [](const JumpToLabel&) -> std::size_t { return 1; },
                        [](const CallFunction&) -> std::size_t { return 1; },
                        [](const LabelDefinition&) -> std::size_t { return 0; },
                        [](const Comment&) -> std::size_t { return 0; },
                        [](const auto&) -> std::size_t { return 2; },  // ld_imm64
                    },
                    item);
}

bool may_have_long_jumps(const Function& function) {
  std::size_t size = 0;
  for (const Item& item : function.items) {
    size += slots(item);
  }
  return size > reach;
}

Function with_jumps_in_reach(Function function) {
  Places places = find_places(function);
  const std::vector<std::size_t> slot_of_item = places.items;
  Islands islands(std::move(places));
  islands.plan(function.items);
  Function out{.name = std::move(function.name), .items = {}};
  for (std::size_t i = 0; i < function.items.size(); ++i) {
    islands.append_before(slot_of_item[i], out.items);
    Item& item = function.items[i];
    if (auto* jump = std::get_if<JumpToLabel>(&item)) {
      jump->target = islands.stop_on_the_way(slot_of_item[i], jump->target);
    }
    out.items.push_back(std::move(item));
  }
  return out;
}

}  // namespace kinst::bpf
