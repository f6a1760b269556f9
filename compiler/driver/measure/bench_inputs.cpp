#include "driver/measure/bench_inputs.h"

#include <fmt/format.h>

#include "diag/codes.h"
#include "driver/inputs/params.h"
#include "driver/inputs/points.h"
#include "driver/system/input_errors.h"

namespace stencilc::driver {
namespace {

// Grids that do not fit any cache.
data::Extents default_extents(plan::Target target, int rank) {
  if (target == plan::Target::cpu)
    return rank == 1 ? data::Extents{1 << 26} : data::Extents(rank, rank == 2 ? 8192 : 384);
  return rank == 1 ? data::Extents{1 << 28} : data::Extents(rank, rank == 2 ? 16384 : 768);
}

// Every series has values for this many steps.
constexpr int64_t kSeriesSteps = 1024;

}  // namespace

bool make_bench_data(const Options& options, const Compiled& compiled, BenchData& data,
                     diag::Engine& engine) {
  const ir::Stencil& stencil = compiled.stencil;
  const auto rank = static_cast<size_t>(stencil.rank());
  HostData& host = data.host;
  host.extents = options.size;
  if (host.extents.empty()) {
    host.extents = default_extents(options.compilation.target, stencil.rank());
    for (size_t a = 0; a < compiled.module.multiples.size(); ++a) {
      const int64_t multiple = compiled.module.multiples[a];
      host.extents[a] = (host.extents[a] + multiple - 1) / multiple * multiple;
    }
  }
  if (!has_axes(engine, host.extents, static_cast<int>(rank))) return false;
  Timing& timing = data.timing;
  timing.repeats = options.bench.repeats;
  timing.sustained = options.bench.sustained;
  if (options.compilation.target == plan::Target::cuda) timing = rested(timing);
  if (!compiled.module.steps) timing.steps = 1;
  if (compiled.module.steps && options.steps_given) timing.steps = options.steps;
  if (!stencil.series.empty()) timing.most_steps = kSeriesSteps;
  InputFacts facts;
  return set_params(options.params, stencil, Missing::made_up, host, engine) &&
         set_points(options, stencil, std::max(timing.steps, kSeriesSteps), host, facts, engine);
}

}  // namespace stencilc::driver
