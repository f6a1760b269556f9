// Writes the header comment of emitted files.
#pragma once

#include <string>
#include <vector>

#include "driver/pipeline/compile.h"
#include "driver/pipeline/field_use.h"

namespace stencilc::driver {

// The lines of the header comment: the stencil, its schedule, and the reasons.
std::vector<std::string> story(const ir::Stencil& stencil, const plan::Plan& plan,
                               const CompileOptions& options, const std::string& source_name);

// The part that --explain prints as well: the fields, the schedule and the reasons.
std::vector<std::string> decision_lines(const ir::Stencil& stencil, const plan::Plan& plan,
                                        const std::vector<FieldUse>& fields);

}  // namespace stencilc::driver
