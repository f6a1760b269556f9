// The memory in which a plan keeps values: what NAME_workspace() of the emitted code says.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "kernel/module.h"

namespace stencilc::driver {

// The names of the values that are temporaries of a stencil.
std::vector<std::string> kept_values(const ir::Stencil& placed);
// Those of them that are set up before the first step of a run.
std::vector<std::string> setup_values_of(const ir::Stencil& placed);

// The bytes that temporaries take on grids of these extents, with rows padded as stencil::Grid pads
// them: 0 for none. UINT64_MAX: they do not fit.
uint64_t workspace_bytes(const ir::Stencil& placed, const std::array<int64_t, 3>& extents);

// The same for any extents and distances, as a formula over the arguments of NAME_workspace(), in
// which up(n, m) is the next multiple of m: "256 + up(up(4 * nx, 128) + 4 * 2, 256)".
std::string workspace_formula(const kernel::Module& module);

}  // namespace stencilc::driver
