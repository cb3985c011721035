# cmake -DOUTPUT=x.cpp "-DOBJECTS=a.o;b.o" -P embed.cmake
# Writes a C++ source that holds the objects' bytes, for bpf::embedded_runtime().
set(arrays "")
set(list "")
foreach(object IN LISTS OBJECTS)
  get_filename_component(name ${object} NAME_WE)
  file(READ ${object} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND arrays "constexpr unsigned char ${name}[] = {${bytes}};\n")
  string(APPEND list "      std::as_bytes(std::span(${name})),\n")
endforeach()
file(WRITE ${OUTPUT}
"// Made by cmake/embed.cmake from the objects of src/runtime.
#include <cstddef>
#include <span>
#include <vector>

#include \"bpf/code/runtime_object.h\"

namespace kinst::bpf {
namespace {
${arrays}}  // namespace

std::span<const std::span<const std::byte>> embedded_runtime() {
  static const std::vector<std::span<const std::byte>> objects = {
${list}  };
  return objects;
}
}  // namespace kinst::bpf
")
