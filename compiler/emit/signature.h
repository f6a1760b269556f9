// The shapes of the run call, shared by source, header and adapter.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"

namespace stencilc::emit {

// Parameters of the C entry: buffers, extents, strides, params, steps, stream.
std::vector<std::string> c_parameters(const kernel::Module& module, Dialect dialect);
std::vector<std::string> run_parameters(const kernel::Module& module);  // of the C++ entry
std::string c_name(const kernel::Module& module);                       // laplace2d_run
// nx, ny, nz, pitch, plane: as many as the rank has, each with this in front of it.
std::vector<std::string> shape_names(const kernel::Module& module, const std::string& prefix);
bool rotates(const kernel::Grid& grid);         // stepped, with more than one buffer
bool has_halves(const kernel::Module& module);  // among the types of its grids and params

}  // namespace stencilc::emit
