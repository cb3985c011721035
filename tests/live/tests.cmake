# Tests against the kernel they run on: they load BPF programs, so they need root and
# skip, saying why, where that is refused.
file(GLOB KINST_LIVE_TESTS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/live/*_test.cpp)
add_executable(live_tests ${KINST_LIVE_TESTS})
target_link_libraries(live_tests PRIVATE kinst_core GTest::gtest GTest::gtest_main)
target_include_directories(live_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(live_tests PRIVATE KINST_BPF_FIXTURE="${KINST_BPF_FIXTURE}")
add_dependencies(live_tests bpf_fixture)
add_test(NAME live COMMAND live_tests)
set_tests_properties(live PROPERTIES RESOURCE_LOCK this_kernel)
