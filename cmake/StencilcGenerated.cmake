# Files that the build writes for the compiler to include as "generated/<name>.h":
#   version.h        the version of the project and, in a git checkout, the commit
#   runtime_files.h  the texts of runtime/include/stencil/*.h, for --standalone and `stencilc run`
set(generated "${PROJECT_BINARY_DIR}/generated")

# The commit is asked for when CMake runs, and CMake runs again when HEAD moves. Without git, or in an unpacked archive, it is
# empty, so that the same sources give the same binary.
set(STENCILC_COMMIT "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" rev-parse --short=12 HEAD
    OUTPUT_VARIABLE STENCILC_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(STENCILC_COMMIT "")
  endif()
  if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
  endif()
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/version.h.in" "${generated}/version.h" @ONLY)

file(GLOB runtime_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/runtime/include/stencil/*.h")
configure_file("${PROJECT_SOURCE_DIR}/cmake/runtime_files.h.in" "${generated}/runtime_files.h" COPYONLY)
add_custom_command(
  OUTPUT "${generated}/runtime_files.cpp"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${generated}/runtime_files.cpp" "-DROOT=${PROJECT_SOURCE_DIR}/runtime/include"
    "-DHEADERS=${runtime_headers}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_runtime.cmake"
  DEPENDS ${runtime_headers} "${PROJECT_SOURCE_DIR}/cmake/embed_runtime.cmake"
  COMMENT "Embedding the runtime headers"
  VERBATIM)

add_library(stencilc_generated STATIC "${generated}/runtime_files.cpp")
set_target_properties(stencilc_generated PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(stencilc_generated PUBLIC stencilc_flags)
