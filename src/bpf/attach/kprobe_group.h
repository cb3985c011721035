// The names of this process's kprobes in tracefs, and their removal after the process
// has died: none may stay behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/system/tracefs.h"

namespace kinst::bpf {

/// The process that made a group of events. Identifies it well enough to know whether
/// it still lives: process numbers are reused, and differ between containers.
struct GroupOwner {
  std::uint64_t pid_namespace = 0;  ///< inode number
  std::uint64_t process = 0;
  std::uint64_t start_time = 0;  ///< field 22 of /proc/PID/stat, clock ticks

  bool operator==(const GroupOwner&) const = default;
};

/// This process as an owner. Errors: /proc cannot be read.
Result<GroupOwner> this_process();

/// "kinst_NAMESPACE_PROCESS_STARTTIME", and back; nothing if it is no such name.
std::string group_name(const GroupOwner& owner);
std::optional<GroupOwner> parse_group_name(std::string_view name);

/// Removes the event "GROUP/NAME" and its probes. commands: kprobe_events, open for
/// appending. 0, or errno of what went wrong: EBUSY for an event in use.
int remove_event(int commands, const std::string& path);

/// Removes all events of a group, whose probes then are gone. Events in use stay.
/// Errors: the first event that could not be removed.
Result<void> remove_group(const Tracefs& tracefs, const std::string& group);

/// Removes the groups whose owners died. Those of other containers' processes cannot be
/// judged and stay. Best effort: a group that cannot be removed does no harm.
void remove_abandoned_groups(const Tracefs& tracefs);

}  // namespace kinst::bpf
