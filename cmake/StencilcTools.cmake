# What the build finds on the machine: a compiler cache, a fast linker, fmt, Clang, nvcc.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(STENCILC_CCACHE ccache)
  if(STENCILC_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${STENCILC_CCACHE}")
    set(CMAKE_C_COMPILER_LAUNCHER "${STENCILC_CCACHE}")
    if(NOT DEFINED ENV{CCACHE_SLOPPINESS}) # without it, what includes precompiled headers is not kept
      list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
    endif()
  endif()
endif()

# Empty, or the option that makes the compiler link with mold or lld.
set(STENCILC_LINKER "")
if(PROJECT_IS_TOP_LEVEL)
  include(CheckLinkerFlag)
  foreach(linker mold lld)
    check_linker_flag(CXX "-fuse-ld=${linker}" STENCILC_HAS_${linker})
    if(STENCILC_HAS_${linker})
      set(STENCILC_LINKER "-fuse-ld=${linker}")
      break()
    endif()
  endforeach()
endif()

# The library to link for fmt, and PNG::PNG. A binary that is carried to other machines has them inside: Debian ships no
# libfmt.a, so fmt is then compiled from its headers.
if(STENCILC_STATIC)
  set(STENCILC_FMT fmt::fmt-header-only)
  set(ZLIB_USE_STATIC_LIBS ON)
  find_library(PNG_LIBRARY_RELEASE NAMES libpng.a REQUIRED)
else()
  set(STENCILC_FMT fmt::fmt)
endif()

# Finds Clang 22 and sets STENCILC_CLANG_FOUND.
macro(stencilc_find_clang)
  set(STENCILC_CLANG_FOUND OFF)
  if(STENCILC_CLANG AND NOT STENCILC_STATIC) # the room is a shared library, which would bring a second libstdc++
    find_package(Clang 22.1 CONFIG QUIET PATHS /usr/lib/llvm-22)
    set(STENCILC_CLANG_FOUND "${Clang_FOUND}")
  endif()
  if(NOT STENCILC_CLANG_FOUND)
    message(STATUS "No Clang 22: --check, `verify` and the tests that judge or execute emitted code are left out")
  endif()
endmacro()

# A file that includes Clang's headers takes up to 2 GB to compile: only as many at once as the machine has memory for.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR jobs "${memory} / 2500")
if(jobs LESS 1)
  set(jobs 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS clang_headers=${jobs})

# Only tests use it, and `stencilc run` finds its own.
find_program(STENCILC_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
mark_as_advanced(STENCILC_NVCC STENCILC_CCACHE)
