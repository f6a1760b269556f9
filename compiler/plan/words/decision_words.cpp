#include "plan/words/decision_words.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "diag/diagnostic.h"
#include "plan/schedule/convolutions.h"
#include "plan/schedule/fission.h"
#include "plan/schedule/setup_values.h"
#include "plan/schedule/streamed_values.h"
#include "plan/schedule/value_placement.h"

namespace stencilc::plan {
namespace {

constexpr int kMaxCoarsen = 4096;
constexpr int kMaxRows = 16, kMaxPlanes = 32;
constexpr int kUsualChunk = 256;  // rows
constexpr int kMaxResident = 32;
constexpr int kLeastRegisters = 32, kMostRegisters = 248, kRegistersTogether = 8;
constexpr int kMaxAhead = 8;
constexpr int kMaxSteps = 32;
constexpr int kMaxSwizzle = 4096;
constexpr std::pair<const char*, Shared> kShared[] = {{"none", Shared::none},
                                                      {"loads", Shared::loads},
                                                      {"async", Shared::async},
                                                      {"boxes", Shared::boxes}};
constexpr std::pair<const char*, Taps> kTaps[] = {
    {"terms", Taps::terms}, {"unrolled", Taps::unrolled}, {"rolled", Taps::rolled}};

constexpr std::pair<const char*, Filling> kFillings[] = {
    {"together", Filling::together}, {"split", Filling::split}, {"producers", Filling::producers}};

// The number that is all of `text`, or -1.
int number(const std::string& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

// Reads "32x8" into threads; returns what is wrong, or an empty string.
std::string read_threads(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  const int rank = stencil.rank();
  const std::vector<std::string> parts = split(text, 'x');
  if (static_cast<int>(parts.size()) > rank)
    return "`threads=" + text + "` has more numbers than the stencil has axes";
  schedule.threads = {1, 1, 1};
  int product = 1;
  for (size_t a = 0; a < parts.size(); ++a) {
    schedule.threads[a] = number(parts[a]);
    if (schedule.threads[a] < 1 || schedule.threads[a] > kMaxThreads)
      return "`threads=" + text + "`: each number has to be from 1 to " +
             std::to_string(kMaxThreads);
    product *= schedule.threads[a];
  }
  if (product > kMaxThreads)
    return "a block of " + std::to_string(product) + " threads is too large; the limit is " +
           std::to_string(kMaxThreads);
  if (schedule.threads[2] > 64)
    return "a block of " + std::to_string(schedule.threads[2]) +
           " threads along the third axis is too large; the limit is 64";
  if (schedule.threads[2] > 1) schedule.shared = Shared::none;
  return "";
}

// Reads "y4" into the axis and the count.
std::string read_coarsen(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  for (int a = 0; a < stencil.rank(); ++a) {
    const std::string& axis = stencil.axes[a];
    if (text.compare(0, axis.size(), axis) != 0) continue;
    const int count = number(text.substr(axis.size()));
    if (count < 0) continue;
    if (count < 1 || count > kMaxCoarsen)
      return "`coarsen=" + text + "`: a thread computes 1 to " + std::to_string(kMaxCoarsen) +
             " cells";
    schedule.coarsen = count;
    schedule.coarsen_axis = a;
    schedule.full = false;
    if (a != 2 && count > 1) schedule.rows = 1;
    if (count > 1) schedule.planes = 1;
    if (count > 1) schedule.taps = Taps::terms;
    if (stencil.rank() == 3 && (a != 2 || count == 1)) schedule.shared = Shared::none;
    if (a == 0 || count == 1) schedule.scatter = false;
    return "";
  }
  return "`coarsen=" + text +
         "`: write an axis and a number, such as `coarsen=" + stencil.axes.back() + "4`";
}

std::string read_vector(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > 2 * kMaxVector || (count & (count - 1)) != 0)
    return "`vector=" + text + "`: a thread loads 1, 2, 4, 8 or 16 cells at once";
  if (count > 1 && stencil.colors.count() != 0)
    return "`vector=" + text +
           "` cannot be used with colours, because the cells of a vector have different colours";
  schedule.vector = count;
  if (count == 1) {  // what only vectors have
    schedule.rows = 1;
    schedule.taps = Taps::terms;
    schedule.scatter = false;
    if (stencil.rank() == 3) schedule.shared = Shared::none;  // set again by a later part
  }
  return "";
}

// Makes the schedule a resident tile, without streaming.
void disable_streaming(Schedule& schedule) {
  schedule.coarsen = 1;
  schedule.scatter = false;
  schedule.shared = Shared::none;
}

std::string read_rows(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxRows)
    return "`rows=" + text + "`: a thread computes 1 to " + std::to_string(kMaxRows) + " rows";
  if (count > 1 && stencil.rank() == 1)
    return "`rows=" + text + "`: a stencil with one axis has one row";
  schedule.rows = count;
  if (count > 1 && stencil.rank() == 2) schedule.coarsen = 1;
  return "";
}

std::string read_planes(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxPlanes)
    return "`planes=" + text + "`: a thread holds 1 to " + std::to_string(kMaxPlanes) + " planes";
  if (count > 1 && stencil.rank() < 3)
    return "`planes=" + text + "`: a stencil with " +
           (stencil.rank() == 1 ? "one axis" : "two axes") + " has no planes";
  schedule.planes = count;
  if (count > 1) disable_streaming(schedule);
  return "";
}

