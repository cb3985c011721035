# Whole runs on real kernels, in the throwaway guest.
add_executable(guest_run ${PROJECT_SOURCE_DIR}/tests/guest/guest_run.cpp)
target_link_libraries(guest_run PRIVATE kinst_core)
