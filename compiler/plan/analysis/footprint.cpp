#include "plan/analysis/footprint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace stencilc::plan {
namespace {

constexpr int kSector = 32;  // bytes that the L2 delivers at once
constexpr int kBoxRow = 16;  // rows of a bulk copy are multiples of this many bytes
constexpr int kAccess = 16;  // bytes that one access moves at most

int divide_up(int a, int b) { return (a + b - 1) / b; }
int divide_down(int a, int b) { return a >= 0 ? a / b : -divide_up(-a, b); }

struct Span {
  int low = 0, high = 0;
  bool any = false;
  void add(int value) {
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
  int length() const { return high - low; }
};

// A cell or vector of cells that a thread reads, and which cells along the streamed axis read it.
struct Place {
  int field, x;
  Span along;
};

// What the cells of a pass read, in vectors of this many cells; -1: nothing is streamed. Where
// lanes exchange neighbours, a thread loads only its own vector.
std::vector<Place> places_of(const Reads& reads, const Schedule& schedule, int stream_axis,
                             int width) {
  const int rows = stream_axis == 1 ? 1 : schedule.rows;
  const bool own = schedule.lanes && width == schedule.vector;
  int least = 0, most = 0;
  for (const auto& [row, offsets] : reads.rows) {
    least = std::min(least, *offsets.begin());
    most = std::max(most, *offsets.rbegin());
  }
  const int first = divide_down(least, width);
  const int count = divide_down(most + schedule.vector, width) - first + 1;
  using Row = std::tuple<int, int, int, int>;  // field, level, y, z, without the streamed axis
  std::map<Row, std::vector<Span>> spans;      // of each row, by x
  std::vector<bool> read(count);
  for (const auto& [row, offsets] : reads.rows) {
    read.assign(count, false);
    for (const int x : offsets)
      for (int v = 0; v < schedule.vector; ++v)
        read[own ? -first : divide_down(x + v, width) - first] = true;
    for (int r = 0; r < rows; ++r) {
      int y = row.y + r, z = row.z, along = 0;
      if (stream_axis == 1) std::swap(along, y);
      if (stream_axis == 2) std::swap(along, z);
      std::vector<Span>& of_row = spans[{row.field, row.level, y, z}];
      of_row.resize(count);
      for (int n = 0; n < count; ++n)
        if (read[n]) of_row[n].add(along);
    }
  }
  std::vector<Place> places;
  for (const auto& [row, of_row] : spans)
    for (int n = 0; n < count; ++n)
      if (of_row[n].any) places.push_back({std::get<0>(row), first + n, of_row[n]});
  return places;
}

// What a block loads of one level of a field.
struct Fetch {
  Span x, wide, y, z;  // wide: rows in which neighbours along x are read

