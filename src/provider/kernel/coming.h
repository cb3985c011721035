// Probes of fbt and kinst in modules that are not loaded yet.
#pragma once

#include <string>
#include <string_view>

#include "d/syntax/ast.h"
#include "kernel/symbols/symbols.h"
#include "provider/provider.h"

namespace kinst::provider {

/// Whether the description's module is not loaded, or is a pattern.
bool names_absent_module(const d::Description& description,
                         const kernel::Symbols& symbols);

/// Whether the description's module and function are names, not patterns. The kernel
/// can then find the place by itself once the module is loaded.
bool names_function(const d::Description& description);

/// A placeholder for the description's probes in modules that will be loaded. name: a
/// probe's name or a selector. place: the kind of place of these probes.
Probe awaited_probe(std::string_view provider, const d::Description& description,
                    std::string_view name, ComingPlace place);

/// A probe in the function that the description names; see names_function().
Probe coming_probe(std::string_view provider, const d::Description& description,
                   std::string_view name, ComingPlace place);

/// A reason with a clause behind it: after a semicolon, or, where the reason ends with
/// a question ("did you mean …?"), as a sentence of its own.
std::string with_clause(std::string reason, std::string_view clause);

/// `reason`, with the advice that -Z waits for the module.
std::string with_waiting_offered(std::string reason);

}  // namespace kinst::provider
