// A variable must be readable at every instruction of the description, as a value that
// is there at some only would be one that a reader cannot rely on.
#include "compile/local_variables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

namespace kinst::compile {
namespace {

using LocationKind = kernel::VariableLocation::Kind;

std::string name_of(const provider::Probe& probe) {
  return fmt::format("kinst::{}:{}", probe.function, probe.name);
}

// The first of them, as many as one reads.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  const auto shown = std::span(names).first(std::min(names.size(), most));
  return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > most ? ", …" : "");
}

}  // namespace

const std::vector<kernel::LocalVariable>& LocalVariables::variables_at(
    const provider::Probe& probe) {
  const auto found = at_.find(probe.key);
  if (found != at_.end()) {
    return found->second;
  }
  std::vector<kernel::LocalVariable> all;
  const auto* site = std::get_if<provider::KernelInstruction>(&probe.site);
  if (site != nullptr) {
    if (const auto debug = debug_->get(probe.module)) {
      all = (*debug)->variables(site->address);
    }
  }
  return at_.emplace(probe.key, std::move(all)).first->second;
}

LocalVariables::Found LocalVariables::search(std::size_t description,
                                             std::string_view name) {
  Found found;
  for (const std::size_t index : matches_->of_description[description]) {
    const provider::Probe& probe = matches_->probes.all()[index];
    const auto& all = variables_at(probe);
    const auto one = std::ranges::find(all, name, &kernel::LocalVariable::name);
    if (one == all.end()) {
      ++found.out_of_scope;
    } else {
      found.places.push_back({.probe = &probe, .variable = *one});
    }
  }
  return found;
}

Result<types::TypeId> LocalVariables::judge(std::string_view name, const Found& found) {
  std::vector<std::string> lacking;
  std::vector<std::string> having;
  const Found::Location* first = nullptr;
  for (const Found::Location& place : found.places) {
    const bool is_there = place.variable.location.kind != LocationKind::Unavailable;
    (is_there ? having : lacking).push_back(place.probe->name);
    first = first == nullptr && !is_there ? &place : first;
  }
  if (having.empty()) {
    return error("'{}' is optimized out at {}", name, name_of(*first->probe));
  }
  if (first != nullptr || found.out_of_scope != 0) {
    return error("'{}' is not known at {} of the {} instructions; it is at {}", name,
                 lacking.size() + found.out_of_scope,
                 found.places.size() + found.out_of_scope, some_of(having));
  }
  const Found::Location& any = found.places.front();
  const auto* debug = KINST_TRY(debug_->get(any.probe->module));
  const auto type = types_->convert(any.probe->module, *debug, any.variable.type_id);
  const bool is_one_type =
      std::ranges::all_of(found.places, [&](const Found::Location& place) {
        return place.variable.type == any.variable.type &&
               place.variable.size_bytes == any.variable.size_bytes;
      });
  if (!type || !is_one_type) {
    return error("the type of '{}' is {} at {}", name,
                 is_one_type ? "none that D knows" : "not the same everywhere",
                 name_of(*any.probe));
  }
  return *type;
}

std::optional<Result<types::TypeId>> LocalVariables::find(std::size_t description,
                                                          std::string_view name) {
  const Found found = search(description, name);
  if (found.places.empty()) {
    return std::nullopt;
  }
  return judge(name, found);
}

codegen::LocalPlaces LocalVariables::places(std::span<const d::typed::Local> locals) {
  codegen::LocalPlaces places;
  for (std::size_t number = 0; number < locals.size(); ++number) {
    const auto id = static_cast<d::typed::LocalId>(number);
    for (const Found::Location& place :
         search(locals[number].description, locals[number].name).places) {
      places[{place.probe->key, id}] = place.variable.location;
    }
  }
  return places;
}

std::string LocalVariables::why_none(std::size_t description) {
  for (const std::size_t index : matches_->of_description[description]) {
    const auto debug = debug_->get(matches_->probes.all()[index].module);
    if (!debug) {
      return fmt::format("local variables are not known: {}", debug.error().message);
    }
  }
  return {};
}

}  // namespace kinst::compile
