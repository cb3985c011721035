// The rows of D's subroutines. Prototypes: the DTrace guide, "Actions and Subroutines".
#include "d/tables/subroutine.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace kinst::d {
namespace {

// Strings in scratch memory are not meant: they are only read as strings.
constexpr Needs scratch{Need::ScratchPointers};

constexpr auto subroutines = std::to_array<SubroutineInfo>({
    {.subroutine = Subroutine::Alloca,
     .name = "alloca",
     .prototype = "void *(size_t)",
     .needs = scratch,
     .scratch_bytes = 0},
    {Subroutine::Basename, "basename", "string(const char *)"},
    {.subroutine = Subroutine::Bcopy,
     .name = "bcopy",
     .prototype = "void(void *, void *, size_t)",
     .written = 1},
    {Subroutine::Cleanpath, "cleanpath", "string(const char *)"},
    {.subroutine = Subroutine::Copyin,
     .name = "copyin",
     .prototype = "void *(uintptr_t, size_t)",
     .needs = scratch,
     .scratch_bytes = 1},
    {.subroutine = Subroutine::Copyinstr,
     .name = "copyinstr",
     .prototype = "string(uintptr_t, [size_t])",
     .left_out = LeftOut::AllBytes},
    {Subroutine::Copyinwords, "copyinwords", "string(uintptr_t, size_t)"},
    {.subroutine = Subroutine::Copyinto,
     .name = "copyinto",
     .prototype = "void(uintptr_t, size_t, void *)",
     .written = 2},
    {.subroutine = Subroutine::Copyout,
     .name = "copyout",
     .prototype = "void(void *, uintptr_t, size_t)",
     .is_destructive = true},
    {.subroutine = Subroutine::Copyoutstr,
     .name = "copyoutstr",
     .prototype = "void(const char *, uintptr_t, size_t)",
     .is_destructive = true},
    {Subroutine::Dirname, "dirname", "string(const char *)"},
    {Subroutine::Getmajor, "getmajor", "dev_t(dev_t)"},
    {Subroutine::Getminor, "getminor", "dev_t(dev_t)"},
    {Subroutine::Htonl, "htonl", "uint32_t(uint32_t)"},
    {Subroutine::Htonll, "htonll", "uint64_t(uint64_t)"},
    {Subroutine::Htons, "htons", "uint16_t(uint16_t)"},
    {.subroutine = Subroutine::Index,
     .name = "index",
     .prototype = "int(const char *, const char *, [int])",
     .left_out = LeftOut::Zero},
    {Subroutine::InetNtoa, "inet_ntoa", "string(ipaddr_t *)"},
    {.subroutine = Subroutine::InetNtoa6,
     .name = "inet_ntoa6",
     .prototype = "string(struct in6_addr *, [int])",
     .left_out = LeftOut::Zero,
     .constant = 1},
    {Subroutine::InetNtop, "inet_ntop", "string(int, void *)"},
    {Subroutine::Json, "json", "string(const char *, const char *)"},
    {Subroutine::LinkNtop, "link_ntop", "string(int, void *)"},
    {.subroutine = Subroutine::Lltostr,
     .name = "lltostr",
     .prototype = "string(int64_t, [int])",
     .left_out = LeftOut::Ten},
    {.subroutine = Subroutine::Memref,
     .name = "memref",
     .prototype = "uintptr_t *(void *, size_t)",
     .needs = scratch},
    {Subroutine::Memstr, "memstr", "string(void *, char, size_t)"},
    {Subroutine::MutexOwned, "mutex_owned", "int(struct mutex *)"},
    {Subroutine::MutexOwner, "mutex_owner", "struct task_struct *(struct mutex *)"},
    {Subroutine::MutexTypeAdaptive, "mutex_type_adaptive", "int(struct mutex *)"},
    {Subroutine::MutexTypeSpin, "mutex_type_spin", "int(struct mutex *)"},
    {Subroutine::Ntohl, "ntohl", "uint32_t(uint32_t)"},
    {Subroutine::Ntohll, "ntohll", "uint64_t(uint64_t)"},
    {Subroutine::Ntohs, "ntohs", "uint16_t(uint16_t)"},
    {.subroutine = Subroutine::Progenyof,
     .name = "progenyof",
     .prototype = "int(pid_t)",
     .needs = {Need::KernelOffsets}},
    {Subroutine::Rand, "rand", "int()"},
    {.subroutine = Subroutine::Rindex,
     .name = "rindex",
     .prototype = "int(const char *, const char *, [int])",
     .left_out = LeftOut::Largest},
    {Subroutine::RwIswriter, "rw_iswriter", "int(rwlock_t *)"},
    {Subroutine::RwReadHeld, "rw_read_held", "int(rwlock_t *)"},
    {Subroutine::RwWriteHeld, "rw_write_held", "int(rwlock_t *)"},
    {Subroutine::Speculation, "speculation", "int()"},
    {Subroutine::Strchr, "strchr", "string(const char *, char)"},
    {Subroutine::Strjoin, "strjoin", "string(const char *, const char *)"},
    {Subroutine::Strlen, "strlen", "size_t(const char *)"},
    {Subroutine::Strrchr, "strrchr", "string(const char *, char)"},
    {Subroutine::Strstr, "strstr", "string(const char *, const char *)"},
    {Subroutine::Strtok, "strtok", "string(const char *, const char *)"},
    {.subroutine = Subroutine::Strtoll,
     .name = "strtoll",
     .prototype = "int64_t(const char *, [int])",
     .left_out = LeftOut::Ten},
    {.subroutine = Subroutine::Substr,
     .name = "substr",
     .prototype = "string(const char *, int, [int])",
     .left_out = LeftOut::StringLength},
    {Subroutine::Tolower, "tolower", "string(const char *)"},
    {Subroutine::Toupper, "toupper", "string(const char *)"},
});

}  // namespace

std::optional<SubroutineInfo> find_subroutine(std::string_view name) {
  const auto* const found = std::ranges::find(subroutines, name, &SubroutineInfo::name);
  return found == subroutines.end() ? std::nullopt : std::optional(*found);
}

const SubroutineInfo& subroutine_info(Subroutine subroutine) {
  const auto* const found =
      std::ranges::find(subroutines, subroutine, &SubroutineInfo::subroutine);
  assert(found != subroutines.end());
  return *found;
}

std::span<const SubroutineInfo> all_subroutines() {
  return subroutines;
}

}  // namespace kinst::d
