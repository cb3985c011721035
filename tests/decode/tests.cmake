# The decoder against objdump, on all kernel text that scripts/fetch-kernels has fetched.
add_executable(decode_check
  ${PROJECT_SOURCE_DIR}/tests/decode/decode_check.cpp)
target_link_libraries(decode_check PRIVATE kinst_core)
add_test(NAME decode
  COMMAND ${PROJECT_SOURCE_DIR}/tests/decode/compare_with_objdump
    $<TARGET_FILE:decode_check>)
set_tests_properties(decode PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1200)
