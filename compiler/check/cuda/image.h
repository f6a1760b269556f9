// Describes a loaded program for the CUDA runtime: kernels and device variables by the addresses of
// their host side.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/block/block.h"

namespace stencilc::check {

struct DeviceVariable {
  char* address = nullptr;
  size_t bytes = 0;
};

struct Image {
  std::map<std::string, Kernel> kernels;            // by mangled name
  std::map<std::string, DeviceVariable> variables;  // by mangled name
  std::unordered_map<const void*, Kernel*> stubs;
  std::unordered_map<const void*, DeviceVariable*> shadows;
  RunMode mode;
  std::vector<std::string> faults;
};

// Runs `initialise`, the static initialisers of the host side of a program, which register its
// kernels and variables. The runtime knows the image until remove_image. One CPU thread can use an
// image at a time.
void add_image(Image& image, const std::function<void()>& initialise);
void remove_image(Image& image);

// A function of the CUDA runtime, as the host side of programs finds it.
struct HostFunction {
  const char* name;
  void* address;
};
std::vector<HostFunction> host_functions();

}  // namespace stencilc::check
