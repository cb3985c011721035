// The rows of D's subroutines. Prototypes: the DTrace guide, "Actions and Subroutines".
#include "d/tables/subroutine.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace kinst::d {
namespace {

constexpr auto subroutines = std::to_array<SubroutineInfo>({
    {Subroutine::Alloca, "alloca", "void *(size_t)", {Need::ScratchPointers}},
    {Subroutine::Basename, "basename", "string(const char *)"},
    {Subroutine::Bcopy, "bcopy", "void(void *, void *, size_t)"},
    {Subroutine::Cleanpath, "cleanpath", "string(const char *)"},
    {Subroutine::Copyin,
     "copyin",
     "void *(uintptr_t, size_t)",
     {Need::ScratchPointers}},
    {Subroutine::Copyinstr, "copyinstr", "string(uintptr_t, [size_t])"},
    {Subroutine::Copyinwords, "copyinwords", "string(uintptr_t, size_t)"},
    {Subroutine::Copyinto, "copyinto", "void(uintptr_t, size_t, void *)"},
    {Subroutine::Copyout, "copyout", "void(void *, uintptr_t, size_t)", {}, true},
    {Subroutine::Copyoutstr,
     "copyoutstr",
     "void(const char *, uintptr_t, size_t)",
     {},
     true},
    {Subroutine::Dirname, "dirname", "string(const char *)"},
    {Subroutine::Getmajor, "getmajor", "dev_t(dev_t)"},
    {Subroutine::Getminor, "getminor", "dev_t(dev_t)"},
    {Subroutine::Htonl, "htonl", "uint32_t(uint32_t)"},
    {Subroutine::Htonll, "htonll", "uint64_t(uint64_t)"},
    {Subroutine::Htons, "htons", "uint16_t(uint16_t)"},
    {Subroutine::Index, "index", "int(const char *, const char *, [int])"},
    {Subroutine::InetNtoa, "inet_ntoa", "string(ipaddr_t *)"},
    {Subroutine::InetNtoa6, "inet_ntoa6", "string(struct in6_addr *, [int])"},
    {Subroutine::InetNtop, "inet_ntop", "string(int, void *)"},
    {Subroutine::Json, "json", "string(const char *, const char *)"},
    {Subroutine::LinkNtop, "link_ntop", "string(int, void *)"},
    {Subroutine::Lltostr, "lltostr", "string(int64_t, [int])"},
    {Subroutine::Memref,
     "memref",
     "uintptr_t *(void *, size_t)",
     {Need::ScratchPointers}},
    {Subroutine::Memstr, "memstr", "string(void *, char, size_t)"},
    {Subroutine::MutexOwned, "mutex_owned", "int(struct mutex *)"},
    {Subroutine::MutexOwner, "mutex_owner", "struct task_struct *(struct mutex *)"},
    {Subroutine::MutexTypeAdaptive, "mutex_type_adaptive", "int(struct mutex *)"},
    {Subroutine::MutexTypeSpin, "mutex_type_spin", "int(struct mutex *)"},
    {Subroutine::Ntohl, "ntohl", "uint32_t(uint32_t)"},
    {Subroutine::Ntohll, "ntohll", "uint64_t(uint64_t)"},
    {Subroutine::Ntohs, "ntohs", "uint16_t(uint16_t)"},
    {Subroutine::Progenyof, "progenyof", "int(pid_t)", {Need::KernelOffsets}},
    {Subroutine::Rand, "rand", "int()"},
    {Subroutine::Rindex, "rindex", "int(const char *, const char *, [int])"},
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
    {Subroutine::Strtoll, "strtoll", "int64_t(const char *, [int])"},
    {Subroutine::Substr, "substr", "string(const char *, int, [int])"},
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
