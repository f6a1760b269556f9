// The schedule of a stencil, where nobody asks for another.
#pragma once

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// What is best on the device without being told.
// `extents`: of the grids, about.
Schedule choose(const ir::Stencil& stencil, Target target, int optimisation,
                const Device& device = any_device());
Schedule choose(const ir::Stencil& stencil, Target target, int optimisation, const Device& device,
                const std::array<int64_t, 3>& extents);

// One cell a thread.
Schedule naive(int rank);

// One column of cells a thread.
Schedule columns(int rank);

// Vectors of cells, several rows of them a thread: the shapes that were fastest on an H200 for
// stencils of its kind (bench/notes/one-step.md).
Schedule coarsened(const ir::Stencil& stencil, const Device& device = any_device());
Schedule coarsened(Survey& survey, const Device& device);

// For grids of these extents, that leave much of a card idle: launches that begin early, and in
// space blocks that fit them, of few planes, and of few cells a thread where a step takes several
// launches.
Schedule fitted(Survey& survey, Schedule one, const Device& device,
                const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
