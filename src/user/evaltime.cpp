// glibc's and musl's dynamic linkers call _dl_debug_state, an empty function for
// debuggers, whenever the list of libraries has changed; a number in _r_debug says
// whether it is complete (<link.h>).
#include "user/evaltime.h"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

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

// The dynamic linker, the address that it passes after each change, and the address of
// the state that says whether the change is complete.
struct Linker {
  const LoadedObject* object = nullptr;
  std::uint64_t change = 0;
  std::uint64_t state = 0;
};

std::optional<Linker> find_linker(Process& process) {
  std::vector<const LoadedObject*> objects = process.find("");
  // By its usual name first, so that the symbols of others need not be read.
  // clang 14 does not take std::ranges::stable_partition.
  std::stable_partition(objects.begin(), objects.end(), [](const LoadedObject* object) {
    return object->name.starts_with("ld");
  });
  for (const LoadedObject* object : objects) {
    const auto change = address_of(process, *object, "_dl_debug_state");
    const auto list = address_of(process, *object, "_r_debug");
    if (!object->is_program && change && list) {
      return Linker{.object = object,
                    .change = *change,
                    .state = *list + offsetof(r_debug, r_state)};
    }
  }
  return std::nullopt;
}

std::optional<StopPlace> behind_loading(Process& process) {
  const auto linker = find_linker(process);
  return linker ? std::optional(StopPlace{.address = linker->change,
                                          .zero_when_reached = linker->state})
                : std::nullopt;
}

static_assert(r_debug::RT_CONSISTENT == 0);

}  // namespace

std::optional<LinkerPlace> linker_place(Process& process) {
  const auto linker = find_linker(process);
  if (!linker) {
    return std::nullopt;
  }
  const auto offset =
      process.file(*linker->object)
          ->elf.offset_of(linker->change - process.bias(*linker->object).value_or(0));
  return offset ? std::optional(LinkerPlace{.linker = linker->object,
                                            .file_offset = *offset,
                                            .zero_when_complete = linker->state})
                : std::nullopt;
}

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