std::string read_chunks(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  if (text != "full" && text != "even")
    return "`chunks=" + text +
           "`: write `even` (chunks of `coarsen` cells) or `full` (chunks that fill the GPU)";
  schedule.full = text == "full";
  if (!schedule.full || schedule.coarsen > 1) return "";
  schedule.coarsen = kUsualChunk;
  schedule.coarsen_axis = stencil.rank() - 1;
  return "";
}

std::string read_strips(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  if (text != "whole" && text != "apart")
    return "`strips=" + text +
           "`: write `apart` (tiles of a row overlap) or `whole` (a tile holds "
           "whole rows)";
  schedule.whole = text == "whole";
  return "";
}

std::string read_sums(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  if (text != "gather" && text != "scatter")
    return "`sums=" + text + "`: write `gather` or `scatter`";
  schedule.scatter = text == "scatter";
  return "";
}

std::string read_sides(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  if (text != "loads" && text != "lanes") return "`sides=" + text + "`: write `loads` or `lanes`";
  schedule.lanes = text == "lanes";
  if (schedule.lanes) schedule.taps = Taps::terms;
  if (schedule.lanes && stencil.colors.count() != 0)
    return "`sides=lanes` cannot be used with colours, because neighbouring lanes have cells of "
           "other colours";
  return "";
}

std::string read_ends(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  if (text != "checked" && text != "peeled")
    return "`ends=" + text + "`: write `checked` or `peeled`";
  schedule.peeled = text == "peeled";
  return "";
}

std::string read_edges(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  if (text != "blocks" && text != "cells")
    return "`edges=" + text +
           "`: write `blocks` (a block with a cell near the boundary checks all of its cells) or "
           "`cells` (threads of their own compute the cells near the boundary)";
  schedule.edge_cells = text == "cells";
  if (schedule.edge_cells && stencil.rank() == 1)
    return "`edges=cells` is for 2-D and 3-D: in 1-D two blocks have all cells near the boundary";
  return "";
}

std::string read_taps(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  for (const auto& [name, taps] : kTaps) {
    if (text != name) continue;
    schedule.taps = taps;
    if (taps == Taps::terms) return "";
    if (stencil.rank() == 3) return "`taps=" + text + "` is for 1-D and 2-D";
    if (taps == Taps::rolled && stencil.rank() == 1)
      return "`taps=" + text + "` is for 2-D; in 1-D write `taps=unrolled`";
    if (!convolves(stencil))
      return "`taps=" + text +
             "` needs a sum over all cells of a box, each times a number or a value of an array of "
             "weights, and the stencil has none";
    schedule.coarsen = 1;
    schedule.coarsen_axis = stencil.rank() - 1;
    schedule.scatter = false;
    return "";
  }
  return "`taps=" + text + "`: write `terms`, `unrolled` or `rolled`";
}

