// The asynchronous copies that compiled device code calls. Internal to device_functions.cpp.
#pragma once

#include <vector>

#include "check/block.h"

namespace stencilc::check {

std::vector<DeviceFunction> copy_functions();

}  // namespace stencilc::check
