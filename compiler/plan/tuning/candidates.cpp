#include "plan/tuning/candidates.h"

#include <algorithm>

#include "plan/schedule/staged_values.h"
#include "plan/schedule/streamed_values.h"
#include "plan/search/choose.h"
#include "plan/syntax/parse_schedule.h"
#include "plan/syntax/print_schedule.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {
namespace {

using Texts = std::vector<std::string>;

// Each text of the first list followed by each of the second.
Texts product(const Texts& first, const Texts& second) {
  Texts all;
  for (const std::string& a : first)
    for (const std::string& b : second) all.push_back(a + b);
  return all;
}

// "threads=" with each of the values.
Texts values(const std::string& key, const Texts& list) { return product({"," + key + "="}, list); }

Texts threads_of(int rank) {
  if (rank == 1) return values("threads", {"128", "256", "512"});
  if (rank == 2) return values("threads", {"32x8", "64x4", "128x1"});
  return values("threads", {"32x4", "64x4"});
}

// One cell per thread: with a limit of registers, and with threads of their own near the boundary.
Texts limited_of(int rank) {
  if (rank == 1) return {"naive,threads=128,registers=128"};
  return product({"naive,threads=32x4"},
                 {",edges=cells", ",registers=128", ",edges=cells,registers=128"});
}

// Single cells along the last axis; and vectors of cells, in rows and columns. Every part is
// written out, whatever the preset holds.
Texts shapes_of(const ir::Stencil& stencil) {
  const auto coarsen = [&](const Texts& counts) {
    return values("coarsen", product({stencil.axes.back()}, counts));
  };
  Texts cells, vectors;
  switch (stencil.rank()) {
    case 1:
      cells = coarsen({"1", "4", "8"});
      vectors = product(values("vector", {"2", "4", "8"}), coarsen({"1", "4"}));
      break;
    case 2:
      cells = coarsen({"4", "8", "16"});
      vectors = product(values("vector", {"2", "4", "8"}), coarsen({"1", "2", "4", "8"}));
      break;
    default:
      cells = product(product({",rows=1"}, coarsen({"2", "4", "8"})), {",sums=gather"});
      vectors = product(product(values("vector", {"2", "4"}), values("rows", {"1", "2", "4"})),
                        product(coarsen({"8", "16"}), values("sums", {"gather", "scatter"})));
  }
  Texts all = product({",vector=1"}, cells);
  all.insert(all.end(), vectors.begin(), vectors.end());
  return all;
}

// A tile in shared memory: the cells of a block and its halo.
Texts tiles_of(const ir::Stencil& stencil) {
  const std::string& last = stencil.axes.back();
  switch (stencil.rank()) {
    case 1:
      return product(product(values("threads", {"256"}), values("vector", {"1", "4"})),
                     product({",coarsen=" + last + "4"}, values("shared", {"loads", "async"})));
    case 2:
      return product(product({",threads=32x8"}, values("vector", {"1", "4"})),
                     product(product({",coarsen=" + last}, {"1", "8"}),
                             values("shared", {"loads", "loads,fill=split", "async", "boxes"})));
    default:
      return product({",threads=32x8,vector=1,coarsen=" + last + "48"},
                     values("shared", {"loads", "loads,fill=split", "async"}));
  }
}

// Planes that bulk copies bring, for blocks that stream along the third axis.
Texts boxes_of(const ir::Stencil& stencil) {
  if (stencil.rank() != 3) return {};
  const Texts rows = product(values("threads", {"32x8", "64x8"}), values("vector", {"2", "4"}));
  const Texts columns =
      product({",rows=2,coarsen=" + stencil.axes.back()}, {"48,sums=", "96,sums="});
  return product(product(rows, columns), {"gather,shared=boxes", "scatter,shared=boxes"});
}

// Planes that producer warps copy.
Texts producers_of(const ir::Stencil& stencil) {
  if (stencil.rank() != 3) return {};
  const std::string streaming = ",coarsen=" + stencil.axes.back();
  const Texts shapes = {",threads=32x8,vector=1" + streaming + "48",
                        ",threads=32x8,vector=4,rows=2,sums=gather" + streaming + "48",
                        ",threads=32x4,vector=4,rows=2,sums=scatter" + streaming + "48",
                        ",threads=8x4,vector=2,rows=1,sums=gather" + streaming + "4"};
  return product(product(shapes, values("shared", {"async", "boxes"})), {",fill=producers"});
}

// Neighbours along x from other lanes of the warp.
Texts lanes_of(const ir::Stencil& stencil) {
  const std::string last = stencil.axes.back();
  const Texts shapes[] = {
      {",threads=128,vector=1,coarsen=" + last + "1",
       ",threads=128,vector=4,coarsen=" + last + "4"},
      {",threads=64x4,vector=1,coarsen=" + last + "8",
       ",threads=32x8,vector=2,coarsen=" + last + "1",
       ",threads=64x4,vector=4,coarsen=" + last + "4"},
      {",threads=32x4,vector=1,shared=none,coarsen=" + last + "4",
       ",threads=32x4,vector=4,rows=1,shared=none,coarsen=" + last + "8,sums=gather",
       ",threads=32x4,vector=2,rows=2,shared=none,coarsen=" + last + "8,sums=scatter"}};
  return product(shapes[stencil.rank() - 1], {",sides=lanes"});
}

// Long chunks with peeled ends.
Texts peeled_of(const ir::Stencil& stencil) {
  if (stencil.rank() == 1) return {};
  const Texts shapes[] = {
      {",threads=64x4,vector=1,coarsen=", ",threads=64x2,vector=4,coarsen="},
      {",threads=32x4,vector=1,shared=none,coarsen=",
       ",threads=32x4,vector=4,rows=2,shared=none,sums=gather,coarsen=",
       ",threads=32x4,vector=2,rows=1,shared=none,sides=lanes,sums=scatter,coarsen="}};
  return product(shapes[stencil.rank() - 2], {stencil.axes.back() + "64,ends=peeled"});
}

// Reads through textures, into registers and into shared memory. Small blocks also fit the small
// grids of tests.
Texts textures_of(const ir::Stencil& stencil) {
  const std::string last = stencil.axes.back();
  const Texts shapes[] = {
      {",threads=128,vector=1,coarsen=" + last + "4", ",threads=128,vector=4,coarsen=" + last + "1",
       ",threads=256,vector=1,coarsen=" + last + "4,shared=loads"},
      {",threads=32x8,vector=1,coarsen=" + last + "1",
       ",threads=64x4,vector=4,coarsen=" + last + "4",
       ",threads=8x4,vector=4,coarsen=" + last + "2",
       ",threads=32x4,vector=2,sides=lanes,coarsen=" + last + "4",
       ",threads=32x8,vector=1,coarsen=" + last + "1,shared=loads",
       ",threads=32x8,vector=1,coarsen=" + last + "1,shared=loads,fill=split"},
      {",threads=8x4,vector=2,rows=1,shared=none,coarsen=" + last + "4,sums=gather",
       ",threads=32x4,vector=4,rows=2,shared=none,coarsen=" + last + "8,sums=scatter",
       ",threads=8x4,vector=1,coarsen=" + last + "4,shared=loads",
       ",threads=32x8,vector=1,coarsen=" + last + "48,shared=loads"}};
  return product(shapes[stencil.rank() - 1], {",loads=texture"});
}

// Taps in loops, for sums over boxes; rows of a thread without them.
Texts taps_of(const ir::Stencil& stencil) {
  if (stencil.rank() == 3) return {};
  Texts loops = product(values("vector", {"2", "4"}), {",taps=unrolled"});
  if (stencil.rank() == 1) loops.push_back(",threads=64,vector=8,taps=unrolled,shared=async");
  if (stencil.rank() == 1) return loops;
  Texts all = product(product(values("threads", {"32x4"}), values("vector", {"4", "8", "16"})),
                      product(values("rows", {"1", "2", "4"}), {",taps=rolled,shared=none"}));
  const Texts unrolled =
      product(product({",threads=32x8"}, product({",rows=3"}, loops)), {",shared=none"});
  all.insert(all.end(), unrolled.begin(), unrolled.end());
  for (const char* tile : {",threads=8x32,vector=16,rows=1,taps=rolled,shared=async",
                           ",threads=8x16,vector=16,rows=2,taps=rolled,shared=async",
                           ",threads=16x8,vector=8,rows=4,taps=rolled,shared=loads,fill=split",
                           ",threads=16x8,vector=8,rows=2,taps=rolled,shared=boxes",
                           ",threads=8x16,vector=16,rows=1,taps=unrolled,shared=async"})
    all.push_back(tile);
  all.push_back(",threads=32x4,vector=4,rows=2,taps=terms");
  all.push_back(",threads=16x8,vector=2,rows=2,taps=terms,shared=loads");
  return all;
}

// Several time steps per launch, if the stencil allows it.
Texts steps_of(const ir::Stencil& stencil) {
  const std::string streaming = ",coarsen=" + stencil.axes.back();
  const std::string tile = ",shared=none" + streaming;
  const Texts all[] = {
      {",threads=32,vector=4,steps=3", ",threads=32,vector=16,steps=16"},
      {",threads=32x2,vector=2" + streaming + "8,sums=gather,steps=2",
       ",threads=32x4,vector=2" + streaming + "16,sums=scatter,steps=4",
       ",threads=32x1,vector=4,chunks=full,sums=scatter,steps=7",
       ",threads=32x2,vector=4" + streaming + "64,sums=gather,steps=3",
       ",threads=32x1,vector=8,chunks=full,sums=scatter,steps=8",
       ",threads=32x4,vector=2,rows=3,steps=2", ",threads=32x8,vector=4,rows=4,steps=3",
       ",threads=32x8,vector=4,rows=6,steps=12"},
      {",threads=32x4,vector=2,rows=2" + tile + "8,sums=scatter,steps=2",
       ",threads=32x8,vector=4,rows=4" + tile + "24,sums=scatter,ahead=1,steps=3",
       ",threads=32x8,vector=4,rows=4" + tile + "154,sums=scatter,steps=5"}};
  Texts taken;
  for (const std::string& text : all[stencil.rank() - 1]) {
    const Choice choice = parse("coarsened" + text, stencil, Target::cuda);
    if (choice.problem.empty() && temporal(stencil, choice.schedule).steps > 1)
      taken.push_back(text);
  }
  return taken;
}

// For updates that read each other's new values: fusions other than the best one.
Texts stages_of(const std::string& preset, const ir::Stencil& stencil, Target target) {
  Survey survey(stencil);
  const auto launches = [&](const Choice& choice) {
    return survey.stages(choice.schedule).launches.size();
  };
  const Choice best = parse(preset, stencil, target);
  Texts others;
  for (const char* change : {",stages=split", ",stages=recompute"}) {
    const Choice other = parse(preset + change, stencil, target);
    if (other.problem.empty() && launches(other) != launches(best))
      others.push_back(preset + change);
  }
  return others;
}

// Values and stages in tiles, of threads that compute one cell at a time, where there are any.
Texts tiles_of(const ir::Stencil& stencil, Target target, const Device& device) {
  constexpr const char* kShapes[] = {
      "naive,threads=256", "coarsened,threads=32x4,vector=1,coarsen=y4", "naive,threads=32x4x4"};
  const std::string shape = kShapes[stencil.rank() - 1];
  Texts taken;
  if (target == Target::cpu) return taken;
  for (const char* tiles : {",tile=all", ",stages=tile", ",stages=tile,tile=all"}) {
    const Choice choice = parse(shape + tiles, stencil, target, device);
    if (!choice.problem.empty()) continue;
    Survey survey(stencil);
    const std::vector<Launch>& launches = survey.stages(choice.schedule).launches;
    const bool stages =
        std::ranges::any_of(launches, [](const Launch& launch) { return !launch.staged.empty(); });
    const bool values = std::ranges::any_of(launches, [&](const Launch& launch) {
      const StagedValues staged = staged_values(stencil, launch, choice.schedule.tile_values);
      return std::ranges::any_of(staged.values,
                                 [](const StagedValue& one) { return !one.is_field(); });
    });
    const bool wants_stages = choice.schedule.fusion == Fusion::tile;
    const bool wants_values = !choice.schedule.tile_values.empty();
    if (stages == wants_stages && values == wants_values) taken.push_back(shape + tiles);
  }
  return taken;
}

// All values in registers along a stream, where there are any.
Texts streams_of(const ir::Stencil& stencil, Target target, const Device& device) {
  constexpr const char* kShapes[] = {"coarsened,threads=128", "coarsened,threads=32x4",
                                     "coarsened,threads=32x4x1"};
  Texts taken;
  if (target == Target::cpu) return taken;
  for (const char* cells : {"8", "16", "32", "16,vector=2", "32,vector=2"}) {
    std::string text = kShapes[stencil.rank() - 1];
    if (stencil.rank() > 1) text += ",coarsen=" + stencil.axes.back() + cells;
    text += ",stream=all";
    const Choice choice = parse(text, stencil, target, device);
    if (!choice.problem.empty()) continue;
    Survey survey(stencil);
    if (!streamed_names(stencil, survey.stages(choice.schedule).launches,
                        choice.schedule.stream_values, choice.schedule.vector)
             .empty())
      taken.push_back(text);
  }
  return taken;
}

// What the compiler chooses.
Texts chosen(const ir::Stencil& stencil, Target target, const Device& device) {
  return {print(choose(stencil, target, 2, device), stencil)};
}

}  // namespace

