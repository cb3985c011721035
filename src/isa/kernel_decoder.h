// The kernel functions that decode instructions of the machine.
#pragma once

#include <span>
#include <string_view>

namespace kinst::isa {

/// The prefixes of the names of the functions by which the kernel decodes instructions.
/// To add a kprobe, the kernel runs these functions for each of its static-branch sites
/// (kernel/jump_label.c, jump_label_text_reserved), and so hits probes in them.
std::span<const std::string_view> kernel_decoder_functions();

}  // namespace kinst::isa
