// Where NCCL is: there is nothing to link.
#pragma once

#include <dlfcn.h>
#include <glob.h>

#include <cstdlib>
#include <string>

namespace stencil::nccl_place {

// The folder of a program on the PATH, links followed.
inline std::string folder_of_program(const char* program) {
  const char* const path = std::getenv("PATH");
  std::string left = path == nullptr ? "" : path;
  while (!left.empty()) {
    const size_t end = left.find(':');
    char real[4096];
    if (realpath((left.substr(0, end) + "/" + program).c_str(), real) != nullptr) {
      const std::string found = real;
      return found.substr(0, found.rfind('/'));
    }
    left = end == std::string::npos ? "" : left.substr(end + 1);
  }
  return "";
}

// Loads libnccl.so.2 from where STENCIL_NCCL says, where the loader of the system looks, from the
// Python environment or the HPC SDK. Null if it is not there, with the reason in `missing`.
inline void* open_nccl(std::string& missing) {
  constexpr const char* name = "libnccl.so.2";
  const char* const given = std::getenv("STENCIL_NCCL");
  void* found = dlopen(given != nullptr ? given : name, RTLD_NOW | RTLD_GLOBAL);
  if (found == nullptr) missing = dlerror();
  if (found != nullptr || given != nullptr) return found;
  const std::string packages = "/lib/python3*/site-packages/nvidia/nccl/lib/";
  std::string places[] = {"", "", "", "/opt/nvidia/hpc_sdk/Linux_x86_64/*/comm_libs/nccl/lib/",
                          "/usr/local/cuda/lib64/"};
  int n = 0;
  for (const char* of : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char* const folder = std::getenv(of); folder != nullptr)
      places[n++] = folder + packages;
  if (const std::string python = folder_of_program("python3"); !python.empty())
    places[n++] = python + "/.." + packages;
  for (const std::string& place : places) {
    glob_t all{};
    if (!place.empty() && glob((place + name).c_str(), 0, nullptr, &all) == 0)
      for (size_t i = all.gl_pathc; i > 0 && found == nullptr; --i)
        found = dlopen(all.gl_pathv[i - 1], RTLD_NOW | RTLD_GLOBAL);
    globfree(&all);
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace stencil::nccl_place
