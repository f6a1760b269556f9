// How a grid is cut along its last axis into pieces, and how these lie in memory: what is known of
// a program that is emitted with --distributed.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_share.h"
#include "window.h"

namespace stencil {

// An array of a program, as each piece has it in memory.
struct MeshArray {
  const char* name;
  int64_t size;       // bytes of an element
  int levels;         // that a caller gives and receives, newest first
  int buffers;        // levels and scratch
  bool along[3];      // the axes it has, x first
  int64_t around[3];  // cells of its halo in memory
  bool changes;       // do steps change it?
  int64_t low, high;  // planes in front of and behind a window that a step reads of it
  int64_t earlier_low, earlier_high;  // and those that it reads of all levels but the newest
  bool has_halo() const { return around[0] != 0 || around[1] != 0 || around[2] != 0; }
};

// A launch on a piece: how many steps it takes, and whether it can count the planes at the borders
// as it stores them.
struct MeshLaunch {
  int64_t steps;
  bool counts;

  // Can its blocks wait for planes of the neighbours, so that it goes at once? Those of one step do
  // not: two GPUs were not faster so.
  bool awaits() const { return counts && steps > 1; }
};

// What the runtime has to know of a program to run it on pieces.
struct MeshProgram {
  const char* name;
  int rank;
  const MeshArray* arrays;
  int count;
  int64_t step_low, step_high;  // planes that a leg reads more for each further step
  bool wraps;                   // is the axis that is cut periodic?
  // Is a leg of one step, or of as many as a launch has, made of launches that write nothing but
  // its window, or memory of their own? Then parts of a window can be computed side by side.
  bool one_step_splits, several_steps_split;
  // Do legs differ in nothing but their buffers? Then they can be recorded and replayed.
  bool repeats;
  // Is the memory of a piece taken for a grid of its own, as nothing depends on where it is?
  bool anywhere;
  // The launch that a piece with so many planes gets.
  MeshLaunch (*launch_on)(const Shape& shape, int64_t planes);

  static constexpr int kMostBuffers = 8;

  // The most planes that a leg of so many steps reads beside a window, on either side.
  int64_t beside(int64_t steps) const {
    int64_t most = 0;
    for (int a = 0; a < count; ++a) {
      most = arrays[a].low > most ? arrays[a].low : most;
      most = arrays[a].high > most ? arrays[a].high : most;
    }
    return most + (steps > 1 ? steps - 1 : 0) * (step_low > step_high ? step_low : step_high);
  }
  bool is_cut(int array) const { return arrays[array].along[rank - 1]; }
  // Planes of ghost cells beyond the ends of the grid.
  int64_t ends() const {
    int64_t most = 0;
    for (int a = 0; a < count; ++a)
      if (is_cut(a) && arrays[a].around[rank - 1] > most) most = arrays[a].around[rank - 1];
    return most;
  }
};

// `axes` are those that it has: "xz". The halo in memory is given along x, y and z.
template <typename T>
constexpr MeshArray mesh_array(const char* name, const char* axes, int levels, int buffers,
                               bool changes, int64_t low, int64_t high, int64_t around_x = 0,
                               int64_t around_y = 0, int64_t around_z = 0) {
  MeshArray array{name,
                  sizeof(T),
                  levels,
                  buffers,
                  {false, false, false},
                  {around_x, around_y, around_z},
                  changes,
                  low,
                  high,
                  low,
                  high};
  for (; *axes != 0; ++axes) array.along[*axes - 'x'] = true;
  return array;
}

// The same where steps read other planes of earlier levels than of the newest one.
template <typename T>
constexpr MeshArray mesh_levels(const char* name, const char* axes, int levels, int buffers,
                                bool changes, int64_t low, int64_t high, int64_t earlier_low,
                                int64_t earlier_high, int64_t around_x = 0, int64_t around_y = 0,
                                int64_t around_z = 0) {
  MeshArray array =
      mesh_array<T>(name, axes, levels, buffers, changes, low, high, around_x, around_y, around_z);
  array.earlier_low = earlier_low;
  array.earlier_high = earlier_high;
  return array;
}

template <int Count>
constexpr MeshProgram mesh_program_of(const char* name, int rank, const MeshArray (&arrays)[Count],
                                      int64_t step_low, int64_t step_high, bool wraps,
                                      bool one_step_splits, bool several_steps_split, bool repeats,
                                      bool anywhere,
                                      MeshLaunch (*launch_on)(const Shape& shape, int64_t planes)) {
  return {name,
          rank,
          arrays,
          Count,
          step_low,
          step_high,
          wraps,
          one_step_splits,
          several_steps_split,
          repeats,
          anywhere,
          launch_on};
}

// One array of a program with elements of this type: what a MeshGrid is made for.
template <typename T, int Rank>
struct MeshField {
  const MeshProgram* program;
  int array;
};

// How a grid is cut, and what that means for the legs of a program.
struct MeshPlan {
  const MeshProgram* program = nullptr;
  int64_t extents[3] = {1, 1, 1};
  std::vector<int64_t> cuts;  // the first plane of each piece, and the end of the grid
  int64_t thinnest = 0;       // planes of a piece, the fewest
  MeshLaunch launch{1, false};
  int64_t steps = 0;  // of a leg, the most
  // Planes in memory beyond those that a leg reads. Where memory is a grid of its own to kernels,
  // what they do at the ends of a grid, which takes longer, is then beside the window.
  int64_t margin = 0;

