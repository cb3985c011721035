# The runtime compiled for this machine, so that the unit tests can call it.
add_library(kinst_runtime_native OBJECT
  ${RUNTIME_SOURCES} ${PROJECT_SOURCE_DIR}/tests/runtime/helpers.c)
target_compile_definitions(kinst_runtime_native PRIVATE KINST_NATIVE)
target_compile_options(kinst_runtime_native PRIVATE -Wall -Wextra -Werror)
target_include_directories(kinst_runtime_native
  PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests/runtime
  INTERFACE ${PROJECT_SOURCE_DIR}/tests/runtime)
target_link_libraries(kinst_runtime_native PRIVATE kinst_sanitizers)
target_link_libraries(unit_tests PRIVATE kinst_runtime_native)
