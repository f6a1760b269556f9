// Predicts how fast a launch runs under a schedule, from what a cell needs of each part of a
// multiprocessor and from how far these parts overlap.
//
// The form follows Hong and Kim, "An analytical model for a GPU architecture with memory-level and
// thread-level parallelism awareness", ISCA 2009, and the roofline with caches of Ilic, Pratas and
// Sousa, IEEE CAL 13(1), 2014. Its rates are fitted to measured schedules (bench/notes/model.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "plan/analysis/footprint.h"
#include "plan/analysis/kernel_size.h"

namespace stencilc::plan {

// Whether launch bounds make ptxas use fewer registers for f64 sums in 3-D than it would choose by
// itself, without spilling.
bool makes_do(const Device& device);

class Survey;  // survey.h

enum class Limit { memory, l2, l1, issue, latency };
std::string_view name(Limit limit);

struct Prediction {
  int registers = 0;  // per thread
  int shared = 0;     // bytes per block
  int resident = 0;   // blocks per multiprocessor; 0: the kernel cannot run
  int warps = 0;      // per multiprocessor
  bool spills = false;
  // Clocks per cell and multiprocessor if this were the only limit; in the order of Limit.
  std::array<double, 5> clocks = {};
  double together = 0;  // clocks with all limits and with the last, incomplete wave of blocks
  Limit limit = Limit::memory;
  int steps = 1;        // per launch; the clocks and bytes are those of one step
  double computed = 1;  // cells computed per cell stored
  // Bytes per cell: loaded by threads, fetched by blocks from the L2, read from memory, stored.
  struct Moved {
    double loaded = 0, fetched = 0, read = 0, stored = 0;
  } moved;
  double edge_blocks = 0;          // fraction of the blocks, or cells, that touch the boundary
  double waves = 0;                // of blocks; the last one may not fill the GPU
  std::optional<KernelSize> size;  // where the kernel is known
  // The fraction of the time that is lost because it does not.
  double tail() const;
};

// For a grid of this size. `size`: of the kernel, from which follow its registers, and how well it
// overlaps; null: unknown. `by_reads`: it only decides whether registers spill. `staged`: bytes of
// the values that a block keeps in shared memory.
Prediction predict(const Reads& reads, const Footprint& footprint, const Schedule& schedule,
                   const Device& device, const Card& card, const std::array<int64_t, 3>& extents,
                   const KernelSize* size = nullptr, bool by_reads = false, int staged = 0);

// Values of more instructions than these, in tiles, take longer than their operations tell.
inline constexpr double kLongValues = 400;

// The registers that ptxas gives a thread of this kernel where nothing limits it.
double registers_of(const KernelSize& size);

// Whether a kernel of this size is faster if it is limited to so many registers. Measured with 128
// on one H200: one that needs fewer than 90 gets more than it needs under a limit. One that needs
// more than 170 spills too much; in blocks of 128 threads more than 150, because several of these
// fit on a multiprocessor without a limit.
bool gains_by_limit(const KernelSize& size, int registers, int block_threads);

// Whether a kernel of this size spills registers under the schedule, or its code is so long that
// nvcc keeps its parts apart and the instruction cache does not hold it.
// The instructions of a cell by the code of a kernel; 0: it is not known. The share of functions
// that branch in those of all kernels.
double instructions_of(const KernelCode& code);
double share_of_branching(const std::vector<KernelSize>& sizes);

bool is_too_large(const KernelSize& size, const Schedule& schedule, const Device& device);

// The prediction for a step: all launches that store cells.
struct Forecast {
  std::vector<Prediction> launches;
  const Card* card = nullptr;
  std::array<int64_t, 3> extents = {};
  double rate = 0;  // cells per second, without the time between launches; 0: a launch cannot run
  double wait = 0;  // seconds per step between launches
  bool spills = false;  // a launch is predicted to spill registers
  double cells() const;
  double seconds() const;  // per step
};
Forecast forecast(Survey& survey, const Schedule& schedule, const Device& device,
                  const std::array<int64_t, 3>& extents);
// `sizes`: of the kernel of each launch that stores cells; empty: unknown.
Forecast forecast(const ir::Stencil& stencil, const Schedule& schedule, const Device& device,
                  const std::array<int64_t, 3>& extents, const std::vector<KernelSize>& sizes = {});

// Does a step take longer to compute than to move its bytes?
bool computes(const Forecast& forecast);
// Does the L2 hold the grids of a launch from one step to the next?
bool is_held_by_l2(const Forecast& forecast);

// The launch that takes longest; there is at least one.
const Prediction& longest(const Forecast& forecast);

// The grid size for which schedules are chosen by default.
std::array<int64_t, 3> usual_extents(int rank);

}  // namespace stencilc::plan
