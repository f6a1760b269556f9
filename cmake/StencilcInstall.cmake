# `cmake --install`: bin/stencilc, lib/stencilc/libstencilc_check.so where Clang was found, include/stencil/*.h, and the package
# for find_package(stencilc), a man page and completions for bash, zsh and fish. `cpack` makes a .deb and a .tar.gz of the same.
include(CMakePackageConfigHelpers)

set(package_dir "lib/cmake/stencilc")
install(TARGETS stencilc stencilc_runtime EXPORT stencilc-targets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/stencil" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# The man page and the completions for shells are what the compiler prints of its options.
set(STENCILC_ZSH_FOLDER "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" CACHE STRING "Where zsh looks for completions")
mark_as_advanced(STENCILC_ZSH_FOLDER)
set(generated "${PROJECT_BINARY_DIR}/complete")
file(MAKE_DIRECTORY "${generated}")
install(CODE "
  set(stencilc \"$<TARGET_FILE:stencilc>\")
  foreach(shell bash zsh fish)
    execute_process(COMMAND \"\${stencilc}\" --generate=\${shell} OUTPUT_FILE \"${generated}/\${shell}\"
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(COMMAND \"\${stencilc}\" --generate=man COMMAND gzip -9n OUTPUT_FILE \"${generated}/man.gz\"
    COMMAND_ERROR_IS_FATAL ANY)")
install(FILES "${generated}/man.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" RENAME stencilc.1.gz)
install(FILES "${generated}/bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME stencilc)
install(FILES "${generated}/zsh" DESTINATION "${STENCILC_ZSH_FOLDER}" RENAME _stencilc)
install(FILES "${generated}/fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME stencilc.fish)

install(EXPORT stencilc-targets NAMESPACE stencilc:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/stencilc-config.cmake.in"
  "${PROJECT_BINARY_DIR}/stencilc-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/stencilc-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/stencilc-config.cmake" "${PROJECT_BINARY_DIR}/stencilc-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/StencilcAddKernels.cmake"
  DESTINATION "${package_dir}")

# What the wheel of the Python package has beside python/stencilc: pyproject.toml.
if(SKBUILD)
  install(TARGETS stencilc RUNTIME DESTINATION stencilc/bin COMPONENT python)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/stencil" DESTINATION stencilc/include COMPONENT python
    FILES_MATCHING PATTERN "*.h")
endif()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_VENDOR "stencilc")
set(CPACK_PACKAGE_CONTACT "the stencilc authors")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++")  # `stencilc run` compiles what it emits
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libnetcdf19, libopenmpi-dev, openmpi-bin")  # as `stencilc doctor` says
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib/stencilc")
endif()
include(CPack)
