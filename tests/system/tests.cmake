# System calls, static tracepoints, timers and listings on the running kernel: whole
# command lines against a program that knows its own numbers.
add_executable(system_workload ${PROJECT_SOURCE_DIR}/tests/system/workload.c)
# Its addresses are in the file.
target_compile_options(system_workload PRIVATE -O1 -fno-pie)
target_link_options(system_workload PRIVATE -no-pie)
file(GLOB KINST_SYSTEM_CASES CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/tests/system/cases/*.sh)
foreach(case IN LISTS KINST_SYSTEM_CASES)
  get_filename_component(name ${case} NAME_WE)
  add_test(NAME system.${name}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/user/run $<TARGET_FILE:kinst>
      $<TARGET_FILE:system_workload> ${case})
  set_tests_properties(system.${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 180
    RESOURCE_LOCK this_kernel)
endforeach()
