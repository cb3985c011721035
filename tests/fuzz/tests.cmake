# libFuzzer targets, for the preset `fuzz` alone (make fuzz): one for each kind of input
# that somebody else writes. Each links only the folders of src/ that it needs, so that
# not everything is compiled a third time.
add_test(NAME fuzz
  COMMAND ${PROJECT_SOURCE_DIR}/tests/fuzz/run ${PROJECT_SOURCE_DIR}/build-fuzz 3)
set_tests_properties(fuzz PROPERTIES SKIP_RETURN_CODE 77)

option(KINST_FUZZ "Build the fuzz targets; needs clang" OFF)
if(NOT KINST_FUZZ)
  return()
endif()

# A folder of src/ as a library of its own. ON: the folders that it includes.
function(kinst_fuzz_folder NAME)
  cmake_parse_arguments(PARSE_ARGV 1 FOLDER "" "" "ON")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${NAME}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  add_library(fuzz_folder_${NAME} STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(fuzz_folder_${NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(fuzz_folder_${NAME} PUBLIC kinst_flags kinst_dependencies)
  foreach(other IN LISTS FOLDER_ON)
    target_link_libraries(fuzz_folder_${NAME} PUBLIC fuzz_folder_${other})
  endforeach()
endfunction()

kinst_fuzz_folder(base)
kinst_fuzz_folder(unwind ON base)
kinst_fuzz_folder(user ON unwind)
kinst_fuzz_folder(types ON base)
kinst_fuzz_folder(record ON types)
kinst_fuzz_folder(d ON record)
kinst_fuzz_folder(consumer ON record)

add_executable(fuzz_make_seeds EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/tests/fuzz/make_seeds.cpp)
target_link_libraries(fuzz_make_seeds PRIVATE fuzz_folder_base)
add_custom_target(fuzz_targets DEPENDS fuzz_make_seeds)

# A target fuzz_NAME from tests/fuzz/fuzz_NAME.cpp.
function(kinst_fuzz_target NAME)
  cmake_parse_arguments(PARSE_ARGV 1 TARGET "" "" "ON;MORE")
  add_executable(fuzz_${NAME} EXCLUDE_FROM_ALL
    ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_${NAME}.cpp ${TARGET_MORE})
  target_link_options(fuzz_${NAME} PRIVATE -fsanitize=fuzzer)
  foreach(folder IN LISTS TARGET_ON)
    target_link_libraries(fuzz_${NAME} PRIVATE fuzz_folder_${folder})
  endforeach()
  add_dependencies(fuzz_targets fuzz_${NAME})
endfunction()

kinst_fuzz_target(elf ON user)
kinst_fuzz_target(call_frames ON unwind)
kinst_fuzz_target(mappings ON user)
kinst_fuzz_target(printable ON base)

# Those of the user and of the kernel, who are nobody's enemies but may be mistaken.
set(sources ${PROJECT_SOURCE_DIR}/src)
kinst_fuzz_target(format ON consumer)
kinst_fuzz_target(record ON consumer)
kinst_fuzz_target(btf ON types MORE ${sources}/kernel/memory/struct_layout.cpp)
kinst_fuzz_target(symbols ON base MORE ${sources}/kernel/symbols/image_symbols.cpp
  ${sources}/kernel/symbols/symbol_list.cpp ${sources}/kernel/memory/vmcoreinfo.cpp)
kinst_fuzz_target(options ON user consumer MORE ${sources}/command/options/parse_command_line.cpp
  ${sources}/command/options/option_table.cpp ${sources}/command/options/set_option.cpp
  ${sources}/command/options/setting_table.cpp ${sources}/command/options/setting_values.cpp)
kinst_fuzz_target(guest ON base MORE ${sources}/guest/end_mark.cpp
  ${sources}/guest/crash_report.cpp)
kinst_fuzz_target(program ON d MORE ${sources}/d/check/checker_fixture_test.cpp)
