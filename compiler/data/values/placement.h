// Where the cells of a grid are.
#pragma once

#include <array>

namespace stencilc::data {

// Along x, y and z: the position of the first cell, and the distance of neighbouring cells.
struct Placement {
  std::array<double, 3> origin = {0, 0, 0};
  std::array<double, 3> spacing = {1, 1, 1};

  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace stencilc::data
