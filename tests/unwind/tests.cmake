# The rows that kinst makes of call frame information against those of libdw's
# interpreter, and what hostile sections do to either; both programs print figures that
# docs/architecture.md quotes.
foreach(name compare_with_libdw hostile_sections)
  add_executable(unwind_${name} ${PROJECT_SOURCE_DIR}/tests/unwind/${name}.cpp
    ${PROJECT_SOURCE_DIR}/tests/unwind/libdw_rows.cpp)
  target_include_directories(unwind_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(unwind_${name} PRIVATE kinst_core)
endforeach()
foreach(library libc.so.6 libstdc++.so.6)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library}
    OUTPUT_VARIABLE place OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND KINST_UNWIND_SUBJECTS ${place})
endforeach()
add_test(NAME unwind.libdw
  COMMAND unwind_compare_with_libdw ${KINST_UNWIND_SUBJECTS} $<TARGET_FILE:kinst>)
# clang compiles for every machine. Nothing links these, so each has one function.
set(KINST_LINK_SUBJECTS "")
foreach(flag -fno-omit-frame-pointer -fomit-frame-pointer)
  foreach(function RANGE 1 7)
    set(object ${PROJECT_BINARY_DIR}/tests/unwind/link_register${flag}-${function}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/tests/unwind
      COMMAND ${CLANG} -target aarch64-linux-gnu -O2 -fasynchronous-unwind-tables
        ${flag} -DFUNCTION=${function} -c
        ${PROJECT_SOURCE_DIR}/tests/unwind/link_register.c -o ${object}
      DEPENDS ${PROJECT_SOURCE_DIR}/tests/unwind/link_register.c VERBATIM)
    list(APPEND KINST_LINK_SUBJECTS ${object})
  endforeach()
endforeach()
add_custom_target(unwind_link_subjects ALL DEPENDS ${KINST_LINK_SUBJECTS})
add_test(NAME unwind.link_register
  COMMAND unwind_compare_with_libdw ${KINST_LINK_SUBJECTS})
# It limits memory, of which sanitizers want terabytes, and brings its own allocator.
if(NOT KINST_SANITIZE)
  add_test(NAME unwind.hostile
    COMMAND unwind_hostile_sections kinst 500 ${KINST_UNWIND_SUBJECTS})
endif()
