# The BPF runtime: C compiled for the BPF machine at build time and embedded in the
# command, so that no compiler is needed when kinst runs. One object for each source;
# bpf::read_runtime() takes them apart.
find_program(CLANG NAMES clang clang-14 REQUIRED)
set(RUNTIME_DIR ${PROJECT_SOURCE_DIR}/src/runtime)
file(GLOB RUNTIME_SOURCES CONFIGURE_DEPENDS ${RUNTIME_DIR}/*.c)
file(GLOB RUNTIME_HEADERS CONFIGURE_DEPENDS ${RUNTIME_DIR}/*.h)

# kinst_compile_bpf(SOURCE OBJECT): a rule that compiles C for the BPF machine.
# Debian keeps asm/types.h in the machine's own include folder, which clang does not
# search when the target is BPF.
function(kinst_compile_bpf source object)
  cmake_path(GET object PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE name)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CLANG} -target bpf -mcpu=v3 -O2 -g -Wall -Wextra -Werror
      -I${PROJECT_SOURCE_DIR}/src -idirafter /usr/include/${CMAKE_C_LIBRARY_ARCHITECTURE}
      -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=. -c ${source} -o ${object}
    DEPENDS ${source} ${RUNTIME_HEADERS}
    COMMENT "Compiling ${name} for BPF" VERBATIM)
endfunction()

set(RUNTIME_OBJECTS "")
foreach(source IN LISTS RUNTIME_SOURCES)
  get_filename_component(name ${source} NAME_WE)
  set(object ${PROJECT_BINARY_DIR}/runtime/${name}.o)
  kinst_compile_bpf(${source} ${object})
  list(APPEND RUNTIME_OBJECTS ${object})
endforeach()

set(RUNTIME_EMBEDDED ${PROJECT_BINARY_DIR}/runtime/embedded.cpp)
add_custom_command(OUTPUT ${RUNTIME_EMBEDDED}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${RUNTIME_EMBEDDED} "-DOBJECTS=${RUNTIME_OBJECTS}"
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${RUNTIME_OBJECTS} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the runtime" VERBATIM)

add_library(kinst_runtime OBJECT ${RUNTIME_EMBEDDED})
target_include_directories(kinst_runtime PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(kinst_runtime PRIVATE kinst_dependencies)
