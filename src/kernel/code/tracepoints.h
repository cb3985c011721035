// The kernel's static tracepoints, as tracefs lists and describes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst::kernel {

struct TracepointName {
  std::string system;  ///< "sched"
  std::string name;    ///< "sched_switch"

  bool operator==(const TracepointName&) const = default;
};

/// How a field's bytes in the record give its value.
enum class FieldForm : std::uint8_t {
  Integer,  ///< or a pointer
  Bytes,    ///< an array or a struct, in the record itself
  /// A u32 in the record: offset (low half) and length (high half) of the bytes
  DynamicFromStart,  ///< __data_loc: from the record's first byte
  DynamicFromHere,   ///< __rel_loc: from behind the u32
};

/// A field of a tracepoint's record, after those that all have ("common_…").
struct TracepointField {
  std::string name;
  /// Its C type without the name: "unsigned int", "char *", "char [16]"; of dynamic
  /// fields that of what they point to, "char []".
  std::string type;
  std::uint32_t offset = 0;  ///< bytes from the record's first
  std::uint32_t size_bytes = 0;
  bool is_signed = false;
  FieldForm form = FieldForm::Integer;

  bool operator==(const TracepointField&) const = default;
};

struct TracepointFormat {
  std::uint64_t id = 0;  ///< what perf_event_open takes
  std::vector<TracepointField> fields;

  bool operator==(const TracepointFormat&) const = default;
};

/// Every tracepoint with events, as available_events has them: system calls
/// ("syscalls:sys_enter_read") among them, other programs' probes too.
/// Errors: no tracefs, no permission.
Result<std::vector<TracepointName>> list_tracepoints();

/// Errors: no such tracepoint, no permission, a text not of the known form.
Result<TracepointFormat> read_tracepoint_format(const TracepointName& tracepoint);

/// From the text of events/SYSTEM/NAME/format.
/// Source of the form: kernel/trace/trace_events.c, f_show.
Result<TracepointFormat> parse_tracepoint_format(std::string_view text);

}  // namespace kinst::kernel
