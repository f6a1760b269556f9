#include "plan/search/choose_blocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "plan/model/one_step.h"

namespace stencilc::plan {
namespace {

constexpr int kFewRegisters = 32;   // up to which all threads of a multiprocessor fit
constexpr int kManyRegisters = 64;  // from which on fewer than 1,024 threads fit
constexpr int kLimit = 128;         // registers
constexpr int kHighLimit = 168;     // with which a third block of 128 threads fits
constexpr int kBlock = 128;         // threads

bool has_one_cell(const Schedule& schedule) {
  return schedule.preset == "naive" && schedule.steps == 1 &&
         schedule.vector * schedule.rows * schedule.coarsen == 1;
}

// Whether threads compute one vector, or several in rows.
bool has_vectors(const Schedule& schedule) {
  return schedule.steps == 1 && schedule.vector > 1 && schedule.coarsen == 1 &&
         schedule.planes == 1 && !schedule.lanes && schedule.shared == Shared::none &&
         schedule.taps == Taps::terms && schedule.loads == Loads::plain;
}

// Whether threads stream vectors along the third axis and keep what they read of them.
bool streams_vectors(const Schedule& schedule) {
  return schedule.steps == 1 && schedule.vector > 1 && schedule.coarsen > 1 &&
         schedule.coarsen_axis == 2 && !schedule.lanes && !schedule.scatter &&
         schedule.shared == Shared::none && schedule.taps == Taps::terms &&
         schedule.loads == Loads::plain;
}

bool has_more_registers(const std::vector<KernelSize>& sizes, int registers) {
  return std::ranges::any_of(
      sizes, [&](const KernelSize& size) { return registers_of(size) > registers; });
}

// In the order of neighbours a thread has fewer loads under way. That gains where the values of
// the written order do not fit into the registers, and many more of the other one do
// (bench/notes/one-step.md, "Neighbour by neighbour").
bool gains_by_neighbours(Survey& survey, const Schedule& schedule) {
  constexpr double kFull = 125, kFewer = 0.8, kFits = 1.13 * kLimit, kHopeless = 230;
  const std::vector<KernelSize>& written = survey.kernel_sizes(schedule);
  if (!has_more_registers(written, kFull) || has_more_registers(written, kHopeless)) return false;
  Schedule other = schedule;
  other.by_neighbours = true;
  const std::vector<KernelSize>& ordered = survey.kernel_sizes(other);
  for (size_t n = 0; n < std::min(written.size(), ordered.size()); ++n)
    if (registers_of(written[n]) > kFull &&
        registers_of(ordered[n]) > std::min(kFits, kFewer * registers_of(written[n])))
      return false;
  return written.size() == ordered.size();
}

// What launches take if blocks at the edges run beside those inside: instructions then overlap with
// memory more than within a block.
double clocks_beside(const Forecast& forecast) {
  constexpr double kHiding = 2.1;
  double clocks = 0;
  for (const Prediction& launch : forecast.launches) {
    double sum = 0;
    for (const double one : launch.clocks) sum += std::pow(one, kHiding);
    clocks += std::pow(sum, 1 / kHiding);
  }
  return clocks;
}

// Where nothing limits them, nvcc loads so far ahead that one warp in eight is resident. Those of
// f64 that are chosen hold little, and gain nothing.
Schedule with_limited_streams(Survey& survey, Schedule schedule) {
  constexpr int kMany = 120;  // estimated registers, of which a lower limit would spill some
  if (survey.reads().widest == 8) return schedule;
  const std::vector<KernelSize>& sizes = survey.kernel_sizes(schedule);
  const int limit = has_more_registers(sizes, kMany) ? kHighLimit : kLimit;
  if (std::ranges::none_of(
          sizes, [&](const KernelSize& size) { return gains_by_limit(size, limit, kBlock); }))
    return schedule;
  schedule.registers = limit;
  schedule.threads = {32, kBlock / 32, 1};
  schedule.reason += "; " + std::to_string(limit) + " registers at most, so that " +
                     (limit == kLimit ? "four" : "three") + " blocks fit on a multiprocessor";
  return schedule;
}

}  // namespace

bool streams_from_one_neighbour(const ir::Stencil& stencil, bool temporaries) {
  std::map<std::pair<int, int>, std::set<ir::Offset>> beside;  // by field and level
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      for (const ir::ExprPtr& node : ir::nodes_of({one.value, one.domain.mask}))
        if (const auto* read = ir::as<ir::Read>(node);
            read && (temporaries || !stencil.fields[read->field].temporary)) {
          std::set<ir::Offset>& offsets = beside[{read->field, read->level}];
          if (read->offset != ir::Offset{}) offsets.insert(read->offset);
        }
  const auto of_one =
      std::ranges::count_if(beside, [](const auto& array) { return array.second.size() == 1; });
  return 2 * of_one > static_cast<std::ptrdiff_t>(beside.size());
}

Schedule with_edges(Survey& survey, Schedule schedule, const Device& device,
                    const std::array<int64_t, 3>& extents) {
  constexpr double kGain = 1.06, kGainOfColours = 1.12;
  // In 2-D kernels of so many registers gain more than predicted (bench/notes/one-step.md).
  constexpr int kManyInPlane = 80;
  const ir::Stencil& stencil = survey.stencil;
  if (!(has_one_cell(schedule) || has_vectors(schedule)) || stencil.rank() == 1 ||
      !survey.makes_kernels() || streams_from_one_neighbour(stencil, false))
    return schedule;
  Schedule cells = schedule;
  cells.edge_cells = true;
  cells.reason += "; threads of their own compute the cells near the boundary";
  const auto forecast_of = [&](const Schedule& of, const std::array<int64_t, 3>& grid) {
    survey.kernel_sizes(of);
    return forecast(survey, of, device, grid);
  };
  const Forecast with = forecast_of(cells, extents);
  if (has_vectors(schedule)) {
    // The code of vectors near the boundary takes more registers than that of the others, which the
    // forecast does not know: the gain was 1.06 where kernels have many, and else none.
    if (!has_more_registers(survey.kernel_sizes(schedule), kManyRegisters)) return schedule;
  } else {
    const bool colours = stencil.colors.count() != 0;
    const bool many = stencil.rank() == 2 && !colours &&
                      has_more_registers(survey.kernel_sizes(schedule), kManyInPlane);
    const double gain = colours ? kGainOfColours : kGain;
    const Forecast without = forecast_of(schedule, extents);
    if (!many && clocks_beside(without) < gain * clocks_beside(with)) return schedule;
  }
  // The forecast takes what the L2 holds from step to step as free. There only steps gain that
  // would take longer to compute on grids with as short rows that it does not hold.
  constexpr int64_t kTall = 1024;
  std::array<int64_t, 3> tall = extents;
  tall[stencil.rank() - 1] *= kTall;
  return !is_held_by_l2(with) || computes(forecast_of(cells, tall)) ? cells : schedule;
}

Schedule with_order(Survey& survey, Schedule schedule) {
  if (!has_one_cell(schedule) || !survey.makes_kernels() || !gains_by_neighbours(survey, schedule))
    return schedule;
  schedule.by_neighbours = true;
  schedule.reason += "; what one neighbour has goes into all sums before the next one is loaded";
  return schedule;
}

Schedule with_blocks(Survey& survey, Schedule schedule) {
  if (!survey.makes_kernels()) return schedule;
  if (streams_vectors(schedule)) return with_limited_streams(survey, std::move(schedule));
  if (!has_one_cell(schedule)) return schedule;
  const std::vector<KernelSize>& sizes = survey.kernel_sizes(schedule);
  if (!has_more_registers(sizes, kFewRegisters)) return schedule;
  // Methods that load nothing twice gain by the limit up to as many registers as in larger blocks.
  const int threads =
      streams_from_one_neighbour(survey.stencil, true) ? schedule.block_threads() : kBlock;
  const bool gains = std::ranges::any_of(
      sizes, [&](const KernelSize& size) { return gains_by_limit(size, kLimit, threads); });
  if (gains && survey.stencil.colors.count() == 0) {
    schedule.registers = kLimit;
    schedule.reason += "; kernels that need few more than " + std::to_string(kLimit) +
                       " registers are limited to these";
  }
  schedule.reason += "; more blocks of " + std::to_string(kBlock) +
                     " threads than of larger ones fit on a multiprocessor";
  if (survey.stencil.rank() == 1)
    schedule.threads[0] = kBlock;
  else
    schedule.threads = {32, kBlock / 32, 1};
  return schedule;
}

}  // namespace stencilc::plan
