# Whether the kernel's verifier takes all that the compiler takes: every row of D's
# tables, and programs by chance. `verifier_check KINST random --seconds=3600 --seed=N`
# goes on for longer.
add_executable(verifier_check
  ${PROJECT_SOURCE_DIR}/tests/verifier/verifier_check.cpp
  ${PROJECT_SOURCE_DIR}/tests/verifier/random_program.cpp)
target_link_libraries(verifier_check PRIVATE kinst_core)
target_include_directories(verifier_check PRIVATE ${PROJECT_SOURCE_DIR}/tests)
foreach(what tables random)
  add_test(NAME verifier.${what}
    COMMAND verifier_check $<TARGET_FILE:kinst> ${what})
  set_tests_properties(verifier.${what} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900
    RESOURCE_LOCK this_kernel)
endforeach()
