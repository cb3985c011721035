# Whether the kernel's own symbol tables are understood; the guest's case symbols runs
# it.
add_executable(symbols_check ${PROJECT_SOURCE_DIR}/tests/symbols/symbols_check.cpp)
target_link_libraries(symbols_check PRIVATE kinst_core)
