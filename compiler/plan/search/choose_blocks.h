// Chooses the block of kernels with one cell per thread, how many registers they may take, and
// which threads compute the cells near the boundary.
#pragma once

#include "plan/schedule/schedule.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {

// Whether most arrays, or most that are no temporaries, are read in one neighbouring cell alone, as
// in lattice Boltzmann methods. Nothing that a block loads is read again there.
bool streams_from_one_neighbour(const ir::Stencil& stencil, bool temporaries);

// For threads of one cell in launches of one step: blocks of 128 threads where kernels need more
// than 32 registers, since more of them fit on a multiprocessor, and a limit for kernels that need
// few more than it leaves. Measured on one H200 (bench/notes/one-step.md, "Blocks of one cell per
// thread"). For threads that stream vectors along the third axis: a limit of 128 or 168 registers
// (bench/notes/one-step.md, "Streams of vectors in space").
Schedule with_blocks(Survey& survey, Schedule schedule);

// For the same: statements in the order of neighbours, where that leaves much fewer values live.
Schedule with_order(Survey& survey, Schedule schedule);

// The schedule with threads of their own for the cells near the boundary, where that is predicted
// to gain: a block with one such cell checks all of its cells otherwise, and on small grids most
// blocks have one. Cells of one colour leave some of such threads idle, so they have to gain more;
// lattice methods store too many arrays at both ends of each row (bench/notes/one-step.md, "Cells
// near the boundary").
Schedule with_edges(Survey& survey, Schedule schedule, const Device& device,
                    const std::array<int64_t, 3>& extents);

}  // namespace stencilc::plan
