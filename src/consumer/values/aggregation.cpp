#include "consumer/values/aggregation.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>

#include "consumer/values/buckets.h"
#include "consumer/values/quotient.h"
#include "consumer/values/symbol_text.h"

namespace kinst::consumer {
namespace {

using record::AggregatingFunction;
using record::Aggregation;
using record::Value;
using Data = std::span<const std::int64_t>;

__extension__ using Wide = unsigned __int128;

template <typename T>
int order(const T& left, const T& right) {
  return left < right ? -1 : static_cast<int>(right < left);
}

using record::Combination;

const record::AggregatingFunctionInfo& info_of(const Aggregation& aggregation) {
  return record::aggregating_function_info(aggregation.function);
}

std::int64_t extreme(const Aggregation& aggregation, std::int64_t left,
                     std::int64_t right) {
  const bool is_less = aggregation.is_signed ? left < right
                                             : static_cast<std::uint64_t>(left) <
                                                   static_cast<std::uint64_t>(right);
  return is_less == (info_of(aggregation).combination == Combination::Smallest) ? left
                                                                                : right;
}

// Sums wrap, as they do on each CPU.
std::int64_t wrapped_sum(std::int64_t left, std::int64_t right) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) +
                                   static_cast<std::uint64_t>(right));
}

Wide wide(std::int64_t low, std::int64_t high) {
  return Wide{static_cast<std::uint64_t>(high)} << 64U |
         static_cast<std::uint64_t>(low);
}

void add_words(std::span<std::int64_t> data, Data part) {
  for (std::size_t place = 0; place < data.size(); ++place) {
    data[place] = wrapped_sum(data[place], part[place]);
  }
}

void add_squares(std::span<std::int64_t> data, Data part) {
  const Wide sum = wide(data[0], data[1]) + wide(part[0], part[1]);
  data[0] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum));
  data[1] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum >> 64U));
}

// Adds one CPU's words to what the ones before made.
void add_part(const Aggregation& aggregation, std::span<std::int64_t> data, Data part,
              bool is_first) {
  constexpr std::size_t squares = 2;  // words of their sum, the last ones
  switch (info_of(aggregation).combination) {
    case Combination::Sums:
      add_words(data, part);
      return;
    case Combination::SumsAndSquares:
      add_words(data.first(data.size() - squares), part);
      add_squares(data.last(squares), part.last(squares));
      return;
    case Combination::Smallest:
    case Combination::Largest:
      data[0] = is_first ? part[0] : extreme(aggregation, data[0], part[0]);
      return;
  }
}

std::uint64_t square_root(Wide square) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63U; bit != 0; bit >>= 1U) {
    const std::uint64_t candidate = root | bit;
    if (Wide{candidate} * candidate <= square) {
      root = candidate;
    }
  }
  return root;
}

std::int64_t average(Data data, std::int64_t normal) {
  return data[0] == 0 ? 0 : divided(divided(data[1], normal), data[0]);
}

// The root of the squares' average less the average's square.
std::int64_t standard_deviation(Data data, std::int64_t normal) {
  if (data[0] == 0) {
    return 0;
  }
  // The values, not their squares, are divided by the normal (dt_stddev).
  const auto divisor = static_cast<std::uint64_t>(normal);
  const Wide squares =
      wide(data[2], data[3]) / divisor / divisor / static_cast<std::uint64_t>(data[0]);
  const auto mean = static_cast<std::uint64_t>(average(data, normal));
  const std::uint64_t magnitude = mean >> 63U != 0 ? -mean : mean;
  return static_cast<std::int64_t>(square_root(squares - Wide{magnitude} * magnitude));
}

// What a distribution holds: the sum of its buckets' values, and the count at zero.
struct Weight {
  long double sum = 0;
  std::int64_t at_zero = 0;
};

Weight quantize_weight(Data counts) {
  Weight weight{.at_zero = counts[record::quantize_zero_bucket]};
  for (std::size_t place = 0; place < counts.size(); ++place) {
    weight.sum += static_cast<long double>(quantize_value(place)) *
                  static_cast<long double>(counts[place]);
  }
  return weight;
}

Weight lquantize_weight(const Aggregation& aggregation, Data counts) {
  const std::int64_t low = aggregation.parameters.at(0);
  const std::int64_t step = aggregation.parameters.at(2);
  Weight weight;
  for (std::size_t place = 0; place < counts.size(); ++place) {
    const std::int64_t bound = low + (static_cast<std::int64_t>(place) - 1) * step;
    // The outermost buckets stand for what is just outside.
    const std::int64_t value = place == 0                   ? low - 1
                               : place == counts.size() - 1 ? bound + 1
                                                            : bound;
    weight.sum +=
        static_cast<long double>(value) * static_cast<long double>(counts[place]);
    if (value == 0) {
      weight.at_zero = counts[place];
    }
  }
  return weight;
}

Weight llquantize_weight(const Aggregation& aggregation, Data counts) {
  const std::size_t middle = counts.size() / 2;
  const std::vector<std::uint64_t> bounds =
      llquantize_bounds(aggregation.parameters);  // the last: of all beyond
  Weight weight{.at_zero = counts[middle]};
  for (std::size_t place = 0; place < bounds.size(); ++place) {
    weight.sum += static_cast<long double>(bounds[place]) *
                  (static_cast<long double>(counts[middle + 1 + place]) -
                   static_cast<long double>(counts[middle - 1 - place]));
  }
  return weight;
}

