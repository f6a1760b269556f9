# `cmake --install`: bin/stencilc, lib/stencilc/libstencilc_check.so where Clang was found, include/stencil/*.h, and the package
# for find_package(stencilc). `cpack` makes a .deb and a .tar.gz of the same.
include(CMakePackageConfigHelpers)

set(package_dir "lib/cmake/stencilc")
install(TARGETS stencilc stencilc_runtime EXPORT stencilc-targets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/stencil" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

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
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib/stencilc")
endif()
include(CPack)
