# Whether a kernel's refusals are predicted; the guest's case probe_rules runs it.
add_executable(probe_rules_check
  ${PROJECT_SOURCE_DIR}/tests/probe_rules/probe_rules_check.cpp)
target_link_libraries(probe_rules_check PRIVATE kinst_core)
