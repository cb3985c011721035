# D libraries: installed as files, and embedded for commands copied without them.
file(GLOB KINST_LIBRARIES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/library/*.d)
set(LIBRARIES_EMBEDDED ${PROJECT_BINARY_DIR}/library/embedded.cpp)
add_custom_command(OUTPUT ${LIBRARIES_EMBEDDED}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${LIBRARIES_EMBEDDED}
    "-DLIBRARIES=${KINST_LIBRARIES}"
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_libraries.cmake
  DEPENDS ${KINST_LIBRARIES} ${PROJECT_SOURCE_DIR}/cmake/embed_libraries.cmake
  COMMENT "Embedding the D libraries" VERBATIM)
add_library(kinst_libraries OBJECT ${LIBRARIES_EMBEDDED})
target_include_directories(kinst_libraries PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(kinst_libraries PRIVATE kinst_dependencies)
