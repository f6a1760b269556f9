// The time steps of a block that holds a resident tile: what they hold, and the passes of a step.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lower/boundary/unassigned_cells.h"
#include "lower/context/build.h"
#include "lower/temporal/common/temporal_tile.h"
#include "lower/temporal/resident/tile_points.h"
#include "lower/temporal/resident/tile_registers.h"
#include "lower/tile/register_tile_load.h"
#include "plan/temporal/resident_tile.h"

namespace stencilc::lower {

struct TilePass {
  std::unique_ptr<plan::Launch> launch;  // of the context
  std::unique_ptr<const Context> context;
  std::vector<plan::PassRead> reads;
  int exchange_index = -1;  // of those in a step in which warps exchange rows; -1: they need not
};

// Of a variant that serves all blocks, constants when the kernel is compiled: is it for blocks near
// the ends of rows, and for those where vectors do not fill rows or that need more along y? Null:
// there is no flag, and it is.
struct TileFlags {
  kernel::ExprPtr edge, corner;
};

class TileSteps {
 protected:
  TileSteps(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        tile_(context, schedule, temporal),
        points_(context, schedule, temporal, tile_, held_) {}

  // All time steps. `edges`: of blocks near the boundary, too.
  kernel::Body steps(bool edges, const TileFlags& flags);

  kernel::ExprPtr extent(int axis) const { return context_.box.extent(axis); }
  bool is_output(int field) const {
    return context_.stencil.fields[field].role == ir::Role::output;
  }
  // Is it there before and after a step, and not made anew by each?
  bool lasts(const Held& one) const { return one.level <= 0 || is_output(one.field); }
  const Held& held(int field, int level) const {
    return *std::find_if(held_.begin(), held_.end(),
                         [&](const Held& one) { return one.field == field && one.level == level; });
  }
  // A loop over rows of a thread; fill in the body.
  template <class Make>
  void over_rows(int first, const kernel::Count& end, Names names, kernel::Body& body,
                 const Make& make) const {
    if (first >= end) return;
    if (context_.rank() == 1) return make(kernel::index(0), names, body);
    kernel::For loop = unrolled(names.claim("r"), first, end);
    make(kernel::var(loop.name), names, loop.body);
    body.push_back({std::move(loop)});
  }
  // And over its planes, if there are any: p, names, body.
  template <class Make>
  void over_planes(int first, const kernel::Count& end, Names names, kernel::Body& body,
                   const Make& make) const {
    if (!in_space()) return make(kernel::ExprPtr(), names, body);
    if (first >= end) return;
    kernel::For loop = unrolled(names.claim("p"), first, end);
    make(kernel::var(loop.name), names, loop.body);
    body.push_back({std::move(loop)});
  }
  // Over all rows of all planes: p, r, names, body.
  template <class Make>
  void over_all(Names names, kernel::Body& body, const Make& make) const {
    over_planes(0, planes(), names, body,
                [&](const kernel::ExprPtr& p, Names& inner, kernel::Body& to) {
                  over_rows(0, rows(), inner, to,
                            [&](const kernel::ExprPtr& r, Names& own, kernel::Body& rows) {
                              make(p, r, own, rows);
                            });
                });
  }
  bool in_space() const { return context_.rank() == 3; }
  kernel::Count rows() const { return context_.count("rows", schedule_.rows); }
  kernel::Count planes() const { return context_.count("tile_planes", schedule_.planes); }
  // Where row r of plane p of a thread is in the grid, along the axes but the first.
  std::vector<kernel::ExprPtr> place(const kernel::ExprPtr& p, const kernel::ExprPtr& r) const {
    if (context_.rank() == 1) return {};
    std::vector<kernel::ExprPtr> at = {kernel::add(tile_.layout.y, r)};
    if (p) at.push_back(kernel::add(tile_.layout.z, p));
    return at;
  }

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  TemporalTile tile_;
  kernel::ExprPtr steps_;  // of the launch
  std::vector<TilePass> passes_;
  int exchanges_ = 0;  // of a step, in which warps exchange rows
  std::vector<Held> held_;
  TilePoints points_;

 private:
  void one_pass(const TilePass& pass, const kernel::ExprPtr& k, Names& names, kernel::Body& body);
  void cells_of_row(const TilePass& pass, const CellContext& here, const kernel::ExprPtr& p,
                    const kernel::ExprPtr& r, Names& names, kernel::Body& body);
  void exchange(const TilePass& pass, const kernel::ExprPtr& k, Names& names, kernel::Body& body);
  void ghost_planes(const plan::PassRead& read, const Names& names, kernel::Body& body) const;
  void ghost_rows(const plan::PassRead& read, const Names& names, kernel::Body& body) const;
  void sides_of_plane(const plan::PassRead& read, const kernel::ExprPtr& p, const Names& names,
                      kernel::Body& body);
  void take_sides(const plan::PassRead& read, const kernel::ExprPtr& p, const kernel::ExprPtr& r,
                  const Names& names, kernel::Body& body);
  void compute(const TilePass& pass, const CellContext& here, const kernel::ExprPtr& p,
               const kernel::ExprPtr& r, const kernel::ExprPtr& v, Names& names,
               kernel::Body& body);
  void restore_unassigned(const ir::Update& update, const kernel::ExprPtr& p,
                          const kernel::ExprPtr& r, const Names& names, kernel::Body& body) const;
  kernel::Stmt restore_along(int field, const ir::Domain& box, int axis, int end,
                             const kernel::ExprPtr& p, const kernel::ExprPtr& r, Names names) const;

  // In a variant that serves all blocks all cells are computed; those that no step assigns get back
  // what they were.
  Keeping keeping() const { return flags_.edge ? Keeping::at_hand : Keeping::by_cell; }

  // Of the variant in work.
  bool edges_ = false;
  TileFlags flags_;
};

}  // namespace stencilc::lower
