#include "plan/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "ir/work.h"
#include "plan/occupancy.h"
#include "plan/roofline.h"

namespace stencilc::plan {
namespace {

// Fitted to the order of some 600 schedules of 33 stencils that were measured on an H200
// (bench/results/2026-11-21-h200-shapes.txt), and rounded.
constexpr double kL1 = 0.25;            // a byte that a thread loads
constexpr double kOverlap = 0.1;        // what is left of what takes less time than the rest
constexpr double kLatency = 1400e-9;    // until a load is there
constexpr double kDrift = 24;           // cells of a march after which blocks share half as much
constexpr double kOtherRegisters = 25;  // addresses, indices, conditions
constexpr double kOutRegisters = 1.3;   // of a cell that is stored
constexpr double kSpilling = 6;         // the power by which registers that lack slow a thread down
constexpr int kLongest = 8;             // rows of a march that are looked at

struct Point {
  int field, level;
  ir::Offset at;
};

// What is known of the stencil, whatever the schedule.
struct Cell {
  std::vector<Point> points;  // of fields with all axes
  ir::Reach reach;
  int fields = 0;  // that are read
  int stored = 0;  // fields
  int bytes = 4;   // of the widest
};

Cell cell_of(const ir::Stencil& stencil) {
  Cell cell;
  cell.reach = ir::reach(stencil);
  std::set<int> fields;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || !ir::has_all_axes(stencil, stencil.fields[read->field])) continue;
    cell.points.push_back({read->field, read->level, read->offset});
    cell.bytes = std::max(cell.bytes, ir::bytes(stencil.fields[read->field].type));
    fields.insert(read->field);
  }
  cell.fields = static_cast<int>(fields.size());
  cell.stored = static_cast<int>(stencil.updates.size());
  return cell;
}

// The cells of a thread that stand side by side, or one behind the other where it marches.
std::array<int, 3> patch_of(const Schedule& schedule, bool marched) {
  std::array<int, 3> patch = {schedule.vector, schedule.rows, 1};
  if (marched && schedule.coarsen_axis != 0)
    patch[schedule.coarsen_axis] *= std::min(schedule.coarsen, kLongest);
  return patch;
}

// Different values that the cells of a patch read, for each of them.
double values_read(const Cell& cell, const std::array<int, 3>& patch) {
  std::set<std::tuple<int, int, int, int, int>> values;
  for (const Point& point : cell.points)
    for (int z = 0; z < patch[2]; ++z)
      for (int y = 0; y < patch[1]; ++y)
        for (int x = 0; x < patch[0]; ++x)
          values.emplace(point.field, point.level, point.at[0] + x, point.at[1] + y,
                         point.at[2] + z);
  return static_cast<double>(values.size()) / (patch[0] * patch[1] * patch[2]);
}

int span(const Cell& cell, int axis) { return cell.reach.low[axis] + cell.reach.high[axis]; }

// Registers that a thread would like to have.
int registers_of(const Cell& cell, const Schedule& schedule) {
  const std::array<int, 3> patch = patch_of(schedule, false);
  const int cells = patch[0] * patch[1] * patch[2];
  double values = values_read(cell, patch) * cells;
  const int planes = span(cell, schedule.coarsen_axis) + 1;
  if (schedule.scatter || schedule.shared != Shared::none) values /= planes;
  if (schedule.scatter) values += planes * cells;
  values += kOutRegisters * cells * cell.stored;
  return static_cast<int>(kOtherRegisters + values * std::max(4, cell.bytes) / 4);
}

// Bytes of the planes that a block keeps in shared memory.
int shared_of(const Cell& cell, const Schedule& schedule) {
  if (schedule.shared == Shared::none) return 0;
  const std::array<int, 3> tile = schedule.tile();
  const int planes = schedule.ahead + 1 + (schedule.scatter ? 0 : span(cell, 2));
  return planes * (tile[0] + span(cell, 0)) * (tile[1] + span(cell, 1)) * cell.bytes * cell.fields;
}

// What part of the memory's rate the loads under way can ask for; 0: no block runs.
double part_of_rate(const Cell& cell, const Schedule& schedule, const Device& device,
                    const Card& card, double rate) {
  const int threads = schedule.threads[0] * schedule.threads[1] * schedule.threads[2];
  const int registers = registers_of(cell, schedule);
  int most = device.thread_registers;
  if (schedule.resident > 0) most = std::min(most, device.registers / schedule.resident / threads);
  const double held = std::min(1.0, static_cast<double>(most) / registers);
  const int shared = shared_of(cell, schedule);
  const int blocks = occupancy(device, threads, std::min(registers, most), shared);
  const double of_block = shared > 0 ? shared
                                     : static_cast<double>(threads) * schedule.vector *
                                           schedule.rows * cell.bytes * cell.fields;
  const double loads = blocks * of_block / (rate * kLatency / card.multiprocessors);
  const double warps = static_cast<double>(blocks) * warps_of(threads) / device.warps;
  return std::pow(held, kSpilling) * loads / (1 + loads) * 2 * warps / (1 + warps);
}

}  // namespace

double estimate(const ir::Stencil& stencil, const Schedule& schedule, const Device& device) {
  const std::optional<Roofline> roofline = roofline_of(stencil, device);
  if (!roofline) return 1;
  const Cell cell = cell_of(stencil);
  const double rate = roofline->rate * 1e9;
  const double part = part_of_rate(cell, schedule, device, *roofline->card, rate);
  if (part == 0) return std::numeric_limits<double>::infinity();
  const ir::Traffic traffic = ir::compulsory_traffic(stencil);
  const std::array<int, 3> tile = schedule.tile();
  double beyond = 0;  // cells that a block loads beside its own
  for (int a = 0; a < stencil.rank(); ++a) beyond += static_cast<double>(span(cell, a)) / tile[a];
  if (schedule.coarsen_axis != 0) beyond *= 1 + schedule.coarsen / kDrift;
  const double launches = static_cast<double>(std::max<size_t>(1, schedule.stages.launches.size()));
  const double memory = launches * (traffic.bytes() + beyond * traffic.read) / rate / part;
  const double loads = kL1 * values_read(cell, patch_of(schedule, true)) * cell.bytes / rate;
  const double arithmetic = roofline->by_arithmetic ? 1 / *roofline->by_arithmetic : 0;
  const double longest = std::max({memory, loads, arithmetic});
  return longest + kOverlap * (memory + loads + arithmetic - longest);  // the rest overlaps, mostly
}

}  // namespace stencilc::plan
