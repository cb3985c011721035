#include "kernel/symbols/image_symbols.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "kernel/memory/vmcoreinfo.h"

namespace kinst::kernel {
namespace {

constexpr std::size_t token_count = 256;
constexpr std::size_t names_per_marker = 256;
constexpr std::size_t most_symbols = 4'000'000;
constexpr std::uint64_t most_name_bytes = std::uint64_t{64} << 20U;
constexpr std::size_t piece_bytes = 4096;
constexpr std::size_t rank_bytes = 3;

// Names that the readers of the kernel's own tables ask for. Where symbols can only be
// found by walking over all of them, these are found on the way to the first.
constexpr std::array landmarks = {
    std::string_view("_stext"),
    std::string_view("_text"),
    std::string_view("_etext"),
    std::string_view("_end"),
    std::string_view("_sinittext"),
    std::string_view("_einittext"),
    std::string_view("__start___jump_table"),
    std::string_view("__stop___jump_table"),
    std::string_view("__start_static_call_sites"),
    std::string_view("__stop_static_call_sites"),
    std::string_view("__start___bug_table"),
    std::string_view("__stop___bug_table"),
    std::string_view("kprobe_table"),
    std::string_view("modules"),
    std::string_view("__per_cpu_offset"),
};

KernelAddress shifted(KernelAddress address, std::int64_t bytes) {
  return KernelAddress{number(address) + static_cast<std::uint64_t>(bytes)};
}

// Every table begins at a multiple of 8, in newer kernels of 4 (output_label() in
// scripts/kallsyms.c).
enum class Alignment : std::uint8_t { Four = 4, Eight = 8 };

KernelAddress aligned_down(KernelAddress address, Alignment alignment) {
  const auto bytes = static_cast<std::uint64_t>(alignment);
  return KernelAddress{number(address) / bytes * bytes};
}

// Of a kernel whose offsets are each from where the offset itself stands.
constexpr KernelAddress no_base{};

// How long a stored name is, and how many bytes tell that: two from 128 tokens on.
struct Length {
  std::size_t head_bytes = 1;
  std::size_t tokens = 0;
};

Length stored_length(std::byte first, std::byte second) {
  constexpr unsigned is_long = 0x80;
  const auto low = std::to_integer<unsigned>(first);
  if ((low & is_long) == 0) {
    return {.head_bytes = 1, .tokens = low};
  }
  return {.head_bytes = 2,
          .tokens = (low & (is_long - 1)) | std::to_integer<unsigned>(second) << 7U};
}

// The nearest of the tables behind `begin`, which ends what begins there.
std::optional<KernelAddress> nearest_behind(KernelAddress begin,
                                            std::span<const KernelAddress> tables) {
  std::optional<KernelAddress> out;
  for (const KernelAddress one : tables) {
    if (begin < one && (!out || one < *out)) {
      out = one;
    }
  }
  return out;
}

}  // namespace

ImageSymbols::ImageSymbols(std::unique_ptr<const Memory> memory)
    : memory_(std::move(memory)),
      pieces_(piece_bytes,
              [source = memory_.get()](std::uint64_t offset, std::span<std::byte> out) {
                return source->read(KernelAddress{offset}, out);
              }) {}

// The order of the tables has changed, and the kernel tells of most only:
//   before 6.2   offsets, base, count, names, markers, tokens
//   from 6.2     offsets, base, count, names, markers, order by name, tokens
//   from 6.9     count, names, markers, tokens, offsets, base, order by name
//   by 7.2       count, names, markers, tokens, offsets, order by name
std::vector<ImageSymbols::Places> ImageSymbols::possible_places(
    const Places& known, KernelAddress token_table, KernelAddress relative_base,
    std::size_t count) {
  const auto markers_bytes = static_cast<std::int64_t>(
      (count + names_per_marker - 1) / names_per_marker * sizeof(std::uint32_t));
  const auto order_bytes = static_cast<std::int64_t>(count * rank_bytes);
  const auto offsets_bytes = static_cast<std::int64_t>(count * sizeof(std::uint32_t));
  const auto before = [](KernelAddress end, std::int64_t bytes, Alignment alignment) {
    return aligned_down(shifted(end, -bytes), alignment);
  };
  if (relative_base == no_base) {
    Places latest = known;
    latest.markers = before(token_table, markers_bytes, Alignment::Four);
    latest.by_name = shifted(known.offsets, offsets_bytes);
    Places aligned = latest;
    aligned.markers = before(token_table, markers_bytes, Alignment::Eight);
    Places without_order = latest;
    without_order.by_name.reset();
    return {latest, aligned, without_order};
  }
  Places newest = known;
  newest.markers = before(token_table, markers_bytes, Alignment::Eight);
  newest.by_name = shifted(relative_base, sizeof(std::uint64_t));
  Places middle = known;
  middle.by_name = before(token_table, order_bytes, Alignment::Eight);
  middle.markers = before(*middle.by_name, markers_bytes, Alignment::Eight);
  Places oldest = newest;
  oldest.by_name.reset();
  return {newest, middle, oldest};
}

Result<ImageSymbols> ImageSymbols::open(std::unique_ptr<const Memory> memory,
                                        std::string_view vmcoreinfo) {
  const auto place = [&](std::string_view name) {
    return vmcoreinfo_symbol(vmcoreinfo, name);
  };
  const auto count = place("kallsyms_num_syms");
  const auto names = place("kallsyms_names");
  const auto token_table = place("kallsyms_token_table");
  const auto token_index = place("kallsyms_token_index");
  const auto offsets = place("kallsyms_offsets");
  const auto base = place("kallsyms_relative_base");
  const auto stext = place("_stext");
  if (!count || !names || !token_table || !token_index || !offsets || !stext) {
    return error("this kernel does not tell where its symbol table is");
  }
  ImageSymbols out(std::move(memory));
  out.count_ = KINST_TRY(read_value<std::uint32_t>(*out.memory_, *count));
  std::vector tables = {*count, *token_table, *token_index, *offsets};
  if (base) {
    out.relative_base_ = KINST_TRY(read_value<KernelAddress>(*out.memory_, *base));
    tables.push_back(*base);
  }
  const auto end = nearest_behind(*names, tables);
  if (out.count_ == 0 || out.count_ > most_symbols || !end ||
      number(*end - *names) > most_name_bytes) {
    return error("the kernel's symbol table has an unknown form");
  }
  KINST_CHECK(out.read_tokens(*token_table, *token_index));
  const Places known{.names = *names, .names_end = *end, .offsets = *offsets};
  for (const Places& places :
       possible_places(known, *token_table, base.value_or(no_base), out.count_)) {
    out.places_ = places;
    if (!out.markers_are_right() || !out.choose_address_rule(*stext)) {
      continue;
    }
    if (!places.by_name || !out.find_in_order("_stext").empty()) {
      return out;
    }
  }
  return error("the kernel's symbol table has an unknown form");
}

Result<void> ImageSymbols::read_tokens(KernelAddress table, KernelAddress index) {
  const auto begins =
      KINST_TRY((read_value<std::array<std::uint16_t, token_count>>(*memory_, index)));
  if (index < table || number(index - table) > std::uint64_t{1} << 16U) {
    return error("the kernel's symbol table has an unknown form");
  }
  const auto bytes = KINST_TRY(memory_->bytes(table, number(index - table)));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  for (std::size_t token = 0; token < token_count; ++token) {
    const std::size_t begin = std::min<std::size_t>(begins[token], text.size());
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    tokens_[token] = text.substr(begin, end - begin);
  }
  return {};
}

// Whether walking over the names leads from one marker to the next. Checked at the
// beginning and in the middle.
bool ImageSymbols::markers_are_right() const {
  const std::size_t last = (count_ - 1) / names_per_marker;
  if (word(places_.markers, 0) != 0) {
    return false;
  }
  constexpr std::size_t first = 0;
  return std::ranges::all_of(std::array{first, last / 2}, [&](std::size_t marker) {
    return marker == last || skip(word(places_.markers, marker), names_per_marker) ==
                                 word(places_.markers, marker + 1);
  });
}

// Chooses the rule for addresses by which _stext gets the address that the kernel
// gives.
bool ImageSymbols::choose_address_rule(KernelAddress stext) {
  for (const bool is_absolute : {true, false}) {
    has_absolute_offsets_ = is_absolute;
    for (std::size_t i = first_above(stext); i-- > 0 && address(i) == stext;) {
      if (name(i).text == "_stext") {
        return true;
      }
    }
  }
  return false;
}

std::uint32_t ImageSymbols::word(KernelAddress table, std::size_t index) const {
  std::array<std::byte, sizeof(std::uint32_t)> bytes{};
  const auto got = pieces_.read(number(table) + index * sizeof(std::uint32_t), bytes);
  std::uint32_t out = 0;
  if (got) {
    std::copy(bytes.begin(), bytes.end(),
              std::as_writable_bytes(std::span(&out, 1)).begin());
  }
  return out;
}

KernelAddress ImageSymbols::address(std::size_t index) const {
  const std::uint32_t stored = word(places_.offsets, index);
  const auto is_signed = static_cast<std::int32_t>(stored);
  if (relative_base_ == no_base) {
    const auto place = static_cast<std::int64_t>(index * sizeof(std::uint32_t));
    return shifted(places_.offsets, place + is_signed);
  }
  if (!has_absolute_offsets_) {
    return shifted(relative_base_, stored);
  }
  return is_signed >= 0 ? KernelAddress{stored}
                        : shifted(relative_base_, -1 - std::int64_t{is_signed});
}

std::size_t ImageSymbols::first_above(KernelAddress wanted) const {
  std::size_t begin = 0;
  std::size_t end = count_;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    (wanted < address(middle) ? end : begin) =
        wanted < address(middle) ? middle : middle + 1;
  }
  return begin;
}

