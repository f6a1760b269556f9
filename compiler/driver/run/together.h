// What the processes of a run write together: each has some planes of the fields.
#pragma once

#include <string>
#include <vector>

#include "driver/execute/call.h"

namespace stencilc::driver {

// The first process gets the whole newest levels of these fields. Returns what failed, or "".
std::string gather(const ir::Stencil& stencil, const std::vector<int>& fields, HostData& host);

// One .npy file of the newest level of a field, into which each process writes its planes: all of
// it, or none. The folder is one that all of them can write to. Returns what failed, or "".
std::string write_npy_together(const ir::Stencil& stencil, int field, const HostData& host,
                               const std::string& path);

}  // namespace stencilc::driver
