# A room is a folder of compiler/ with one job: see docs/architecture.md for the list and for who may include whom.
#
#   stencilc_room(NAME [OPTIMIZE level] [USES target...] [APART regex...])
#
# makes the static library stencilc_NAME from every .cpp of the folder and of those in it. The files of a room are found by the build, so that
# adding a file is adding a file. Of those APART see stencilc_together(). OPTIMIZE: the level of -O of a Release build, 1, 2 or 3; by
# default 2. Rooms where a compilation spends its time have 3, and rooms that are called once have 1: the build is a third shorter.
# Who sets CMAKE_CXX_FLAGS_RELEASE decides for all rooms.

set(CMAKE_CXX_STANDARD_REQUIRED ON)

add_library(stencilc_flags INTERFACE)
target_compile_features(stencilc_flags INTERFACE cxx_std_20)
target_compile_options(stencilc_flags INTERFACE
  -Wall -Wextra -Werror -Wno-missing-field-initializers -ffp-contract=off
  # g++ 12 gives these for correct uses of std::string and std::variant too.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  # Clang sees more: its warnings are looked at in the builds for libFuzzer, and stop none.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-error>)
target_include_directories(stencilc_flags INTERFACE
  "${PROJECT_SOURCE_DIR}/compiler" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}" "${PROJECT_BINARY_DIR}/generated")
if(STENCILC_LINKER)
  target_link_options(stencilc_flags INTERFACE "${STENCILC_LINKER}")
endif()
if(STENCILC_SANITIZE)
  target_compile_options(stencilc_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(stencilc_flags INTERFACE -fsanitize=address,undefined)
endif()

option(STENCILC_UNITY "Compile several files at once; OFF shows includes that are missing" ON)

# What the rooms include of the standard library and of fmt is read once for each level. A precompiled header must be made with the
# options of those who use it.
option(STENCILC_PCH "Precompile the headers that files share; OFF shows includes that are missing" ON)
function(stencilc_precompiled target level)
  if(NOT STENCILC_PCH)
    return()
  endif()
  set(headers stencilc_headers_${level})
  if(NOT TARGET ${headers})
    file(WRITE "${PROJECT_BINARY_DIR}/generated/headers_${level}.cpp" "")
    add_library(${headers} OBJECT "${PROJECT_BINARY_DIR}/generated/headers_${level}.cpp")
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
    target_compile_options(${headers} PRIVATE $<$<CONFIG:Release>:-O${level}>)
    target_link_libraries(${headers} PRIVATE stencilc_flags ${STENCILC_FMT})
    target_precompile_headers(${headers} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <cstdlib> <cstring> <filesystem> <fstream> <functional> <iostream> <limits> <map>
      <memory> <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <unordered_map> <utility>
      <variant> <vector> <fmt/format.h>)
  endif()
  target_link_libraries(${target} PRIVATE ${STENCILC_FMT}) # the header depends on its macros
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# stencilc_together(TARGET [APART regex...]): compiles the target's files two dozen at once, which takes less than half the time.
# Those that one expression matches as a whole (without .cpp) are compiled together, but not with others: in them names mean
# something else than in other files.
function(stencilc_together target)
  cmake_parse_arguments(TOGETHER "" "" "APART" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${STENCILC_UNITY}" UNITY_BUILD_MODE GROUP)
  get_target_property(others ${target} SOURCES)
  list(FILTER others INCLUDE REGEX "\\.cpp$")
  foreach(regex IN LISTS TOGETHER_APART)
    set(group ${others})
    list(FILTER group INCLUDE REGEX "(^|/)(${regex})\\.cpp$")
    list(FILTER others EXCLUDE REGEX "(^|/)(${regex})\\.cpp$")
    string(MAKE_C_IDENTIFIER "${regex}" name)
    string(SUBSTRING "${name}" 0 40 name)
    set_source_files_properties(${group} PROPERTIES UNITY_GROUP "${name}")
  endforeach()
  set(number 0)
  foreach(source IN LISTS others)
    math(EXPR group "${number} / 24")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()

function(stencilc_room name)
  cmake_parse_arguments(ROOM "" "OPTIMIZE" "USES;APART" ${ARGN})
  if(NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3")
    string(REGEX MATCH "[0-9]" ROOM_OPTIMIZE "${CMAKE_CXX_FLAGS_RELEASE}")
  elseif(NOT ROOM_OPTIMIZE)
    set(ROOM_OPTIMIZE 2)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  if(NOT sources)  # headers only
    add_library(stencilc_${name} INTERFACE)
    target_link_libraries(stencilc_${name} INTERFACE stencilc_flags ${ROOM_USES})
    return()
  endif()
  add_library(stencilc_${name} STATIC ${sources})
  set_target_properties(stencilc_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  stencilc_together(stencilc_${name} APART ${ROOM_APART})
  target_link_libraries(stencilc_${name} PUBLIC stencilc_flags ${ROOM_USES})
  # A section a function: what a program does not call can be left out of it (tests/run/agreed.h).
  target_compile_options(stencilc_${name} PRIVATE $<$<CONFIG:Release>:-O${ROOM_OPTIMIZE}> -ffunction-sections -fdata-sections)
  stencilc_precompiled(stencilc_${name} ${ROOM_OPTIMIZE})
endfunction()
