# The scripts of examples/ are good programs; what they print depends on the machine.
file(GLOB KINST_EXAMPLES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.d)
foreach(example IN LISTS KINST_EXAMPLES)
  cmake_path(GET example STEM name)
  add_test(NAME examples/${name}
    COMMAND $<TARGET_FILE:kinst> -x argref -Z -e -s ${example} -c true 10)
endforeach()
