// A running program: the files it consists of, where they are loaded, and the symbols
// at its addresses.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "unwind/call_frames.h"
#include "user/mappings.h"
#include "user/object_files.h"

namespace kinst::user {

/// A file as one process has it loaded.
struct LoadedObject {
  std::string path;         ///< as the process's mount namespace names it
  std::string name;         ///< its last part: "libc.so.6"; "[vdso]"
  bool is_program = false;  ///< what was executed, D's "a.out"
  bool is_deleted = false;
  std::string openable;  ///< a path that this process can open
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< behind its last mapping
  /// Where its instructions are mapped; the first, if there are several.
  std::optional<Mapping> text;
};

/// What tells the files of processes apart: device and inode, as /proc has them.
using FileKey = std::pair<std::string, std::uint64_t>;
FileKey key_of(const LoadedObject& object);

/// Where an address of a process is.
struct UserPlace {
  std::string object;
  std::string symbol;  ///< empty where only the object is known
  std::uint64_t offset = 0;
};

/// A snapshot of a process. After the process has ended, what was read before can still
/// be used.
class Process {
 public:
  /// Errors: no such process; no permission; a kernel thread, which has no program.
  /// files: shared by processes, so that each file is read once.
  static Result<Process> open(pid_t process, std::shared_ptr<ObjectFiles> files =
                                                 std::make_shared<ObjectFiles>());

  [[nodiscard]] pid_t id() const { return id_; }
  /// Reads the mappings again. False if the process is gone, or if another process has
  /// its number now; the snapshot then stays as it is.
  bool refresh();
  /// The program first, then in address order.
  [[nodiscard]] const std::vector<LoadedObject>& objects() const { return objects_; }
  /// The program; null if it cannot be told.
  [[nodiscard]] const LoadedObject* program() const;
  /// The objects that a D module field means: "a.out" is the program; a pattern of a
  /// path or of a name; a name without its ending ("libc", "libc.so"); empty is all.
  [[nodiscard]] std::vector<const LoadedObject*> find(std::string_view pattern) const;

  /// An object's symbols, read when first asked for, and kept as long as the process
  /// has the object. Errors: unreadable, not ELF.
  const Result<ObjectFile>& file(const LoadedObject& object);
  /// An object's call frame information, read each time, as it is large. Without bytes
  /// if there is none, if it is larger than anything that is sound, or if the file has
  /// changed since its symbols were read.
  CallFrameSection call_frames(const LoadedObject& object);
  /// What must be added to a file's addresses to get the process's.
  std::optional<std::uint64_t> bias(const LoadedObject& object);

  [[nodiscard]] std::optional<UserPlace> place(std::uint64_t address);
  /// The mappings were read so long ago that it is worth the time to read them again.
  [[nodiscard]] bool is_stale() const;
  /// How much memory this takes without the files, about.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  /// What is known of an object's file. ObjectFiles owns the symbols and may drop them;
  /// `kept` holds them if a caller needs a reference that stays valid.
  struct Known {
    std::optional<FileIdentity> identity;
    std::weak_ptr<const Result<ObjectFile>> copy;  ///< of what has no identity
    SharedObject kept;
  };

  Process(pid_t id, std::shared_ptr<ObjectFiles> files)
      : id_(id), files_(std::move(files)) {}
  [[nodiscard]] const LoadedObject* object_at(std::uint64_t address) const;
  void remember(std::vector<LoadedObject> now);
  Known& known(const LoadedObject& object);
  SharedObject shared(const LoadedObject& object);
  Result<ObjectBytes> open_object(const LoadedObject& object, ObjectPlace& place) const;
  void forget_unmapped();

  pid_t id_;
  std::chrono::steady_clock::time_point refreshed_;
  std::uint64_t start_time_ = 0;  ///< tells it from others of the same number
  std::vector<LoadedObject> objects_;
  /// Earlier lists of objects, of which the next list lacked some; the latest first.
  std::vector<std::vector<LoadedObject>> earlier_;
  /// By path and inode, so that a refresh reads no file twice.
  std::map<std::string, Known> known_;
  std::shared_ptr<ObjectFiles> files_;
};

/// Processes by number. A process is opened when one of its addresses is first looked
/// up. If there are too many, the least recently used ones are forgotten; a forgotten
/// process can be opened again only while it runs.
class Processes {
 public:
  /// About how many processes are kept, and how much memory they may take without their
  /// files.
  struct Limits {
    std::size_t processes = 4096;
    std::size_t bytes = std::size_t{16} << 20U;
  };

  Processes() : Processes(Limits{}) {}
  explicit Processes(const Limits& limits) : limits_(limits) {}

  /// Null if the process could not be opened when it was first looked up. The result is
  /// valid until the next call.
  Process* find(pid_t process);
  /// Finds the object and symbol at an address. If the process still runs, this uses
  /// what is loaded now, give or take a moment: the process may have executed another
  /// program, or loaded another library at the address. An object that is no longer
  /// loaded is found if an earlier snapshot has it.
  std::optional<UserPlace> place(pid_t process, std::uint64_t address);

  /// The files that they share.
  [[nodiscard]] ObjectFiles& files() { return *files_; }
  /// How many are known, for tests.
  [[nodiscard]] std::size_t count() const { return processes_.size(); }

 private:
  struct Entry {
    std::optional<Process> process;
    std::uint64_t last_use = 0;
  };
  void make_room();

  Limits limits_;
  std::shared_ptr<ObjectFiles> files_ = std::make_shared<ObjectFiles>();
  std::map<pid_t, Entry> processes_;
  std::uint64_t uses_ = 0;
};

}  // namespace kinst::user
