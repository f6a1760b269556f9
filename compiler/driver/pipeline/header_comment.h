// The header block of the emitted file.
#pragma once

#include <string>
#include <vector>

#include "driver/pipeline/compile.h"
#include "driver/pipeline/field_use.h"

namespace stencilc::driver {

// The lines of the header block: what, how, why.
std::vector<std::string> story(const ir::Stencil& stencil, const plan::Schedule& schedule,
                               const CompileOptions& options, const std::string& source_name);

// The part of it that --explain prints, too: the fields, the schedule, and why.
std::vector<std::string> decision_lines(const ir::Stencil& stencil, const plan::Schedule& schedule,
                                        const std::vector<FieldUse>& fields);

}  // namespace stencilc::driver
