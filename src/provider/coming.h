// Probes in modules that are not loaded, for fbt and kinst.
#pragma once

#include <string>
#include <string_view>

#include "d/ast.h"
#include "kernel/symbols.h"
#include "provider/provider.h"

namespace kinst::provider {

/// Whether the description names a module that is not loaded, or a pattern for modules.
bool names_absent_module(const d::Description& description,
                         const kernel::Symbols& symbols);

/// Whether module and function are whole names, by which the kernel can find a place
/// that is not there yet.
bool names_function(const d::Description& description);

/// A probe that stands for those of the description in modules that come, of that name
/// or by a selector, and of that kind of place.
Probe awaited_probe(std::string_view provider, const d::Description& description,
                    std::string_view name, ComingPlace place);

/// The probe of that provider and name at a place of the function that
/// names_function().
Probe coming_probe(std::string_view provider, const d::Description& description,
                   std::string_view name, ComingPlace place);

/// `reason` for which there is nothing, and that -Z would wait.
std::string with_waiting_offered(std::string reason);

}  // namespace kinst::provider
