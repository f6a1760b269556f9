// Chooses the block of kernels with one cell per thread, and how many registers they may take.
#pragma once

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// For threads of one cell in launches of one step: blocks of 128 threads where kernels need many
// registers, since more of them fit on a multiprocessor, and a limit for kernels that need few more
// than it leaves. Measured on one H200 (bench/notes/one-step.md, "Blocks of one cell per thread").
Schedule with_blocks(Survey& survey, Schedule schedule);

}  // namespace stencilc::plan
