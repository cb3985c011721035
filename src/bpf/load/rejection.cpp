// The errno alone says little: E2BIG stands for six causes, EINVAL and EACCES for
// everything that the verifier finds. So the verifier's log is searched for known
// messages: only there does it say which limit was met.
#include "bpf/load/rejection.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/system/lockdown.h"
#include "bpf/load/privileges.h"

namespace kinst::bpf {
namespace {

/// A limit of the verifier that a program of the user's can come to, by its words.
struct Limit {
  std::string_view words;
  std::string_view sentence;  ///< follows "program NAME "
};

constexpr auto limits = std::to_array<Limit>({
    {"BPF program is too large",
     "is too large for the kernel's verifier: use fewer or simpler clauses"},
    {"jumps is too complex",
     "has more conditions in one path than the kernel's verifier follows: use fewer or "
     "simpler clauses"},
    {"program of this complexity",
     "is too large for the kernel's verifier: use fewer or simpler clauses"},
    {"total number of maps",
     "uses more BPF maps than a program may: associative arrays, thread variables and "
     "many aggregations have one for each size of key and value; use fewer sizes"},
});

/// A limit that generated code is made to keep.
struct OwnLimit {
  std::string_view words;
  std::string_view what;
};

constexpr auto own_limits = std::to_array<OwnLimit>({
    {"combined stack size", "more than the 512 bytes of BPF stack"},
    {"frames is too deep", "calls nested deeper than the kernel permits"},
    {"too many subprog", "more functions than the kernel permits in one program"},
});

Error explain_missing_helper(const Rejection& rejection) {
  if (const std::string lockdown = explain_lockdown(); !lockdown.empty()) {
    return {fmt::format("cannot load program {}: {}", rejection.program, lockdown)};
  }
  const std::size_t begin = rejection.log.rfind("bpf_");
  const std::string_view helper =
      begin == std::string_view::npos
          ? "a helper"
          : rejection.log.substr(begin,
                                 rejection.log.find_first_of("#\n ", begin) - begin);
  return {fmt::format("program {} needs {}, which this kernel does not allow there",
                      rejection.program, helper)};
}

/// What the system refused before it looked at the program, or without regard to it.
bool is_of_the_system(const Rejection& rejection) {
  constexpr std::array always = {EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR};
  constexpr std::array unlooked_at = {EPERM, EACCES, ENOSYS};
  return std::ranges::find(always, rejection.number) != always.end() ||
         (rejection.log.empty() &&
          std::ranges::find(unlooked_at, rejection.number) != unlooked_at.end());
}

Error explain_system(const Rejection& rejection) {
  std::string cause = explain_refusal(rejection.number);
  if (rejection.number == EMFILE) {
    cause +=
        ": each program takes a file descriptor, and \"ulimit -n\" says how many "
        "there may be";
  }
  return {fmt::format("cannot load program {}: {}", rejection.program, cause)};
}

}  // namespace

Error explain_rejection(const Rejection& rejection) {
  const auto says = [&](std::string_view words) {
    return rejection.log.find(words) != std::string_view::npos;
  };
  if (is_of_the_system(rejection)) {
    return explain_system(rejection);
  }
  for (const Limit& limit : limits) {
    if (says(limit.words)) {
      return {fmt::format("program {} {}", rejection.program, limit.sentence)};
    }
  }
  for (const OwnLimit& limit : own_limits) {
    if (says(limit.words)) {
      return {fmt::format("program {} has {}: this is a bug in kinst",
                          rejection.program, limit.what)};
    }
  }
  if (says("unknown func") || says("cannot use helper")) {
    return explain_missing_helper(rejection);
  }
  if (rejection.number == E2BIG && rejection.log.empty()) {
    // BPF_COMPLEXITY_LIMIT_INSNS, which is asked before anything is looked at.
    return {
        fmt::format("program {} has more than the 1,000,000 instructions that the "
                    "kernel takes: use fewer or simpler clauses",
                    rejection.program)};
  }
  return {
      fmt::format("the kernel's verifier refuses program {} ({}): this is a bug in "
                  "kinst; -v shows the verifier's log",
                  rejection.program, std::strerror(rejection.number))};
}

}  // namespace kinst::bpf
