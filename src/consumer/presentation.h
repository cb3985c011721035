// Presentation: the form in which records are shown, as text in DTrace's columns or as
// JSON lines. The consumer decides what is shown.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "consumer/aggregation_text.h"
#include "consumer/messages.h"
#include "consumer/output_options.h"
#include "consumer/values/aggregations.h"
#include "consumer/values/symbolizer.h"
#include "record/decode.h"
#include "record/format.h"

namespace kinst::consumer {

/// The execution of a clause that made a record.
struct Firing {
  const provider::Probe* probe = nullptr;  ///< null if no probe has the key
  std::uint64_t key = 0;
  std::uint32_t clause = 0;
  std::uint32_t cpu = 0;
  std::uint32_t thread = 0;
};

/// An action's values, and its format; null if it has none.
struct Formatted {
  const record::Format* format = nullptr;
  std::span<const record::Value> values;
};

class Presentation {
 public:
  Presentation() = default;
  Presentation(const Presentation&) = delete;
  Presentation& operator=(const Presentation&) = delete;
  Presentation(Presentation&&) = delete;
  Presentation& operator=(Presentation&&) = delete;
  virtual ~Presentation() = default;

  // All of these append to `out`. A record's actions come between begin() and end(),
  // which is called whatever becomes of them; `out` is the same string from one to the
  // other.

  virtual void begin(std::string& out, const Firing& firing) = 0;
  virtual void trace(std::string& out, const record::Value& value) = 0;
  /// bytes: only the valid ones.
  virtual void tracemem(std::string& out, std::span<const std::byte> bytes) = 0;
  /// values: the value; or the address that it was read from, and the value.
  virtual void print(std::string& out, std::span<const record::Value> values) = 0;
  virtual void printf(std::string& out, const Formatted& formatted) = 0;
  virtual void printa(std::string& out, Aggregations& aggregations,
                      const Printa& request) = 0;
  /// The action exit().
  virtual void exit(std::string& out, std::int32_t status) = 0;
  virtual void end(std::string& out) = 0;

  /// Called when the run is over: shows the aggregations that were not printed.
  virtual void finish(std::string& out, const Aggregations& aggregations) = 0;

  // These return a line for standard error, without the command's name and without a
  // newline; empty if the message was appended to `out`.
  virtual std::string error(std::string& out, const kinst_error_record& error) = 0;
  virtual std::string drop(std::string& out, const Drop& drop) = 0;
  /// A message about an action that failed.
  virtual std::string fault(std::string& out, std::string_view message) = 0;
};

}  // namespace kinst::consumer
