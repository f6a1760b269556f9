// Finds rules that give each cell a colour, and checks which cells read others of their own colour.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace stencilc::sema {

inline constexpr int64_t kMaxColors = 64;

int64_t remainder(int64_t value, int64_t count);  // from 0 to count - 1

// Whether the cell at this distance has the colour of the cell that reads it.
bool same_color(const ir::Offset& apart, const ir::Colors& colors);

// Whether the read can reach another cell of the same colour through a boundary.
bool meets_color_outside(const ir::Read& read, const ir::Boundary& boundary,
                         const ir::Colors& colors);

// The rule with the fewest colours by which no cell reads its own colour; without one, there is no
// such rule with `most` colours or fewer. More are not tried, because that would take seconds.
struct Coloring {
  std::optional<ir::Colors> rule;
  int64_t most = 1;
};
Coloring fewest_colors(const std::vector<ir::Read>& reads, const ir::Stencil& stencil);

std::string print(const ir::Colors& colors,
                  const ir::Stencil& stencil);  // in the syntax of the language

}  // namespace stencilc::sema
