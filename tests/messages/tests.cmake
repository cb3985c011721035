# Mistakes and what is told of them, table by table; kernel.rows is for the guest's case
# `messages`.
foreach(table descriptions names types calls syntax options)
  add_test(NAME messages/${table}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/messages/check $<TARGET_FILE:kinst>
      ${PROJECT_SOURCE_DIR}/tests/messages/${table}.rows)
  set_tests_properties(messages/${table} PROPERTIES TIMEOUT 300
    RESOURCE_LOCK this_kernel)
endforeach()
