#include "lower/fill.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lower/standing.h"
#include "lower/taps.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

// A row of a pane near the rim.
struct Fill::Row {
  const Pane::Plane& plane;
  ExprPtr index;                   // in the plane's registers
  std::vector<ExprPtr> at;         // of cell 0
  std::array<int, 3> beyond = {};  // by axis; of the first it depends on the cell
};

For unrolled(const std::string& name, int first, int behind) {
  return {
      For::unrolled, name,   kernel::Type::index, kernel::index(first), kernel::index(behind), {},
      nullptr,       nullptr};
}

ExprPtr row_start(const Context& context, const Patch& patch, const ExprPtr& i, const ExprPtr& r) {
  return patch.rows > 1 ? kernel::add(i, kernel::mul(r, kernel::var(context.pitch))) : i;
}

ExprPtr row_in(const Pane::Plane& plane, const ExprPtr& r) {
  return plane.registers.rows > 1 ? kernel::add(r, -plane.row) : nullptr;
}

ExprPtr Fill::inside(const std::vector<ExprPtr>& at, int vector, int count) const {
  if (const auto known = inside_.find({vector, count}); known != inside_.end())
    return known->second;
  const int first = vector * patch_.width, behind = (vector + count) * patch_.width;
  ExprPtr inside = kernel::var(context_.aligned, kernel::Type::boolean);
  if (first < 0)
    inside = kernel::both(inside, kernel::bin(BinOp::ge, at[0], kernel::index(-first)));
  if (behind > 0)
    inside = kernel::both(inside, kernel::bin(BinOp::le, kernel::add(at[0], behind),
                                              kernel::var(context_.extents[0])));
  return inside;
}

void Fill::declare_inside(const std::vector<Pane>& panes, const std::vector<ExprPtr>& at,
                          Names& names, Body& body) {
  if (!edges_ || !fixed_) return;
  const auto text = [](int q) { return q < 0 ? "m" + std::to_string(-q) : std::to_string(q); };
  const auto name = [&](int vector, int count) {
    if (inside_.count({vector, count})) return;
    const std::string whole =
        "whole_" + text(vector) + (count > 1 ? "_to_" + text(vector + count - 1) : "");
    const ExprPtr value = declare(whole, inside(at, vector, count), names, body);
    inside_[{vector, count}] = value;
  };
  name(0, 1);
  for (const Pane& pane : panes)
    for (const auto& runs : {runs_before(pane), runs_at_each(pane)})
      for (const Run& run : runs) name(run.vector, run.count);
}

void Fill::operator()(const Pane& pane, const Run& run, const std::vector<ExprPtr>& at,
                      const ExprPtr& i, int axis, Beyond ends, const Names& outer,
                      Body& body) const {
  if (edges_ && run.row < 0 && run.row + run.rows > 0) {
    // Rows before the thread's own lie beyond the low end, the others beyond the high one.
    Run before = run, behind = run;
    before.rows = -run.row;
    behind.row = 0;
    behind.rows = run.rows - before.rows;
    (*this)(pane, before, at, i, axis, ends, outer, body);
    (*this)(pane, behind, at, i, axis, ends, outer, body);
    return;
  }
  Names names = outer;
  For loop = unrolled(run.rows > 1 ? names.claim("r") : "", run.row, run.row + run.rows);
  const ExprPtr r = run.rows > 1 ? kernel::var(loop.name) : kernel::index(run.row);
  Body& one = run.rows > 1 ? loop.body : body;
  const Pane::Plane& plane = pane.plane(run.along);
  ir::Offset offset = pane.offset;
  if (patch_.axis > 0) offset[patch_.axis] = run.along;
  ir::Offset first = offset;
  first[0] = run.vector * patch_.width;
  const kernel::Copy copy{plane.registers,
                          kernel::index(first[0] - plane.vector * patch_.width),
                          buffer_of(context_, ir::Read{pane.field, pane.level, offset}),
                          shifted(context_, row_start(context_, patch_, i, r), first),
                          patch_.width,
                          run.count,
                          row_in(plane, r),
                          nullptr};
  if (!edges_) {
    one.push_back({copy});
  } else {
    Row row{plane, row_in(plane, r), at, {}};
    ExprPtr whole = inside(at, run.vector, run.count);
    for (int a = 1; a < context_.rank(); ++a) {
      const bool of_rows = a == 1 && patch_.rows > 1;
      row.beyond[a] = a == axis && ends != nowhere ? ends
                      : of_rows                    ? (run.row < 0 ? below : above)
                      : offset[a] < 0              ? below
                      : offset[a] > 0              ? above
                                                   : nowhere;
      row.at[a] = kernel::add(kernel::add(at[a], of_rows ? r : kernel::index(0)), offset[a]);
      if (row.beyond[a] == below || row.beyond[a] == either)
        whole = kernel::both(whole, kernel::bin(BinOp::ge, row.at[a], kernel::index(0)));
      if (row.beyond[a] >= above)
        whole = kernel::both(whole,
                             kernel::bin(BinOp::lt, row.at[a], kernel::var(context_.extents[a])));
    }
    kernel::If split{whole, {{copy}}, {}};
    by_cell(pane, run, row, names, split.no);
    one.push_back({std::move(split)});
  }
  if (run.rows > 1) body.push_back({std::move(loop)});
}

