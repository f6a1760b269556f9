// A row of a launch of several steps along two axes: it arrives, goes through all time steps, and
// leaves.
#pragma once

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/cell/cell.h"
#include "lower/temporal/common/carried_rows.h"
#include "lower/temporal/common/temporal_tile.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

class RowSteps {
 protected:
  RowSteps(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        patch_{context.count("width", schedule.vector), 1, 1, true},
        tile_(context, schedule, temporal) {}

  // `filling`: only the first time steps are taken, so many, and nothing is stored.
  kernel::Body one_row(bool edges, bool ends, const kernel::ExprPtr& filling = nullptr);
  // The row that has gone through all time steps.
  kernel::Body store(bool edges, Names names);
  // How cells that no step assigns keep their values, near the boundary.
  Keeping keeping() const;
  // Of all that a step assigns, where that is one.
  const ir::Domain& box() const { return context_.stencil.updates[0].cases[0].domain; }

  kernel::ExprPtr extent(int axis) const { return context_.box.extent(axis); }
  // Is step `k` of the launch not its first?
  static kernel::ExprPtr is_later(const kernel::ExprPtr& k) {
    return kernel::bin(kernel::BinOp::gt, k, kernel::index(0));
  }
  bool is_stepped(int field) const {
    return context_.stencil.fields[field].role == ir::Role::stepped;
  }
  bool wraps(int axis) const { return tile_.layout.wraps(axis); }
  // Does the stencil read fields that no step makes?
  bool reads_inputs() const { return tile_.rows.fields.size() != context_.stencil.fields.size(); }
  // Of a variant that serves both; null: all of it is for the boundary.
  kernel::ExprPtr edge() const { return edge_flag(flags_); }

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const Patch patch_;
  TemporalTile tile_;
  CarriedRows carried_;
  EdgeFlags flags_;            // of the variant in work
  kernel::ExprPtr steps_, n_;  // of the launch; the row that arrives

 private:
  void bound(kernel::For& loop, Names& names, kernel::Body& body) const;
  kernel::Body one_step(const kernel::ExprPtr& k, Names names);
  kernel::Body refill(const kernel::ExprPtr& row, const kernel::ExprPtr& k, Names names) const;
  kernel::Body arrive(const CellContext& here, const kernel::ExprPtr& row, const kernel::ExprPtr& y,
                      const kernel::ExprPtr& k, Names& names);
  void take(const RegisterTile& regs, const kernel::ExprPtr& y, const kernel::ExprPtr& k,
            Names& names, kernel::Body& body);
  kernel::Body compute(CellContext here, const kernel::ExprPtr& y, const kernel::ExprPtr& k,
                       Names names);
  kernel::Copy carried_row(const Stepped& one, int along, const kernel::ExprPtr& k,
                           const kernel::Buffer& to, const kernel::ExprPtr& at) const;

  // Near the ends of the stream, and of cells near the boundary that no statement assigns.
  void hold(const kernel::ExprPtr& row, const kernel::ExprPtr& k, const kernel::ExprPtr& near_ends,
            kernel::Body& body) const;
  kernel::Body first_rows(const CellContext& here, const kernel::ExprPtr& arrived,
                          const kernel::ExprPtr& y, const kernel::ExprPtr& k, kernel::Body one,
                          Names& names, kernel::Body& body);
  kernel::ExprPtr unassigned_in_row(const kernel::ExprPtr& v) const;
  kernel::ExprPtr unassigned_row(const kernel::ExprPtr& y) const;
  std::vector<kernel::ExprPtr> unassigned_rows_from(const kernel::ExprPtr& arrived, Names& names,
                                                    kernel::Body& body) const;
  void add_row(const kernel::ExprPtr& k, const kernel::ExprPtr& v,
               const std::vector<kernel::ExprPtr>& rows, Cell& cell, Names& names,
               kernel::Body& body) const;
  kernel::Body restore_unassigned(const kernel::ExprPtr& y, Names names);

  bool edges_ = false, near_ends_ = false;
};

}  // namespace stencilc::lower
