# The examples that the documents show.
file(GLOB KINST_PAGES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/language.md)
foreach(page IN LISTS KINST_PAGES)
  cmake_path(GET page FILENAME name)
  add_test(NAME docs/${name}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/docs/run $<TARGET_FILE:kinst> ${page})
  set_tests_properties(docs/${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300
    RESOURCE_LOCK this_kernel)
endforeach()

# The manual page is well-formed.
add_test(NAME docs/manual COMMAND ${PROJECT_SOURCE_DIR}/tests/docs/check-manual
  ${PROJECT_SOURCE_DIR})

# The README's answers are right.
add_test(NAME docs/answers COMMAND ${PROJECT_SOURCE_DIR}/tests/docs/check-answers
  $<TARGET_FILE:kinst> ${PROJECT_SOURCE_DIR}/README.md)
set_tests_properties(docs/answers PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 180
  RESOURCE_LOCK this_kernel)
