#include "plan/temporal/survey.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "plan/temporal/legality.h"

namespace stencilc::plan {
namespace {

void add_reads(Stepping& result) {
  std::set<std::tuple<int, int, ir::Offset>> known;
  result.reach.resize(result.stencil.fields.size());
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : result.stencil.updates) {
    std::set<int> next;
    const std::vector<ir::ExprPtr> roots = roots_of(update);
    values.insert(values.end(), roots.begin(), roots.end());
    for (const ir::ExprPtr& node : ir::nodes_of(roots)) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read) continue;
      if (read->level == 1 && read->field != update.field && read->offset != ir::Offset{})
        next.insert(read->field);
      if (!known.emplace(read->field, read->level, read->offset).second) continue;
      result.reads.push_back(*read);
      ir::Reach& reach = result.reach[read->field];
      for (int a = 0; a < ir::kMaxRank; ++a) {
        reach.low[a] = std::max(reach.low[a], -read->offset[a]);
        reach.high[a] = std::max(reach.high[a], read->offset[a]);
      }
    }
    result.next_beside.emplace_back(next.begin(), next.end());
  }
  if (result.stencil.rank() == 3) result.planes = plane_reads(result.stencil, values);
}

}  // namespace

ShapeOfThread shape_of_thread(const Schedule& schedule) {
  constexpr int kUnrolled = 8;  // cells; longer loops stay loops
  // How often a thread computes values for others depends on the block.
  const bool staged = schedule.has_tiles();
  ShapeOfThread shape = {
      {schedule.vector, schedule.rows, std::min(schedule.coarsen, kUnrolled + 1),
       schedule.coarsen_axis, schedule.scatter, schedule.peeled, schedule.lanes,
       static_cast<int>(schedule.taps), static_cast<int>(schedule.loads),
       static_cast<int>(schedule.shared), static_cast<int>(schedule.fusion),
       schedule.edge_cells && schedule.vector == 1, schedule.by_neighbours,
       staged ? schedule.threads[0] : 0, staged ? schedule.threads[1] : 0,
       staged ? schedule.threads[2] : 0, !schedule.stream_values.empty()},
      schedule.stream_values.empty() ? schedule.tile_values : schedule.stream_values};
  for (const Schedule& other : schedule.others) {
    const ShapeOfThread own = shape_of_thread(schedule.of_launch(other));
    shape.first.insert(shape.first.end(), own.first.begin(), own.first.end());
    shape.second.push_back(other.of);
    shape.second.insert(shape.second.end(), own.second.begin(), own.second.end());
  }
  return shape;
}

const std::vector<KernelSize>& Survey::kernel_sizes(const Schedule& schedule) {
  const auto [place, fresh] = sizes_.try_emplace(shape_of_thread(schedule));
  if (fresh) place->second = own_sizes(schedule);
  return place->second;
}

std::vector<KernelSize> Survey::own_sizes(const Schedule& schedule) {
  // The code of a launch depends on its own shape alone.
  if (whole_ || !schedule.others.empty()) {
    Survey& of = whole_ ? *whole_ : *this;
    std::vector<KernelSize> sizes;
    size_t number = 0;  // of the launch
    for (const Launch& launch : of.stages(schedule).launches) {
      if (launch.stores.empty()) continue;
      const size_t n = number++;
      if (whole_ && !launch.stores_field(stencil, field_)) continue;
      const std::vector<KernelSize>& all = of.kernel_sizes(schedule.of_launch(stencil, launch));
      if (n < all.size()) sizes.push_back(all[n]);
    }
    return sizes;
  }
  // With edge cells, the code beside that of vectors counts as theirs and is not.
  Schedule counted = schedule;
  if (schedule.vector > 1) counted.edge_cells = false;
  return sizes_of_(counted);
}

const std::vector<KernelSize>* Survey::known_sizes(const Schedule& schedule) const {
  const auto found = sizes_.find(shape_of_thread(schedule));
  return found == sizes_.end() ? nullptr : &found->second;
}

const Stages& Survey::stages(Fusion fusion, bool fuses_reductions) {
  const std::pair key(fusion, fuses_reductions);
  if (const auto known = stages_.find(key); known != stages_.end()) return known->second;
  return stages_.emplace(key, own_stages(fusion, fuses_reductions)).first->second;
}

Stages Survey::own_stages(Fusion fusion, bool fuses_reductions) {
  if (!whole_) return plan::stages(stencil, fusion, fuses_reductions);
  Stages own = whole_->stages(fusion, fuses_reductions);
  std::erase_if(own.launches,
                [&](const Launch& one) { return !one.stores_field(stencil, field_); });
  return own;
}

const Stepping& Survey::stepping() {
  if (stepping_) return *stepping_;
  Stepping result;
  result.stencil = stencil;
  ir::drop_unmet_sides(result.stencil);
  drop_sides_of_reductions(result.stencil);
  result.problem = problem_of_steps(result.stencil);
  add_reads(result);
  if (result.problem.empty()) {
    result.of_streams = problem_of_fields(result, false);
    result.of_tiles = problem_of_fields(result, true);
    std::tie(result.passes, result.of_passes) =
        passes_or_problem(result.stencil, plan::stages(result.stencil, Fusion::split, true));
  }
  return stepping_.emplace(std::move(result));
}

const ir::Bits& Survey::bits() {
  if (!bits_) bits_ = ir::bits_of(stencil);
  return *bits_;
}

const ir::Bits& Survey::bits_stepped() {
  if (!bits_stepped_) bits_stepped_ = ir::bits_of(stepping().stencil);
  return *bits_stepped_;
}

const std::vector<Pass>& Survey::passes() {
  if (!passes_) passes_ = passes_or_problem(stencil, stages(Fusion::split, true)).first;
  return *passes_;
}

const Reads& Survey::reads() {
  if (whole_) return reads(best().launches.front());
  if (!reads_) reads_ = reads_of(stencil);
  return *reads_;
}

const Reads& Survey::reads(const Launch& launch) {
  if (whole_) return whole_->reads(launch);
  OfLaunch& found = of(launch);
  if (!found.reads) found.reads = reads_of(stencil, launch);
  return *found.reads;
}

const TemporalReads& Survey::temporal_reads(const Launch& launch) {
  OfLaunch& found = of(launch);
  if (!found.temporal_reads) found.temporal_reads = plan::temporal_reads(stencil, launch);
  return *found.temporal_reads;
}

// Launches are equal if they store the same values. The values are kept alive, so that no others
// can have the same addresses.
Survey::OfLaunch& Survey::of(const Launch& launch) {
  OfLaunch wanted{values_of(launch, false), {}, launch.margin, {}, {}};
  for (const Stored& one : launch.stores) wanted.updates.push_back(one.update);
  for (OfLaunch& one : launches_)
    if (one.values == wanted.values && one.updates == wanted.updates &&
        one.margin.low == wanted.margin.low && one.margin.high == wanted.margin.high)
      return one;
  return launches_.emplace_back(std::move(wanted));
}

}  // namespace stencilc::plan
