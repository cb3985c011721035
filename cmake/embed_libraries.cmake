# cmake -DOUTPUT=x.cpp "-DLIBRARIES=a.d;b.d" -P embed_libraries.cmake
# Writes a C++ source that holds the D libraries' texts.
set(list "")
foreach(library IN LISTS LIBRARIES)
  get_filename_component(name ${library} NAME)
  file(READ ${library} text)
  string(APPEND list "    {\"${name}\", R\"kinst(${text})kinst\"},\n")
endforeach()
file(WRITE ${OUTPUT}
"// Made by cmake/embed_libraries.cmake from library/.
#include \"compile/library_files.h\"

namespace kinst::compile {
namespace {
constexpr BuiltInLibrary libraries[] = {
${list}};
}  // namespace

std::span<const BuiltInLibrary> built_in_libraries() {
  return libraries;
}
}  // namespace kinst::compile
")
