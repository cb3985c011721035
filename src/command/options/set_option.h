// Sets D's options by their table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "command/options/settings.h"

namespace kinst::command {

/// Sets one option. Names and values are DTrace's: sizes with k, m, g, t; rates with ns
/// to day or hz; switches with yes/no, on/off and so on.
/// value: the text behind '='; nothing if there is no '='.
/// Errors: there is no such option (the message offers near names); the option cannot
/// have this value, or cannot be set at this moment; the option can have no meaning on
/// Linux, with the reason.
Result<void> set_option(Settings& settings, std::string_view name,
                        std::optional<std::string_view> value, SettingMoment moment);

/// Sets options from variables of the environment: those like DTRACE_OPT_BUFSIZE=1m,
/// and what TERM and _DTRACE_TESTING say of the output.
/// environment: strings "NAME=VALUE". Variables that name no option of kinst are
/// ignored.
/// Errors: the first error of set_option().
Result<void> set_from_environment(Settings& settings,
                                  const std::vector<std::string>& environment);

/// Whether a variable of the environment sets something here, so that the command in
/// the virtual machine of --vm needs it, too. variable: "NAME=VALUE".
bool is_for_guest(std::string_view variable);

/// Nothing if there is no such option.
std::optional<SettingInGuest> setting_in_guest(std::string_view name);

/// The folders that are to be copied into the guest.
std::vector<std::string> folders_for_guest(const Settings& settings);

}  // namespace kinst::command
