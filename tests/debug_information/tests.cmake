# A small program with debug information, for the unit tests that read some.
add_library(debug_fixture MODULE ${PROJECT_SOURCE_DIR}/tests/debug_information/fixture.c)
target_compile_options(debug_fixture PRIVATE -O2 -g -gdwarf-5 -fno-lto)
add_dependencies(unit_tests debug_fixture)
target_compile_definitions(unit_tests PRIVATE
  KINST_DEBUG_FIXTURE="$<TARGET_FILE:debug_fixture>")
