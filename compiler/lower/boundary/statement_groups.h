// The order in which a cell computes the statements of a launch.
//
// before   f on A, g on A, g on B, h on A       after   {f, g, h} on A, {g} on B
#pragma once

#include <set>
#include <vector>

#include "lower/context/context.h"

namespace stencilc::lower {

// A statement of an update.
struct Statement {
  const ir::Update* update;
  const ir::Case* assigns;

  // Is it the first of its update, or the last?
  bool first() const { return assigns == &update->cases.front(); }
  bool last() const { return assigns == &update->cases.back(); }
};

// The statements of the updates, and of those whose t+1 at the cell they read, in groups. Those of
// a group assign the same cells, so that one condition serves them, and what they share is computed
// once. What a statement reads of the t+1 of other fields is complete in a group before, or by a
// statement before it in its own group. Statements that assign every cell come as early as they
// can: what they compute is at hand for the others. `held`: the fields whose t+1 is at hand without
// statements.
std::vector<std::vector<Statement>> statement_groups(const Context& context,
                                                     const std::vector<const ir::Update*>& updates,
                                                     const std::set<int>& held = {});

}  // namespace stencilc::lower
