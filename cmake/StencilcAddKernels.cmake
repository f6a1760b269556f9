#[=[
stencilc_add_kernels(target a.stn [b.stn ...]
  [TARGET cuda|cpu|auto]   # auto: CUDA where that language is enabled, else the CPU
  [ARCHS 90 ...]           # GPU architectures, as in CUDA_ARCHITECTURES, whose default is CMAKE_CUDA_ARCHITECTURES
  [DEFINES N=V ...]        # values of params, as `stencilc -D`
  [DISTRIBUTED]            # for grids that are cut into pieces, as `stencilc --distributed`
  [OPTIONS ...])           # further options of stencilc

Compiles each .stn file and adds the result to `target`, an executable or a library made in the same directory. The header of
laplace.stn is included as "laplace.h". A file is compiled again when it, what it imports, or stencilc changes, and when
laplace.tune.json beside it comes or changes, with Ninja also when it goes. To run another stencilc than the one of this package (when cross compiling,
say), set STENCILC_EXECUTABLE.
#]=]

cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

set(STENCILC_CPU_FLAGS "-march=native" CACHE STRING "How kernels for the CPU are compiled, beside -O3 and OpenMP")
mark_as_advanced(STENCILC_CPU_FLAGS)

function(stencilc_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 KERNELS "DISTRIBUTED" "TARGET" "ARCHS;OPTIONS;DEFINES")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "stencilc_add_kernels: `${target}` is not a target")
  endif()
  get_target_property(made_in "${target}" BINARY_DIR)
  if(NOT made_in STREQUAL CMAKE_CURRENT_BINARY_DIR)
    message(FATAL_ERROR "stencilc_add_kernels: call it in the directory that makes `${target}`")
  endif()
  if(NOT KERNELS_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "stencilc_add_kernels: no .stn file given for `${target}`")
  endif()
  stencilc_choose_target_(kernel_target "${KERNELS_TARGET}")
  if(KERNELS_DISTRIBUTED)
    if("${KERNELS_OPTIONS}" MATCHES "--emit=([a-z-]+)")
      message(FATAL_ERROR "stencilc_add_kernels: DISTRIBUTED does not go with ${CMAKE_MATCH_0}")
    endif()
    list(PREPEND KERNELS_OPTIONS --distributed)
  endif()

  if(kernel_target STREQUAL "cuda")
    set(suffix cu)
    target_compile_features("${target}" PRIVATE cuda_std_17)
    # The header of a stencil names a stream, so that C++ files that include it need the toolkit's headers.
    target_include_directories("${target}" SYSTEM PUBLIC "$<BUILD_INTERFACE:${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}>")
    if(KERNELS_ARCHS)
      set_target_properties("${target}" PROPERTIES CUDA_ARCHITECTURES "${KERNELS_ARCHS}")
      set(archs "${KERNELS_ARCHS}")
      list(FILTER archs INCLUDE REGEX "^([0-9]|native)")      # stencilc has no word for `all`
      list(TRANSFORM archs REPLACE "^([0-9]+).*$" "sm_\\1") # 90a-real
      list(JOIN archs "," archs)
      if(archs)
        list(PREPEND KERNELS_OPTIONS "--arch=${archs}")
      endif()
    endif()
  else()
    set(suffix cpp)
    target_compile_features("${target}" PRIVATE cxx_std_17)
    find_package(OpenMP QUIET COMPONENTS CXX)
    separate_arguments(flags UNIX_COMMAND "${STENCILC_CPU_FLAGS} ${OpenMP_CXX_FLAGS}")
    list(APPEND flags -O3 -ffp-contract=off) # the numeric contract: only what is written as fma is fused
    target_link_libraries("${target}" PRIVATE ${OpenMP_CXX_LIBRARIES})
  endif()

  set(out_dir "${CMAKE_CURRENT_BINARY_DIR}/stencilc/${target}")
  file(MAKE_DIRECTORY "${out_dir}")
  list(TRANSFORM KERNELS_DEFINES PREPEND "-D")
  foreach(stn IN LISTS KERNELS_UNPARSED_ARGUMENTS)
    get_filename_component(stn "${stn}" ABSOLUTE)
    get_filename_component(name "${stn}" NAME_WLE)
    set(out "${out_dir}/${name}.${suffix}")
    stencilc_claim_("${target}" "${out}" "${stn}")
    stencilc_add_command_("${stn}" "${out}" "${out_dir}/${name}" --target=${kernel_target} ${KERNELS_DEFINES} ${KERNELS_OPTIONS})
    target_sources("${target}" PRIVATE "${out}")
    set_source_files_properties("${out}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${flags}")
  endforeach()
  target_include_directories("${target}" PUBLIC "$<BUILD_INTERFACE:${out_dir}>")
  target_link_libraries("${target}" PUBLIC stencilc::runtime)

  # Later, so that options that the caller sets after this call are seen too.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL stencilc_refuse_fast_math_ [[${target}]] ${kernel_target})")
