# What a traced program can do to the command that traces it: nothing.
add_executable(hostile_program ${PROJECT_SOURCE_DIR}/tests/hostile/hostile.cpp)
target_include_directories(hostile_program PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(hostile_program PRIVATE -O1 -fno-omit-frame-pointer
  -fno-optimize-sibling-calls)
kinst_add_live_cases(hostile hostile_program)
