// Chooses the schedule of a stencil.
#pragma once

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// The best schedule for the device. `extents` is the approximate grid size. With `sizes`, shapes
// whose kernels would spill registers are not taken, if there is another one.
Schedule choose(const ir::Stencil& stencil, Target target, int optimisation,
                const Device& device = any_device());
Schedule choose(const ir::Stencil& stencil, Target target, int optimisation, const Device& device,
                const std::array<int64_t, 3>& extents, KernelSizes sizes = nullptr);
// That, and what there is for smaller grids.
Schedules choose_all(const ir::Stencil& stencil, Target target, int optimisation,
                     const Device& device, const std::array<int64_t, 3>& extents,
                     KernelSizes sizes = nullptr);

// One cell per thread.
Schedule naive(int rank);

// One column of cells per thread.
Schedule columns(int rank);

// Vectors of cells, and several rows of them per thread: the shapes that were fastest on an H200
// for this kind of stencil (bench/notes/one-step.md).
Schedule coarsened(const ir::Stencil& stencil, const Device& device = any_device());
Schedule coarsened(Survey& survey, const Device& device);

// The fastest shape for steps that are taken one by one. `small`: for grids that leave much of a
// GPU idle.
Schedule shape_of_one_step(Survey& survey, const Device& device,
                           const std::array<int64_t, 3>& extents, bool small);

// The least predicted gain over one cell a thread for which a shape of several is chosen.
double least_gain(Survey& survey, const Schedule& shape);

// For grid sizes that leave much of a GPU idle: launches that start early, and in 3-D blocks of few
// planes, or of few cells per thread if a step takes several launches.
Schedule fitted(Survey& survey, Schedule one, const Device& device,
                const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