std::string read_shared(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  for (const auto& [name, shared] : kShared)
    if (text == name) {
      if (shared != Shared::none && stencil.colors.count() != 0)
        return "`shared=" + text +
               "` cannot be used with colours, because a sweep changes cells that other blocks "
               "still load";
      schedule.shared = shared;
      return "";
    }
  return "`shared=" + text + "`: write `none`, `loads`, `async` or `boxes`";
}

std::string read_loads(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  if (text != "plain" && text != "texture")
    return "`loads=" + text + "`: write `plain` or `texture`";
  schedule.loads = text == "texture" ? Loads::texture : Loads::plain;
  return "";
}

std::string read_fill(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  for (const auto& [name, fill] : kFillings)
    if (text == name) {
      schedule.fill = fill;
      return "";
    }
  return "`fill=" + text + "`: write `together`, `split` or `producers`";
}

std::string read_ahead(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxAhead)
    return "`ahead=" + text + "`: 1 to " + std::to_string(kMaxAhead) + " planes can be prefetched";
  schedule.ahead = count;
  return "";
}

std::string read_resident(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxResident)
    return "`resident=" + text + "`: a multiprocessor holds 1 to " + std::to_string(kMaxResident) +
           " blocks";
  schedule.resident = count;
  return "";
}

std::string read_registers(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  const int count = number(text);
  if (count < kLeastRegisters || count > kMostRegisters || count % kRegistersTogether != 0)
    return "`registers=" + text + "`: threads get a multiple of " +
           std::to_string(kRegistersTogether) + " from " + std::to_string(kLeastRegisters) +
           " to " + std::to_string(kMostRegisters);
  schedule.registers = count;
  return "";
}

std::string read_order(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  if (text != "written" && text != "neighbours")
    return "`order=" + text +
           "`: write `written` (one sum after the other) or `neighbours` (all sums take what one "
           "neighbour has, then the next)";
  schedule.by_neighbours = text == "neighbours";
  return "";
}

std::string read_swizzle(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  const int count = number(text);
  if (stencil.rank() < 3)
    return "`swizzle=" + text + "` is for 3-D: blocks of a band of rows run for all planes first";
  if (count < 1 || count > kMaxSwizzle)
    return "`swizzle=" + text + "`: a band has 1 to " + std::to_string(kMaxSwizzle) + " rows";
  schedule.swizzle = count;
  return "";
}

std::string read_launches(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  if (text != "early" && text != "late")
    return "`launches=" + text +
           "`: write `early` (before the launch before has ended) or `late` (after it)";
  schedule.early = text == "early";
  return "";
}

std::string read_steps(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxSteps)
    return "`steps=" + text + "`: a launch takes 1 to " + std::to_string(kMaxSteps) + " time steps";
  schedule.steps = count;
  return "";
}

std::string read_fusion(const std::string& text, const ir::Stencil&, Schedule& schedule) {
  constexpr std::pair<const char*, Fusion> kFusions[] = {{"best", Fusion::best},
                                                         {"recompute", Fusion::recompute},
                                                         {"split", Fusion::split},
                                                         {"tile", Fusion::tile}};
  for (const auto& [name, fusion] : kFusions)
    if (text == name) {
      schedule.fusion = fusion;
      return "";
    }
  return "`stages=" + text + "`: write `best`, `recompute`, `split` or `tile`";
}

// Reads the values of a placement: "gx+gy"; `all` are all values that can be.
std::string read_values(const std::string& placement, const std::string& text,
                        const ir::Stencil& stencil, std::vector<std::string>& names) {
  names.clear();
  if (text == "none") return "";
  if (text == "all") {
    names = placeable(stencil);
    return "";
  }
  names = split(text, '+');
  const std::string problem = placement_problem(stencil, names, placement);
  return problem.empty() ? "" : "`" + placement + "=" + text + "`: " + problem;
}

std::string read_setup(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  schedule.setup.clear();
  if (text == "none") return "";
  if (text == "all") {
    schedule.setup = all_setups(stencil);
    return "";
  }
  schedule.setup = split(text, '+');
  const std::string problem = setup_problem(stencil, schedule.setup);
  return problem.empty() ? "" : "`setup=" + text + "`: " + problem;
}

