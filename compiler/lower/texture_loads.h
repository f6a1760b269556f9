// Loads of neighbours through textures.
#pragma once

#include <string>

#include "lower/cell/cell.h"

namespace stencilc::lower {

// What the launch reads of fields on all axes, and does not store to, it fetches through textures.
void fetch_by_textures(Context& context, const plan::Schedule& schedule);

// Which of its reads are loads all the same, and why; empty: none.
std::string loaded_all_the_same(const Context& context);

}  // namespace stencilc::lower
