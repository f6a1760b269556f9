#include "plan/choose.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace stencilc::plan {
namespace {

constexpr int kAccess = 16;  // bytes that one access moves at most

// What the cells of a stencil read, as far as the shape of a thread's cells depends on it.
struct Reads {
  // By field, level and row: the offsets along x.
  std::map<std::tuple<int, int, int, int>, std::set<int>> rows;
  std::set<int> beside;      // the fields that are read beside the cell
  ir::Reach reach;           // of what is read from memory
  bool recomputes = false;   // t+1 beside the cell
  bool slow = false;         // divisions by values of cells, roots, transcendental functions
  bool adds_planes = false;  // cells beside the own one are read only for sums of planes
  bool shares = false;       // such values of neighbouring cells, which the next cell computes, too
  int widest = 1, narrowest = 8;  // bytes of a cell
};

// A sum of reads, plane by plane along the third axis, times numbers.
bool adds_planes(const ir::ExprPtr& node) {
  const auto* sum = ir::as<ir::Sum>(node);
  if (!sum) return false;
  std::vector<int> planes;
  for (const ir::Sum::Term& term : sum->terms) {
    const ir::Read* read = ir::as<ir::Read>(term.tap);
    if (const auto* cast = ir::as<ir::Cast>(term.tap)) read = ir::as<ir::Read>(cast->value);
    if (!read) return false;
    for (const ir::ExprPtr& part : ir::nodes_of({term.weight}))
      if (ir::as<ir::Read>(part)) return false;
    planes.push_back(read->offset[2]);
  }
  return std::is_sorted(planes.begin(), planes.end()) && planes.front() < planes.back();
}

// Do the values read cells beside their own only to add planes? `seen`: those that do.
bool only_add_planes(const std::vector<ir::ExprPtr>& values, std::set<ir::ExprPtr>& seen) {
  return std::all_of(values.begin(), values.end(), [&](const ir::ExprPtr& value) {
    if (!value || adds_planes(value) || !seen.insert(value).second) return true;
    const auto* read = ir::as<ir::Read>(value);
    return !(read && read->offset != ir::Offset{}) && only_add_planes(ir::children(*value), seen);
  });
}

Reads reads_of(const ir::Stencil& stencil) {
  Reads reads;
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      values.push_back(one.value);
      if (one.domain.mask) values.push_back(one.domain.mask);
    }
  const auto measure = [&](int field) {
    const int size = ir::bytes(stencil.fields[field].type);
    reads.widest = std::max(reads.widest, size);
    reads.narrowest = std::min(reads.narrowest, size);
  };
  for (const ir::Update& update : stencil.updates) measure(update.field);
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    reads.slow |= is_long(node);
    if (const auto* let = ir::as<ir::Named>(node); let && let->offset != ir::Offset{}) {
      const std::vector<ir::ExprPtr> inner = ir::nodes_of({let->value});
      reads.shares |= std::any_of(inner.begin(), inner.end(), is_long);
    }
    const auto* read = ir::as<ir::Read>(node);
    if (!read) continue;
    const ir::Field& field = stencil.fields[read->field];
    if (!ir::has_all_axes(stencil, field)) continue;
    const bool beside = read->offset != ir::Offset{};
    if (beside) reads.beside.insert(read->field);
    if (read->level == 1) {
      reads.recomputes |= beside;
      continue;
    }
    measure(read->field);
    reads.rows[{read->field, read->level, read->offset[1], read->offset[2]}].insert(
        read->offset[0]);
  }
  std::set<ir::ExprPtr> seen;
  reads.adds_planes = only_add_planes(values, seen);
  reads.reach = ir::reach(values);
  return reads;
}

// Registers of four bytes that hold what one vector of cells reads.
int registers(const Reads& reads, int width) {
  int count = 0;
  for (const auto& [row, offsets] : reads.rows) {
    std::set<int> vectors;
    for (const int x : offsets)
      for (int v = 0; v < width; ++v) vectors.insert((x + v + 1024 * width) / width);
    count += static_cast<int>(vectors.size()) * width;
  }
  return count * std::max(4, reads.widest) / 4;
}

int radius(const Reads& reads, int axis) {
  return std::max(reads.reach.low[axis], reads.reach.high[axis]);
}

// As many cells as one access moves; fewer, where they would take too many registers.
int width_of(const Reads& reads, int rank) {
  const int most = reads.beside.size() > 1 ? 80 : 96;  // registers
  // Narrow values are computed in registers of four bytes.
  int width = reads.widest == 1 || (rank == 3 && reads.widest == 2) ? 4 : kAccess / reads.widest;
  if (reads.recomputes || registers(reads, width) > most) width = std::max(2, width / 2);
  return width;
}

