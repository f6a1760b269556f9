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

// Computed once for a stencil and a complete schedule; nobody changes it afterwards.
struct Plan {
  Target target = Target::cuda;
  // The stencil with the schedule's global values as temporaries; null: there are none.
  std::shared_ptr<const ir::Stencil> stencil;
  Schedule schedule;         // as it was requested or chosen
  Stages stages;             // the launches of a step
  std::vector<int> buffers;  // [field]: that hold its levels and t+1
  Schedule single;   // for steps that are taken one by one, among them what is left of a run when
                     // no launch of several steps fits any more
  Schedule folding;  // for launches of one step that also fill the partials of reductions
  // The launches of several steps: that of the schedule, then those for smaller grids and for fewer
  // steps. Empty: all steps are taken one by one.
  std::vector<Several> several;
  // Do launches compute boxes of the grid that the host lists? Steps are then taken one by one.
  bool boxes = false;
  std::string why_one;  // why they are although the schedule has several steps; or empty

  // The launches of a step, in order.
  const std::vector<Launch>& launches() const { return stages.launches; }
  int widest_vector() const;  // of all launches
};

// The schedule is legal for the stencil and the device. `boxes`: launches compute boxes.
Plan make_plan(Survey& survey, const Schedules& schedules, Target target,
               const Device& device = any_device(), bool boxes = false);
Plan make_plan(const ir::Stencil& stencil, const Schedules& schedules, Target target,
               const Device& device = any_device(), bool boxes = false);

}  // namespace stencilc::plan
