// Fission: a statement that could share the launch of those before it begins a launch, and reads
// there what they have stored at its own cell where it would compute the same value again.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// The fields and values in memory whose statements can begin a launch: all but the first.
std::vector<std::string> separable(const ir::Stencil& stencil);

// Why the statements of these cannot begin launches; or empty.
std::string fission_problem(const ir::Stencil& stencil, const std::vector<std::string>& names);

// The stencil in which they do. A `let` of one of them, or of a statement that follows, is a read
// of t+1 where a statement of an earlier launch assigns the value of that `let` alone to all cells.
// The bits are the same. The names can begin launches.
ir::Stencil with_fission(const ir::Stencil& stencil, const std::vector<std::string>& names);

// The stencil as a schedule has it: with its values set up and in memory, and its launches split.
ir::Stencil prepared(const ir::Stencil& stencil, const Schedule& schedule);

}  // namespace stencilc::plan