// Are cells read beside the column, too, in other rows than the own one?
bool reads_wide_rows(const Reads& reads) {
  return std::any_of(reads.rows.begin(), reads.rows.end(), [](const auto& row) {
    return std::get<2>(row.first) != 0 && row.second != std::set<int>{0};
  });
}

// A row that is loaded serves as many rows of the thread as it reads, if registers allow that. More
// where it takes several accesses.
int rows_in_the_plane(const Reads& reads, int width) {
  constexpr int kMost = 40;  // registers
  if (radius(reads, 1) == 0) return 1;
  const bool simple = reads.beside.size() <= 1 && !reads.slow;
  if (!simple) return registers(reads, width) > kMost ? 1 : 2;
  if (reads.recomputes) return 2;
  if (radius(reads, 1) > 1 && reads.widest == 8 && reads_wide_rows(reads)) return 8;
  return radius(reads, 1) > 1 || reads.widest <= 2 ? 4 : 2;
}

// Does the stencil read cells off the axes, and hardly anything else?
bool is_box(const Reads& reads) {
  std::set<std::pair<int, int>> levels;
  for (const auto& [row, offsets] : reads.rows) levels.emplace(std::get<0>(row), std::get<1>(row));
  return reads.beside.size() == 1 && levels.size() <= 2 &&
         std::any_of(reads.rows.begin(), reads.rows.end(), [](const auto& row) {
           return std::get<2>(row.first) != 0 && std::get<3>(row.first) != 0;
         });
}

// Do a star's planes come sooner as boxes? Sums far along the axis read many of them.
bool takes_boxes(const Reads& reads, const Device& device) {
  const bool far = radius(reads, 2) > (reads.widest == 8 ? 1 : 2);
  return device.box_copies && far && reads.adds_planes && !is_box(reads) && !reads.slow &&
         !reads.recomputes && reads.beside.size() == 1 && reads.narrowest >= 4;
}

void shape_in_space(const Reads& reads, const Device& device, Schedule& schedule) {
  if (takes_boxes(reads, device)) {
    schedule.threads = {32, 16, 1};
    schedule.rows = 2;
    schedule.coarsen = 48;
    schedule.scatter = true;
    schedule.shared = Shared::boxes;
    schedule.reason = "planes are copied ahead as boxes, and added to the sums that read them";
    return;
  }
  schedule.threads = {32, 4, 1};
  // Sums that are built plane by plane keep no planes.
  const bool wider = reads.beside.size() == 1 && radius(reads, 2) == 2 && reads.widest == 4;
  if (is_box(reads) || (wider && !reads.slow)) {
    schedule.rows = reads.widest > 4 || !is_box(reads) ? 2 : 4;
    schedule.coarsen = 32;
    schedule.scatter = true;
    return;
  }
  // Many planes that are loaded once for the whole column ask for longer columns.
  const bool wide = reads.beside.size() == 1 && radius(reads, 2) > 2;
  schedule.rows = wide && !reads.slow ? 2 : 1;
  schedule.coarsen = wide || reads.beside.size() > 1 ? 16 : 8;
}

}  // namespace

Schedule naive(int rank) {
  Schedule schedule;
  schedule.preset = "naive";
  schedule.threads = rank == 1 ? std::array{256, 1, 1} : std::array{32, 8, 1};
  schedule.reason = "one cell a thread; neighbours come from the caches";
  return schedule;
}

Schedule columns(int rank) {
  Schedule schedule = naive(rank);
  schedule.preset = "coarsened";
  schedule.coarsen_axis = rank - 1;
  schedule.coarsen = rank == 2 ? 8 : 4;
  if (rank == 2) schedule.threads = {128, 1, 1};
  if (rank == 3) schedule.threads = {64, 4, 1};
  schedule.reason = "a thread keeps what it has loaded for its next cells";
  return schedule;
}

Schedule coarsened(const ir::Stencil& stencil, const Device& device) {
  const int rank = stencil.rank();
  Schedule schedule = naive(rank);
  schedule.preset = "coarsened";
  schedule.coarsen_axis = rank - 1;
  const Reads reads = reads_of(stencil);
  // Cells of one colour are no neighbours, so nothing is moved together.
  if (stencil.colors.count() != 0 || (rank > 1 && reads.shares && reads.beside.size() <= 2))
    return columns(rank);
  schedule.vector = width_of(reads, rank);
  schedule.reason = "a thread moves " + std::to_string(schedule.vector) +
                    " cells at once, and keeps what it has loaded for its next ones";
  if (rank == 1) {
    schedule.coarsen = 1;
    schedule.reason = "a thread moves " + std::to_string(schedule.vector) + " cells at once";
  } else if (rank == 2) {
    schedule.threads = {64, 4, 1};
    schedule.coarsen = rows_in_the_plane(reads, schedule.vector);
  } else {
    shape_in_space(reads, device, schedule);
  }
  return schedule;
}

}  // namespace stencilc::plan
