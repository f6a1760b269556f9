// What several statements read from one place in shared memory is loaded once, in front of the
// first of them.
#pragma once

#include <map>
#include <string>

#include "kernel/build.h"
#include "lower/context/context.h"

namespace stencilc::lower {

// before   a = f * planes[i]; b = g * planes[i];
// after    q = planes[i]; a = f * q; b = g * q;
//
// Of a list that stores nothing in shared memory. `wanted`: the names, by the text of the load.
void load_once(const std::map<std::string, std::string>& wanted, Names& names, kernel::Body& body);

}  // namespace stencilc::lower
