// Temporal blocking: several time steps in one launch, which reads and stores each cell once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/boundary.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// Rows or planes that arrive, and what of the time steps before is kept of them while a warp (with
// three axes a block) marches along the last axis. A cell is the value of its neighbours one step
// before, so what is loaded shrinks by the reach of a step, at each step, at both ends of a strip
// and of a march, and of the rows of a block. In what follows a plane is a row, with two axes.
struct Temporal {
  int steps = 1;        // of a launch
  std::string why_one;  // why it takes one, though the schedule asks for more; empty: it does not
  int left = 0, right = 0;  // cells along x that a step reads beside a cell
  int behind = 0;           // planes along the marched axis that it reads before the cell's own
  int lag = 0;              // and behind it: the plane that a step completes is so far back
  // Does nothing march? A block may hold a tile of rows, as many in each warp, with three axes of
  // some planes, of all fields, and take all steps of it (dwell.h).
  bool resident_tile = false;
  // Cells at both ends of a warp's strip that others store, and lanes in which such cells are. Of
  // wide vectors a lane may store a part.
  int lost_left = 0, lost_right = 0;
  int left_lanes = 0, right_lanes = 0;
  int part = 0;  // cells, of a vector's that are stored together
  int stored_cells(int vector) const { return 32 * vector - lost_left - lost_right; }
  // The first strip begins with a whole lane, so that vectors begin where the grid does: it stores
  // so many cells fewer.
  int first_less(int vector) const { return left_lanes * vector - lost_left; }
  // Where warps march in 2-D, does the last strip begin so that it ends with the row, and its last
  // vector, too? Then strips are as many as if vectors filled rows.
  bool ends_with_rows = false;
  // Where blocks march and an axis does not go round, the tiles at its ends end with the grid: they
  // store so many cells of a row, and rows, more than others, both together.
  int more_cells = 0, more_rows = 0;
  int64_t tiles_x(int64_t cells, int vector) const {
    const int64_t filled = ends_with_rows ? (cells + vector - 1) / vector * vector : cells;
    return filled <= more_cells
               ? 1
               : (filled + first_less(vector) - more_cells - 1) / stored_cells(vector) + 1;
  }
  // Of a block: the rows that a step reads before a cell's own and behind it; and whether it
  // reads cells beside its own in the newest plane: they come from other warps, a plane later.
  int below = 0, above = 0;
  bool later = false;
  int back() const { return lag + (later ? 1 : 0); }  // planes from a time step to the next
  // Where a block dwells: the rows at both ends of its tile whose cells others store; and, with
  // three axes, the planes that a step reads before a cell's own and behind it, and those that
  // others store.
  int lost_below = 0, lost_above = 0;
  int low = 0, high = 0, lost_low = 0, lost_high = 0;
  // Of a tile: the rows of a warp that it lends, those that one beside it reads; where it has fewer
  // rows than both read, all of them once.
  bool exchanges_all = false;
  int halo_rows(const Schedule& schedule) const {
    return exchanges_all ? schedule.rows : below + above;
  }
  int stored_planes(const Schedule& schedule) const {
    return schedule.planes - lost_low - lost_high;
  }
  // Of a block: the rows it loads, those it computes with, and those it stores. The first time step
  // of one that marches has all the neighbours it needs.
  int tile_rows(const Schedule& schedule) const { return schedule.threads[1] * schedule.rows; }
  int loaded_rows(const Schedule& schedule) const { return tile_rows(schedule) + below + above; }
  int rows_before() const { return resident_tile ? lost_below : (steps - 1) * below; }
  int stored_rows(const Schedule& schedule) const {
    return tile_rows(schedule) - rows_before() - (resident_tile ? lost_above : (steps - 1) * above);
  }
  int64_t tiles(int64_t rows, const Schedule& schedule) const {
    return rows <= more_rows ? 1 : (rows - more_rows - 1) / stored_rows(schedule) + 1;
  }
  // Of each time step but the first, the last planes that wait in shared memory for what stands for
  // them beyond the rim; 0: nothing does.
  int held = 0;
  int held_bytes = 0;  // with three axes: of the fields whose cells stand for others
  // Planes 0 .. first_rows-1 of a time step wait until all are there, because they stand for planes
  // before them; then all go on at once. 0: none wait.
  int first_rows = 0;
  // Rows of t that stay in shared memory for cells that no step assigns, which are then what they
  // were: those from a row that arrives back to the one that leaves. -1: none do.
  int unassigned_rows = -1;
  // With two axes: do they pass through the sums of the only field instead? Then no rows stay for
  // them. With three they do where no planes stay.
  bool passes = false;
  // With two axes: fields that no step makes and cells read at their own place, if their rows fit
  // in shared memory, where they wait until all time steps have read them.
  std::vector<int> inputs;
  int input_bytes = 0;  // of these
  // Rows that stay for either reason, behind the one that arrives. Of planes the one before that is
  // still read.
  int rows_behind() const {
    return std::max({passes ? 0 : unassigned_rows, inputs.empty() ? 0 : steps * lag, 0});
  }
  int planes_behind() const { return std::max(1, unassigned_rows); }
  // With two axes, and vectors of 32 cells: are those words of bits (ir/bits.h)? And do cells hold
  // so few values only once a step has been taken alone?
  bool bits = false, after_a_step = false;
  int cell_bytes = 0;    // of all fields that are stepped
  int before_bytes = 0;  // of those that are read at t-1, too
  // Of these, with three axes: is t-1 read besides the sums that planes are added to, when these
  // are complete? Its planes come so far behind those of t; and so many planes of each time step
  // but the last wait in shared memory until they are those of t-1 for the next one.
  bool before_at_end = false;
  int before_lag() const { return before_at_end ? back() : 1; }
  int past() const;
  // Are they those that stand for planes beyond the rim? Then the last time step's wait, too.
  bool held_is_before = false;  // are all fields whose cells stand for others read at t-1?
  bool past_is_held() const { return held == 1 && past() == 1 && held_bytes > 0 && held_is_before; }
  int past_planes() const { return (steps - (past_is_held() ? 0 : 1)) * past(); }
  // Of shared memory, with three axes: planes on their way, rows that warps lend, planes that wait.
  int shared_bytes(const Schedule& schedule) const;
};

