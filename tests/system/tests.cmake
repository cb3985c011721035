# System calls, static tracepoints, timers and listings on the running kernel: whole
# command lines against a program that knows its own numbers.
add_executable(system_workload ${PROJECT_SOURCE_DIR}/tests/system/workload.c)
# Its addresses are in the file.
target_compile_options(system_workload PRIVATE -O1 -fno-pie)
target_link_options(system_workload PRIVATE -no-pie)
kinst_add_live_cases(system system_workload)
