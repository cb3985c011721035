// What a guest that died said last.
#pragma once

#include <string>
#include <string_view>

namespace kinst::guest {

/// How a machine ended that was not to end, as a sentence and, from the kernel's own
/// report of its fault or else from near the end, some lines of its console.
/// `complaints`: what QEMU said itself, told when the kernel said nothing.
std::string last_words(std::string_view console, std::string_view complaints);

}  // namespace kinst::guest
