# The unit tests read a small runtime of their own.
set(KINST_BPF_FIXTURE ${PROJECT_BINARY_DIR}/tests/bpf/fixture.o)
kinst_compile_bpf(${PROJECT_SOURCE_DIR}/tests/bpf/fixture.c ${KINST_BPF_FIXTURE})
add_custom_target(bpf_fixture DEPENDS ${KINST_BPF_FIXTURE})
add_dependencies(unit_tests bpf_fixture)
target_compile_definitions(unit_tests PRIVATE KINST_BPF_FIXTURE="${KINST_BPF_FIXTURE}")
