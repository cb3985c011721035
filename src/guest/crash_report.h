// The last messages of a guest that died.
#pragma once

#include <string>
#include <string_view>

namespace kinst::guest {

/// Says how a machine ended unexpectedly: a sentence, and some lines of its console.
/// The lines are the kernel's own report of its fault if there is one, otherwise those
/// near the end.
/// `complaints`: what QEMU itself printed; shown if the kernel printed nothing.
std::string crash_report(std::string_view console, std::string_view complaints);

}  // namespace kinst::guest
