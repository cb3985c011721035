// Reads BTF (Documentation/bpf/btf.rst of the kernel): a header, types of varying
// length one after the other, and their names. A walk over all types finds where each
// begins; names are indexed only when one is asked for.
#include "types/btf_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <functional>

#include "base/system/file_descriptor.h"

namespace kinst::types {
namespace {

bool is_function(const btf_type& type) {
  return kind_of(type) == BTF_KIND_FUNC;
}

bool is_named_type(const btf_type& type) {
  switch (kind_of(type)) {
    case BTF_KIND_INT:
    case BTF_KIND_FLOAT:
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
      return type.name_off != 0;
    default:
      return false;
  }
}

struct Contents {
  std::shared_ptr<const std::byte> owner;
  std::size_t size_bytes = 0;
};

// Kernels from 6.15 let BTF be mapped, which spares copying some 5 MB.
std::shared_ptr<const std::byte> map(const FileDescriptor& file,
                                     std::size_t size_bytes) {
  void* start = ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (start == MAP_FAILED) {
    return nullptr;
  }
  return {static_cast<const std::byte*>(start),
          [start, size_bytes](const std::byte*) { ::munmap(start, size_bytes); }};
}

Result<Contents> read_all(const FileDescriptor& file, std::size_t size_bytes) {
  // Not a vector, which would write 5 MB of zeros first: half of the time of a start.
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): the only form without initialisation.
  const auto bytes = std::make_shared_for_overwrite<std::byte[]>(size_bytes);
  std::size_t done = 0;
  while (done < size_bytes) {
    const ssize_t count = ::read(file.get(), bytes.get() + done, size_bytes - done);
    if (count < 0 && errno != EINTR) {
      return system_error("read", errno);
    }
    if (count == 0) {
      break;
    }
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return Contents{{bytes, bytes.get()}, done};
}

Result<Contents> contents_of(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    return system_error("read " + path, errno);
  }
  const auto size_bytes = static_cast<std::size_t>(status.st_size);
  if (auto mapping = map(file, size_bytes)) {
    return Contents{std::move(mapping), size_bytes};
  }
  return read_all(file, size_bytes);
}

}  // namespace

BtfNameIndex::BtfNameIndex(std::vector<Entry> entries)
    : entries_(std::move(entries)), slots_(std::bit_ceil(2 * entries_.size() + 1), 0) {
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t place = 0; place < entries_.size(); ++place) {
    std::size_t slot = std::hash<std::string_view>{}(entries_[place].name) & mask;
    while (slots_[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots_[slot] = place + 1;
  }
}

std::vector<BtfNameIndex::Entry> BtfNameIndex::find(std::string_view name) const {
  std::vector<Entry> found;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = std::hash<std::string_view>{}(name)&mask; slots_[slot] != 0;
       slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.name == name) {
      found.push_back(entry);
    }
  }
  return found;
}

Result<std::unique_ptr<BtfFile>> BtfFile::open(const std::string& path,
                                               const BtfFile* base) {
  Contents contents = KINST_TRY(contents_of(path));
  auto file = KINST_TRY(parse({contents.owner.get(), contents.size_bytes}, base, path));
  file->owner_ = std::move(contents.owner);
  return file;
}

Result<std::unique_ptr<BtfFile>> BtfFile::parse(std::span<const std::byte> bytes,
                                                const BtfFile* base,
                                                std::string_view name) {
  std::unique_ptr<BtfFile> file(new BtfFile(base));
  file->bytes_ = bytes;
  KINST_CHECK(file->read_header(name));
  KINST_CHECK(file->measure_types(name));
  return file;
}

Result<void> BtfFile::read_header(std::string_view name) {
  btf_header header{};
  if (bytes_.size() < sizeof(header)) {
    return error("{} is too short to be BTF", name);
  }
  std::memcpy(&header, bytes_.data(), sizeof(header));
  const auto sections = btf_sections(header);
  if (!sections) {
    return error("{} is not BTF of this machine", name);
  }
  if (sections->types_end > bytes_.size() || sections->types % 4 != 0 ||
      sections->strings_end > bytes_.size()) {
    return error("{}: its sections do not lie within it", name);
  }
  types_ = bytes_.subspan(sections->types, header.type_len);
  strings_ = {reinterpret_cast<const char*>(bytes_.data()) + sections->strings,
              header.str_len};
  if (!strings_.empty() && strings_.back() != '\0') {
    return error("{}: its last string has no end", name);
  }
  if (base_ != nullptr) {
    first_id_ = base_->first_id_ + static_cast<std::uint32_t>(base_->offsets_.size());
    first_string_ =
        base_->first_string_ + static_cast<std::uint32_t>(base_->strings_.size());
  }
  return {};
}

