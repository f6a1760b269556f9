// What stands beside the first and the last cell of a row, and before and behind the rows of a
// tile, by what lies inside.
#include <algorithm>
#include <array>

#include "lower/fill.h"
#include "lower/standing.h"
#include "lower/strip.h"
#include "lower/taps.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

// The cell so far beyond an end, whose last cell is `last` of the lane's own; `row` is where the
// row is along the other axes.
void Strip::make_beside(int field, const kernel::Sides& sides, const std::vector<ExprPtr>& row,
                        int end, int distance, const ExprPtr& last, Names& names,
                        Body& body) const {
  const auto place = [&](const ExprPtr& cell) { return kernel::add(sides.own, cell); };
  const plan::Beyond kind = plan::beyond(context_.stencil.fields[field].boundary.sides[0][end]);
  const int back = kind == plan::Beyond::next    ? distance
                   : kind == plan::Beyond::again ? distance - 1
                                                 : 0;
  const ExprPtr source = kernel::add(last, end == 0 ? back : -back);
  const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, Body&) {
    return kernel::make(sides.to.element, kernel::Load{sides.to, place(source), sides.row});
  };
  const ExprPtr ghost = lower::declare(
      "beyond_" + context_.axes[0],
      end == 0 ? index(-distance) : kernel::add(extent(0), distance - 1), names, body);
  std::vector<ExprPtr> cell = {ghost};
  cell.insert(cell.end(), row.begin(), row.end());
  EdgeTaps taps(context_, cell, {end == 0 ? -1 : 1, 0, 0}, names, body, fetch);
  const ExprPtr value = taps(ir::Read{field, 0, {}});
  const ExprPtr at = place(kernel::add(last, end == 0 ? -distance : distance));
  body.push_back({kernel::Store{sides.to, at, value, sides.row}});
}

Body Strip::columns(int field, const kernel::Sides& sides, const ExprPtr& y,
                    const Names& names) const {
  Body body;
  const auto& ends = context_.stencil.fields[field].boundary.sides[0];
  if (plan::is_open(ends[0]) && sides.left > 0) {
    kernel::If low{kernel::bin(BinOp::eq, x, index(0)), {}, {}};
    Names inner = names;
    for (int d = 1; d <= sides.left; ++d)
      make_beside(field, sides, {y}, 0, d, index(0), inner, low.yes);
    body.push_back({std::move(low)});
  }
  if (plan::is_open(ends[1]) && sides.right > 0) {
    Names inner = names;
    // Lanes before the last cell's read beyond it, too.
    For loop = unrolled(inner.claim("v"), 0, schedule_.vector + sides.right - 1);
    const ExprPtr v = kernel::var(loop.name);
    kernel::If high{kernel::bin(BinOp::eq, kernel::add(x, v), kernel::add(extent(0), -1)), {}, {}};
    make_beside(field, sides, {y}, 1, 1, v, inner, high.yes);
    for (int d = 2; d <= sides.right; ++d) {
      kernel::If there{
          kernel::bin(BinOp::lt, v, index(schedule_.vector + sides.right - d)), {}, {}};
      Names own = inner;
      make_beside(field, sides, {y}, 1, d, v, own, there.yes);
      high.yes.push_back({std::move(there)});
    }
    loop.body.push_back({std::move(high)});
    body.push_back({std::move(loop)});
  }
  return body;
}

// Each end is asked for once for all rows. Where vectors fill a row its last cell is the last one
// of a vector.
Body Strip::columns(int field, const kernel::Sides& sides, int first, int rows, const ExprPtr& z,
                    const ExprPtr& odd, const Names& names) const {
  Body body;
  const int vector = schedule_.vector;
  const auto& ends = context_.stencil.fields[field].boundary.sides[0];
  const auto of_rows = [&](int end, int distances, const ExprPtr& last, Names inner) {
    For loop = unrolled(inner.claim("r"), first, first + rows);
    const ExprPtr r = kernel::var(loop.name);
    kernel::Sides row = sides;
    row.row = kernel::add(r, sides.row);
    for (int d = 1; d <= distances; ++d)
      make_beside(field, row, {kernel::add(y, r), z}, end, d, last, inner, loop.body);
    return Body{{std::move(loop)}};
  };
  if (plan::is_open(ends[0]) && sides.left > 0)
    body.push_back({kernel::If{
        kernel::bin(BinOp::eq, x, index(0)), of_rows(0, sides.left, index(0), names), {}}});
  if (!plan::is_open(ends[1]) || sides.right == 0) return body;
  kernel::If ragged{
      odd ? odd
          : kernel::bin(BinOp::ne, kernel::bin(BinOp::mod, extent(0), index(vector)), index(0)),
      {},
      {}};
  // Lanes before the last cell's read beyond it, too.
  for (int v = 0; v < vector + sides.right - 1; ++v) {
    const int distances = std::min(sides.right, vector + sides.right - 1 - v);
    kernel::If there{kernel::bin(BinOp::eq, kernel::add(x, v + 1), extent(0)),
                     of_rows(1, distances, index(v), names),
                     {}};
    (v % vector == vector - 1 ? body : ragged.yes).push_back({std::move(there)});
  }
  if (!ragged.yes.empty()) body.push_back({std::move(ragged)});
  return body;
}

// As columns(): a row beyond an end is another one, or made of it.
Body Strip::rows_beyond(int field, const kernel::Buffer& registers, int own_row, int cell,
                        const ExprPtr& z, const Names& names) {
  Body body;
  const auto& ends = context_.stencil.fields[field].boundary.sides[1];
  for (const int end : {0, 1}) {
    const int reach = end == 0 ? temporal_.below : temporal_.above;
    if (!plan::is_open(ends[end]) || reach == 0) continue;
    const plan::Beyond kind = plan::beyond(ends[end]);
    const ExprPtr rim = end == 0
                            ? kernel::bin(BinOp::eq, y, index(0))
                            : kernel::bin(BinOp::eq, kernel::add(y, schedule_.rows), extent(1));
    kernel::If there{rim, {}, {}};
    const int last = own_row + (end == 0 ? 0 : schedule_.rows - 1);
    for (int distance = 1; distance <= reach; ++distance) {
      const int row = last + (end == 0 ? -distance : distance);
      if (row < 0 || row >= registers.rows) continue;
      const int back = kind == plan::Beyond::next    ? distance
                       : kind == plan::Beyond::again ? distance - 1
                                                     : 0;
      const int source = last + (end == 0 ? back : -back);
      Names inner = names;
      For loop = unrolled(inner.claim("v"), 0, schedule_.vector);
      const ExprPtr v = kernel::var(loop.name);
      const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, Body&) {
        return kernel::make(registers.element,
                            kernel::Load{registers, kernel::add(v, cell), index(source)});
      };
      const ExprPtr ghost = lower::declare(
          "beyond_" + context_.axes[1],
          end == 0 ? index(-distance) : kernel::add(extent(1), distance - 1), inner, loop.body);
      EdgeTaps taps(context_, {kernel::add(x, v), ghost, z}, std::array{0, end == 0 ? -1 : 1, 0},
                    inner, loop.body, fetch);
      const ExprPtr value = taps(ir::Read{field, 0, {}});
      loop.body.push_back({kernel::Store{registers, kernel::add(v, cell), value, index(row)}});
      there.yes.push_back({std::move(loop)});
    }
    if (!there.yes.empty()) body.push_back({std::move(there)});
  }
  return body;
}

}  // namespace stencilc::lower
