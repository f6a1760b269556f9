#include "plan/schedule.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "plan/choose.h"
#include "plan/occupancy.h"

namespace stencilc::plan {
namespace {

constexpr int kMaxThreads = 1024;  // of a block, on every device since sm_20
constexpr int kMaxCoarsen = 4096;
constexpr int kMaxVector = 16;
constexpr int kMaxRows = 16;
constexpr int kMaxResident = 32;
constexpr int kMaxAhead = 8;
constexpr std::pair<const char*, Shared> kShared[] = {{"none", Shared::none},
                                                      {"loads", Shared::loads},
                                                      {"async", Shared::async},
                                                      {"boxes", Shared::boxes}};

std::string name(Shared shared) { return kShared[static_cast<size_t>(shared)].first; }

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

// The number that is all of `text`, or -1.
int number(const std::string& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

// "32x8" into threads; a complaint where it does not fit.
std::string read_threads(const std::string& text, int rank, Schedule& schedule) {
  const std::vector<std::string> parts = split(text, 'x');
  if (static_cast<int>(parts.size()) > rank)
    return "`threads=" + text + "` has more numbers than the stencil has axes";
  schedule.threads = {1, 1, 1};
  int product = 1;
  for (size_t a = 0; a < parts.size(); ++a) {
    schedule.threads[a] = number(parts[a]);
    if (schedule.threads[a] < 1 || schedule.threads[a] > kMaxThreads)
      return "`threads=" + text + "`: every number lies in 1.." + std::to_string(kMaxThreads);
    product *= schedule.threads[a];
  }
  if (product > kMaxThreads)
    return "a block of " + std::to_string(product) + " threads; a device runs at most " +
           std::to_string(kMaxThreads);
  if (schedule.threads[2] > 64)
    return "a block of " + std::to_string(schedule.threads[2]) +
           " threads along the third axis; a device runs at most 64";
  if (schedule.threads[2] > 1) schedule.shared = Shared::none;
  return "";
}

// "y4" into the axis and the count.
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
    if (a != 2) schedule.rows = 1;
    if (a != 2 || count == 1) schedule.shared = Shared::none;
    if (a == 0 || count == 1) schedule.scatter = false;
    return "";
  }
  return "`coarsen=" + text +
         "` is not an axis and a number, as in `coarsen=" + stencil.axes.back() + "4`";
}

std::string read_vector(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxVector || (count & (count - 1)) != 0)
    return "`vector=" + text + "`: a thread moves 1, 2, 4, 8 or 16 cells at once";
  if (count > 1 && stencil.colors.count() != 0)
    return "`vector=" + text +
           "` with colours: neighbouring cells, which a vector holds, are of other colours";
  schedule.vector = count;
  if (count == 1) {  // what only vectors have
    schedule.rows = 1;
    schedule.scatter = false;
    schedule.shared = Shared::none;
  }
  return "";
}

std::string read_rows(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxRows)
    return "`rows=" + text + "`: a thread computes 1 to " + std::to_string(kMaxRows) + " rows";
  if (count > 1 && stencil.rank() != 3)
    return "`rows=" + text + "`: rows are for a thread that marches along the third axis";
  schedule.rows = count;
  return "";
}

std::string read_sums(const std::string& text, Schedule& schedule) {
  if (text != "gather" && text != "scatter")
    return "`sums=" + text + "`; sums are built by gather or scatter";
  schedule.scatter = text == "scatter";
  return "";
}

std::string read_shared(const std::string& text, const ir::Stencil& stencil, Schedule& schedule) {
  for (const auto& [name, shared] : kShared)
    if (text == name) {
      if (shared != Shared::none && stencil.rank() != 3)
        return "`shared=" + text + "`: planes are those of a stencil with three axes";
      schedule.shared = shared;
      return "";
    }
  return "`shared=" + text + "`; planes are in shared memory by loads, async or boxes, or none are";
}

std::string read_ahead(const std::string& text, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxAhead)
    return "`ahead=" + text + "`: 1 to " + std::to_string(kMaxAhead) + " planes are on their way";
  schedule.ahead = count;
  return "";
}

std::string read_resident(const std::string& text, Schedule& schedule) {
  const int count = number(text);
  if (count < 1 || count > kMaxResident)
    return "`resident=" + text + "`: a multiprocessor holds 1 to " + std::to_string(kMaxResident) +
           " blocks";
  schedule.resident = count;
  return "";
}

std::string read_fusion(const std::string& text, Schedule& schedule) {
  constexpr std::pair<const char*, Fusion> kFusions[] = {
      {"best", Fusion::best}, {"recompute", Fusion::recompute}, {"split", Fusion::split}};
  for (const auto& [name, fusion] : kFusions)
    if (text == name) {
      schedule.fusion = fusion;
      return "";
    }
  return "`stages=" + text + "`; updates that build on each other are best, recompute or split";
}

// Decisions that do not go together.
std::string conflict(const Schedule& schedule) {
  if (schedule.rows > 1 && schedule.vector == 1)
    return "`rows` without `vector`: rows of a thread are vectors";
  if (schedule.scatter &&
      (schedule.vector == 1 || schedule.coarsen == 1 || schedule.coarsen_axis == 0))
    return "`sums=scatter` is for vectors, in a thread that marches along another axis: give "
           "`vector` and `coarsen`";
  if (schedule.shared != Shared::none &&
      (schedule.vector == 1 || schedule.coarsen == 1 || schedule.coarsen_axis != 2))
    return "`shared=" + name(schedule.shared) +
           "` is for vectors, in a block that marches along the third axis: give "
           "`vector` and `coarsen`";
  if (schedule.shared != Shared::none && schedule.threads[2] > 1)
    return "`shared=" + name(schedule.shared) +
           "` with several threads along the third axis, along which the block "
           "marches";
  if (schedule.rows > 1 && schedule.coarsen > 1 && schedule.coarsen_axis != 2)
    return "`rows` and `coarsen` along the same axes; a thread with rows marches along the third";
  return "";
}

