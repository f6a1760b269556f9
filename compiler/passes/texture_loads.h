// Texture loads: kernels that ask for it fetch what they only read of grids through textures.
#pragma once

#include "kernel/module.h"

namespace stencilc::passes {

// Notes in a launch why it loads something all the same.
void fetch_through_textures(kernel::Module& module);

}  // namespace stencilc::passes