// The position of the name that stands so many behind the one at `position`. Every
// search comes here dozens of times, so most names are skipped within a piece.
std::uint64_t ImageSymbols::skip(std::uint64_t position, std::size_t names) const {
  std::uint64_t at = number(places_.names) + position;
  auto rest = pieces_.rest_of_piece(at);
  for (; names > 0; --names) {
    const std::byte second = rest.size() > 1 ? rest[1] : pieces_.at(at + 1);
    const Length length =
        stored_length(rest.empty() ? std::byte{} : rest.front(), second);
    const std::size_t whole = length.head_bytes + length.tokens;
    at += whole;
    rest = whole < rest.size() ? rest.subspan(whole) : pieces_.rest_of_piece(at);
  }
  return at - number(places_.names);
}

ImageSymbols::Name ImageSymbols::expand(Tokens tokens) const {
  Name out;
  for (const std::byte token : tokens) {
    out.text += tokens_[std::to_integer<std::size_t>(token)];
  }
  if (!out.text.empty()) {
    out.type = out.text.front();
    out.text.erase(0, 1);
  }
  return out;
}

ImageSymbols::Name ImageSymbols::name(std::size_t index) const {
  const std::uint64_t at =
      number(places_.names) +
      skip(word(places_.markers, index / names_per_marker), index % names_per_marker);
  const Length length = stored_length(pieces_.at(at), pieces_.at(at + 1));
  std::vector<std::byte> tokens(length.tokens);
  return pieces_.read(at + length.head_bytes, tokens) ? expand(tokens) : Name{};
}

