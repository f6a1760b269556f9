#include <dlfcn.h>

#include <filesystem>

#include "check/plugin/plugin.h"

namespace stencilc::check {

const CheckApi* load_check_api(std::string& why_not) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    why_not = "cannot find the path of this program: " + error.message();
    return nullptr;
  }
  const auto path = program.parent_path().parent_path() / "lib/stencilc/libstencilc_check.so";
  if (!std::filesystem::exists(path, error)) {
    why_not = "this stencilc was built without LLVM/Clang, which runs and judges emitted code";
    return nullptr;
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : dlsym(library, "stencilc_check_api");
  if (entry == nullptr) {
    why_not = dlerror();
    return nullptr;
  }
  return reinterpret_cast<const CheckApi* (*)()>(entry)();
}

}  // namespace stencilc::check
