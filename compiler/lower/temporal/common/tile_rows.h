// The rows that a launch of several steps has of each field: the arrays in registers and in shared
// memory, and where in these a row is.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lower/temporal/common/tile_layout.h"
#include "lower/tile/slots.h"

namespace stencilc::lower {

// A field that is stepped.
struct Stepped {
  int field = 0;
  kernel::Buffer row;     // a thread's part of the row in work; of a tile's: of all time steps
  kernel::Buffer ahead;   // of the block: rows that are on their way
  kernel::Buffer halo;    // and those at the ends of its warps, for the warps beside them
  kernel::Buffer held;    // and those that wait for what they stand for outside the grid
  std::string at;         // the function of a cell of t, wherever it lies, or of its place
  kernel::ExprPtr ghost;  // with places: what is in none
  std::string held_at;    // of a later time step, beyond the ends of the stream
  // Of a field that is read at t-1, too: the row of the time step before a step's that goes on, and
  // those of t-1 that are on their way; and of a tile, those of all other time steps, which wait.
  std::optional<kernel::Buffer> before, before_ahead;
  std::string before_at;  // the function of a cell of t-1, of a resident tile
  kernel::Buffer past;
};

// A field that no step makes, of which rows wait until all time steps have read them.
struct Waiting {
  int field = 0;
  kernel::Buffer row, ahead;  // a thread's part of the row that a step reads; rows of the block
};

class TileRows {
 public:
  TileRows(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
           const TileLayout& layout)
      : ring(context, "ring_depth", schedule.ahead,
             layout.is_tile() ? temporal.planes_held_back() : temporal.rows_held_back()),
        old(context, "old_depth", schedule.ahead, 0),
        past(context, "past_depth", 0, temporal.past() - 1),
        context_(context),
        schedule_(schedule),
        temporal_(temporal),
        layout_(layout),
        exchanged_levels_(levels_exchanged(context.stencil, temporal)) {}

  // Declares the shared memory, and the functions that give cells near the boundary; registers are
  // only named. The tile is laid out.
  void declare(kernel::Body& body);
  int shared_bytes() const { return shared_; }

  std::vector<Stepped> fields;
  std::vector<Waiting> inputs;
  const Stepped& stepped(int field) const;
  // The function of where a row of t-1 has a cell, or any.
  const std::string& before_at() const { return before_at_; }

  // Where rows or planes are that are on their way; where planes of t-1 are that come with them,
  // and where planes wait that are those of t-1 for a later time step.
  Slots ring, old, past;

  // Where a row that was asked for lies, in the place of the ring.
  kernel::ExprPtr ahead_row(const kernel::ExprPtr& slot) const;
  // Where row y of time step t+k waits.
  kernel::ExprPtr held_row(const kernel::ExprPtr& y, const kernel::ExprPtr& k) const;

  // Of a tile: its row in the place of a plane, and beside it what the first time step reads; where
  // that of plane z of time step t+k waits; and a row in the place of what is exchanged in one
  // of two buffers, those of a warp at its low end first.
  kernel::ExprPtr ahead_row(const kernel::ExprPtr& slot, const kernel::ExprPtr& r) const;
  kernel::ExprPtr held_row(const kernel::ExprPtr& z, const kernel::ExprPtr& k,
                           const kernel::ExprPtr& row) const;
  kernel::ExprPtr halo_row(const kernel::ExprPtr& parity, const kernel::ExprPtr& k,
                           const kernel::ExprPtr& row) const;
  kernel::ExprPtr halo_of(const kernel::ExprPtr& warp, int row) const;
  // Of a resident tile: of the n-th level that warps exchange of a field, in plane p.
  kernel::ExprPtr halo_level(const kernel::ExprPtr& parity, int n, const kernel::ExprPtr& p,
                             const kernel::ExprPtr& row) const;
  const std::vector<int>& exchanged_levels(int field) const { return exchanged_levels_[field]; }
  int halo_places(int field) const;
  int halo_rows() const { return temporal_.halo_rows(schedule_); }  // rows of a warp
  kernel::ExprPtr step_halo() const {
    return layout_.constant("step_halo", schedule_.threads[1] * halo_rows());
  }
  // Where a tile's row waits to be one of t-1: of time step t+k, in a place of the ring; and that
  // of t-1 itself, in the place of a plane that is on its way.
  kernel::ExprPtr past_row(const kernel::ExprPtr& k, const kernel::ExprPtr& slot,
                           const kernel::ExprPtr& row) const;
  kernel::ExprPtr before_row(const kernel::ExprPtr& slot, const kernel::ExprPtr& row) const;

  // Where a lane loads a row of a resident tile, by the function `cell`; and maybe where memory
  // does not hold all of its rows, if `held` does not say so.
  kernel::Stmt load_row(const kernel::Copy& to, const std::string& cell,
                        const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& held,
                        Names& names, kernel::Body& body) const;
  // The constant outside the grid, as a row of each of some places, of which `row` says where it
  // is.
  kernel::Body constant_rows(
      const kernel::Buffer& to, const kernel::ExprPtr& constant, int places,
      const std::function<kernel::ExprPtr(const kernel::ExprPtr&)>& row) const;

 private:
  using Factors = TileLayout::Factors;
  static std::vector<std::vector<int>> levels_exchanged(const ir::Stencil& stencil,
                                                        const plan::Temporal& temporal);
  kernel::Buffer shared(const std::string& name, kernel::Type element, const Factors& rows,
                        kernel::Body& body);
  void note_ring(kernel::Body& body) const;
  void name_resident_field(Stepped& one, kernel::Body& body);
  std::string declare_cell(int field, int level, const std::string& wanted, kernel::Body& body);
  void declare_at(Stepped& one, kernel::Body& body);
  void wrap_once(kernel::Body& body) const;
  kernel::Local cell_of_held(const Stepped& one) const;
  void declare_before_at(kernel::Body& body);
  void name_inputs(kernel::Body& body);

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const TileLayout& layout_;
  std::string before_at_;
  const std::vector<std::vector<int>> exchanged_levels_;  // [field], of a resident tile
  int shared_ = 0;                                        // bytes of it
};

}  // namespace stencilc::lower
