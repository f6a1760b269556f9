#include "plan/schedule.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "plan/choose.h"
#include "plan/convolutions.h"
#include "plan/decisions.h"
#include "plan/deep_shapes.h"
#include "plan/degree.h"
#include "plan/model.h"
#include "plan/space.h"
#include "plan/temporal.h"

namespace stencilc::plan {
namespace {

// Steps that are taken one by one: as the compiler chooses, or, where all are, as it was asked.
Schedule single_of(const Schedule& schedule, Survey& survey, const Device& device, bool all) {
  constexpr int kCells = 8;
  Schedule single = all ? schedule : coarsened(survey, device);
  if (all) single.coarsen = std::min(single.coarsen, kCells);
  if (single.vector == kCellsOfBits) single.vector = kCells;
  single.steps = 1;
  single.full = false;
  single.fusion = schedule.fusion;
  single.stages = schedule.stages;
  return single;
}

// Does the tile that was chosen for loops go with what was asked for?
bool keeps_tile(const Schedule& schedule) {
  return schedule.taps != Taps::terms && schedule.steps == 1 && !schedule.lanes &&
         schedule.loads != Loads::texture;
}

// What the compiler would have chosen gives way to what was asked for.
void make_room(const std::set<std::string>& told, int rank, bool loops, Schedule& schedule) {
  if (loops && !told.contains("shared") && !keeps_tile(schedule)) schedule.shared = Shared::none;
  const bool tells_march = told.contains("coarsen") || told.contains("chunks");
  if (rank == 2 && tells_march && !told.contains("sides")) schedule.lanes = false;
  const bool marches = schedule.full || (schedule.coarsen > 1 && schedule.coarsen_axis == 1);
  if (rank == 2 && marches && !told.contains("rows")) schedule.rows = 1;
  // Registers were to suffice for blocks like those that were chosen.
  if (!told.empty() && !told.contains("resident")) schedule.resident = 0;
}

// Everything that follows from the decisions.
Schedule complete(Schedule schedule, Survey& survey, Target target, const Device& device) {
  const ir::Stencil& stencil = survey.stencil;
  const bool whole_warps = target == Target::cpu || schedule.threads[0] % 32 == 0;
  schedule.stages = survey.stages(schedule.fusion, whole_warps);
  if (schedule.steps == 1) return schedule;
  const bool several = temporal(survey, schedule).steps > 1;
  // Blocks that take several steps read cells of others, whose next values are not yet to be there:
  // as many levels are stored as are read.
  for (size_t f = 0; f < stencil.fields.size() && several; ++f)
    if (stencil.fields[f].role == ir::Role::stepped)
      schedule.stages.buffers[f] = 2 * stencil.fields[f].levels();
  schedule.single = {single_of(schedule, survey, device, !several)};
  for (Schedule& one : schedule.smaller) one = complete(one, survey, target, device);
  return schedule;
}

}  // namespace

int Schedule::producers() const {
  constexpr int kWarp = 32;
  return fill == Filling::producers ? kWarp / std::gcd(kWarp, threads[0]) : 0;
}

Schedule choose(const ir::Stencil& stencil, Target target, int optimisation, const Device& device) {
  return choose(stencil, target, optimisation, device, usual_extents(stencil.rank()));
}

Schedule choose(const ir::Stencil& stencil, Target target, int optimisation, const Device& device,
                const std::array<int64_t, 3>& extents) {
  Survey survey(stencil);
  Schedule schedule;
  if (target == Target::cpu) {
    schedule.preset = "loops";
    schedule.reason = "rows run on all cores, cells of a row in vectors";
  } else {
    schedule = optimisation == 0 ? naive(stencil.rank()) : coarsened(survey, device);
  }
  const bool fits =
      target == Target::cuda && optimisation > 0 && stencil.steps() && is_small(extents);
  // In the plane tiles were measured beside launches that begin late.
  if (fits && stencil.rank() == 3) schedule = fitted(survey, std::move(schedule), device, extents);
  schedule = complete(std::move(schedule), survey, target, device);
  if (target == Target::cpu || optimisation == 0) return schedule;
  const Degree several = degree(survey, schedule, device, extents);
  if (!several.schedule && fits && stencil.rank() < 3)
    return complete(fitted(survey, schedule, device, extents), survey, target, device);
  if (!several.schedule) return schedule;
  return complete(*several.schedule, survey, target, device);
}

Choice parse(const std::string& text, const ir::Stencil& stencil, Target target,
             const Device& device) {
  const std::vector<std::string> parts = split(text, ',');
  Choice choice;
  Survey survey(stencil);
  if (target == Target::cpu) {
    choice.schedule = choose(stencil, target, 2, device);
    if (parts[0] != "loops")
      choice.problem = "`" + parts[0] + "`; the CPU target has the schedule `loops`";
  } else if (parts[0] == "naive") {
    choice.schedule = naive(stencil.rank());
  } else if (parts[0] == "coarsened") {
    choice.schedule = coarsened(survey, device);
  } else {
    const std::string close = diag::nearest(parts[0], {"naive", "coarsened"});
    choice.problem =
        "there is no schedule `" + parts[0] + "`; " +
        (close.empty() ? "the schedules are naive and coarsened" : "did you mean `" + close + "`?");
    return choice;
  }
  if (!choice.problem.empty()) return choice;
  choice.schedule.reason = "asked for by --schedule";
  const bool loops = choice.schedule.taps != Taps::terms;
  std::set<std::string> told;
  for (size_t i = 1; i < parts.size() && choice.problem.empty(); ++i) {
    const size_t equals = parts[i].find('=');
    const std::string key = parts[i].substr(0, equals),
                      value = equals == std::string::npos ? "" : parts[i].substr(equals + 1);
    const Decision* found = decision(key);
    told.insert(key);
    if (target == Target::cpu && (!found || found->of != Decision::of_cpu_too))
      choice.problem = "`" + key + "` is no part of the schedule `loops`; its part is stages";
    else if (!found)
      choice.problem = "`" + key + "` is no part of a schedule; " + meant_decision(key);
    else if (found->of == Decision::of_coarsened && parts[0] == "naive")
      choice.problem = "`" + key +
                       "` with the schedule `naive`, which computes one cell a thread; use "
                       "`coarsened`";
    else
      choice.problem = found->read(value, stencil, choice.schedule);
  }
  make_room(told, stencil.rank(), loops, choice.schedule);
  if (choice.problem.empty()) choice.problem = conflict(choice.schedule, stencil.rank());
  if (choice.problem.empty()) {
    choice.problem = lacking(choice.schedule, device);
    choice.of_device = !choice.problem.empty();
  }
  if (choice.problem.empty()) choice.schedule = complete(choice.schedule, survey, target, device);
  if (choice.problem.empty()) choice.problem = choice.schedule.stages.problem;
  return choice;
}

namespace {

// All that a chosen schedule may have otherwise, on this device or another.
std::string shape_text(const Schedule& schedule, const ir::Stencil& stencil) {
  std::string text;
  // Cells of one colour have no vectors.
  if (schedule.vector > 1 || stencil.colors.count() == 0)
    text += ",vector=" + std::to_string(schedule.vector);
  const bool vectors = schedule.vector > 1;
  const bool marches = schedule.coarsen > 1 && schedule.coarsen_axis > 0;
  const bool loops = vectors && schedule.coarsen == 1 && stencil.rank() < 3 && convolves(stencil);
  const bool rows = stencil.rank() == 3 ? schedule.coarsen_axis == 2 : stencil.rank() == 2 && loops;
  if (vectors && (rows || schedule.rows > 1)) text += ",rows=" + std::to_string(schedule.rows);
  if (schedule.planes > 1) text += ",planes=" + std::to_string(schedule.planes);
  if (schedule.whole) text += ",strips=whole";
  if (schedule.full)
    text += ",chunks=full";
  else
    text += ",coarsen=" + stencil.axes[schedule.coarsen_axis] + std::to_string(schedule.coarsen);
  if (loops) text += ",taps=" + name(schedule.taps);
  if (schedule.scatter || (vectors && marches && stencil.rank() == 3))
    text += schedule.scatter ? ",sums=scatter" : ",sums=gather";
  if (schedule.lanes) text += ",sides=lanes";
  if (schedule.peeled) text += ",ends=peeled";
  const bool maybe_tiles = loops && schedule.taps != Taps::terms &&
                           weighs_tiles(reads_of(stencil), stencil.rank(), true);
  if (schedule.shared != Shared::none || maybe_tiles ||
      (vectors && marches && schedule.coarsen_axis == 2 && schedule.threads[2] == 1))
    text += ",shared=" + name(schedule.shared);
  if ((schedule.shared != Shared::none && stencil.rank() == 3) ||
      (schedule.steps > 1 && schedule.ahead != 2))
    text += ",ahead=" + std::to_string(schedule.ahead);
  if (schedule.fill != Filling::together) text += ",fill=" + name(schedule.fill);
  if (schedule.steps > 1) text += ",steps=" + std::to_string(schedule.steps);
  return text;
}

}  // namespace

std::string print(const Schedule& schedule, const ir::Stencil& stencil) {
  std::string text = schedule.preset;
  const std::string stages = schedule.fusion == Fusion::best        ? ""
                             : schedule.fusion == Fusion::recompute ? ",stages=recompute"
                                                                    : ",stages=split";
  if (schedule.preset == "loops") return text + stages;
  text += ",threads=" + std::to_string(schedule.threads[0]);
  for (int a = 1; a < stencil.rank(); ++a) text += "x" + std::to_string(schedule.threads[a]);
  if (schedule.preset == "coarsened") text += shape_text(schedule, stencil);
  if (schedule.loads == Loads::texture) text += ",loads=texture";
  if (schedule.resident != 0) text += ",resident=" + std::to_string(schedule.resident);
  if (schedule.early) text += ",launches=early";
  return text + stages;
}

}  // namespace stencilc::plan
