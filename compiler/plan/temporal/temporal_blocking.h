// Decides on temporal blocking: several time steps in one launch, which reads and stores each cell
// once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ir/boundary.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// The temporal forms, and what only one of them has. Warps stream along the second of two axes:
struct RowStream {
  // The last tile is moved so that it ends with the row, even if the rows are no multiple of a
  // vector. The number of tiles does not change.
  bool ends_with_rows = false;
  // Input fields that are read only at the cell itself. If there is room, their rows stay in shared
  // memory until all steps have read them.
  std::vector<int> inputs;
  int input_bytes = 0;  // of these
  // With vectors of 32 cells: cells are packed into bits (ir/bits.h); and the values are only small
  // enough after one step, which is taken alone.
  bool bits = false, after_a_step = false;
};

// Blocks stream along the third axis:
struct PlaneStream {
  // Along axes that are not periodic: tiles at the ends of the grid have no halo there, and store
  // this many more cells and rows, for both ends together.
  int more_cells = 0, more_rows = 0;
  int held_bytes = 0;  // bytes of the fields whose cells are copied to ghost planes
  // t-1 is also read outside of the sums that are built plane by plane, when they are complete. Its
  // planes then arrive this much later, and that many planes of each step but the last stay in
  // shared memory as t-1 of the next step.
  bool before_at_end = false;
  // The same planes also fill ghost planes, so those of the last step stay, too.
  bool held_is_before = true;  // all fields that fill ghost planes are read at t-1
};

// Nothing streams: a block keeps a tile of rows (in 3-D of rows and planes) of all fields in
// registers, and takes all steps of it.
struct ResidentTile {
  // The rows of the halo at both ends, which other blocks store; and, in 3-D, the planes that a
  // step reads before and after the cell's own, and the planes of the halo.
  int lost_below = 0, lost_above = 0;
  int low = 0, high = 0, lost_low = 0, lost_high = 0;
  // A warp exchanges the rows that neighbouring warps read; if it has fewer rows than both read
  // together, it exchanges all of them, once.
  bool exchanges_all = false;
};