Weight weight_of(const Aggregation& aggregation, Data counts) {
  switch (info_of(aggregation).buckets) {
    case record::Buckets::None:
      break;
    case record::Buckets::Powers:
      return quantize_weight(counts);
    case record::Buckets::Linear:
      return lquantize_weight(aggregation, counts);
    case record::Buckets::LogLinear:
      return llquantize_weight(aggregation, counts);
  }
  return {};
}

std::uint64_t unsigned_key(std::span<const std::byte> bytes, std::size_t offset,
                           std::size_t size_bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, size_bytes);
  return value;
}

bool is_number_size(std::size_t size_bytes) {
  return size_bytes == 1 || size_bytes == 2 || size_bytes == 4 || size_bytes == 8;
}

int compare_key(Symbolizer& names, const Value& left, const Value& right) {
  if (const auto left_name = key_name(names, left)) {
    const std::string right_name = key_name(names, right).value_or("");
    const int by_length = record::is_number(left.meaning)
                              ? order(left_name->size(), right_name.size())
                              : 0;
    return by_length != 0 ? by_length : order(*left_name, right_name);
  }
  const std::size_t size_bytes = std::min(left.bytes.size(), right.bytes.size());
  if (std::holds_alternative<record::Address>(left.data) && size_bytes == 16) {
    const int process =
        order(unsigned_key(left.bytes, 0, 8), unsigned_key(right.bytes, 0, 8));
    return process != 0
               ? process
               : order(unsigned_key(left.bytes, 8, 8), unsigned_key(right.bytes, 8, 8));
  }
  if (is_number_size(size_bytes)) {
    return order(unsigned_key(left.bytes, 0, size_bytes),
                 unsigned_key(right.bytes, 0, size_bytes));
  }
  return size_bytes == 0
             ? 0
             : std::memcmp(left.bytes.data(), right.bytes.data(), size_bytes);
}

}  // namespace

std::optional<std::string> key_name(Symbolizer& names, const Value& value) {
  if (const auto* probe = std::get_if<record::ProbeKey>(&value.data)) {
    return probe_text(names, value.meaning, probe->key);
  }
  const auto* address = std::get_if<record::Address>(&value.data);
  if (address == nullptr || value.meaning == record::Meaning::UserAddress) {
    return std::nullopt;
  }
  return symbol_text(names, value.meaning, *address);
}

std::optional<std::vector<std::int64_t>> combined(
    const Aggregation& aggregation, std::span<const std::uint64_t> words) {
  assert(aggregation.value_words != 0);
  const std::size_t skipped = info_of(aggregation).keeps_updates ? 0 : 1;
  std::vector<std::int64_t> data = zero_data(aggregation);
  bool is_first = true;
  for (; words.size() >= aggregation.value_words;
       words = words.subspan(aggregation.value_words)) {
    if (words.front() == 0) {
      continue;
    }
    std::vector<std::int64_t> part;
    for (const std::uint64_t word :
         words.first(aggregation.value_words).subspan(skipped)) {
      part.push_back(static_cast<std::int64_t>(word));
    }
    add_part(aggregation, data, part, is_first);
    is_first = false;
  }
  return is_first ? std::nullopt : std::optional(std::move(data));
}

std::vector<std::int64_t> zero_data(const Aggregation& aggregation) {
  return std::vector<std::int64_t>(aggregation.value_words -
                                   (info_of(aggregation).keeps_updates ? 0U : 1U));
}

std::int64_t number_of(const Aggregation& aggregation, Data data, std::int64_t normal) {
  switch (aggregation.function) {
    case AggregatingFunction::Count:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(data[0]) /
                                       static_cast<std::uint64_t>(normal));
    case AggregatingFunction::Avg:
      return average(data, normal);
    case AggregatingFunction::Stddev:
      return standard_deviation(data, normal);
    case AggregatingFunction::Sum:
    case AggregatingFunction::Min:
    case AggregatingFunction::Max:
      return divided(data[0], normal);
    case AggregatingFunction::Quantize:
    case AggregatingFunction::Lquantize:
    case AggregatingFunction::Llquantize:
      break;  // no number
  }
  return 0;
}

int compare_values(const Aggregation& aggregation, Data left, Data right) {
  if (is_distribution(aggregation.function)) {
    const Weight left_weight = weight_of(aggregation, left);
    const Weight right_weight = weight_of(aggregation, right);
    const int by_sum = order(left_weight.sum, right_weight.sum);
    return by_sum != 0 ? by_sum : order(left_weight.at_zero, right_weight.at_zero);
  }
  return order(number_of(aggregation, left, 1), number_of(aggregation, right, 1));
}

int compare_keys(Symbolizer& names, std::span<const Value> left,
                 std::span<const Value> right, std::size_t first) {
  const std::size_t count = std::min(left.size(), right.size());
  for (std::size_t place = 0; place < count; ++place) {
    const std::size_t key = ((first < count ? first : 0) + place) % count;
    if (const int result = compare_key(names, left[key], right[key]); result != 0) {
      return result;
    }
  }
  return 0;
}

}  // namespace kinst::consumer
