# The decoder against objdump, on all kernel text that scripts/fetch-kernels has fetched.
add_executable(instruction_boundaries
  ${PROJECT_SOURCE_DIR}/tests/decode/instruction_boundaries.cpp)
target_link_libraries(instruction_boundaries PRIVATE kinst_core)
add_test(NAME decode
  COMMAND ${PROJECT_SOURCE_DIR}/tests/decode/compare_with_objdump
    $<TARGET_FILE:instruction_boundaries>)
set_tests_properties(decode PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1200)