Result<void> BtfFile::measure_types(std::string_view name) {
  constexpr std::size_t typical_bytes_a_type = 20;
  offsets_.reserve(types_.size() / typical_bytes_a_type);
  std::size_t offset = 0;
  while (offset < types_.size()) {
    if (types_.size() - offset < sizeof(btf_type)) {
      return error("{}: its last type is cut off", name);
    }
    const auto start = static_cast<std::uint32_t>(offset);
    const auto trailing = trailing_bytes(at(start));
    if (!trailing) {
      return error("{}: type {} is of kind {}, which is not known", name,
                   first_id_ + offsets_.size(), kind_of(at(start)));
    }
    offset += sizeof(btf_type) + *trailing;
    if (offset > types_.size()) {
      return error("{}: its last type is cut off", name);
    }
    offsets_.push_back(start);
  }
  return {};
}

const btf_type& BtfFile::at(std::uint32_t offset) const {
  // Aligned: the section begins at a multiple of 4, and so do all its entries.
  return *reinterpret_cast<const btf_type*>(types_.data() + offset);
}

bool BtfFile::is_own(BtfId id) const {
  const auto number = static_cast<std::uint32_t>(id);
  return number >= first_id_ && number - first_id_ < offsets_.size();
}

const btf_type* BtfFile::type(BtfId id) const {
  if (is_own(id)) {
    return &at(offsets_[static_cast<std::uint32_t>(id) - first_id_]);
  }
  return base_ == nullptr ? nullptr : base_->type(id);
}

std::string_view BtfFile::name_of(const btf_type& type) const {
  return string(type.name_off);
}

std::string_view BtfFile::string(std::uint32_t offset) const {
  if (offset < first_string_) {
    return base_->string(offset);
  }
  offset -= first_string_;
  // Up to the zero byte, which parse() has seen at the end of the section.
  return offset < strings_.size() ? std::string_view(strings_.data() + offset)
                                  : std::string_view();
}

template <typename Wanted>
std::vector<BtfNameIndex::Entry> BtfFile::named_types(Wanted wanted) const {
  std::vector<BtfNameIndex::Entry> entries;
  for (std::uint32_t place = 0; place < offsets_.size(); ++place) {
    const btf_type& type = at(offsets_[place]);
    if (wanted(type)) {
      entries.push_back({.name = name_of(type), .id = BtfId{first_id_ + place}});
    }
  }
  return entries;
}

std::vector<BtfId> BtfFile::find_types(std::string_view name) {
  if (!type_index_) {
    type_index_.emplace(named_types(is_named_type));
  }
  std::vector<BtfId> ids;
  for (const BtfNameIndex::Entry& entry : type_index_->find(name)) {
    ids.push_back(entry.id);
  }
  return ids;
}

void BtfFile::for_each_named_type(
    const std::function<void(std::string_view, const btf_type&)>& visit) const {
  for (const BtfNameIndex::Entry& entry : named_types(is_named_type)) {
    visit(entry.name, *type(entry.id));
  }
}

std::optional<BtfId> BtfFile::find_function(std::string_view name) {
  if (!function_index_) {
    function_index_.emplace(named_types(is_function));
  }
  const auto found = function_index_->find(name);
  return found.empty() ? std::nullopt : std::optional(found.front().id);
}

std::vector<std::string_view> BtfFile::function_names() const {
  std::vector<std::string_view> names;
  for (const BtfNameIndex::Entry& function : named_types(is_function)) {
    names.push_back(function.name);
  }
  return names;
}

std::optional<BtfId> BtfFile::find_variable(std::string_view name) {
  if (!variable_index_) {
    variable_index_.emplace(named_types(
        [](const btf_type& type) { return kind_of(type) == BTF_KIND_VAR; }));
  }
  const auto found = variable_index_->find(name);
  return found.empty() ? std::nullopt : std::optional(found.front().id);
}

std::vector<BtfNameIndex::Entry> BtfFile::enumerators() const {
  std::vector<BtfNameIndex::Entry> all;
  const auto add = [&](BtfId id, const auto& entries) {
    std::uint32_t position = 0;
    for (const auto& entry : entries) {
      all.push_back({.name = string(entry.name_off), .id = id, .position = position++});
    }
  };
  for (std::uint32_t place = 0; place < offsets_.size(); ++place) {
    const btf_type& type = at(offsets_[place]);
    const BtfId id{first_id_ + place};
    if (kind_of(type) == BTF_KIND_ENUM) {
      add(id, entries<btf_enum>(type));
    } else if (kind_of(type) == BTF_KIND_ENUM64) {
      add(id, entries<btf_enum64>(type));
    }
  }
  return all;
}

std::optional<BtfNameIndex::Entry> BtfFile::find_enumerator(std::string_view name) {
  if (!enumerator_index_) {
    enumerator_index_.emplace(enumerators());
  }
  const auto found = enumerator_index_->find(name);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::string_view BtfFile::section_of(BtfId variable) const {
  for (const std::uint32_t offset : offsets_) {
    const btf_type& type = at(offset);
    if (kind_of(type) == BTF_KIND_DATASEC &&
        std::ranges::any_of(entries<btf_var_secinfo>(type), [&](const auto& place) {
          return BtfId{place.type} == variable;
        })) {
      return name_of(type);
    }
  }
  return {};
}

}  // namespace kinst::types
