// Programs and libraries that many processes have loaded, each read once.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/regular_file.h"
#include "base/result.h"
#include "user/object_file.h"

namespace kinst::user {

/// An object as read, or why it cannot be read.
using SharedObject = std::shared_ptr<const Result<ObjectFile>>;

/// Holds what was read of files, by what tells files apart, as long as there is room:
/// what was not asked for the longest makes room for others. Whoever holds a
/// SharedObject keeps it beyond that.
class ObjectFiles {
 public:
  /// most_bytes: room for all, about, as a share of what the objects' symbols take.
  explicit ObjectFiles(std::size_t most_bytes = std::size_t{256} << 20U)
      : most_bytes_(most_bytes) {}

  /// What is held of that file; null if nothing is.
  SharedObject find(const FileIdentity& identity);
  /// The same, read if it is not held; a copy of memory is held among the last few.
  SharedObject get(const ObjectBytes& bytes, const ObjectPlace& place);

  /// How long reading may take, all in all, once the process is ending (is_ending()):
  /// then objects that are not held stay unread. One may still be read to its end.
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