endfunction()

function(stencilc_choose_target_ result wanted)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT wanted OR wanted STREQUAL "auto")
    set(wanted cpu)
    if("CUDA" IN_LIST languages)
      set(wanted cuda)
    endif()
  elseif(NOT wanted MATCHES "^(cuda|cpu)$")
    message(FATAL_ERROR "stencilc_add_kernels: TARGET is cuda, cpu or auto, not `${wanted}`")
  endif()
  if(wanted STREQUAL "cuda" AND NOT "CUDA" IN_LIST languages)
    message(FATAL_ERROR "stencilc_add_kernels: TARGET cuda needs the CUDA language; write enable_language(CUDA) before")
  endif()
  set(${result} ${wanted} PARENT_SCOPE)
endfunction()

# Two files of one name would write the same output, and so would the code of one file for whole grids and for pieces.
function(stencilc_claim_ target out stn)
  get_target_property(claimed "${target}" STENCILC_OUTPUTS)
  if("${out}" IN_LIST claimed)
    message(FATAL_ERROR "stencilc_add_kernels: `${target}` has another file of the name of `${stn}`, or that file itself")
  endif()
  set_property(TARGET "${target}" APPEND PROPERTY STENCILC_OUTPUTS "${out}")
endfunction()

function(stencilc_add_command_ stn out stem)
  if(STENCILC_EXECUTABLE)
    set(stencilc "${STENCILC_EXECUTABLE}")
  else()
    set(stencilc stencilc::stencilc)
  endif()
  # stencilc keeps the time stamp of output that did not change. Ninja understands that; Make would run it again for ever.
  set(touch "")
  if(CMAKE_GENERATOR MATCHES "Makefiles")
    set(touch COMMAND "${CMAKE_COMMAND}" -E touch "${out}")
  endif()
  get_filename_component(file "${stn}" NAME)
  # The depfile says when a tune file changes; the glob, when there is one.
  string(REGEX REPLACE "\\.[^./]*$" ".tune.json" tune_file "${stn}")
  string(REGEX REPLACE "([[*?])" "[\\1]" tune_file "${tune_file}")
  file(GLOB tune_file CONFIGURE_DEPENDS "${tune_file}")
  add_custom_command(
    OUTPUT "${out}"
    BYPRODUCTS "${stem}.h"
    COMMAND "${stencilc}" "${stn}" -o "${out}" -MD -MF "${stem}.d" -MT "${out}" ${ARGN}
    ${touch}
    DEPENDS "${stencilc}" "${stn}" ${tune_file}
    DEPFILE "${stem}.d"
    COMMENT "Compiling the stencils of ${file}"
    VERBATIM)
endfunction()

# The options that change floating-point results behind the back of emitted code, which cannot see them itself.
function(stencilc_refuse_fast_math_ target kernel_target)
  if(kernel_target STREQUAL "cuda")
    set(language CUDA)
    set(refused "--?use_fast_math|--?ftz=true|--?prec-(div|sqrt)=false")
  else()
    set(language CXX)
    set(refused "-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math|-freciprocal-math|-ffinite-math-only")
  endif()
  get_target_property(options "${target}" COMPILE_OPTIONS)
  list(APPEND options "${CMAKE_${language}_FLAGS}")
  foreach(config IN LISTS CMAKE_BUILD_TYPE CMAKE_CONFIGURATION_TYPES)
    string(TOUPPER "${config}" config)
    list(APPEND options "${CMAKE_${language}_FLAGS_${config}}")
  endforeach()
  get_target_property(libraries "${target}" LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    if(TARGET "${library}")
      get_target_property(more "${library}" INTERFACE_COMPILE_OPTIONS)
      list(APPEND options "${more}")
    endif()
  endforeach()
  if("${options}" MATCHES "(^|[ ;:,>])(${refused})($|[ ;>,])")
    message(FATAL_ERROR
      "stencilc_add_kernels: `${target}` is compiled with ${CMAKE_MATCH_2}, which breaks the promise that results equal those of "
      "the source; take it away")
  endif()
endfunction()

cmake_policy(POP)