// Calls visit(index, tokens) for each symbol in order. The names are read through one
// buffer, as keeping megabytes would cost more than reading them again.
template <typename Visit>
void ImageSymbols::walk(const Visit& visit) const {
  constexpr std::size_t window_bytes = std::size_t{1} << 16U;
  std::vector<std::byte> window;
  KernelAddress at = places_.names;
  std::size_t index = 0;
  while (index < count_ && at < places_.names_end) {
    const std::uint64_t left = number(places_.names_end - at);
    window.resize(std::min<std::uint64_t>(window_bytes, left));
    if (!memory_->read(at, window)) {
      return;
    }
    std::size_t used = 0;
    while (index < count_ && used + 2 <= window.size()) {
      const Length length = stored_length(window[used], window[used + 1]);
      const std::size_t end = used + length.head_bytes + length.tokens;
      if (end > window.size()) {
        break;
      }
      visit(index, Tokens(window).subspan(used + length.head_bytes, length.tokens));
      ++index;
      used = end;
    }
    if (used == 0) {
      return;  // longer than any name: no table after all
    }
    at = shifted(at, static_cast<std::int64_t>(used));
  }
}

// Which first tokens the names that begin so can have. The first letter of what a
// token stands for is the symbol's type there.
std::array<bool, token_count> ImageSymbols::tokens_that_begin(
    std::string_view prefix) const {
  std::array<bool, token_count> out{};
  for (std::size_t token = 0; token < token_count; ++token) {
    const std::string_view text = tokens_[token];
    const std::string_view begin = text.substr(std::min<std::size_t>(1, text.size()));
    out[token] = begin.starts_with(prefix) || prefix.starts_with(begin);
  }
  return out;
}