  int pieces() const { return static_cast<int>(cuts.size()) - 1; }
  int64_t first(int p) const { return cuts[static_cast<size_t>(p)]; }
  int64_t end(int p) const { return cuts[static_cast<size_t>(p) + 1]; }
  int64_t planes() const { return extents[program->rank - 1]; }
  // The planes of a piece in memory.
  Piece held(int p) const {
    const int64_t deep = program->beside(steps) + margin, ends = program->ends();
    int64_t low = first(p) - deep, high = end(p) + deep;
    if (!program->wraps && low < -ends) low = -ends;
    if (!program->wraps && high > planes() + ends) high = planes() + ends;
    return {low, high - low};
  }
  // The piece on one side of another, or -1.
  int neighbour(int p, int side) const {
    const int next = side == 0 ? p - 1 : p + 1;
    if (next >= 0 && next < pieces()) return next;
    return program->wraps ? (next + pieces()) % pieces() : -1;
  }

  // The same number for the same cuts.
  uint64_t cuts_hash() const {
    uint64_t hash = 0xcbf29ce484222325;
    for (const int64_t cut : cuts) hash = (hash ^ static_cast<uint64_t>(cut)) * 0x100000001b3;
    return hash;
  }

  void widen() {
    constexpr int64_t ahead = 4;
    int64_t thickest = 0;
    for (int p = 0; p < pieces(); ++p)
      if (end(p) - first(p) > thickest) thickest = end(p) - first(p);
    const int64_t deep = program->beside(steps);
    // Around a periodic axis memory holds no plane twice.
    const int64_t most = (planes() - thickest) / 2 - deep;
    margin = deep + ahead;
    if (program->wraps && margin > most) margin = most > 0 ? most : 0;
  }