std::string read_global(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  return read_values("global", text, stencil, schedule.global);
}

std::string read_fission(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  schedule.fission.clear();
  if (text == "none") return "";
  if (text == "all") {
    schedule.fission = separable(stencil);
    return "";
  }
  schedule.fission = split(text, '+');
  const std::string problem = fission_problem(stencil, schedule.fission);
  return problem.empty() ? "" : "`fission=" + text + "`: " + problem;
}

std::string read_tile(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  return read_values("tile", text, stencil, schedule.tile_values);
}

std::string read_stream(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  std::vector<std::string>& names = schedule.stream_values;
  names.clear();
  if (text == "none") return "";
  if (text == "all") {
    names = placeable(stencil);
    for (std::string& field : streamable_fields(stencil)) names.push_back(std::move(field));
    return "";
  }
  names = split(text, '+');
  const std::string problem = streams_problem(stencil, names);
  return problem.empty() ? "" : "`stream=" + text + "`: " + problem;
}

constexpr Decision kDecisions[] = {
    {"threads", Decision::of_all, read_threads},
    {"vector", Decision::of_coarsened, read_vector},
    {"rows", Decision::of_coarsened, read_rows},
    {"planes", Decision::of_coarsened, read_planes},
    {"strips", Decision::of_coarsened, read_strips},
    {"coarsen", Decision::of_coarsened, read_coarsen},
    {"chunks", Decision::of_coarsened, read_chunks},
    {"sums", Decision::of_coarsened, read_sums},
    {"sides", Decision::of_coarsened, read_sides},
    {"ends", Decision::of_coarsened, read_ends},
    {"edges", Decision::of_all, read_edges},
    {"taps", Decision::of_coarsened, read_taps},
    {"loads", Decision::of_all, read_loads},
    {"shared", Decision::of_coarsened, read_shared},
    {"ahead", Decision::of_coarsened, read_ahead},
    {"fill", Decision::of_coarsened, read_fill},
    {"resident", Decision::of_all, read_resident},
    {"registers", Decision::of_all, read_registers},
    {"order", Decision::of_all, read_order},
    {"swizzle", Decision::of_all, read_swizzle},
    {"launches", Decision::of_all, read_launches},
    {"steps", Decision::of_coarsened, read_steps},
    {"stages", Decision::of_cpu_too, read_fusion},
    {"setup", Decision::of_cpu_too, read_setup},
    {"global", Decision::of_cpu_too, read_global},
    {"fission", Decision::of_cpu_too, read_fission},
    {"tile", Decision::of_all, read_tile},
    {"stream", Decision::of_coarsened, read_stream},
    {"launch", Decision::of_all, nullptr},  // read after all others (syntax/parse_schedule.cpp)
};

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts = {""};
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts = {""};
  int open = 0;
  for (const char c : text) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && open == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_of_whole_step(const std::string& key) {
  const std::string keys[] = {"launches", "steps", "stages", "setup",
                              "global",   "fission", "launch"};
  return std::ranges::find(keys, key) != std::end(keys);
}

std::string name(Shared shared) { return kShared[static_cast<size_t>(shared)].first; }

std::string name(Taps taps) { return kTaps[static_cast<size_t>(taps)].first; }

std::string name(Filling fill) { return kFillings[static_cast<size_t>(fill)].first; }

const Decision* decision(const std::string& key) {
  const auto* found = std::find_if(std::begin(kDecisions), std::end(kDecisions),
                                   [&](const Decision& one) { return key == one.key; });
  return found == std::end(kDecisions) ? nullptr : found;
}

std::string meant_decision(const std::string& key) {
  std::string text;
  std::vector<std::string> keys;
  for (const Decision& one : kDecisions) {
    keys.emplace_back(one.key);
    text += (text.empty()                       ? "the parts are "
             : &one == std::end(kDecisions) - 1 ? " and "
                                                : ", ") +
            std::string(one.key);
  }
  const std::string close = diag::nearest(key, keys);
  return close.empty() ? text : "did you mean `" + close + "`?";
}

}  // namespace stencilc::plan
