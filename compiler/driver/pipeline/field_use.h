// Describes how a step uses each field.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "plan/search/plan.h"

namespace stencilc::driver {

struct FieldUse {
  std::string type, name;
  ir::Role role = ir::Role::input;
  std::vector<std::pair<int, int>> points;  // for each level, the distinct points that are read
  int radius = 0;                           // of these points
  std::string boundary;  // "clamp", or that of each side; empty if the radius is 0
  int buffers = 1;
};

std::vector<FieldUse> fields_of(const ir::Stencil& stencil, const plan::Plan& plan);

}  // namespace stencilc::driver
