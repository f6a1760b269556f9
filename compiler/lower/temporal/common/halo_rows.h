// The rows at the ends of a tile's warps: which of them warps exchange, and what stands in the
// place of those beyond the grid.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "lower/temporal/common/tile_rows.h"

namespace stencilc::lower {

class HaloRows {
 public:
  HaloRows(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
           const TileLayout& layout, const TileRows& rows)
      : context_(context), schedule_(schedule), temporal_(temporal), layout_(layout), rows_(rows) {}

  // Of a tile: declares which of the rows that warps exchange are beside a warp's own. Rows are
  // declared.
  void declare(kernel::Body& body);
  // The n-th beside a warp's own, at either end.
  const kernel::ExprPtr& beside(int field, int end, int n) const;

  // Do rows beyond an end along y stand among those that are exchanged? Either the last warp's own
  // ones, or a constant in the place of those that nobody would read.
  bool holds_ghosts(int field, int end) const;
  // Is what lies beyond an end of a tile a constant that is laid down for it?
  bool is_laid(int field, int end) const;
  // Does the warp exchange its rows at that end? Null: it does.
  kernel::ExprPtr exchanges(int field, int end) const;

 private:
  void declare_beside(const Stepped& one, kernel::Body& body);
  bool is_constant(int field, int end) const;
  void lay_constant(const Stepped& one, int end, kernel::Body& body);

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const TileLayout& layout_;
  const TileRows& rows_;
  std::map<int, std::array<std::vector<kernel::ExprPtr>, 2>> beside_;  // by field
};

}  // namespace stencilc::lower
