// What --explain says, as lines.
#pragma once

#include <string>
#include <vector>

#include "driver/explain/explanation.h"

namespace stencilc::driver {

std::vector<std::string> lines_of(const Explanation& all);

// The part that the header block holds, too: the fields, the schedule, and why.
std::vector<std::string> decision_lines(const ir::Stencil& stencil, const plan::Schedule& schedule,
                                        const std::vector<FieldUse>& fields);

}  // namespace stencilc::driver
