#include "command/options/command_line.h"

#include <utility>

namespace kinst::command {

tl::unexpected<CommandLineError> refuse(std::string message, int exit_status) {
  return tl::unexpected(CommandLineError{
      .message = std::move(message), .exit_status = exit_status, .names_help = false});
}

tl::unexpected<CommandLineError> refuse_usage(std::string message) {
  return tl::unexpected(CommandLineError{
      .message = std::move(message), .exit_status = 2, .names_help = true});
}

}  // namespace kinst::command
