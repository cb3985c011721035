# Whole D programs on the running kernel, each with what it is to print.
file(GLOB KINST_PROGRAMS CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/tests/programs/*/*.d)
foreach(program IN LISTS KINST_PROGRAMS)
  cmake_path(RELATIVE_PATH program BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests/programs
    OUTPUT_VARIABLE name)
  cmake_path(REMOVE_EXTENSION name)
  add_test(NAME programs/${name}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/programs/run $<TARGET_FILE:kinst> ${program})
  set_tests_properties(programs/${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
    RESOURCE_LOCK this_kernel)
endforeach()