// The layout of a launch of several steps: what is loaded, and what each step carries in registers
// and shared memory while a warp (a block in 3-D) streams along the last axis. Each step shrinks
// the valid part of a tile by the reach of a step, on all sides. Below, "plane" means a row in 2-D.
struct Temporal {
  int steps = 1;            // per launch
  std::string why_one;      // why a launch takes one step although the schedule has more; or empty
  int left = 0, right = 0;  // cells along x that a step reads to the left and to the right
  int planes_before = 0;    // planes along the streamed axis that it reads before the cell's own
  int lag = 0;              // and after it; a step completes the plane that is this far back
  std::variant<RowStream, PlaneStream, ResidentTile> form;
  // The form, if it is that one; else null.
  const RowStream* row_stream() const { return std::get_if<RowStream>(&form); }
  const PlaneStream* plane_stream() const { return std::get_if<PlaneStream>(&form); }
  const ResidentTile* resident_tile() const { return std::get_if<ResidentTile>(&form); }
  // What holds in one form alone, asked of any.
  bool bits() const { return row_stream() && row_stream()->bits; }
  bool ends_with_rows() const { return row_stream() && row_stream()->ends_with_rows; }
  const std::vector<int>& inputs() const {
    static const std::vector<int> kNone;
    return row_stream() ? row_stream()->inputs : kNone;
  }
  int input_bytes() const { return row_stream() ? row_stream()->input_bytes : 0; }
  int more_cells() const { return plane_stream() ? plane_stream()->more_cells : 0; }
  int more_rows() const { return plane_stream() ? plane_stream()->more_rows : 0; }
  // Cells of the halo at both ends of a tile along x, which other warps store, and the lanes that
  // hold them. A lane may store a part of a wide vector.
  int lost_left = 0, lost_right = 0;
  int left_lanes = 0, right_lanes = 0;
  int part = 0;  // cells of a vector that are stored together
  int stored_cells(int vector) const { return 32 * vector - lost_left - lost_right; }
  // The first tile starts with a whole lane, so that vectors start where the grid does; it stores
  // this many cells fewer.
  int first_less(int vector) const { return left_lanes * vector - lost_left; }
  int64_t tiles_x(int64_t cells, int vector) const {
    const int64_t filled = ends_with_rows() ? (cells + vector - 1) / vector * vector : cells;
    return filled <= more_cells()
               ? 1
               : (filled + first_less(vector) - more_cells() - 1) / stored_cells(vector) + 1;
  }
  // Per block: the rows that a step reads before and after the cell's own; and whether it reads
  // neighbours in the newest plane, which come from other warps one plane later.
  int below = 0, above = 0;
  bool later = false;
  int step_lag() const { return lag + (later ? 1 : 0); }  // planes from one time step to the next
  // Rows that a warp exchanges with others.
  int halo_rows(const Schedule& schedule) const {
    return resident_tile() && resident_tile()->exchanges_all ? schedule.rows : below + above;
  }
  int stored_planes(const Schedule& schedule) const {
    const ResidentTile& tile = std::get<ResidentTile>(form);
    return schedule.planes - tile.lost_low - tile.lost_high;
  }
  // Per block: the rows that it loads, computes and stores. The first step of a block that streams
  // has all its neighbours.
  int tile_rows(const Schedule& schedule) const { return schedule.threads[1] * schedule.rows; }
  int loaded_rows(const Schedule& schedule) const { return tile_rows(schedule) + below + above; }
  int rows_before() const {
    return resident_tile() ? resident_tile()->lost_below : (steps - 1) * below;
  }
  int stored_rows(const Schedule& schedule) const {
    return tile_rows(schedule) - rows_before() -
           (resident_tile() ? resident_tile()->lost_above : (steps - 1) * above);
  }
  int64_t tiles(int64_t rows, const Schedule& schedule) const {
    return rows <= more_rows() ? 1 : (rows - more_rows() - 1) / stored_rows(schedule) + 1;
  }
  // The last planes of each time step but the first that stay in shared memory to fill ghost
  // planes; 0: none.
  int held = 0;
  // Planes 0 .. first_rows-1 of a step wait until all of them are there, because ghost planes
  // before them are copies of these. 0: none wait.
  int first_rows = 0;
  // Rows of t that stay in shared memory for cells that no step assigns, from the row that arrives
  // back to the row that is stored. -1: none.
  int unassigned_rows = -1;
  // In 2-D: these cells are carried in the sums of the only field instead, and no rows stay. In 3-D
  // they are, if no planes stay.
  bool passes = false;
  // Rows that stay for either reason, after the one that arrives; in 3-D the plane before, which is
  // still read.
  int rows_held_back() const {
    return std::max({passes ? 0 : unassigned_rows, inputs().empty() ? 0 : steps * lag, 0});
  }
  int planes_held_back() const { return std::max(1, unassigned_rows); }
  int cell_bytes = 0;    // of all fields that a step updates
  int before_bytes = 0;  // of those that are also read at t-1
  // In 3-D: how much later the planes of t-1 arrive; and how many of each step but the last stay.
  int before_lag() const {
    return plane_stream() && plane_stream()->before_at_end ? step_lag() : 1;
  }
  int past() const;
  // Whether the planes of t-1 that stay also fill ghost planes.
  bool past_is_held() const {
    return held == 1 && past() == 1 && plane_stream() && plane_stream()->held_bytes > 0 &&
           plane_stream()->held_is_before;
  }
  int past_planes() const { return (steps - (past_is_held() ? 0 : 1)) * past(); }
  // Bytes of shared memory in 3-D: prefetched planes, exchanged rows and planes that stay.
  int shared_bytes(const Schedule& schedule) const;
};

// Whether cells of the grid fill ghost cells at one of the ends.
bool ghosts_are_copies(const ir::Boundary& boundary, int axis);

// Cells of a vector that is packed into bits.
inline constexpr int kCellsOfBits = 32;

// For launches of several steps: along an axis on which only reductions read a field beside the
// cell, no update wraps around. Those launches have no reductions, so such sides of stepped fields
// are dropped.
void drop_sides_of_reductions(ir::Stencil& stencil);

// Whether the axis is periodic for a field that a step updates.
bool goes_round(const ir::Stencil& stencil, int axis);

// Whether the field is also read at t-1. Then a launch loads and stores two levels of it.
bool has_before(const ir::Field& field);
// Whether the stencil has sources or receivers.
bool has_points(const ir::Stencil& stencil);

// Whether a schedule of several steps uses resident tiles.
constexpr bool is_resident_tile(const Schedule& schedule) { return schedule.coarsen == 1; }

// Whether there are cells that no statement assigns, all of them near the boundary.
bool unassigned_at_boundary(const ir::Stencil& stencil);

// Rows, counted from the boundary, that fill `reach` rows of ghost cells; 0: none do.
int mapped_rows(const ir::Side& side, int reach);

// Bytes of shared memory for streaming in 2-D: prefetched rows and rows that stay.
int shared_bytes_of_rows(const Schedule& schedule, const Temporal& temporal);

// Computes the halo of a tile along x, in parts of wide vectors, for a step that reads this many
// cells to the left and right.
void lose_ends(const Schedule& schedule, int left, int right, int part, Temporal& temporal);

class Survey;  // survey.h

// What the schedule asks for, as far as the stencil allows it.
Temporal temporal(Survey& survey, const Schedule& schedule);
Temporal temporal(const ir::Stencil& stencil, const Schedule& schedule);

}  // namespace stencilc::plan
