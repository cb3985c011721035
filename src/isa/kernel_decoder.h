// Which functions of the kernel decode instructions of the machine.
#pragma once

#include <span>
#include <string_view>

namespace kinst::isa {

/// What the names of the functions begin with by which the kernel decodes instructions.
/// To add a kprobe it runs them for each of its static-branch sites
/// (kernel/jump_label.c, jump_label_text_reserved), probes in them included.
std::span<const std::string_view> kernel_decoder_functions();

}  // namespace kinst::isa
