# kinst_add_live_cases(NAME WORKLOAD): a test for each of tests/NAME/cases, in which the
# command traces the target WORKLOAD on the running kernel.
function(kinst_add_live_cases name workload)
  file(GLOB cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/cases/*.sh)
  foreach(case IN LISTS cases)
    get_filename_component(case_name ${case} NAME_WE)
    add_test(NAME ${name}.${case_name}
      COMMAND ${PROJECT_SOURCE_DIR}/tests/user/run $<TARGET_FILE:kinst>
        $<TARGET_FILE:${workload}> ${case})
    set_tests_properties(${name}.${case_name} PROPERTIES SKIP_RETURN_CODE 77
      TIMEOUT 180 RESOURCE_LOCK this_kernel)
  endforeach()
endfunction()
