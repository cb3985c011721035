# The libraries that kinst stands on, as one target. Archives are preferred where Debian
# has them: binding the shared libraries' symbols took a third of the time until main()
# runs. docs/dependencies.md says what each is for.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(Zydis REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(LIBBPF REQUIRED IMPORTED_TARGET libbpf)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw)

option(KINST_SHARED_LIBRARIES "Link with shared libraries only" ${KINST_SANITIZE})

add_library(kinst_dependencies INTERFACE)
target_link_libraries(kinst_dependencies INTERFACE Zydis::Zydis Threads::Threads)
if(KINST_SHARED_LIBRARIES)
  target_link_libraries(kinst_dependencies INTERFACE
    fmt::fmt PkgConfig::LIBBPF PkgConfig::LIBELF PkgConfig::LIBDW)
else()
  # Debian has no archive of fmt, only what one is made of. Its headers are used as for
  # the shared library, whose functions are declared and not inline.
  add_library(kinst_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt.cpp)
  target_compile_definitions(kinst_dependencies INTERFACE FMT_SHARED)
  target_compile_definitions(kinst_fmt PRIVATE FMT_SHARED)
  target_link_libraries(kinst_dependencies INTERFACE kinst_fmt
    -Wl,-Bstatic -lbpf -ldw -lelf -llzma -lbz2 -lz -Wl,-Bdynamic
    -static-libstdc++ -static-libgcc)
endif()
