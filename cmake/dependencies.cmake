# The libraries that kinst stands on, as one target. Archives are preferred where the
# distribution has them and they link: binding the shared libraries' symbols took a third
# of the time until main() runs. docs/dependencies.md says what each is for.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(Zydis REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(LIBBPF REQUIRED IMPORTED_TARGET libbpf)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw)

option(KINST_SHARED_LIBRARIES "Link with shared libraries only" ${KINST_SANITIZE})

# Debian has no archive of fmt, only what one is made of. Its headers are used as for the
# shared library, whose functions are declared and not inline.
set(FMT_SOURCE ${PROJECT_SOURCE_DIR}/cmake/fmt.cpp)
# The ways to link, the fastest first. Which of them works depends on the distribution:
# Debian 13's archives of elfutils lack functions of their own, and what an archive needs
# besides differs by version.
set(BPF_ARCHIVE -Wl,-Bstatic -lbpf -Wl,-Bdynamic)
list(TRANSFORM LIBDW_STATIC_LIBRARIES PREPEND -l OUTPUT_VARIABLE ELFUTILS)
set(ALL_ARCHIVES -Wl,-Bstatic -lbpf ${ELFUTILS} -lelf ${ELFUTILS} -Wl,-Bdynamic)
set(BPF_AND_FMT_ARCHIVES ${BPF_ARCHIVE} -ldw -lelf -lz)

# kinst_links(RESULT LIBRARY...): whether these link with fmt's archive.
function(kinst_links result)
  try_compile(${result}
    SOURCES ${PROJECT_SOURCE_DIR}/cmake/links.cpp ${FMT_SOURCE}
    COMPILE_DEFINITIONS -DFMT_SHARED
    LINK_LIBRARIES ${ARGN} Threads::Threads
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  set(${result} ${${result}} CACHE INTERNAL "")
endfunction()

add_library(kinst_dependencies INTERFACE)
target_link_libraries(kinst_dependencies INTERFACE Zydis::Zydis Threads::Threads)
set(KINST_ARCHIVES "")
if(NOT KINST_SHARED_LIBRARIES)
  foreach(way ALL_ARCHIVES BPF_AND_FMT_ARCHIVES)
    if(NOT DEFINED KINST_LINKS_${way})
      kinst_links(KINST_LINKS_${way} ${${way}})
      message(STATUS "Linking by ${way}: ${KINST_LINKS_${way}}")
    endif()
    if(KINST_LINKS_${way})
      set(KINST_ARCHIVES ${way})
      break()
    endif()
  endforeach()
endif()
if(KINST_ARCHIVES)
  add_library(kinst_fmt STATIC ${FMT_SOURCE})
  target_compile_definitions(kinst_dependencies INTERFACE FMT_SHARED)
  target_compile_definitions(kinst_fmt PRIVATE FMT_SHARED)
  target_link_libraries(kinst_dependencies INTERFACE kinst_fmt ${${KINST_ARCHIVES}}
    -static-libstdc++ -static-libgcc)
else()
  target_link_libraries(kinst_dependencies INTERFACE
    fmt::fmt PkgConfig::LIBBPF PkgConfig::LIBELF PkgConfig::LIBDW)
endif()
