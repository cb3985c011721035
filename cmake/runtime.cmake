# The BPF runtime: C compiled for the BPF machine at build time and embedded in the
# command, so that no compiler is needed when kinst runs.
find_program(CLANG NAMES clang clang-14 REQUIRED)
set(RUNTIME_DIR ${PROJECT_SOURCE_DIR}/src/runtime)
file(GLOB RUNTIME_SOURCES CONFIGURE_DEPENDS ${RUNTIME_DIR}/*.c)
file(GLOB RUNTIME_HEADERS CONFIGURE_DEPENDS ${RUNTIME_DIR}/*.h)

add_library(kinst_runtime INTERFACE)