  bool beside() const {
    const auto away = [](const Span& span) { return span.low != 0 || span.high != 0; };
    return away(x) || away(y) || away(z);
  }
};

}  // namespace

bool unrolls(const Reads& reads, const Schedule& schedule) {
  constexpr int kCells = 8;      // per thread
  constexpr size_t kFields = 2;  // more make the code long and need many registers
  if (schedule.shared != Shared::none && schedule.coarsen_axis == 2) return false;
  if (schedule.coarsen_axis == 2 && reads.bytes.size() > kFields) return false;
  const bool streams = schedule.coarsen > 1 && schedule.coarsen_axis > 0;
  const int axis = schedule.coarsen_axis;
  const int before = streams && schedule.scatter && reads.adds_planes
                         ? reads.reach.low[axis] + reads.reach.high[axis]
                         : 0;
  return schedule.coarsen + before <= kCells;
}

namespace {

// Whether the vectors of a tile are padded to different banks of shared memory.
bool spreads(const Schedule& schedule) {
  return schedule.shared == Shared::loads || schedule.shared == Shared::async;
}

// A thread holds one row of what it loads, and all its sums. Vectors of threads that are further
// apart than one access conflict in the L1, unless the tile pads them to different banks.
void add_arriving_rows(const Reads& reads, const Schedule& schedule, Footprint& result) {
  constexpr int kWeights =
      8;  // bytes of one load of weights, where rows of weights start at multiples of it
  result.arrivals = reads.tap_rows + schedule.rows - 1;
  const bool together =
      reads.tap_rows > 0 && reads.taps / reads.boxes / reads.tap_rows > kAccess / reads.widest;
  if (schedule.taps == Taps::rolled)
    result.weights = static_cast<double>(reads.taps) / schedule.vector /
                     (together ? std::max(1, kWeights / reads.widest) : 1);
  result.held = reads.boxes * schedule.vector * schedule.rows * std::max(1, reads.widest / 4);
  result.fresh /= std::max(1, result.arrivals);
  result.moved = 0;
  if (spreads(schedule)) return;
  result.loaded *= std::max(1, schedule.vector * reads.narrowest / kAccess);
  if (schedule.shared != Shared::boxes) return;
  // From a tile a thread loads only what it reads.
  const int vector = schedule.vector, low = reads.reach.low[0], high = reads.reach.high[0];
  const int bytes = divide_up((low + vector + high) * reads.narrowest, kAccess) * kAccess;
  const int whole = (divide_up(low, vector) + 1 + divide_up(high, vector)) * vector;
  result.loaded =
      static_cast<int>(static_cast<double>(result.loaded) * bytes / (whole * reads.narrowest));
}

}  // namespace

Footprint footprint_of(const Reads& reads, const Schedule& schedule, int rank) {
  Footprint result;
  const bool streams = schedule.coarsen > 1 && schedule.coarsen_axis > 0;
  const int stream_axis = streams ? schedule.coarsen_axis : -1;
  const bool sums = streams && schedule.scatter && reads.adds_planes;
  Span planes;
  for (const auto& [row, offsets] : reads.rows) planes.add(stream_axis == 1 ? row.y : row.z);
  const bool unrolled = unrolls(reads, schedule);
  const int row_cells = schedule.vector * (stream_axis == 1 ? 1 : schedule.rows);
  const int unrolled_cells = unrolled && streams ? schedule.coarsen : 1;
  result.cells = row_cells * unrolled_cells * (streams ? 1 : schedule.coarsen);
  result.passes = streams ? schedule.coarsen / unrolled_cells : 1;
  result.extra = sums ? planes.length() : 0;
  int loads = 0;
  const auto carried = [&](const Span& span) { return streams && !sums ? span.length() : 0; };
  for (const auto& [field, x, span] : places_of(reads, schedule, stream_axis, schedule.vector)) {
    const int bytes = reads.bytes.at(field) * schedule.vector;
    const int loads_of_pass =
        streams ? unrolled_cells + (unrolled ? carried(span) : 0) : schedule.coarsen;
    loads += loads_of_pass * divide_up(bytes, kAccess);
    result.loaded += loads_of_pass * bytes;
  }
  double held = 0, fresh = 0, moved = 0;
  for (const auto& [field, x, span] : places_of(reads, schedule, stream_axis, 1)) {
    const double size = reads.bytes.at(field) / 4.0;
    (carried(span) > 0 ? held : fresh) += (carried(span) + 1) * size;
    if (!unrolled) moved += carried(span) * size;
    if (schedule.lanes && (x < 0 || x >= schedule.vector))
      result.shuffled += unrolled_cells * std::max(1, static_cast<int>(size));
  }
  result.held = static_cast<int>(held);
  result.fresh = static_cast<int>(fresh);
  result.moved = static_cast<int>(moved);
  if (sums) result.held += planes.length() * row_cells * std::max(1, reads.widest / 4);
  if (schedule.taps != Taps::terms && reads.boxes > 0) add_arriving_rows(reads, schedule, result);
  int stores = 0;
  for (const int bytes : reads.stores) {
    stores += result.cells / schedule.vector * divide_up(schedule.vector * bytes, kAccess);
    result.stored += bytes;
  }
  result.accesses = loads + stores;

  std::map<std::pair<int, int>, Fetch> fetches;
  for (const auto& [row, offsets] : reads.rows) {
    Fetch& fetch = fetches[{row.field, row.level}];
    for (const int x : offsets) {
      fetch.x.add(x);
      if (x != 0) fetch.wide.add(row.y);
    }
    fetch.y.add(row.y);
    fetch.z.add(row.z);
  }
  result.arrays = static_cast<int>(fetches.size() + reads.stores.size());
  const std::array<int, 3> tile = schedule.tile();
  const double area = static_cast<double>(tile[0]) * tile[1];
  for (const auto& [key, fetch] : fetches) {
    const double bytes = reads.bytes.at(key.first);
    const int unit = schedule.shared == Shared::boxes ? kBoxRow : kSector;
    const auto whole = [&](int cells) {
      return std::ceil(std::max(0, cells) * bytes / unit) * unit / bytes;
    };
    const double sides = whole(-fetch.x.low) + whole(fetch.x.high);
    const double rows = schedule.shared == Shared::none ? fetch.wide.length() : fetch.y.length();
    const double around =
        (sides * (tile[1] + rows) + static_cast<double>(fetch.y.length()) * tile[0]) / area;
    const double along = rank == 3 ? static_cast<double>(fetch.z.length()) / tile[2] : 0;
    result.compulsory += bytes;
    result.around += bytes * around;
    result.along += bytes * along * (1 + around);
    result.planes += bytes * along;
    if (schedule.shared == Shared::none || !fetch.beside()) continue;
    double row = (tile[0] + sides) * bytes;
    if (result.arrivals != 0 && spreads(schedule)) {
      const int vector = schedule.vector;
      const int vectors = schedule.threads[0] + divide_up(std::max(0, -fetch.x.low), vector) +
                          divide_up(std::max(0, fetch.x.high), vector);
      row = vectors * (vector * bytes + (vector * bytes > kAccess ? kAccess : 0));
    }
    result.plane_bytes += static_cast<int>(row * (tile[1] + fetch.y.length()));
  }
  result.fetched = result.compulsory + result.around + result.along;
  if (schedule.shared != Shared::none)
    result.stages = rank < 3 ? 1 : (sums ? 1 : planes.length() + 1) + schedule.ahead;
  return result;
}

}  // namespace stencilc::plan
