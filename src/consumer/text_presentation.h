// Shows records as DTrace prints them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "consumer/naming.h"
#include "consumer/presentation.h"
#include "types/type.h"

namespace kinst::consumer {

class TextPresentation : public Presentation {
 public:
  /// The arguments must outlive it. The options are read anew for each record.
  TextPresentation(Symbolizer& names, const types::TypeTable& table,
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
  [[nodiscard]] Naming naming() const {
    return {names_, options_.stack_indent, options_.drawing, options_.escapes_controls};
  }
  void append_safe(std::string& out, std::string text) const;
  void append_heading(std::string& out);
  void append_row(std::string& out, const Firing& firing) const;
  void append_flow(std::string& out, const Firing& firing);

  Symbolizer& names_;
  const types::TypeTable& table_;
  const OutputOptions& options_;
  bool has_heading_ = false;
  // For the option flowindent: the depth of a thread, and the last clause that it ran.
  struct FlowState {
    std::size_t depth = 0;
    std::uint64_t last_key = 0;
    std::uint32_t last_clause = 0;
  };
  std::unordered_map<std::uint32_t, FlowState> flows_;
};

}  // namespace kinst::consumer
