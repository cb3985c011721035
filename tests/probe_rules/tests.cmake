# Whether this kernel's refusals are predicted: run in guests, see tests/guest.
add_executable(probe_rules_check EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/tests/probe_rules/probe_rules_check.cpp)
target_link_libraries(probe_rules_check PRIVATE kinst_core)
