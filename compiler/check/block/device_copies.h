// Declares the asynchronous copies that compiled device code calls. Internal to the room.
#pragma once

#include <vector>

#include "check/block/block.h"

namespace stencilc::check {

struct PendingCopy;
void land(const PendingCopy& copy);

std::vector<DeviceFunction> copy_functions();

}  // namespace stencilc::check