  // `cuts`: empty for pieces of the same size. `most`: steps of a leg; 0: as a launch has.
  static Status make(MeshPlan* plan, const MeshProgram& program, const int64_t* extents, int pieces,
                     const std::vector<int64_t>& cuts, int64_t most) {
    plan->program = &program;
    constexpr int64_t kMostCells = INT64_MAX >> 10;
    int64_t cells = 1;
    for (int axis = 0; axis < program.rank; ++axis) {
      plan->extents[axis] = extents[axis];
      if (extents[axis] < 1 || extents[axis] > kMostCells / cells)
        return failure(Code::bad_extents,
                       "`%s`: an extent of a grid is %lld; each must be at least 1, and their "
                       "product fit into memory",
                       program.name, static_cast<long long>(extents[axis]));
      cells *= extents[axis];
    }
    const int64_t planes = plan->planes();
    plan->cuts = cuts;
    for (int p = 0; p <= pieces && cuts.empty(); ++p)
      plan->cuts.push_back(even_cut(planes, pieces, p));
    if (plan->cuts.front() != 0 || plan->cuts.back() != planes)
      return failure(Code::bad_extents, "`%s`: the pieces end at plane %lld of %lld", program.name,
                     static_cast<long long>(plan->cuts.back()), static_cast<long long>(planes));
    plan->thinnest = planes;
    for (int p = 0; p < pieces; ++p)
      if (plan->end(p) - plan->first(p) < plan->thinnest)
        plan->thinnest = plan->end(p) - plan->first(p);
    Shape shape{program.rank, plan->extents[0], plan->extents[1], plan->extents[2]};
    if (program.anywhere) shape.last() = plan->thinnest;
    plan->launch = program.launch_on(shape, plan->thinnest);
    plan->steps = most > 0 ? most : plan->launch.steps;
    if (pieces == 1 && !program.wraps && plan->thinnest > 0) return {};
    // Around a periodic axis two pieces are neighbours on both sides, and one is its own; no piece
    // may hold a plane twice.
    const int64_t sides = program.wraps && pieces <= 2 ? 2 : 1;
    while (plan->steps > 0 && sides * program.beside(plan->steps) > plan->thinnest) --plan->steps;
    if (program.anywhere && plan->steps > 1) plan->widen();
    if (plan->steps > 0 && plan->thinnest > 0) return {};
    return failure(Code::bad_extents,
                   "`%s`: of %lld planes in %d pieces, the thinnest piece has %lld, and its "
                   "neighbours read %lld of them; use fewer pieces, or a larger grid",
                   program.name, static_cast<long long>(planes), pieces,
                   static_cast<long long>(plan->thinnest),
                   static_cast<long long>(sides * program.beside(1)));
  }
};

// How an array of a grid lies in the memory of a piece: planes one after the other, each with rows
// along the first axis that the array has.
class MeshLayout {
 public:
  MeshLayout() = default;
  MeshLayout(const MeshPlan& plan, int array)
      : array_(&plan.program->arrays[array]),
        rank_(plan.program->rank),
        extents_{plan.extents[0], plan.extents[1], plan.extents[2]} {}

  const MeshArray& array() const { return *array_; }
  bool is_cut() const { return array_->along[rank_ - 1]; }
  // Elements from row to row, and from plane to plane.
  int64_t pitch() const {
    return axis_of(0) < 0 ? 1 : (cells(0) + 2 * around(0) + kPitch - 1) / kPitch * kPitch;
  }
  int64_t plane() const { return pitch() * (cells(1) + 2 * around(1)); }
  int64_t plane_bytes() const { return plane() * array_->size; }
  // Elements of a plane in front of its first cell.
  int64_t front() const { return around(1) * pitch() + around(0); }
  // Bytes of so many planes, with what aligns the first cell and what wide accesses reach.
  int64_t bytes(int64_t planes) const {
    return planes * plane_bytes() + rounded_front() + kAlignment;
  }
  int64_t rounded_front() const {
    return (front() * array_->size + kAlignment - 1) / kAlignment * kAlignment;
  }
  // Cells and halo of a plane along its rows, or across them.
  int64_t cells(int of) const { return axis_of(of) < 0 ? 1 : extents_[axis_of(of)]; }
  int64_t around(int of) const { return axis_of(of) < 0 ? 0 : array_->around[axis_of(of)]; }
  // Of a halo that is given by axis.
  int64_t given(int of, const Halo<3>& halo) const {
    return axis_of(of) < 0 ? 0 : halo[axis_of(of)];
  }
  int64_t given_planes(const Halo<3>& halo) const { return is_cut() ? halo[rank_ - 1] : 0; }

 private:
  static constexpr int64_t kPitch = 64, kAlignment = 512;

  // The axis of the rows (0), and the one across them (1); -1: there is none.
  int axis_of(int of) const {
    const bool x = rank_ > 1 && array_->along[0], y = rank_ == 3 && array_->along[1];
    return of == 0 ? (x ? 0 : y ? 1 : -1) : x && y ? 1 : -1;
  }

  const MeshArray* array_ = nullptr;
  int rank_ = 0;
  int64_t extents_[3] = {1, 1, 1};
};

}  // namespace stencil
