// What --explain says about the least that a cell takes, and about how fast a step can be.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/device.h"

namespace stencilc::driver {

std::vector<std::string> roofline_lines(const ir::Stencil& stencil,
                                        const std::vector<plan::Device>& devices);

}  // namespace stencilc::driver
