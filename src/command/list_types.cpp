#include "command/list_types.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/system/standard_streams.h"
#include "base/text/glob.h"
#include "base/text/near_names.h"
#include "compile/kernel_environment.h"
#include "d/check/check.h"
#include "d/check/environment.h"
#include "types/type_definition.h"

namespace kinst::command {
namespace {

struct Keyword {
  std::string_view word;  ///< with the blank behind it
  d::TypeNameKind kind{};
};
constexpr std::array keywords = {Keyword{"struct ", d::TypeNameKind::Struct},
                                 Keyword{"union ", d::TypeNameKind::Union},
                                 Keyword{"enum ", d::TypeNameKind::Enum}};

// A tag that nobody declares names a type to C, of which nothing can be said.
bool is_known(const types::TypeTable& table, types::TypeId type) {
  const auto* record = std::get_if<types::Record>(&table.get(type));
  const auto* named = std::get_if<types::Enum>(&table.get(type));
  return (record == nullptr || record->is_complete) &&
         (named == nullptr || !named->enumerators.empty());
}

std::optional<types::TypeId> find(const std::string& spelling,
                                  d::Environment& environment,
                                  types::TypeTable& types) {
  const auto type = d::find_type(spelling, environment, types);
  return type && is_known(types, *type) ? type : std::nullopt;
}

// "file" alone is how people speak of struct file.
std::string with_keyword(const std::string& word, d::Environment& environment,
                         types::TypeTable& types) {
  for (const Keyword& keyword : keywords) {
    std::string spelling = std::string(keyword.word) + word;
    if (find(spelling, environment, types)) {
      return spelling;
    }
  }
  return {};
}

std::string near_types(std::string_view spelling, d::Environment& environment) {
  for (const Keyword& keyword : keywords) {
    if (!spelling.starts_with(keyword.word)) {
      continue;
    }
    NearNames near(spelling.substr(keyword.word.size()));
    environment.offer_types(keyword.kind, near);
    return near.names().empty() ? ""
                                : fmt::format("did you mean '{}{}'?", keyword.word,
                                              near.names().front());
  }
  NearNames near(spelling);
  environment.offer_types(d::TypeNameKind::Typedef, near);
  return near.question();
}

// Why it is no type, and what works instead.
Error refusal(const std::string& spelling, d::Environment& environment,
              types::TypeTable& types) {
  if (spelling.find(':') != std::string::npos || is_glob(spelling)) {
    return Error{
        fmt::format("-l takes a probe description behind -n: -l -n '{}'", spelling)};
  }
  const std::string meant = with_keyword(spelling, environment, types);
  const std::string why = environment.why_no_types();
  std::string cure = !meant.empty() ? fmt::format("did you mean '{}'?", meant)
                     : !why.empty() ? why
                                    : near_types(spelling, environment);
  if (cure.empty()) {
    cure = "-l alone lists the probes, -l -f FUNCTION those of a function";
  }
  return Error{fmt::format("there is no type '{}' to show; {}", spelling, cure)};
}

}  // namespace

Result<int> list_types(const CommandLine& line, compile::KernelCode& code) {
  compile::System system(code);
  compile::KernelEnvironment environment(system.types, system.kernel_types,
                                         code.symbols, code.isa);
  std::string out;
  for (const std::string& spelling : line.arguments) {
    const auto type = find(spelling, environment, system.types);
    if (!type) {
      return tl::unexpected(refusal(spelling, environment, system.types));
    }
    out += types::definition_of(system.types, *type);
  }
  KINST_CHECK(write_output(out));
  return 0;
}

}  // namespace kinst::command
