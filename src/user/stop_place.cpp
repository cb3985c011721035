// glibc's and musl's dynamic linkers call _dl_debug_state, an empty function for
// debuggers, whenever the list of libraries has changed; a number in _r_debug says
// whether it is complete (<link.h>).
#include "user/stop_place.h"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kinst::user {
namespace {

std::optional<std::uint64_t> address_of(Process& process, const LoadedObject& object,
                                        std::string_view symbol) {
  const auto& file = process.file(object);
  const auto bias = process.bias(object);
  if (!file || !bias) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(file->symbols.all(), symbol, &ElfSymbol::name);
  if (found == file->symbols.all().end()) {
    return std::nullopt;
  }
  return found->address + *bias;
}

std::optional<StopPlace> behind_loading(Process& process) {
  for (const LoadedObject& object : process.objects()) {
    const auto change = address_of(process, object, "_dl_debug_state");
    const auto list = address_of(process, object, "_r_debug");
    if (!object.is_program && change && list) {
      return StopPlace{.address = *change,
                       .zero_when_reached = *list + offsetof(r_debug, r_state)};
    }
  }
  return std::nullopt;
}

static_assert(r_debug::RT_CONSISTENT == 0);

}  // namespace

Result<StopPlace> stop_place(Process& process, EvaluationTime when) {
  const LoadedObject* program = process.program();
  if (program == nullptr) {
    return error("cannot tell which file process {} runs", process.id());
  }
  const auto& file = process.file(*program);
  const auto bias = process.bias(*program);
  if (!file) {
    return tl::unexpected(file.error());
  }
  if (!bias) {
    return error("cannot tell where {} is loaded", program->path);
  }
  const StopPlace entry{.address = file->elf.entry + *bias, .zero_when_reached = {}};
  if (when == EvaluationTime::Preinit) {
    return behind_loading(process).value_or(entry);
  }
  const auto main = address_of(process, *program, "main");
  return main ? StopPlace{.address = *main, .zero_when_reached = {}} : entry;
}

}  // namespace kinst::user
