# The command as a whole, run as a user would, on the kernel that is there.
add_executable(refuse_call ${PROJECT_SOURCE_DIR}/tests/command/refuse_call.c)
add_executable(never_main ${PROJECT_SOURCE_DIR}/tests/command/never_main.c)
foreach(check refusals options ends progress surroundings blocking children limits)
  add_test(NAME command.${check}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/command/check-${check} $<TARGET_FILE:kinst>
      $<TARGET_FILE:refuse_call> $<TARGET_FILE:never_main>)
  set_tests_properties(command.${check} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 400
    RESOURCE_LOCK this_kernel)
endforeach()
