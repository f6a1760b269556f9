// Measures the speed of a built library.
#pragma once

#include <string>

#include "driver/execute/call.h"
#include "driver/execute/library.h"
#include "driver/measure/rounds.h"

namespace stencilc::driver {

// Times runs of the library of emit::bench_call. Returns what failed, or "".
std::string measure(const Library& library, const HostData& host, const Timing& timing,
                    Times& times);

// The same after a run of a few steps that gives the checksum of all cells.
std::string measure_checked(const Library& library, const HostData& host, const Timing& timing,
                            Times& times, uint64_t& checksum);

// The same for copies of an array. `bytes`: read and written by one copy.
std::string measure_copy(const Library& library, const Timing& timing, Times& times,
                         int64_t& bytes);

// Makes the grids and runs nothing: is there what they need? Returns what is missing, or "".
std::string make_grids(const Library& library, const HostData& host);

// One run of this many steps, for a profiler.
std::string run_once(const Library& library, const HostData& host, int64_t steps);

}  // namespace stencilc::driver
