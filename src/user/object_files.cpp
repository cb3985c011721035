#include "user/object_files.h"

#include <algorithm>
#include <utility>

#include "base/system/stop_signals.h"

namespace kinst::user {
namespace {

// What the object's symbols take in memory; the rest is small.
std::size_t size_of(const Result<ObjectFile>& object) {
  constexpr std::size_t everything_else = 4096;
  return everything_else + (object ? object->symbols.memory_bytes() : 0);
}

}  // namespace

SharedObject ObjectFiles::find(const FileIdentity& identity) {
  const auto found = held_.find(identity);
  if (found == held_.end()) {
    return nullptr;
  }
  found->second.last_use = ++uses_;
  return found->second.object;
}

SharedObject ObjectFiles::get(const ObjectBytes& bytes, const ObjectPlace& place) {
  if (const std::vector<std::byte>* copy = bytes.copy()) {
    if (const auto known = copies_.find(*copy); known != copies_.end()) {
      return known->second;
    }
    if (copies_.size() == most_copies) {
      copies_.clear();
    }
    return copies_.emplace(*copy, read(bytes, place)).first->second;
  }
  const FileIdentity identity = *bytes.identity();
  if (SharedObject known = find(identity)) {
    return known;
  }
  if (has_no_time()) {
    return std::make_shared<const Result<ObjectFile>>(
        error("{} was not read, as kinst is ending", bytes.name()));
  }
  SharedObject object = read(bytes, place);
  const std::size_t size_bytes = size_of(*object);
  held_bytes_ += size_bytes;
  held_.emplace(identity,
                Held{.object = object, .size_bytes = size_bytes, .last_use = ++uses_});
  make_room();
  return object;
}

SharedObject ObjectFiles::read(const ObjectBytes& bytes, const ObjectPlace& place) {
  const auto begin = std::chrono::steady_clock::now();
  auto object = std::make_shared<const Result<ObjectFile>>(read_object(bytes, place));
  if (is_ending()) {
    time_left_ -= std::chrono::steady_clock::now() - begin;
  }
  return object;
}

// Never drops the newest object, even if that object alone exceeds the limit.
void ObjectFiles::make_room() {
  while (held_bytes_ > most_bytes_ && held_.size() > 1) {
    const auto oldest = std::ranges::min_element(
        held_, {}, [](const auto& held) { return held.second.last_use; });
    held_bytes_ -= oldest->second.size_bytes;
    held_.erase(oldest);
  }
}

bool ObjectFiles::has_no_time() const {
  return time_left_ <= std::chrono::milliseconds(0) && is_ending();
}

}  // namespace kinst::user
