#include "d/typed/join_descriptions.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "d/typed/typed_equality.h"

namespace kinst::d {
namespace {

// Adds the probes to those of other clauses; false if one of them is there already.
bool add_all(const std::vector<std::size_t>& probes, std::set<std::size_t>& all) {
  bool is_disjoint = true;
  for (const std::size_t probe : probes) {
    is_disjoint = all.insert(probe).second && is_disjoint;
  }
  return is_disjoint;
}

void move_probes(std::vector<std::size_t>& from, std::vector<std::size_t>& to) {
  std::vector<std::size_t> both;
  std::ranges::merge(from, to, std::back_inserter(both));
  to = std::move(both);
  from.clear();
}

}  // namespace

void join_descriptions(typed::Program& program, const types::TypeTable& types,
                       std::vector<std::vector<std::size_t>>& probes_of_description) {
  std::vector<typed::Clause> joined;
  std::size_t first = 0;  // of those that come from the same text
  std::set<std::size_t> probes;
  for (typed::Clause& clause : program.clauses) {
    if (joined.empty() || joined.back().span != clause.span) {
      first = joined.size();
      probes.clear();
    }
    auto& own = probes_of_description[clause.description];
    const bool is_disjoint = add_all(own, probes);
    const auto same =
        std::find_if(joined.begin() + static_cast<std::ptrdiff_t>(first), joined.end(),
                     [&](const typed::Clause& other) {
                       return is_disjoint && typed::is_same(other, clause, types);
                     });
    if (same == joined.end()) {
      joined.push_back(std::move(clause));
    } else {
      move_probes(own, probes_of_description[same->description]);
    }
  }
  program.clauses = std::move(joined);
}

}  // namespace kinst::d