// The cell of a row, a column or a stream that a ghost cell beyond a side takes its value from:
// last, again, next, or nowhere in it.
using GhostSource = ir::EdgeKind::Source;
GhostSource ghost_source(const ir::Side& side);
// Do cells of the grid stand for it, at one of the ends?
bool ghosts_are_copies(const ir::Boundary& boundary, int axis);

// The cells of a vector that are held as bits.
inline constexpr int kCellsOfBits = 32;

// Is an axis periodic for a field that is stepped?
bool goes_round(const ir::Stencil& stencil, int axis);

// Is the field read at t-1, too? The rows of the time step before a step's are then kept from those
// that this one was made of: so many levels come in, and as many are stored.
bool has_before(const ir::Field& field);
// Has it sources or receivers?
bool has_points(const ir::Stencil& stencil);

// Does a schedule of several steps march nowhere?
constexpr bool is_resident_tile(const Schedule& schedule) { return schedule.coarsen == 1; }

// Are there cells that no statement assigns, all of them near the rim?
bool unassigned_at_boundary(const ir::Stencil& stencil);

// Rows, counted from the rim, that stand for the `reach` rows beyond it; 0: none do.
int mapped_rows(const ir::Side& side, int reach);

// Of shared memory, with two axes where warps march: rows on their way, those that stay, and those
// that are held.
int shared_bytes_of_rows(const Schedule& schedule, const Temporal& temporal);

// Cells of a strip's ends, of wide vectors in parts of so many: what `reach` cells a step make of
// it.
void lose_ends(const Schedule& schedule, int left, int right, int part, Temporal& temporal);

class Survey;  // survey.h

// What the schedule asks for, as far as the stencil can have it.
Temporal temporal(Survey& survey, const Schedule& schedule);
Temporal temporal(const ir::Stencil& stencil, const Schedule& schedule);

}  // namespace stencilc::plan
