# For scripts/mutate: the rooms that it changes are compiled file by file and with little optimization, so that a changed line
# is built again in seconds. All else is built as usual, so that the compiler's cache knows it.
function(stencilc_build_apart)
  foreach(room sema ir plan lower emit)
    set_target_properties(stencilc_${room} PROPERTIES UNITY_BUILD OFF PRECOMPILE_HEADERS_REUSE_FROM stencilc_headers_1)
    target_compile_options(stencilc_${room} PRIVATE -O1)
    add_dependencies(stencilc_${room} stencilc_headers_1)
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL stencilc_build_apart)
