// Which decisions of a schedule do not go together, and which a device cannot run.
#include "plan/machine/occupancy.h"
#include "plan/temporal/temporal_blocking.h"
#include "plan/words/decision_words.h"

namespace stencilc::plan {

namespace {

// Why the warps of a block cannot share out what is loaded; empty: they can.
std::string no_split(const Schedule& schedule, int rank) {
  if (schedule.shared != Shared::loads && schedule.shared != Shared::async)
    return "`fill=split` without `shared=loads` or `shared=async`, by which threads fill what "
           "they share";
  constexpr int kWarp = 32;
  const int threads = schedule.threads[0] * schedule.threads[1] * schedule.threads[2];
  const int parts = rank == 1 ? 2 : 3;
  if (threads % kWarp == 0 && threads / kWarp >= parts) return "";
  return "`fill=split` with blocks of " + std::to_string(threads) + " threads; " +
         std::to_string(parts) + " whole warps are needed, one for each part";
}

// Why a warp cannot march with several time steps; empty: it can.
std::string no_steps(const Schedule& schedule, int rank) {
  const std::string steps = "`steps=" + std::to_string(schedule.steps) + "`";
  if (schedule.threads[0] != 32)
    return steps + " with " + std::to_string(schedule.threads[0]) +
           " threads along x: a warp of 32 has a strip of the rows";
  if (rank == 1 && (schedule.vector == 1 || !is_resident_tile(schedule)))
    return steps + " is for warps that hold a strip of the axis: give `vector`, and no `coarsen`";
  if (schedule.vector == 1 || (!is_resident_tile(schedule) && schedule.coarsen_axis == 0))
    return steps +
           " is for warps that march along the last axis with vectors: give `vector` and "
           "`coarsen`; or for blocks that hold a tile: give `vector` and `rows`" +
           (rank == 3 ? ", and `planes`" : "");
  if (rank == 3 && schedule.threads[2] > 1)
    return steps + " with several threads along the third axis, along which blocks march";
  if (schedule.shared != Shared::none)
    return steps + " with `shared=" + name(schedule.shared) +
           "`: rows pass from step to step in registers; give `shared=none`";
  if (schedule.peeled)
    return steps + " with `ends=peeled`: rows near the rim are told from others one by one";
  if (schedule.loads == Loads::texture)
    return steps + " with `loads=texture`: rows are loaded ahead of their use; give `loads=plain`";
  return "";
}

// Why there cannot be threads that fill what others share; empty: there can.
std::string no_producers(const Schedule& schedule, int rank) {
  if ((schedule.shared != Shared::boxes && schedule.shared != Shared::async) || rank < 3)
    return "`fill=producers` is for planes that are copied while a block marches along the third "
           "axis: give `shared=boxes` or `shared=async` and `coarsen`, in 3-D";
  constexpr int kWarp = 32;
  const int threads = schedule.threads[0] * schedule.threads[1];
  if (threads % kWarp != 0)
    return "`fill=producers` with " + std::to_string(threads) +
           " threads that compute: they have to be whole warps";
  if (schedule.block_threads() > kMaxThreads)
    return "`fill=producers` with " + std::to_string(threads) + " threads that compute: with " +
           std::to_string(schedule.block_threads() - threads) +
           " more, which fill, a block has more than " + std::to_string(kMaxThreads);
  return "";
}

}  // namespace

std::string conflict(const Schedule& schedule, int rank) {
  if (schedule.steps > 1)
    if (std::string problem = no_steps(schedule, rank); !problem.empty()) return problem;
  if (schedule.planes > 1 && (schedule.steps == 1 || !is_resident_tile(schedule)))
    return "`planes` is for blocks that hold a tile for several `steps`, and march nowhere";
  if (schedule.whole && (schedule.steps == 1 || !is_resident_tile(schedule)))
    return "`strips=whole` is for blocks that hold a tile for several `steps`, and march nowhere";
  if (schedule.full && (schedule.steps == 1 || rank == 1 || is_resident_tile(schedule)))
    return "`chunks=full` is for warps or blocks that march with several `steps`";
  if (schedule.vector > kMaxVector && schedule.steps == 1)
    return "`vector=32`: a thread moves 32 cells as bits, in launches of several `steps`";
  if (schedule.rows > 1 && schedule.vector == 1)
    return "`rows` without `vector`: rows of a thread are vectors";
  if (schedule.scatter &&
      (schedule.vector == 1 || schedule.coarsen == 1 || schedule.coarsen_axis == 0))
    return "`sums=scatter` is for vectors, in a thread that marches along another axis: give "
           "`vector` and `coarsen`";
  if (schedule.shared != Shared::none && rank == 3 &&
      (schedule.coarsen == 1 || schedule.coarsen_axis != 2))
    return "`shared=" + name(schedule.shared) +
           "` in space is for a block that marches along the third axis: give `coarsen`";
  if (schedule.shared != Shared::none && schedule.threads[2] > 1)
    return "`shared=" + name(schedule.shared) +
           "` with several threads along the third axis, along which the block "
           "marches";
  if (schedule.lanes && schedule.threads[0] % 32 != 0)
    return "`sides=lanes` with " + std::to_string(schedule.threads[0]) +
           " threads along x: a warp holds cells of one row where they are a multiple of 32";
  if (schedule.lanes && schedule.shared != Shared::none)
    return "`sides=lanes` with `shared=" + name(schedule.shared) +
           "`: cells come from shared memory then; give `shared=none`";
  if (schedule.peeled && (schedule.coarsen == 1 || schedule.coarsen_axis == 0))
    return "`ends=peeled` is for a block that marches along another axis than the first: give "
           "`coarsen`";
  if (schedule.peeled && schedule.shared != Shared::none)
    return "`ends=peeled` with `shared=" + name(schedule.shared) +
           "`: planes reach shared memory in stages that are all alike; give `shared=none`";
  if (schedule.loads == Loads::texture &&
      (schedule.shared == Shared::async || schedule.shared == Shared::boxes))
    return "`loads=texture` with `shared=" + name(schedule.shared) +
           "`: copies do not pass through a texture; give `shared=loads` or `shared=none`";
  if (schedule.rows > 1 && schedule.coarsen > 1 && schedule.coarsen_axis != 2)
    return "`rows` and `coarsen` along the same axes; a thread with rows marches along the third, "
           "or nowhere";
  if (schedule.lanes && schedule.taps != Taps::terms)
    return "`sides=lanes` with `taps=" + name(schedule.taps) +
           "`: a thread loads the whole of each row that arrives";
  if (schedule.taps != Taps::terms && (schedule.vector == 1 || schedule.coarsen > 1))
    return "`taps=" + name(schedule.taps) +
           "` is for a thread that computes its rows of a vector at once: give `vector` and "
           "`rows`, and no `coarsen`";
  if (schedule.fill == Filling::split) return no_split(schedule, rank);
  if (schedule.fill == Filling::producers) return no_producers(schedule, rank);
  return "";
}

std::string lacking(const Schedule& schedule, const Device& device) {
  const int threads = schedule.block_threads();
  const int held = occupancy(device, threads, 0, 0);
  if (schedule.shared == Shared::boxes && !device.box_copies)
    return "`shared=boxes` for " + name(device) + "; boxes are copied from sm_90 on";
  if (schedule.shared == Shared::async && !device.async_copies)
    return "`shared=async` for " + name(device) + "; threads copy while they go on from sm_80 on";
  if (schedule.resident > held)
    return "`resident=" + std::to_string(schedule.resident) + "` with blocks of " +
           std::to_string(threads) + " threads, of which a multiprocessor holds " +
           std::to_string(held);
  return "";
}

}  // namespace stencilc::plan
