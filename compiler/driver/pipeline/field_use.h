// What a step does with each field.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/schedule.h"

namespace stencilc::driver {

struct FieldUse {
  std::string type, name;
  ir::Role role = ir::Role::input;
  std::vector<std::pair<int, int>> points;  // level, and the distinct points read of it
  int radius = 0;                           // of these
  std::string boundary;                     // "clamp", or of each side; empty: radius 0
  int buffers = 1;
};

std::vector<FieldUse> fields_of(const ir::Stencil& stencil, const plan::Schedule& schedule);

}  // namespace stencilc::driver
