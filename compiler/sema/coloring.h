// Rules that give each cell a colour, and which cells then read others of their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace stencilc::sema {

inline constexpr int64_t kMaxColors = 64;

int64_t remainder(int64_t value, int64_t count);  // from 0 to count - 1

// Has the cell at this distance the colour of the one that reads it?
bool same_color(const ir::Offset& apart, const ir::Colors& colors);

// May the read, somewhere near the rim, be one of another cell of the same colour?
bool meets_color_outside(const ir::Read& read, const ir::Boundary& boundary,
                         const ir::Colors& colors);

// The rule of the fewest colours by which no read meets the colour of its cell; without one, none
// of `most` colours or fewer does. More are not tried, where that would take seconds.
struct Coloring {
  std::optional<ir::Colors> rule;
  int64_t most = 1;
};
Coloring fewest_colors(const std::vector<ir::Read>& reads, const ir::Stencil& stencil);

std::string print(const ir::Colors& colors, const ir::Stencil& stencil);  // as the language has it

}  // namespace stencilc::sema