namespace {
// Do cells beyond both ends follow one index map, so that it is no matter which end it is?
bool same_at_both_ends(const ir::Boundary& boundary, int axis) {
  const std::array<ir::Side, 2>& sides = boundary.sides[axis];
  switch (sides[0].edge) {
    case ir::Edge::clamp:
    case ir::Edge::reflect:
    case ir::Edge::mirror:
    case ir::Edge::antireflect:
    case ir::Edge::periodic:
    case ir::Edge::fixed:
    case ir::Edge::none:
      return sides[0].edge == sides[1].edge;
    default:
      return false;
  }
}
}  // namespace

void Fill::by_cell(const Pane& pane, const Run& run, const Row& row, const Names& names,
                   Body& body) const {
  const ir::Boundary& boundary = context_.stencil.fields[pane.field].boundary;
  for (int a = 1; a < context_.rank(); ++a) {
    if (row.beyond[a] != either) continue;
    Row low = row, high = row;
    low.beyond[a] = below;
    high.beyond[a] = above;
    if (same_at_both_ends(boundary, a)) return by_cell(pane, run, high, names, body);
    kernel::If ends{kernel::bin(BinOp::lt, row.at[a], kernel::index(0)), {}, {}};
    by_cell(pane, run, low, names, ends.yes);
    by_cell(pane, run, high, names, ends.no);
    body.push_back({std::move(ends)});
    return;
  }
  const int first = std::max(run.vector * patch_.width, pane.cells.low);
  const int behind =
      std::min((run.vector + run.count) * patch_.width, patch_.width + pane.cells.high);
  if (same_at_both_ends(boundary, 0)) return cells(pane, row, first, behind, names, body);
  cells(pane, row, first, std::min(behind, 0), names, body);
  cells(pane, row, std::max(first, 0), behind, names, body);
}

// The cells first .. behind-1 of a row.
void Fill::cells(const Pane& pane, const Row& row, int first, int behind, Names names,
                 Body& body) const {
  if (first >= behind) return;
  For loop = unrolled(names.claim("e"), first, behind);
  const ExprPtr e = kernel::var(loop.name);
  std::array<int, 3> beyond = row.beyond;
  beyond[0] = first < 0 ? below : above;
  std::vector<ExprPtr> there = row.at;
  // What no cell of the grid reads may not exist at all.
  kernel::If guard{nullptr, {}, {}};
  if (behind > 0)
    guard.condition =
        kernel::bin(BinOp::lt, kernel::add(there[0], e),
                    kernel::add(kernel::var(context_.extents[0]), std::max(0, pane.cells.high)));
  if (patch_.rows > 1 && beyond[1] == above)
    guard.condition = kernel::both(
        guard.condition,
        kernel::bin(BinOp::lt, there[1],
                    kernel::add(kernel::var(context_.extents[1]), std::max(0, pane.rows.high))));
  Body cell;
  there[0] = declare(context_.axes[0] + "_e", kernel::add(there[0], e), names, cell);
  EdgeTaps taps(context_, there, beyond, names, cell);
  const ExprPtr value = taps(ir::Read{pane.field, pane.level, {}});
  cell.push_back({kernel::Store{
      row.plane.registers, kernel::add(e, -row.plane.vector * patch_.width), value, row.index}});
  if (guard.condition) {
    guard.yes = std::move(cell);
    loop.body.push_back({std::move(guard)});
  } else {
    loop.body = std::move(cell);
  }
  body.push_back({std::move(loop)});
}

}  // namespace stencilc::lower
