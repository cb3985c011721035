// Shows records as JSON lines: each record, aggregation, drop and error is an object on
// a line of its own. docs/output.schema.json describes the objects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text/json_writer.h"
#include "consumer/presentation.h"
#include "types/type.h"

namespace kinst::consumer {

class JsonPresentation : public Presentation {
 public:
  /// The arguments must outlive it. The options are read anew for each record.
  JsonPresentation(Symbolizer& names, const types::TypeTable& table,
                   const OutputOptions& options)
      : names_(names), table_(table), options_(options) {}

  void begin(std::string& out, const Firing& firing) override;
  void trace(std::string& out, const record::Value& value) override;
  void tracemem(std::string& out, std::span<const std::byte> bytes) override;
  void print(std::string& out, std::span<const record::Value> values) override;
  void printf(std::string& out, const Formatted& formatted) override;
  void printa(std::string& out, Aggregations& aggregations,
              const Printa& request) override;
  void exit(std::string& out, std::int32_t status) override;
  void end(std::string& out) override;
  void finish(std::string& out, const Aggregations& aggregations) override;
  std::string error(std::string& out, const kinst_error_record& error) override;
  std::string drop(std::string& out, const Drop& drop) override;
  std::string fault(std::string& out, std::string_view message) override;

 private:
  /// Begins an action's object in the record.
  JsonWriter& begin_action(std::string_view name);
  void write_aggregation(JsonWriter& json, const Aggregations& aggregations,
                         std::uint32_t number) const;
  void write_values(JsonWriter& json, std::span<const record::Value> values) const;
  /// Appends a line; while a record is being written, appends it after that record.
  template <typename WriteMembers>
  void add_line(std::string& out, std::string_view type, WriteMembers write_members);

  Symbolizer& names_;
  const types::TypeTable& table_;
  const OutputOptions& options_;
  std::optional<JsonWriter> record_;  // from begin() to end()
  std::string lines_after_record_;
};

}  // namespace kinst::consumer
