// D's subroutines: functions that return a value. The table has one row for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "d/tables/need.h"

namespace kinst::d {

enum class Subroutine : std::uint8_t {
  Alloca,
  Basename,
  Bcopy,
  Cleanpath,
  Copyin,
  Copyinstr,
  Copyinwords,
  Copyinto,
  Copyout,
  Copyoutstr,
  Dirname,
  Getmajor,
  Getminor,
  Htonl,
  Htonll,
  Htons,
  Index,
  InetNtoa,
  InetNtoa6,
  InetNtop,
  Json,
  LinkNtop,
  Lltostr,
  Memref,
  Memstr,
  MutexOwned,
  MutexOwner,
  MutexTypeAdaptive,
  MutexTypeSpin,
  Ntohl,
  Ntohll,
  Ntohs,
  Progenyof,
  Rand,
  Rindex,
  RwIswriter,
  RwReadHeld,
  RwWriteHeld,
  Speculation,
  Strchr,
  Strjoin,
  Strlen,
  Strrchr,
  Strstr,
  Strtok,
  Strtoll,
  Substr,
  Tolower,
  Toupper,
};

struct SubroutineInfo {
  Subroutine subroutine{};
  std::string_view name;
  /// D's prototype without the name, a parameter in brackets being optional and "@"
  /// meaning any type: "string(const char *, int, [int])".
  std::string_view prototype;
  Needs needs;
  bool is_destructive = false;
};

std::optional<SubroutineInfo> find_subroutine(std::string_view name);
const SubroutineInfo& subroutine_info(Subroutine subroutine);
std::span<const SubroutineInfo> all_subroutines();

}  // namespace kinst::d
