#include <string_view>
#include "session/session.h"
int main(int argc, char** argv) {
  kinst::session::Request request;
  request.compile.unmatched = kinst::session::Unmatched::IsError;
  for (int i = 1; i < argc; ++i) {
    std::string_view a = argv[i];
    if (a == "-q") request.output.quiet = true;
    else if (a == "-e") request.only_compiles = true;
    else if (a == "-S") request.shows_code = true;
    else if (a == "-v") request.is_verbose = true;
    else if (a == "-n") request.texts.push_back({.source = {.name = "description", .text = argv[++i], .line_markers = {}}, .kind = kinst::d::TextKind::CommandLine});
    else if (a == "-c") request.target_command = argv[++i];
  }
  return kinst::session::run(std::move(request));
}
