// Units through nvcc: what its front end makes of them, and what ptxas says.
#pragma once

#include <vector>

#include "ptxas/log.h"
#include "ptxas/ptx.h"
#include "ptxas/units.h"

namespace stencilc::ptxas {

struct CompiledUnit {
  Unit unit;
  std::vector<Kernel> kernels;
  std::vector<Resources> resources;
};

// Compiles the units, in the order given. Throws where nvcc fails, or has something to say. Its
// work is kept in the build folder until a text, the command or nvcc changes. Golden tests need not
// compile what was compiled as a whole.
std::vector<CompiledUnit> compile(const std::vector<Unit>& units);

// The kernels of a .cu file that has a folder for itself.
CompiledUnit compile_text(const std::string& name, const std::string& arch,
                          const std::string& source);

}  // namespace stencilc::ptxas
