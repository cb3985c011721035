// Files for -s, words for the rest.
#include "command/program_texts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/system/read_file.h"
#include "command/preprocess.h"

namespace kinst::command {
namespace {

// No script of people, nor of a generator, comes near it; devices and pipes do.
constexpr std::size_t most_script_bytes = std::size_t{64} << 20U;

Result<compile::ProgramText> read_text(const ProgramArgument& argument) {
  if (!argument.is_file) {
    return compile::ProgramText{.source = {.name = "probe description",
                                           .text = argument.text,
                                           .line_markers = {}},
                                .kind = d::TextKind::CommandLine,
                                .last_field = argument.last_field};
  }
  const std::string path = argument.text == "-" ? "/dev/stdin" : argument.text;
  auto text = read_file(path, most_script_bytes);
  if (!text) {
    return tl::unexpected(in_context("failed to open D script", text.error()));
  }
  return compile::ProgramText{.source = {.name = "script " + argument.text,
                                         .text = *std::move(text),
                                         .line_markers = {}},
                              .kind = d::TextKind::Script};
}

}  // namespace

Result<std::vector<compile::ProgramText>> read_texts(const CommandLine& line) {
  std::vector<compile::ProgramText> texts;
  for (const ProgramArgument& argument : line.programs) {
    texts.push_back(KINST_TRY(read_text(argument)));
    texts.back().prefers_descriptions = line.settings.prefers_descriptions;
  }
  return texts;
}

Result<std::vector<compile::ProgramText>> prepared_texts(const CommandLine& line,
                                                         std::string_view release) {
  std::vector<compile::ProgramText> texts = KINST_TRY(read_texts(line));
  if (line.settings.runs_preprocessor) {
    for (compile::ProgramText& text : texts) {
      text.source.text = KINST_TRY(preprocess(text.source.text, text.source.name,
                                              line.settings.preprocessing, release));
    }
  }
  return texts;
}

std::vector<Source> sources_of(const std::vector<compile::ProgramText>& programs,
                               const compile::Libraries& libraries) {
  std::vector<Source> sources;
  sources.reserve(programs.size() + libraries.sources().size());
  for (const compile::ProgramText& text : programs) {
    sources.push_back(text.source);
  }
  sources.insert(sources.end(), libraries.sources().begin(), libraries.sources().end());
  return sources;
}

namespace {

// Before the predicate, the actions or a ';', none of which may be within quotes.
std::size_t end_of_description(std::string_view text) {
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted &&
               std::string_view("{;/").find(text[at]) != std::string_view::npos) {
      return at;
    }
  }
  return text.size();
}

}  // namespace

std::string spoken_name(const ProgramArgument& argument) {
  if (argument.is_file) {
    return fmt::format("script '{}'", argument.text);
  }
  std::string text = argument.text.substr(0, end_of_description(argument.text));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) {
    text.pop_back();
  }
  return fmt::format("description '{}'", text);
}

}  // namespace kinst::command
