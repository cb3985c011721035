#include "consumer/values/aggregations.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace kinst::consumer {

Aggregations::Aggregations(const types::TypeTable& table,
                           const record::Layouts& layouts, AggregationMaps& maps,
                           Symbolizer& names)
    : table_(table),
      layouts_(layouts),
      maps_(maps),
      names_(names),
      states_(layouts.aggregations.size()) {}

Result<void> Aggregations::refresh() {
  for (std::uint32_t aggregation = 0; aggregation < count(); ++aggregation) {
    auto entries = KINST_TRY(maps_.read(aggregation));
    states_[aggregation].instances.clear();
    for (Taken& taken : together(aggregation, std::move(entries))) {
      take(aggregation, std::move(taken));
    }
  }
  return {};
}

// The text that identifies a key. Keys that print the same have the same text: for
// probefunc the kernel keeps the probe's number, so one function can have many keys.
std::string Aggregations::identity(const Instance& instance) const {
  std::string identity;
  for (const record::Value& value : instance.keys) {
    if (const auto name = key_name(names_, value)) {
      identity += *name;
      identity += '\0';
    } else {
      for (const std::byte byte : value.bytes) {
        identity += static_cast<char>(byte);
      }
    }
  }
  return identity;
}

std::vector<Aggregations::Taken> Aggregations::together(
    std::uint32_t aggregation, std::vector<AggregationMaps::Entry> entries) {
  std::vector<Taken> all;
  std::unordered_map<std::string, std::size_t> index;
  for (AggregationMaps::Entry& entry : entries) {
    Instance instance{
        .key = std::move(entry.key), .keys = {}, .synonyms = {}, .data = {}};
    for (const record::Field& field : layout(aggregation).keys) {
      if (auto value = record::decode_field(table_, field, instance.key)) {
        instance.keys.push_back(std::move(*value));
      }
    }
    const auto [place, is_new] = index.try_emplace(identity(instance), all.size());
    if (is_new) {
      all.push_back({std::move(instance), std::move(entry.words)});
      continue;
    }
    Taken& same = all[place->second];
    same.instance.synonyms.push_back(std::move(instance.key));
    // Handled like the words of further CPUs.
    same.words.insert(same.words.end(), entry.words.begin(), entry.words.end());
  }
  return all;
}

// A key without updates has been cleared; but an aggregation without keys may never
// have been updated.
void Aggregations::take(std::uint32_t aggregation, Taken taken) {
  State& state = states_[aggregation];
  auto data = combined(layout(aggregation), taken.words);
  if (!data && taken.instance.key.empty() && !state.was_seen) {
    return;
  }
  state.was_seen = true;
  taken.instance.data = data ? std::move(*data) : zero_data(layout(aggregation));
  state.instances.push_back(std::move(taken.instance));
}

Result<void> Aggregations::clear(std::uint32_t aggregation) {
  for (Instance& instance : states_[aggregation].instances) {
    KINST_CHECK(maps_.clear(aggregation, instance.key));
    for (const std::vector<std::byte>& key : instance.synonyms) {
      KINST_CHECK(maps_.clear(aggregation, key));
    }
    instance.data = zero_data(layout(aggregation));
  }
  return {};
}

Result<void> Aggregations::truncate(std::uint32_t aggregation, std::int64_t count) {
  const SortOptions largest_first{.reversed = count >= 0};
  const auto ordered = sorted(aggregation, largest_first);
  const auto kept =
      std::min<std::uint64_t>(count < 0 ? -static_cast<std::uint64_t>(count)
                                        : static_cast<std::uint64_t>(count),
                              ordered.size());
  std::vector<const Instance*> removed(
      ordered.begin() + static_cast<std::ptrdiff_t>(kept), ordered.end());
  for (const Instance* instance : removed) {
    KINST_CHECK(maps_.remove(aggregation, instance->key));
    for (const std::vector<std::byte>& key : instance->synonyms) {
      KINST_CHECK(maps_.remove(aggregation, key));
    }
  }
  State& state = states_[aggregation];
  if (layout(aggregation).keys.empty() && !removed.empty()) {
    state.was_seen = false;
  }
  std::ranges::sort(removed);
  std::vector<Instance> left;
  for (Instance& instance : state.instances) {
    if (!std::ranges::binary_search(removed, &instance)) {
      left.push_back(std::move(instance));
    }
  }
  state.instances = std::move(left);
  return {};
}

void Aggregations::normalize(std::uint32_t aggregation, std::int64_t normal) {
  states_[aggregation].normal = normal == 0 ? 1 : normal;
}

std::vector<const Instance*> Aggregations::sorted(std::uint32_t aggregation,
                                                  const SortOptions& options) const {
  std::vector<const Instance*> result;
  for (const Instance& instance : states_[aggregation].instances) {
    result.push_back(&instance);
  }
  const auto is_before = [&](const Instance* left, const Instance* right) {
    if (options.reversed) {
      std::swap(left, right);
    }
    const int by_value =
        options.by_key ? 0
                       : compare_values(layout(aggregation), left->data, right->data);
    return (by_value != 0 ? by_value
                          : compare_keys(names_, left->keys, right->keys,
                                         options.key_position)) < 0;
  };
  std::ranges::sort(result, is_before);
  return result;
}

int Aggregations::compare_rows(const Row& left, const Row& right,
                               std::span<const std::uint32_t> aggregations,
                               const SortOptions& options) const {
  const int by_key = compare_keys(names_, left.representative->keys,
                                  right.representative->keys, options.key_position);
  if (options.by_key) {
    return by_key;
  }
  const std::size_t count = aggregations.size();
  const std::size_t first = options.position < count ? options.position : 0;
  for (std::size_t place = 0; place < count; ++place) {
    const std::size_t column = (first + place) % count;
    const int by_value = compare_values(layout(aggregations[column]), left.data[column],
                                        right.data[column]);
    if (by_value != 0) {
      return by_value;
    }
  }
  return by_key;
}

std::vector<Aggregations::Row> Aggregations::joined(
    std::span<const std::uint32_t> aggregations, const SortOptions& options) const {
  const auto key_is_before = [&](const Instance* left, const Instance* right) {
    return compare_keys(names_, left->keys, right->keys, 0) < 0;
  };
  std::map<const Instance*, Row, decltype(key_is_before)> rows(key_is_before);
  for (std::size_t column = 0; column < aggregations.size(); ++column) {
    for (const Instance& instance : states_[aggregations[column]].instances) {
      Row& row = rows[&instance];
      if (row.representative == nullptr) {
        row.representative = &instance;
        for (const std::uint32_t aggregation : aggregations) {
          row.data.push_back(zero_data(layout(aggregation)));
        }
      }
      row.data[column] = instance.data;
    }
  }
  std::vector<Row> result;
  result.reserve(rows.size());
  for (auto& [key, row] : rows) {
    result.push_back(std::move(row));
  }
  std::ranges::sort(result, [&](const Row& left, const Row& right) {
    const int order = compare_rows(left, right, aggregations, options);
    return options.reversed ? order > 0 : order < 0;
  });
  return result;
}

}  // namespace kinst::consumer
