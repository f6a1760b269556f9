// What launches on a window of the grid need beside it. A window is some planes of the grid (rows
// in 2-D), all cells of the other axes; a device that holds a piece of the grid computes one.
#pragma once

#include <vector>

#include "ir/ir.h"
#include "plan/schedule/launch.h"

namespace stencilc::plan {

// Planes in front of a window and behind it.
struct Planes {
  int low = 0, high = 0;
};

struct WindowReach {
  // By launch of a step: beside the window it computes planes that later launches of the step read,
  // and later colours of its own: `colour` more for each that follows.
  struct Launch {
    Planes beside, color;
  };
  std::vector<Launch> launches;
  Planes injections;  // the cells beside the window at which values are injected
  // By field: the planes beside the window that a step reads of it, at any level that the step
  // begins with.
  std::vector<Planes> fields;
  std::vector<Planes> before;  // likewise, of t-1 and earlier levels alone
  // Those that a step needs of what the step before it made: so many more a launch computes for
  // each step that follows without an exchange.
  Planes step;
};

// Of the launches of a step, in order. At sides that mirror cells a read goes in both directions.
WindowReach window_reach(const ir::Stencil& stencil, const std::vector<Launch>& launches);

// Does what is computed depend on where along the last axis it is, other than by the boundary? If
// not, the memory of a piece can be taken for a grid of its own: its ends are beside all that the
// piece needs, or are ends of the grid.
bool knows_its_plane(const ir::Stencil& stencil);

}  // namespace stencilc::plan