// What the device does not have.
std::string lacking(const Schedule& schedule, const Device& device) {
  const int threads = schedule.threads[0] * schedule.threads[1] * schedule.threads[2];
  const int held = occupancy(device, threads, 0, 0);
  if (schedule.shared == Shared::boxes && !device.box_copies)
    return "`shared=boxes` for " + name(device) + "; boxes are copied from sm_90 on";
  if (schedule.shared == Shared::async && !device.async_copies)
    return "`shared=async` for " + name(device) + "; threads copy while they go on from sm_80 on";
  if (schedule.resident > held)
    return "`resident=" + std::to_string(schedule.resident) + "` with blocks of " +
           std::to_string(threads) + " threads, of which a multiprocessor holds " +
           std::to_string(held);
  return "";
}

// Everything that follows from the decisions.
Schedule complete(Schedule schedule, const ir::Stencil& stencil, Target target) {
  const bool whole_warps = target == Target::cpu || schedule.threads[0] % 32 == 0;
  schedule.stages = stages(stencil, schedule.fusion, whole_warps);
  return schedule;
}

}  // namespace

Schedule choose(const ir::Stencil& stencil, Target target, int optimisation, const Device& device) {
  if (target == Target::cpu) {
    Schedule schedule;
    schedule.preset = "loops";
    schedule.reason = "rows run on all cores, cells of a row in vectors";
    return complete(schedule, stencil, target);
  }
  return complete(optimisation == 0 ? naive(stencil.rank()) : coarsened(stencil, device), stencil,
                  target);
}

Choice parse(const std::string& text, const ir::Stencil& stencil, Target target,
             const Device& device) {
  const std::vector<std::string> parts = split(text, ',');
  Choice choice;
  if (target == Target::cpu) {
    choice.schedule = choose(stencil, target, 2);
    if (parts[0] != "loops")
      choice.problem = "`" + parts[0] + "`; the CPU target has the schedule `loops`";
  } else if (parts[0] == "naive") {
    choice.schedule = naive(stencil.rank());
  } else if (parts[0] == "coarsened") {
    choice.schedule = coarsened(stencil, device);
  } else {
    choice.problem =
        "there is no schedule `" + parts[0] + "`; the schedules are naive and coarsened";
    return choice;
  }
  if (!choice.problem.empty()) return choice;
  choice.schedule.reason = "asked for by --schedule";
  for (size_t i = 1; i < parts.size() && choice.problem.empty(); ++i) {
    const size_t equals = parts[i].find('=');
    const std::string key = parts[i].substr(0, equals),
                      value = equals == std::string::npos ? "" : parts[i].substr(equals + 1);
    if (key == "stages")
      choice.problem = read_fusion(value, choice.schedule);
    else if (target == Target::cpu)
      choice.problem = "`" + key + "` is no part of the schedule `loops`; its part is stages";
    else if (key == "threads")
      choice.problem = read_threads(value, stencil.rank(), choice.schedule);
    else if (key == "vector" && parts[0] == "coarsened")
      choice.problem = read_vector(value, stencil, choice.schedule);
    else if (key == "rows" && parts[0] == "coarsened")
      choice.problem = read_rows(value, stencil, choice.schedule);
    else if (key == "sums" && parts[0] == "coarsened")
      choice.problem = read_sums(value, choice.schedule);
    else if (key == "shared" && parts[0] == "coarsened")
      choice.problem = read_shared(value, stencil, choice.schedule);
    else if (key == "ahead" && parts[0] == "coarsened")
      choice.problem = read_ahead(value, choice.schedule);
    else if (key == "resident")
      choice.problem = read_resident(value, choice.schedule);
    else if (key == "coarsen" && parts[0] == "coarsened")
      choice.problem = read_coarsen(value, stencil, choice.schedule);
    else if (key == "coarsen" || key == "vector" || key == "rows" || key == "sums" ||
             key == "shared" || key == "ahead")
      choice.problem = "`" + key +
                       "` with the schedule `naive`, which computes one cell a thread; use "
                       "`coarsened`";
    else
      choice.problem = "`" + key +
                       "` is no part of a schedule; the parts are threads, vector, rows, coarsen, "
                       "sums, shared, ahead, resident and stages";
  }
  if (choice.problem.empty()) choice.problem = conflict(choice.schedule);
  if (choice.problem.empty()) {
    choice.problem = lacking(choice.schedule, device);
    choice.of_device = !choice.problem.empty();
  }
  if (choice.problem.empty()) choice.schedule = complete(choice.schedule, stencil, target);
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
  if (vectors && stencil.rank() == 3 && (schedule.coarsen_axis == 2 || schedule.rows > 1))
    text += ",rows=" + std::to_string(schedule.rows);
  text += ",coarsen=" + stencil.axes[schedule.coarsen_axis] + std::to_string(schedule.coarsen);
  if (schedule.scatter || (vectors && marches && stencil.rank() == 3))
    text += schedule.scatter ? ",sums=scatter" : ",sums=gather";
  if (vectors && marches && schedule.coarsen_axis == 2 && schedule.threads[2] == 1)
    text += ",shared=" + name(schedule.shared);
  if (schedule.shared != Shared::none) text += ",ahead=" + std::to_string(schedule.ahead);
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
  if (schedule.resident != 0) text += ",resident=" + std::to_string(schedule.resident);
  return text + stages;
}

}  // namespace stencilc::plan
