// The plan of a stencil: all that lowering has to know of how it runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/schedule/schedule.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

class Survey;  // survey.h

// A launch of several steps: its shape, and the temporal form that it has with this stencil.
struct Several {
  Schedule schedule;
  Temporal temporal;
  int64_t least_cells = 1;  // on smaller grids others are faster
};

// What one launch computes: all of the grid, or parts that the host lists.
struct Parts {
  bool boxes = false;    // boxes of the grid
  bool pieces = false;   // boxes, and memory holds a piece of a grid of two or three axes
  bool windows = false;  // pieces, and a call takes some steps of one: --distributed
};

// Computed once for a stencil and a complete schedule; nobody changes it afterwards.
struct Plan {
  Target target = Target::cuda;
  // The stencil with the schedule's set-up and global values as temporaries; null: there are none.
  std::shared_ptr<const ir::Stencil> stencil;
  Schedule schedule;  // as it was requested or chosen
  Stages stages;      // the launches of a step
  // The step before the first one, which computes the set-up values, and its launches. Null: there
  // are none.
  std::shared_ptr<const ir::Stencil> setup;
  std::vector<Launch> setup_launches;
  Schedule setup_schedule;
  std::vector<int> buffers;  // [field]: that hold its levels and t+1
  Schedule single;  // for steps that are taken one by one, among them what is left of a run when
                    // no launch of several steps fits any more
  // The launches of several steps: that of the schedule, then those for smaller grids and for fewer
  // steps. Empty: all steps are taken one by one.
  std::vector<Several> several;
  // Do launches compute boxes of the grid that the host lists?
  bool boxes = false;
  // And does memory hold a piece of the grid (stencil::Piece)? See driver::CompileOptions::pieces.
  bool pieces = false;
  // And does a call take some steps of one piece, whose window grows by what later launches read?
  bool windows = false;
  std::string why_one;  // why they are although the schedule has several steps; or empty

  // The launches of a step, in order.
  const std::vector<Launch>& launches() const { return stages.launches; }
  int widest_vector() const;  // of all launches
  // Of a launch of one step, which may also fill the partials of reductions.
  Schedule shape_of(const ir::Stencil& stencil, const Launch& launch, bool folds = false) const;
};

// The schedule is legal for the stencil and the device. Where there are boxes or pieces without
// windows, no values are in memory.
Plan make_plan(Survey& survey, const Schedules& schedules, Target target,
               const Device& device = any_device(), const Parts& parts = {});
Plan make_plan(const ir::Stencil& stencil, const Schedules& schedules, Target target,
               const Device& device = any_device(), const Parts& parts = {});

}  // namespace stencilc::plan
