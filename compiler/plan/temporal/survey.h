// What planning asks of a stencil for each of the many shapes that it weighs, found once.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/bits.h"
#include "plan/analysis/reads.h"
#include "plan/temporal/resident_tile.h"
#include "plan/temporal/shared_planes.h"
#include "plan/temporal/temporal_footprint.h"

namespace stencilc::plan {

// Several steps of a launch: what of the stencil stands for and against them, without the sides
// that no read meets.
struct Stepping {
  ir::Stencil stencil;
  std::string problem;                        // of the steps; empty: none
  std::string of_streams, of_tiles;           // and of the fields
  std::vector<ir::Read> reads;                // of the updates, each once
  std::vector<ir::Reach> reach;               // by field: of these
  std::vector<std::vector<int>> next_beside;  // by update: other fields, read at t+1 beside a cell
  PlaneReads planes;                          // with three axes
  std::string of_passes;                      // what stands against tiles of them
  std::vector<Pass> passes;
};

class Survey {
 public:
  explicit Survey(const ir::Stencil& of) : stencil(of) {}
  Survey(const Survey&) = delete;
  Survey& operator=(const Survey&) = delete;

  const ir::Stencil& stencil;

  const Stages& stages(Fusion fusion, bool fuses_reductions);  // the launches of a step
  const Stages& best() { return stages(Fusion::best, true); }
  const Stepping& stepping();
  const ir::Bits& bits();          // of the stencil as it is
  const ir::Bits& bits_stepped();  // and without the sides that no read meets
  const std::vector<Pass>& passes();
  const Reads& reads();  // of all updates
  const Reads& reads(const Launch& launch);
  const TemporalReads& temporal_reads(const Launch& launch);

 private:
  struct OfLaunch {
    std::vector<ir::ExprPtr> values;
    std::vector<int> updates;
    ir::Reach margin;
    std::optional<Reads> reads;
    std::optional<TemporalReads> temporal_reads;
  };
  OfLaunch& of(const Launch& launch);

  std::map<std::pair<Fusion, bool>, Stages> stages_;
  std::optional<Stepping> stepping_;
  std::optional<ir::Bits> bits_, bits_stepped_;
  std::optional<std::vector<Pass>> passes_;
  std::optional<Reads> reads_;
  std::deque<OfLaunch> launches_;
};

}  // namespace stencilc::plan