void ImageSymbols::for_each(
    std::string_view prefix,
    const std::function<void(std::size_t, const Name&)>& visit) const {
  const auto begins = tokens_that_begin(prefix);
  walk([&](std::size_t index, Tokens tokens) {
    if (tokens.empty() || !begins[std::to_integer<std::size_t>(tokens.front())]) {
      return;
    }
    const Name name = expand(tokens);
    if (name.text.starts_with(prefix)) {
      visit(index, name);
    }
  });
}

std::size_t ImageSymbols::symbol_by_name(std::size_t rank) const {
  const std::uint64_t at = number(*places_.by_name) + rank * rank_bytes;
  std::size_t index = 0;
  for (std::size_t i = 0; i < rank_bytes; ++i) {
    index = index << 8U | std::to_integer<std::size_t>(pieces_.at(at + i));
  }
  return std::min(index, count_ - 1);
}

std::vector<std::size_t> ImageSymbols::find_in_order(std::string_view wanted) const {
  std::size_t begin = 0;
  std::size_t end = count_;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (name(symbol_by_name(middle)).text < wanted) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  std::vector<std::size_t> out;
  for (std::size_t rank = begin; rank < count_; ++rank) {
    const std::size_t index = symbol_by_name(rank);
    if (name(index).text != wanted) {
      break;
    }
    out.push_back(index);
  }
  std::ranges::sort(out);
  return out;
}

std::vector<std::size_t> ImageSymbols::find_by_walking(std::string_view wanted) const {
  const auto known = walked_for_.find(wanted);
  if (known != walked_for_.end()) {
    return known->second;
  }
  auto begins = tokens_that_begin(wanted);
  const auto add = [&](std::string_view name) {
    walked_for_.try_emplace(std::string(name));
    const auto more = tokens_that_begin(name);
    std::ranges::transform(begins, more, begins.begin(), std::logical_or<>());
  };
  if (walked_for_.empty()) {
    std::ranges::for_each(landmarks, add);
  }
  add(wanted);
  walk([&](std::size_t index, Tokens tokens) {
    if (tokens.empty() || !begins[std::to_integer<std::size_t>(tokens.front())]) {
      return;
    }
    const auto found = walked_for_.find(expand(tokens).text);
    // Those of earlier walks are complete.
    if (found != walked_for_.end() &&
        (found->second.empty() || found->second.back() < index)) {
      found->second.push_back(index);
    }
  });
  return walked_for_.find(wanted)->second;
}

// A kernel whose symbols lost suffixes after they were ordered (LTO) has names that the
// order does not lead to.
std::vector<std::size_t> ImageSymbols::find(std::string_view wanted) const {
  std::vector<std::size_t> out;
  if (places_.by_name) {
    out = find_in_order(wanted);
  }
  return out.empty() ? find_by_walking(wanted) : out;
}

}  // namespace kinst::kernel
