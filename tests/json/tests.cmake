# JSON output of the running kernel's probes, against its schema.
add_test(NAME json
  COMMAND ${PROJECT_SOURCE_DIR}/tests/json/check_lines $<TARGET_FILE:kinst>)
set_tests_properties(json PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
  RESOURCE_LOCK this_kernel)
