#include "plan/syntax/print_schedule.h"

#include "plan/schedule/convolutions.h"
#include "plan/search/spatial_shapes.h"
#include "plan/words/decision_words.h"

namespace stencilc::plan {
namespace {

// All parts that a schedule chosen on this or another device can have.
std::string shape_text(const Schedule& schedule, const ir::Stencil& stencil) {
  std::string text;
  // Cells of one colour are not vectorised.
  if (schedule.vector > 1 || stencil.colors.count() == 0)
    text += ",vector=" + std::to_string(schedule.vector);
  const bool vectors = schedule.vector > 1;
  const bool streams = schedule.coarsen > 1 && schedule.coarsen_axis > 0;
  const bool loops = vectors && schedule.coarsen == 1 && stencil.rank() < 3 && convolves(stencil);
  const bool rows = stencil.rank() == 3 ? schedule.coarsen_axis == 2 : stencil.rank() == 2 && loops;
  if ((vectors && rows) || schedule.rows > 1) text += ",rows=" + std::to_string(schedule.rows);
  if (schedule.planes > 1) text += ",planes=" + std::to_string(schedule.planes);
  if (schedule.whole) text += ",strips=whole";
  if (schedule.full)
    text += ",chunks=full";
  else
    text += ",coarsen=" + stencil.axes[schedule.coarsen_axis] + std::to_string(schedule.coarsen);
  if (loops) text += ",taps=" + name(schedule.taps);
  if (schedule.scatter || (vectors && streams && stencil.rank() == 3))
    text += schedule.scatter ? ",sums=scatter" : ",sums=gather";
  if (schedule.lanes) text += ",sides=lanes";
  if (schedule.peeled) text += ",ends=peeled";
  const bool maybe_tiles = loops && schedule.taps != Taps::terms &&
                           weighs_tiles(reads_of(stencil), stencil.rank(), true);
  if (schedule.shared != Shared::none || maybe_tiles ||
      (vectors && streams && schedule.coarsen_axis == 2 && schedule.threads[2] == 1))
    text += ",shared=" + name(schedule.shared);
  if ((schedule.shared != Shared::none && stencil.rank() == 3) ||
      (schedule.steps > 1 && schedule.ahead != 2))
    text += ",ahead=" + std::to_string(schedule.ahead);
  if (schedule.fill != Filling::together) text += ",fill=" + name(schedule.fill);
  if (schedule.steps > 1) text += ",steps=" + std::to_string(schedule.steps);
  return text;
}

// ",global=gx+gy"; empty: there are none.
std::string values_text(const std::string& word, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "," + word + "=" : "+") + name;
  return text;
}

// The parts that each launch can have of its own.
std::string launch_text(const Schedule& schedule, const ir::Stencil& stencil) {
  std::string text = schedule.preset + ",threads=" + std::to_string(schedule.threads[0]);
  for (int a = 1; a < stencil.rank(); ++a) text += "x" + std::to_string(schedule.threads[a]);
  if (schedule.preset == "coarsened") text += shape_text(schedule, stencil);
  if (schedule.edge_cells) text += ",edges=cells";
  if (schedule.loads == Loads::texture) text += ",loads=texture";
  if (schedule.resident != 0) text += ",resident=" + std::to_string(schedule.resident);
  if (schedule.registers != 0) text += ",registers=" + std::to_string(schedule.registers);
  if (schedule.by_neighbours) text += ",order=neighbours";
  if (schedule.swizzle != 0) text += ",swizzle=" + std::to_string(schedule.swizzle);
  return text;
}

std::string values_of_launch(const Schedule& schedule) {
  return values_text("tile", schedule.tile_values) + values_text("stream", schedule.stream_values);
}

}  // namespace

std::string print(const Schedule& schedule, const ir::Stencil& stencil) {
  constexpr const char* kStages[] = {"", ",stages=recompute", ",stages=split", ",stages=tile"};
  std::string text = schedule.preset == "loops" ? "loops" : launch_text(schedule, stencil);
  if (schedule.early) text += ",launches=early";
  text += kStages[static_cast<size_t>(schedule.fusion)];
  text += values_text("setup", schedule.setup) + values_text("global", schedule.global) +
          values_text("fission", schedule.fission);
  text += values_of_launch(schedule);
  for (const Schedule& other : schedule.others)
    text +=
        ",launch=" + other.of + "(" + launch_text(other, stencil) + values_of_launch(other) + ")";
  return text;
}

}  // namespace stencilc::plan
