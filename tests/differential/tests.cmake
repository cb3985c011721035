# What D programs compute, against independent models: some hundred cases of a seed that
# is always the same here; `make differential N=100000` takes another.
foreach(kind expressions declarations formats strings aggregations)
  add_test(NAME differential/${kind}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/differential/run --seed 1 --only ${kind}
      --cases 200 $<TARGET_FILE:kinst>)
  set_tests_properties(differential/${kind} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300
    RESOURCE_LOCK this_kernel ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endforeach()
# Half a megabyte a value: fewer of them.
add_test(NAME differential/distributions
  COMMAND ${PROJECT_SOURCE_DIR}/tests/differential/run --seed 1 --only distributions
    --cases 48 $<TARGET_FILE:kinst>)
set_tests_properties(differential/distributions PROPERTIES SKIP_RETURN_CODE 77
  TIMEOUT 300 RESOURCE_LOCK this_kernel)
