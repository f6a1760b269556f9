// Caches what planning needs from a stencil for each of the many shapes that it compares.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/bits.h"
#include "plan/analysis/kernel_size.h"
#include "plan/analysis/reads.h"
#include "plan/temporal/resident_tile.h"
#include "plan/temporal/shared_planes.h"
#include "plan/temporal/temporal_footprint.h"

namespace stencilc::plan {

// What in the stencil allows or prevents several steps per launch, without boundary sides that no
// read reaches.
struct Stepping {
  ir::Stencil stencil;
  std::string problem;               // that the stencil causes; empty: none
  std::string of_streams, of_tiles;  // and that its fields cause, for streaming and for tiles
  std::vector<ir::Read> reads;       // of the updates, each once
  std::vector<ir::Reach> reach;      // by field: the reach of these reads
  std::vector<std::vector<int>>
      next_beside;        // by update: other fields that it reads at t+1 in neighbouring cells
  PlaneReads planes;      // with three axes
  std::string of_passes;  // what prevents tiles of these passes
  std::vector<Pass> passes;
};

// The sizes of the kernels that a schedule makes of each launch that stores cells. The planner
// cannot make kernels; whoever can passes this.
using KernelSizes = std::function<std::vector<KernelSize>(const Schedule& schedule)>;

// What of a schedule of single steps the kernels' code depends on: numbers, and names of values.
// For launches with shapes of their own these follow.
using ShapeOfThread = std::pair<std::vector<int>, std::vector<std::string>>;
ShapeOfThread shape_of_thread(const Schedule& schedule);

class Survey {
 public:
  explicit Survey(const ir::Stencil& of, KernelSizes sizes = nullptr)
      : stencil(of), sizes_of_(std::move(sizes)) {}
  // Of one launch alone, as if it were all of the step: that which stores the field. `whole` has
  // all launches, and lives longer.
  Survey(Survey& whole, std::string field)
      : stencil(whole.stencil),
        by_reads(whole.by_reads),
        whole_(&whole),
        field_(std::move(field)) {}
  Survey(const Survey&) = delete;
  Survey& operator=(const Survey&) = delete;

  const ir::Stencil& stencil;
  // Is this one launch of several?
  bool is_one_of_several() const { return whole_ != nullptr; }
  // Do sizes of kernels only tell which spill, and what cells read tells how many registers they
  // need?
  bool by_reads = false;

  const Stages& stages(Fusion fusion, bool fuses_reductions);  // the launches of a step
  const Stages& best() { return stages(Fusion::best, true); }
  const Stages& stages(const Schedule& schedule) {
    return stages(schedule.fusion, schedule.has_whole_warps());
  }
  const Stepping& stepping();
  const ir::Bits& bits();          // of the stencil as it is
  const ir::Bits& bits_stepped();  // and without boundary sides that no read reaches
  const std::vector<Pass>& passes();
  const Reads& reads();  // of all updates
  const Reads& reads(const Launch& launch);
  const TemporalReads& temporal_reads(const Launch& launch);
  // Whether kernels can be made; their sizes; and where these are known already.
  bool makes_kernels() const { return whole_ ? whole_->makes_kernels() : sizes_of_ != nullptr; }
  const std::vector<KernelSize>& kernel_sizes(const Schedule& schedule);
  const std::vector<KernelSize>* known_sizes(const Schedule& schedule) const;

 private:
  struct OfLaunch {
    std::vector<ir::ExprPtr> values;
    std::vector<int> updates;
    ir::Reach margin;
    std::optional<Reads> reads;
    std::optional<TemporalReads> temporal_reads;
  };
  OfLaunch& of(const Launch& launch);

  Stages own_stages(Fusion fusion, bool fuses_reductions);
  std::vector<KernelSize> own_sizes(const Schedule& schedule);

  KernelSizes sizes_of_;
  Survey* whole_ = nullptr;
  std::string field_;
  std::map<ShapeOfThread, std::vector<KernelSize>> sizes_;
  std::map<std::pair<Fusion, bool>, Stages> stages_;
  std::optional<Stepping> stepping_;
  std::optional<ir::Bits> bits_, bits_stepped_;
  std::optional<std::vector<Pass>> passes_;
  std::optional<Reads> reads_;
  std::deque<OfLaunch> launches_;
};

}  // namespace stencilc::plan
