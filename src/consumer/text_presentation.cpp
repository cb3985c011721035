#include "consumer/text_presentation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "base/text/printable.h"
#include "consumer/print_type.h"
#include "consumer/printf.h"
#include "consumer/trace_text.h"

namespace kinst::consumer {
namespace {

constexpr std::size_t indent_step = 2;

std::string function_of(const Firing& firing) {
  return firing.probe == nullptr ? "<unknown>" : printable(firing.probe->function);
}

std::string_view name_of(const Firing& firing) {
  return firing.probe == nullptr ? std::string_view()
                                 : std::string_view(firing.probe->name);
}

enum class Flow { Entry, Return, None };

// Whether the name is "entry" or "return", or has it as its last word ("method-entry");
// not if the name merely ends with these letters ("carpentry").
bool is_word_of(std::string_view name, std::string_view word) {
  return name.ends_with(word) &&
         (name.size() == word.size() || name[name.size() - word.size() - 1] == '-');
}

Flow flow_of(std::string_view name) {
  if (is_word_of(name, "entry")) {
    return Flow::Entry;
  }
  return is_word_of(name, "return") ? Flow::Return : Flow::None;
}

// The arrow for an entry or return. System calls have other arrows than functions.
std::string_view arrow(Flow flow, const Firing& firing) {
  const bool is_system_call =
      firing.probe != nullptr &&
      std::holds_alternative<provider::SystemCall>(firing.probe->site);
  switch (flow) {
    case Flow::Entry:
      return is_system_call ? " => " : " -> ";
    case Flow::Return:
      return is_system_call ? " <= " : " <- ";
    case Flow::None:
      break;
  }
  return "| ";
}

}  // namespace

void TextPresentation::append_heading(std::string& out) {
  if (has_heading_) {
    return;
  }
  has_heading_ = true;
  auto end = std::back_inserter(out);
  if (options_.flow_indent) {
    if (!options_.hides_cpu_and_id) {
      fmt::format_to(end, "{:>3} ", "CPU");
    }
    fmt::format_to(end, "{:<41}\n", "FUNCTION");
  } else if (!options_.quiet) {
    if (!options_.hides_cpu_and_id) {
      fmt::format_to(end, "{:>3} {:>6} ", "CPU", "ID");
    }
    fmt::format_to(end, "{:>32}\n", "FUNCTION:NAME");
  }
}

void TextPresentation::append_row(std::string& out, const Firing& firing) const {
  auto end = std::back_inserter(out);
  if (!options_.hides_cpu_and_id) {
    fmt::format_to(end, "{:>3} {:>6} ", firing.cpu,
                   firing.probe == nullptr ? 0 : firing.probe->id);
  }
  fmt::format_to(end, "{:>32} ",
                 fmt::format("{}:{}", function_of(firing), printable(name_of(firing))));
}

void TextPresentation::append_flow(std::string& out, const Firing& firing) {
  FlowState& state = flows_[firing.thread];
  Flow flow = flow_of(name_of(firing));
  // A further clause at the same entry does not indent again.
  if (flow == Flow::Entry && firing.key == state.last_key &&
      firing.clause != state.last_clause) {
    flow = Flow::None;
  }
  if (flow == Flow::Return) {
    state.depth -= std::min(state.depth, indent_step);
  }
  std::string text(state.depth, ' ');
  text += arrow(flow, firing);
  text += function_of(firing);
  if (flow == Flow::None) {
    text += fmt::format(":{}", printable(name_of(firing)));
  }
  auto end = std::back_inserter(out);
  if (!options_.hides_cpu_and_id) {
    fmt::format_to(end, "{:>3} ", firing.cpu);
  }
  fmt::format_to(end, "{:<41} ", text);
  if (flow == Flow::Entry) {
    state.depth += indent_step;
  }
  state.last_key = firing.key;
  state.last_clause = firing.clause;
}

void TextPresentation::begin(std::string& out, const Firing& firing) {
  append_heading(out);
  if (options_.flow_indent) {
    append_flow(out, firing);
  } else if (!options_.quiet) {
    append_row(out, firing);
  }
}

void TextPresentation::trace(std::string& out, const record::Value& value) {
  const bool is_plain = value.meaning == record::Meaning::Value;
  if (options_.raw_bytes && is_plain) {
    append_dump(out, value.bytes);
  } else {
    std::string text;
    append_traced(text, naming(), value,
                  options_.quiet ? Columns::Bare : Columns::Aligned);
    append_safe(out, std::move(text));
  }
}

// Appends text that was not made by the program's format string, so that control
// characters in it can be escaped.
void TextPresentation::append_safe(std::string& out, std::string text) const {
  out += options_.escapes_controls ? printable(text, KeptControls::Lines)
                                   : std::move(text);
}

void TextPresentation::tracemem(std::string& out, std::span<const std::byte> bytes) {
  append_dump(out, bytes);
}

void TextPresentation::print(std::string& out, std::span<const record::Value> values) {
  std::optional<std::uint64_t> address;
  if (values.size() > 1) {
    if (const auto* integer = std::get_if<record::Integer>(&values.front().data)) {
      address = integer->value;
    }
  }
  const record::Value& value = values.back();
  const auto shown = std::min<std::uint64_t>(value.bytes.size(), options_.print_bytes);
  std::string text;
  append_printed(text, table_, value.type, value.bytes.first(shown), address);
  append_safe(out, std::move(text));
}

void TextPresentation::printf(std::string& out, const Formatted& formatted) {
  append_format(out, naming(), *formatted.format, formatted.values);
}

void TextPresentation::printa(std::string& out, Aggregations& aggregations,
                              const Printa& request) {
  std::string text;
  append_printa(text, naming(), aggregations, request, options_.sort);
  if (request.format == nullptr) {
    append_safe(out, std::move(text));
  } else {
    out += text;
  }
}

void TextPresentation::exit(std::string& /*out*/, std::int32_t /*status*/) {}

void TextPresentation::end(std::string& out) {
  if (!options_.quiet) {
    out += '\n';
  }
}

void TextPresentation::finish(std::string& out, const Aggregations& aggregations) {
  out += '\n';
  std::string text;
  append_unprinted(text, naming(), aggregations, options_.sort);
  append_safe(out, std::move(text));
}

std::string TextPresentation::error(std::string& /*out*/,
                                    const kinst_error_record& error) {
  return error_message(names_, error);
}

std::string TextPresentation::drop(std::string& /*out*/, const Drop& drop) {
  return drop_text(drop, options_.drop_tags);
}

std::string TextPresentation::fault(std::string& /*out*/, std::string_view message) {
  return std::string(message);
}

}  // namespace kinst::consumer
