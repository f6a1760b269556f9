// The plan of a stencil: all that lowering has to know of how it runs.
#pragma once

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
};

// Computed once for a stencil and a complete schedule; nobody changes it afterwards.
struct Plan {
  Target target = Target::cuda;
  Schedule schedule;  // as it was requested or chosen
  Schedule single;    // for steps that are taken one by one, among them what is left of a run when
                      // no launch of several steps fits any more
  Schedule folding;   // for launches of one step that also fill the partials of reductions
  // The launches of several steps: that of the schedule, then those for smaller grids and for fewer
  // steps. Empty: all steps are taken one by one.
  std::vector<Several> several;
  // Do launches compute boxes of the grid that the host lists?
  bool boxes = false;
  // And does memory hold a piece of the grid (stencil::Piece)? See driver::CompileOptions::pieces.
  bool pieces = false;
  std::string why_one;  // why they are although the schedule has several steps; or empty

  // The launches of a step, in order.
  const std::vector<Launch>& launches() const { return single.stages.launches; }
  int widest_vector() const;  // of all launches
};

// The schedule is complete (complete_schedule.h) and legal for the stencil.
Plan make_plan(Survey& survey, Schedule schedule, Target target);
Plan make_plan(const ir::Stencil& stencil, Schedule schedule, Target target);

}  // namespace stencilc::plan
