# Whole runs on real kernels, in the throwaway guest. All cases of a kernel share one
# boot, which is a test of its own; what it found out about each is told by another.
# An emulated guest keeps one CPU busy for minutes: they begin first, side by side.
add_executable(guest_run ${PROJECT_SOURCE_DIR}/tests/guest/guest_run.cpp)
target_link_libraries(guest_run PRIVATE kinst_core)

# `newest` is what Debian's unstable has; where it cannot be had its tests are skipped.
set(GUEST_KERNELS 6.1 6.12 newest)
set(GUEST_DIR ${PROJECT_SOURCE_DIR}/tests/guest)
add_test(NAME machine COMMAND ${GUEST_DIR}/check-machine ${PROJECT_BINARY_DIR} 6.1)
add_test(NAME files COMMAND ${GUEST_DIR}/check-files $<TARGET_FILE:kinst> 6.1)
set_tests_properties(files PROPERTIES TIMEOUT 900)
add_test(NAME no_modules
  COMMAND ${GUEST_DIR}/check-no-modules $<TARGET_FILE:kinst> 6.12)
set_tests_properties(no_modules PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
add_test(NAME page COMMAND ${GUEST_DIR}/check-page ${PROJECT_BINARY_DIR} 6.12)
set_tests_properties(page PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)

foreach(kernel IN LISTS GUEST_KERNELS)
  add_test(NAME surroundings.${kernel}
    COMMAND ${GUEST_DIR}/check-surroundings ${PROJECT_BINARY_DIR} ${kernel})
  set_tests_properties(surroundings.${kernel} PROPERTIES SKIP_RETURN_CODE 77
    TIMEOUT 600)
endforeach()

file(GLOB GUEST_CASES CONFIGURE_DEPENDS ${GUEST_DIR}/cases/*.sh)
foreach(kernel IN LISTS GUEST_KERNELS)
  # What the cases said is for the tests below; this one fails if the guest does.
  add_test(NAME guest.${kernel} COMMAND ${GUEST_DIR}/run-cases ${PROJECT_BINARY_DIR}
    ${kernel})
  set_tests_properties(guest.${kernel} PROPERTIES FIXTURES_SETUP guest_${kernel}
    SKIP_RETURN_CODE 77 TIMEOUT 3000 COST 1000)
  foreach(case IN LISTS GUEST_CASES)
    get_filename_component(name ${case} NAME_WE)
    add_test(NAME guest.${kernel}.${name}
      COMMAND ${GUEST_DIR}/check-case ${PROJECT_BINARY_DIR} ${kernel} ${name})
    set_tests_properties(guest.${kernel}.${name} PROPERTIES
      FIXTURES_REQUIRED guest_${kernel} SKIP_RETURN_CODE 77)
  endforeach()
endforeach()
