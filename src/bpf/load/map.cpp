// Reading whole maps goes through the kernel's batched lookups, one system call for
// thousands of elements; maps that have none are walked key by key.
#include "bpf/load/map.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <string_view>
#include <utility>

#include "bpf/load/privileges.h"

namespace kinst::bpf {
namespace {

constexpr std::size_t part_alignment = 8;  // of per-CPU values and mapped elements
constexpr std::size_t batch_elements = 4096;
constexpr std::size_t batch_bytes = std::size_t{16} << 20U;

std::size_t round_up(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

bool is_per_cpu(MapType type) {
  return type == MapType::PerCpuHash || type == MapType::PerCpuArray;
}

bool is_array(MapType type) {
  return type == MapType::Array || type == MapType::PerCpuArray;
}

std::span<const std::byte> index_key(const std::uint32_t& index) {
  return std::as_bytes(std::span(&index, 1));
}

/// "cannot ACT BPF map NAME: CAUSE".
tl::unexpected<Error> map_error(std::string_view act, const std::string& name,
                                int number) {
  return system_error(fmt::format("{} BPF map {}", act, name), number);
}

/// Removes elements met twice: the batched walk of a hash may give an element again
/// when one was inserted into a bucket it is in the middle of.
void keep_first_of_each_key(Entries& entries) {
  std::set<std::string_view> seen;
  Entries unique{.key_bytes = entries.key_bytes, .value_bytes = entries.value_bytes};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::span<const std::byte> key = entries.key(i);
    const std::span<const std::byte> value = entries.value(i);
    const std::string_view text(
        static_cast<const char*>(static_cast<const void*>(key.data())), key.size());
    if (seen.insert(text).second) {
      unique.keys.insert(unique.keys.end(), key.begin(), key.end());
      unique.values.insert(unique.values.end(), value.begin(), value.end());
    }
  }
  entries = std::move(unique);
}

/// An array's first contents, element by element.
Result<void> fill(Map& map, const MapSpecification& specification) {
  std::vector<std::byte> element(map.value_bytes());
  const std::span contents(specification.contents);
  for (std::uint32_t i = 0; std::size_t{i} * element.size() < contents.size(); ++i) {
    const auto part = contents.subspan(i * element.size());
    std::ranges::fill(element, std::byte{0});
    std::ranges::copy(part.first(std::min(part.size(), element.size())),
                      element.begin());
    KINST_CHECK(map.set_element(i, element));
  }
  return {};
}

}  // namespace

Result<std::uint32_t> possible_cpu_count() {
  const int count = libbpf_num_possible_cpus();
  if (count < 0) {
    return system_error("read /sys/devices/system/cpu/possible", -count);
  }
  return static_cast<std::uint32_t>(count);
}

MappedArray& MappedArray::operator=(MappedArray&& other) noexcept {
  std::swap(memory_, other.memory_);
  return *this;
}

MappedArray::~MappedArray() {
  if (!memory_.empty()) {
    munmap(memory_.data(), memory_.size());
  }
}

Map::Map(MapSpecification specification, FileDescriptor descriptor,
         std::size_t value_bytes)
    : specification_(std::move(specification)),
      descriptor_(std::move(descriptor)),
      value_bytes_(value_bytes) {
  specification_.contents.clear();
}

Result<Map> Map::create(const MapSpecification& specification) {
  bpf_map_create_opts options{.sz = sizeof options};
  options.map_flags = specification.flags;
  FileDescriptor descriptor(
      bpf_map_create(static_cast<bpf_map_type>(specification.type),
                     kernel_name(specification.name).c_str(), specification.key_size,
                     specification.value_size, specification.max_entries, &options));
  if (!descriptor) {
    const int number = errno;
    return error("cannot create BPF map {}: {}", specification.name,
                 explain_refusal(number));
  }
  std::size_t value_bytes = specification.value_size;
  if (is_per_cpu(specification.type)) {
    value_bytes =
        round_up(value_bytes, part_alignment) * KINST_TRY(possible_cpu_count());
  }
  Map map(specification, std::move(descriptor), value_bytes);
  KINST_CHECK(fill(map, specification));
  if (specification.frozen && bpf_map_freeze(map.descriptor()) != 0) {
    return map_error("freeze", specification.name, errno);
  }
  return map;
}

Result<std::optional<std::vector<std::byte>>> Map::lookup(
    std::span<const std::byte> key) const {
  std::vector<std::byte> value(value_bytes_);
  if (bpf_map_lookup_elem(descriptor(), key.data(), value.data()) == 0) {
    return value;
  }
  if (errno == ENOENT) {
    return std::nullopt;
  }
  return map_error("read", name(), errno);
}

Result<void> Map::update(std::span<const std::byte> key,
                         std::span<const std::byte> value) {
  if (bpf_map_update_elem(descriptor(), key.data(), value.data(), BPF_ANY) == 0) {
    return {};
  }
  if (errno == E2BIG) {
    return error("cannot write BPF map {}: all its {} elements are in use", name(),
                 specification_.max_entries);
  }
  return map_error("write", name(), errno);
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes what is owned
Result<bool> Map::remove(std::span<const std::byte> key) {
  if (bpf_map_delete_elem(descriptor(), key.data()) == 0) {
    return true;
  }
  if (errno == ENOENT) {
    return false;
  }
  return map_error("remove from", name(), errno);
}

Result<void> Map::clear() {
  const Entries all = KINST_TRY(entries());
  for (std::size_t i = 0; i < all.size(); ++i) {
    KINST_TRY(remove(all.key(i)));
  }
  return {};
}

Result<std::vector<std::byte>> Map::element(std::uint32_t index) const {
  auto value = KINST_TRY(lookup(index_key(index)));
  if (!value) {
    return map_error("read", name(), ENOENT);
  }
  return *std::move(value);
}

Result<void> Map::set_element(std::uint32_t index, std::span<const std::byte> value) {
  return update(index_key(index), value);
}

Result<MappedArray> Map::mapped() const {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = round_up(
      round_up(specification_.value_size, part_alignment) * specification_.max_entries,
      page);
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor(), 0);
  if (memory == MAP_FAILED) {
    return map_error("map the memory of", name(), errno);
  }
  return MappedArray({static_cast<std::byte*>(memory), bytes});
}

Result<Entries> Map::entries() const {
  Result<Entries> batched = entries_in_batches();
  return batched ? std::move(batched) : entries_one_by_one();
}

Result<Entries> Map::entries_in_batches() const {
  const std::size_t key_bytes = specification_.key_size;
  Entries entries{.key_bytes = key_bytes, .value_bytes = value_bytes_};
  // Where the next batch begins: a bucket number for hashes, a key for arrays.
  std::vector<std::byte> place(std::max(key_bytes, sizeof(std::uint32_t)));
  const auto fitting =
      std::max<std::size_t>(batch_bytes / std::max<std::size_t>(value_bytes_, 1), 1);
  auto wanted = static_cast<std::uint32_t>(
      std::min({fitting, batch_elements, std::size_t{specification_.max_entries}}));
  bool first = true;
  bool more = true;
  while (more) {
    const std::size_t have = entries.size();
    entries.keys.resize((have + wanted) * key_bytes);
    entries.values.resize((have + wanted) * value_bytes_);
    std::uint32_t count = wanted;
    const int status = bpf_map_lookup_batch(
        descriptor(), first ? nullptr : place.data(), place.data(),
        entries.keys.data() + have * key_bytes,
        entries.values.data() + have * value_bytes_, &count, nullptr);
    const int number = status == 0 ? 0 : errno;
    if (number == ENOSPC && wanted < specification_.max_entries) {
      // A single bucket holds more elements than the batch.
      entries.keys.resize(have * key_bytes);
      entries.values.resize(have * value_bytes_);
      wanted = std::min(wanted * 2, specification_.max_entries);
      continue;
    }
    if (number != 0 && number != ENOENT) {
      return map_error("read", name(), number);
    }
    entries.keys.resize((have + count) * key_bytes);
    entries.values.resize((have + count) * value_bytes_);
    first = false;
    more = number == 0;
  }
  if (!is_array(specification_.type)) {
    keep_first_of_each_key(entries);
  }
  return entries;
}

Result<Entries> Map::entries_one_by_one() const {
  Entries entries{.key_bytes = specification_.key_size, .value_bytes = value_bytes_};
  std::vector<std::byte> key(entries.key_bytes);
  const void* previous = nullptr;
  // If an element is removed meanwhile, the kernel begins again; hence the limit: as
  // many steps as the map can have elements.
  for (std::uint32_t i = 0; i < specification_.max_entries; ++i) {
    if (bpf_map_get_next_key(descriptor(), previous, key.data()) != 0) {
      if (errno == ENOENT) {
        break;
      }
      return map_error("walk", name(), errno);
    }
    previous = key.data();
    if (const auto value = KINST_TRY(lookup(key))) {
      entries.keys.insert(entries.keys.end(), key.begin(), key.end());
      entries.values.insert(entries.values.end(), value->begin(), value->end());
    }
  }
  keep_first_of_each_key(entries);
  return entries;
}

}  // namespace kinst::bpf
