// Programs and libraries that many processes have loaded, each read once.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/system/regular_file.h"
#include "user/object_file.h"

namespace kinst::user {

/// An object as read, or why it cannot be read.
using SharedObject = std::shared_ptr<const Result<ObjectFile>>;

/// A cache of objects by file identity. If it is full, the least recently used objects
/// are dropped. A SharedObject that a caller holds stays valid.
class ObjectFiles {
 public:
  /// most_bytes: about how much memory the symbols of all objects together may take.
  explicit ObjectFiles(std::size_t most_bytes = std::size_t{256} << 20U)
      : most_bytes_(most_bytes) {}

  /// The object in the cache for that file; null if there is none.
  SharedObject find(const FileIdentity& identity);
  /// As find(), but reads the object if it is not in the cache. A few copies of memory
  /// are cached as well.
  SharedObject get(const ObjectBytes& bytes, const ObjectPlace& place);

  /// Limits how long reading may take in total once the process is ending
  /// (is_ending()). After that time, objects that are not in the cache are not read. An
  /// object whose reading has begun is read to its end.
  void limit_reading(std::chrono::milliseconds while_ending) {
    time_left_ = while_ending;
  }
  /// Whether that time is over.
  [[nodiscard]] bool has_no_time() const;

  /// How many objects are held, for tests.
  [[nodiscard]] std::size_t count() const { return held_.size(); }

 private:
  struct Held {
    SharedObject object;
    std::size_t size_bytes = 0;
    std::uint64_t last_use = 0;
  };
  void make_room();

  static constexpr std::size_t most_copies = 8;

  SharedObject read(const ObjectBytes& bytes, const ObjectPlace& place);

  std::size_t most_bytes_;
  std::size_t held_bytes_ = 0;
  std::uint64_t uses_ = 0;
  std::map<FileIdentity, Held> held_;
  /// Copies of memory, by their bytes: nearly all processes have the same vDSO.
  std::map<std::vector<std::byte>, SharedObject> copies_;
  std::chrono::steady_clock::duration time_left_ = std::chrono::seconds(1);
};

}  // namespace kinst::user
