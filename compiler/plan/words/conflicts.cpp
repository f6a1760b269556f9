// Checks which decisions of a schedule cannot be combined, and which a device cannot run.
#include "plan/machine/occupancy.h"
#include "plan/temporal/temporal_blocking.h"
#include "plan/words/decision_words.h"

namespace stencilc::plan {

namespace {

// Why the warps of a block cannot divide the loads; or empty.
std::string no_split(const Schedule& schedule, int rank) {
  if (schedule.shared != Shared::loads && schedule.shared != Shared::async)
    return "`fill=split` needs `shared=loads` or `shared=async`";
  constexpr int kWarp = 32;
  const int threads = schedule.threads[0] * schedule.threads[1] * schedule.threads[2];
  const int parts = rank == 1 ? 2 : 3;
  if (threads % kWarp == 0 && threads / kWarp >= parts) return "";
  return "`fill=split` needs blocks of at least " + std::to_string(parts) +
         " whole warps, and the schedule has " + std::to_string(threads) + " threads";
}

// Why the schedule cannot take several time steps per launch; or empty.
std::string no_steps(const Schedule& schedule, int rank) {
  const std::string steps = "`steps=" + std::to_string(schedule.steps) + "`";
  if (schedule.threads[0] != 32)
    return steps + " needs 32 threads along x, and the schedule has " +
           std::to_string(schedule.threads[0]);
  if (rank == 1 && (schedule.vector == 1 || !is_resident_tile(schedule)))
    return steps +
           " in 1-D is for warps that keep a tile in registers: add `vector`, and leave out "
           "`coarsen`";
  if (schedule.vector == 1 || (!is_resident_tile(schedule) && schedule.coarsen_axis == 0))
    return steps +
           " is for streaming along the last axis (add `vector` and `coarsen`) or for resident "
           "tiles (add `vector` and `rows`" +
           (rank == 3 ? ", and `planes`)" : ")");
  if (rank == 3 && schedule.threads[2] > 1) return steps + " needs one thread along the third axis";
  if (!schedule.global.empty())
    return steps +
           " cannot be combined with `global`, because a launch of its own computes these values "
           "in each step";
  if (!schedule.fission.empty())
    return steps + " cannot be combined with `fission`, because a launch takes whole steps";
  if (!schedule.others.empty())
    return steps + " cannot be combined with `launch`, because a launch takes whole steps";
  if (schedule.shared != Shared::none)
    return steps + " cannot be combined with `shared=" + name(schedule.shared) +
           "`, because values pass from step to step in registers; write `shared=none`";
  if (schedule.peeled) return steps + " cannot be combined with `ends=peeled`; leave that out";
  if (schedule.registers > 0)
    return steps +
           " cannot be combined with `registers`, which is for launches of one step; leave "
           "that out, or use `resident`";
  if (schedule.by_neighbours)
    return steps +
           " cannot be combined with `order=neighbours`, which is for launches of one step; leave "
           "that out";
  if (schedule.swizzle > 0)
    return steps + " cannot be combined with `swizzle`, because its blocks stream; leave that out";
  if (schedule.loads == Loads::texture)
    return steps +
           " cannot be combined with `loads=texture`, because rows are prefetched; write "
           "`loads=plain`";
  return "";
}

// Do blocks go through planes with values?
bool is_in_planes(const Schedule& schedule, int rank) {
  return rank == 3 && !schedule.tile_values.empty() && schedule.coarsen > 1 &&
         schedule.coarsen_axis == 2 && schedule.threads[2] == 1;
}

// Why a block cannot keep values in shared memory; or empty.
std::string no_tile(const Schedule& schedule, int rank) {
  const bool in_planes = is_in_planes(schedule, rank);
  const std::string tile = schedule.tile_values.empty() ? "`stages=tile`" : "`tile`";
  if (schedule.steps > 1)
    return "`steps=" + std::to_string(schedule.steps) + "` cannot be combined with " + tile +
           ", because each step changes what the values read; use one of them";
  if (schedule.vector > 1)
    return "`vector=" + std::to_string(schedule.vector) + "` cannot be combined with " + tile +
           ", where a thread computes one cell at a time; leave it out" +
           (schedule.tile_values.empty() ? "" : ", or write `global`");
  if (schedule.shared != Shared::none && !(in_planes && schedule.shared == Shared::async))
    return "`shared=" + name(schedule.shared) + "` cannot be combined with " + tile +
           ", which has the shared memory; write `shared=none`" +
           (in_planes ? " or `shared=async`" : "");
  if (in_planes && schedule.fill != Filling::together)
    return "`fill=" + name(schedule.fill) + "` cannot be combined with " + tile + "; leave it out";
  if (schedule.edge_cells)
    return "`edges=cells` cannot be combined with " + tile +
           ", because all threads of a block compute its values together; write `edges=blocks`";
  if (schedule.peeled || schedule.lanes)
    return std::string(schedule.peeled ? "`ends=peeled`" : "`sides=lanes`") +
           " cannot be combined with " + tile + "; leave that out";
  return "";
}

constexpr int kMostColumns = 4;  // of a thread that streams values

// Why threads cannot keep values in registers while they stream; or empty.
std::string no_stream(const Schedule& schedule, int rank) {
  const std::string cannot = " cannot be combined with `stream`";
  if (schedule.steps > 1)
    return "`steps=" + std::to_string(schedule.steps) + "`" + cannot +
           ", because each step changes what the values read; use one of them";
  if (schedule.has_tiles())
    return std::string(schedule.tile_values.empty() ? "`stages=tile`" : "`tile`") + cannot +
           ", where a thread computes values for others of its warp alone; use one of them";
  if (schedule.vector > kMostColumns)
    return "`vector=" + std::to_string(schedule.vector) + "`" + cannot +
           ", where a thread keeps the values of all its columns in registers; write `vector=" +
           std::to_string(kMostColumns) + "` or less";
  if (schedule.rows > 1)
    return "`rows=" + std::to_string(schedule.rows) + "`" + cannot +
           ", where a thread computes one row after the other; leave it out";
  if (schedule.scatter || schedule.taps != Taps::terms)
    return std::string(schedule.scatter ? "`sums=scatter`" : "`taps=" + name(schedule.taps) + "`") +
           cannot + "; leave it out";
  if (schedule.shared != Shared::none)
    return "`shared=" + name(schedule.shared) + "`" + cannot + "; write `shared=none`";
  if (schedule.edge_cells)
    return "`edges=cells`" + cannot +
           ", because all threads of a warp compute its values together; write `edges=blocks`";
  if (schedule.peeled || schedule.lanes)
    return std::string(schedule.peeled ? "`ends=peeled`" : "`sides=lanes`") + cannot +
           "; leave that out";
  if (schedule.threads[0] % 32 != 0)
    return "`stream` needs a multiple of 32 threads along x, and the schedule has " +
           std::to_string(schedule.threads[0]);
  if (rank == 1 ? schedule.coarsen > 1 : schedule.coarsen > 1 && schedule.coarsen_axis != rank - 1)
    return "`stream` is for threads that stream along the last axis of two or three: add `coarsen` "
           "along it, or leave `coarsen` out";
  return "";
}

// Why there cannot be producer warps; or empty.
std::string no_producers(const Schedule& schedule, int rank) {
  if ((schedule.shared != Shared::boxes && schedule.shared != Shared::async) || rank < 3)
    return "`fill=producers` is for 3-D blocks that stream along the third axis: add "
           "`shared=boxes` "
           "or `shared=async`, and `coarsen`";
  constexpr int kWarp = 32;
  const int threads = schedule.threads[0] * schedule.threads[1];
  if (threads % kWarp != 0)
    return "`fill=producers` needs whole warps that compute, and the schedule has " +
           std::to_string(threads) + " threads";
  if (schedule.block_threads() > kMaxThreads)
    return "`fill=producers` adds " + std::to_string(schedule.block_threads() - threads) +
           " threads to the " + std::to_string(threads) +
           " of the schedule, and a block can have at most " + std::to_string(kMaxThreads);
  return "";
}

}  // namespace

std::string conflict(const Schedule& schedule, int rank) {
  if (schedule.steps > 1)
    if (std::string problem = no_steps(schedule, rank); !problem.empty()) return problem;
  if (schedule.planes > 1 && (schedule.steps == 1 || !is_resident_tile(schedule)))
    return "`planes` is for resident tiles: launches of several `steps` without `coarsen`";
  if (schedule.whole && (schedule.steps == 1 || !is_resident_tile(schedule)))
    return "`strips=whole` is for resident tiles: launches of several `steps` without `coarsen`";
  if (schedule.full && (schedule.steps == 1 || rank == 1 || is_resident_tile(schedule)))
    return "`chunks=full` is for warps or blocks that stream, in launches of several `steps`";
  if (schedule.vector > kMaxVector && schedule.steps == 1)
    return "`vector=32` packs cells into bits, and is for launches of several `steps`";
  if (schedule.rows > 1 && schedule.vector == 1 && !is_in_planes(schedule, rank))
    return "`rows` needs a `vector` of two cells or more";
  if (schedule.scatter &&
      (schedule.vector == 1 || schedule.coarsen == 1 || schedule.coarsen_axis == 0))
    return "`sums=scatter` is for threads that stream vectors along the second or third axis: add "
           "`vector` and `coarsen`";
  if (schedule.shared != Shared::none && rank == 3 &&
      (schedule.coarsen == 1 || schedule.coarsen_axis != 2))
    return "`shared=" + name(schedule.shared) +
           "` in 3-D is for blocks that stream along the third axis: add `coarsen` along it";
  if (schedule.shared != Shared::none && schedule.threads[2] > 1)
    return "`shared=" + name(schedule.shared) +
           "` needs one thread along the third axis, because the block streams along it";
  if (!schedule.global.empty() && schedule.shared == Shared::boxes)
    return "`global` cannot be combined with `shared=boxes`, because bulk copies read only the "
           "caller's grids; write `shared=async`";
  if (!schedule.setup.empty() && schedule.shared == Shared::boxes)
    return "`setup` cannot be combined with `shared=boxes`, because bulk copies read only the "
           "caller's grids; write `shared=async`";
  if (schedule.has_tiles())
    if (std::string problem = no_tile(schedule, rank); !problem.empty()) return problem;
  if (!schedule.stream_values.empty())
    if (std::string problem = no_stream(schedule, rank); !problem.empty()) return problem;
  if (schedule.lanes && schedule.threads[0] % 32 != 0)
    return "`sides=lanes` needs a multiple of 32 threads along x, and the schedule has " +
           std::to_string(schedule.threads[0]);
  if (schedule.lanes && schedule.shared != Shared::none)
    return "`sides=lanes` cannot be combined with `shared=" + name(schedule.shared) +
           "`, from which threads read all cells; write `shared=none`";
  if (schedule.peeled && (schedule.coarsen == 1 || schedule.coarsen_axis == 0))
    return "`ends=peeled` is for threads that stream along the second or third axis: add `coarsen`";
  if (schedule.peeled && schedule.shared != Shared::none)
    return "`ends=peeled` cannot be combined with `shared=" + name(schedule.shared) +
           "`; write `shared=none`";
  if (schedule.edge_cells && (schedule.coarsen > 1 || schedule.planes > 1 || schedule.lanes ||
                              schedule.shared != Shared::none || schedule.taps != Taps::terms))
    return "`edges=cells` is for threads that compute one cell or a tile of vectors: use the "
           "preset `naive`, or leave out what the schedule has beside `vector` and `rows`";
  if (schedule.loads == Loads::texture &&
      (schedule.shared == Shared::async || schedule.shared == Shared::boxes))
    return "`loads=texture` cannot be combined with `shared=" + name(schedule.shared) +
           "`, whose copies do not use textures; write `shared=loads` or `shared=none`";
  if (schedule.loads == Loads::texture && (schedule.resident > 0 || schedule.registers > 0))
    return std::string("`loads=texture` cannot be combined with `") +
           (schedule.resident > 0 ? "resident" : "registers") +
           "`: a kernel that read textures and spilled registers returned wrong values; leave that "
           "out";
  if (schedule.rows > 1 && schedule.coarsen > 1 && schedule.coarsen_axis != 2)
    return "`rows` can be combined with `coarsen` along the third axis only";
  if (schedule.lanes && schedule.taps != Taps::terms)
    return "`sides=lanes` cannot be combined with `taps=" + name(schedule.taps) +
           "`, where each thread loads whole rows";
  if (schedule.taps != Taps::terms && (schedule.vector == 1 || schedule.coarsen > 1))
    return "`taps=" + name(schedule.taps) +
           "` is for threads that compute a tile of vectors: add `vector` and `rows`, and leave "
           "out `coarsen`";
  if (schedule.fill == Filling::split) return no_split(schedule, rank);
  if (schedule.fill == Filling::producers) return no_producers(schedule, rank);
  return "";
}

std::string no_pieces(const Schedule& schedule, int rank) {
  if (rank > 1) return "";
  for (const Schedule& other : schedule.others)
    if (std::string problem = no_pieces(other, rank); !problem.empty()) return problem;
  const std::string word = schedule.steps > 1    ? "steps=" + std::to_string(schedule.steps)
                           : schedule.vector > 1 ? "vector=" + std::to_string(schedule.vector)
                           : schedule.shared != Shared::none ? "shared=" + name(schedule.shared)
                                                             : "";
  if (word.empty()) return "";
  return "`" + word +
         "` is for whole rows, and a piece of a grid of one axis begins at any cell; leave it out" +
         (schedule.vector > 1 ? ", and write `vector=1`" : "");
}

std::string lacking(const Schedule& schedule, const Device& device) {
  const int threads = schedule.block_threads();
  const int held = occupancy(device, threads, 0, 0);
  if (schedule.shared == Shared::boxes && !device.box_copies)
    return "`shared=boxes` needs sm_90 or newer, and the target is " + name(device);
  if (schedule.shared == Shared::async && !device.async_copies)
    return "`shared=async` needs sm_80 or newer, and the target is " + name(device);
  if (schedule.registers > 0 && schedule.resident > 0)
    return "`registers=" + std::to_string(schedule.registers) +
           "` and `resident=" + std::to_string(schedule.resident) +
           "` both limit registers; leave one out";
  if (schedule.registers * threads > device.registers)
    return "`registers=" + std::to_string(schedule.registers) + "` is too many for blocks of " +
           std::to_string(threads) + " threads: a multiprocessor has " +
           std::to_string(device.registers);
  if (schedule.resident > held)
    return "`resident=" + std::to_string(schedule.resident) +
           "` is too many: a multiprocessor holds " + std::to_string(held) + " blocks of " +
           std::to_string(threads) + " threads";
  return "";
}

}  // namespace stencilc::plan
