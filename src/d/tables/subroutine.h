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

/// What stands for the argument that a call may leave out.
enum class LeftOut : std::uint8_t {
  Nothing,       ///< no argument may be left out
  Zero,          ///< the first place, or an address as it is
  Ten,           ///< the base of numbers
  Largest,       ///< the last place
  AllBytes,      ///< as many as a string can have
  StringLength,  ///< as many as a value of type string has
};

struct SubroutineInfo {
  Subroutine subroutine{};
  std::string_view name;
  /// D's prototype without the name, a parameter in brackets being optional and "@"
  /// meaning any type: "string(const char *, int, [int])".
  std::string_view prototype;
  Needs needs;
  bool is_destructive = false;
  LeftOut left_out = LeftOut::Nothing;
  /// Which argument, from 0, is the number of bytes of scratch memory that the result
  /// takes; nothing if it takes no more than a string.
  std::optional<std::size_t> scratch_bytes;
  /// Which argument is the address that it writes to, which may not be a string's.
  std::optional<std::size_t> written;
  /// Which argument must be an integer constant if it is given.
  std::optional<std::size_t> constant;
};

std::optional<SubroutineInfo> find_subroutine(std::string_view name);
const SubroutineInfo& subroutine_info(Subroutine subroutine);
std::span<const SubroutineInfo> all_subroutines();

}  // namespace kinst::d
