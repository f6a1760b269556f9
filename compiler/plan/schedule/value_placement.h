// Where the values of a program are kept. A value, a `let` that is read at other cells than its
// own, is computed again by each cell that reads it (inline), once by a launch before, which keeps
// it in memory (global), or once by the block that reads it, in shared memory (tile;
// staged_values.h). Its bits are the same: the order inside a value is that of its own cell.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace stencilc::plan {

struct Value {
  std::string name;
  int let = 0;
  ir::ExprPtr expr;              // at its own cell
  std::set<ir::Offset> offsets;  // at which updates and other values read it
  std::string problem;           // why it cannot be computed before its readers; or empty
};

// The values that updates read, inner ones first.
std::vector<Value> values_in(const ir::Stencil& stencil);

// The names of those that can be computed before their readers.
std::vector<std::string> placeable(const ir::Stencil& stencil);

// Why these values cannot be `global`, or in a `tile`; or empty.
std::string placement_problem(const ir::Stencil& stencil, const std::vector<std::string>& names,
                              const std::string& placement);

// The stencil in which these values are global. Each is a temporary, an output that updates before
// its readers assign. Beyond the grid its cells are what the expression gives there: a launch
// computes those that are read. Cells that nobody reads are not computed, so that nothing is read
// beyond a side without a boundary. The values exist and can be global.
ir::Stencil with_global(const ir::Stencil& stencil, const std::vector<std::string>& names);
// The same by values_in(stencil), for who tries many choices.
ir::Stencil with_global(const ir::Stencil& stencil, const std::vector<Value>& values,
                        const std::vector<std::string>& names);

// Sets the ghost cells and the sides of the temporaries, from the last reader to the first.
void set_ghosts(ir::Stencil& stencil);

}  // namespace stencilc::plan
