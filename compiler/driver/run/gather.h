// Brings together what the processes of a run have computed.
#pragma once

#include <string>

#include "driver/execute/call.h"

namespace stencilc::driver {

// The first process gets the newest levels of all fields that the program writes from the others,
// each of which has some planes of them. Returns what failed, or "". Nothing to do in one process.
std::string gather(const ir::Stencil& stencil, HostData& host);

}  // namespace stencilc::driver
