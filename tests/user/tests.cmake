# User-space probes on the running kernel: whole command lines against a program that
# knows its own numbers.
enable_language(C)
add_executable(user_workload ${PROJECT_SOURCE_DIR}/tests/user/workload.c)
target_compile_options(user_workload PRIVATE -O1 -g -fno-inline
  -fno-omit-frame-pointer -fno-shrink-wrap)
# The same program as distributions build theirs, at a fixed address, and with frame
# pointers but without call frame information.
foreach(variant "" _fixed _plain)
  add_executable(user_frames${variant} ${PROJECT_SOURCE_DIR}/tests/user/frames.c)
  target_compile_options(user_frames${variant} PRIVATE -O2 -fomit-frame-pointer)
endforeach()
target_compile_options(user_frames_fixed PRIVATE -fno-pie)
target_link_options(user_frames_fixed PRIVATE -no-pie)
target_compile_options(user_frames_plain PRIVATE -fno-omit-frame-pointer
  -fno-asynchronous-unwind-tables)
# Another program at the same address.
add_executable(user_frames_other ${PROJECT_SOURCE_DIR}/tests/user/frames.c)
target_compile_options(user_frames_other PRIVATE -O1 -fno-pie)
target_link_options(user_frames_other PRIVATE -no-pie)
add_executable(user_threads ${PROJECT_SOURCE_DIR}/tests/user/threads.c)
find_package(Threads REQUIRED)
target_link_libraries(user_threads PRIVATE Threads::Threads)
add_executable(user_later ${PROJECT_SOURCE_DIR}/tests/user/later.c)
target_link_libraries(user_later PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
foreach(variant one two)
  add_library(later_${variant} MODULE ${PROJECT_SOURCE_DIR}/tests/user/later_library.c)
  target_compile_options(later_${variant} PRIVATE -O1 -DINNER=inner_${variant})
  set_target_properties(later_${variant} PROPERTIES PREFIX "")
endforeach()
add_executable(user_constructor ${PROJECT_SOURCE_DIR}/tests/user/constructor.c)
add_executable(user_returns ${PROJECT_SOURCE_DIR}/tests/user/returns.cpp)
target_compile_options(user_returns PRIVATE -O2)
kinst_add_live_cases(user user_workload)

# Sequences of instructions and whole programs, with every instruction probed and
# without: the harness of docs/reliability.md.
add_executable(user_sequences ${PROJECT_SOURCE_DIR}/tests/user/harness/generate.cpp)
target_link_libraries(user_sequences PRIVATE kinst_flags)
add_test(NAME user.sequences
  COMMAND ${PROJECT_SOURCE_DIR}/tests/user/harness/check-sequences $<TARGET_FILE:kinst>
    $<TARGET_FILE:user_sequences>)
add_test(NAME user.programs
  COMMAND ${PROJECT_SOURCE_DIR}/tests/user/harness/check-programs $<TARGET_FILE:kinst>)
set_tests_properties(user.sequences user.programs PROPERTIES SKIP_RETURN_CODE 77
  TIMEOUT 400 RESOURCE_LOCK this_kernel)
