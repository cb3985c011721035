# Where parameters are, against what gcc does with the prototypes of the running kernel,
# of the kernels that scripts/fetch-kernels has fetched, and of a fixture.
add_executable(argument_places
  ${PROJECT_SOURCE_DIR}/tests/arguments/argument_places.cpp)
target_link_libraries(argument_places PRIVATE kinst_core)
add_test(NAME arguments
  COMMAND ${PROJECT_SOURCE_DIR}/tests/arguments/run $<TARGET_FILE:argument_places>)
set_tests_properties(arguments PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1200)