std::vector<std::string> candidates(const ir::Stencil& stencil, Target target,
                                    const Device& device) {
  const Texts threads = threads_of(stencil.rank());
  const Texts lists[] = {{"loops", "naive", "coarsened"},
                         chosen(stencil, target, device),
                         product({"naive"}, threads),
                         {"naive,loads=texture"},
                         limited_of(stencil.rank()),
                         product(product({"coarsened"}, threads), shapes_of(stencil)),
                         product({"coarsened"}, tiles_of(stencil)),
                         product({"coarsened"}, boxes_of(stencil)),
                         product({"coarsened"}, producers_of(stencil)),
                         product({"coarsened"}, lanes_of(stencil)),
                         product({"coarsened"}, peeled_of(stencil)),
                         product({"coarsened"}, textures_of(stencil)),
                         product({"coarsened"}, taps_of(stencil)),
                         product({"coarsened"}, steps_of(stencil)),
                         stages_of("loops", stencil, target),
                         stages_of("coarsened", stencil, target),
                         tiles_of(stencil, target, device),
                         streams_of(stencil, target, device)};
  Texts legal;
  for (const Texts& list : lists)
    for (const std::string& text : list) {
      const Choice choice = parse(text, stencil, target, device);
      if (!choice.problem.empty()) continue;
      const std::string printed = print(choice.schedule, stencil);
      if (std::find(legal.begin(), legal.end(), printed) == legal.end()) legal.push_back(printed);
    }
  return legal;
}

}  // namespace stencilc::plan
