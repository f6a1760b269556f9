// A pass of a time step: the rows at the ends of a warp go to those beside it, and all rows are
// computed by what is then there.
#include "lower/temporal/resident/tile_steps.h"

#include <algorithm>
#include <array>

#include "lower/boundary/edge_cell.h"
#include "lower/boundary/edge_flag.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/cell/interior_cell.h"
#include "lower/context/build.h"
#include "lower/temporal/common/at_step.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

namespace {

void append_if(const ExprPtr& flag, Body from, Body& to) {
  if (!flag || from.empty()) return append(to, std::move(from));
  to.push_back({kernel::If{flag, std::move(from), {}}});
}

}  // namespace

Body TileSteps::steps(bool edges, const TileFlags& flags) {
  edges_ = edges;
  flags_ = flags;
  Names names = context_.names;
  // Two steps at once leave nothing to be moved, but need more registers and twice the text: steps
  // of one pass and few cells bear that.
  const int cells = schedule_.vector * schedule_.rows * schedule_.planes;
  const bool paired = context_.rank() == 1 || (exchanges_ == 1 && (!in_space() || cells <= 32));
  For loop = counted(paired ? For::paired : For::plain, names.claim("k"), steps_);
  const ExprPtr k = kernel::var(loop.name);
  for (const Held& one : held_)
    if (!lasts(one)) loop.body.push_back({kernel::Array{one.registers}});
  points_.sample(false, k, names, loop.body);
  for (const TilePass& pass : passes_) one_pass(pass, k, names, loop.body);
  points_.inject(k, names, loop.body);
  points_.sample(true, k, names, loop.body);
  loop.body.push_back({kernel::Note{"The next step."}});
  over_all(names, loop.body, [&](const ExprPtr& p, const ExprPtr& r, Names&, Body& to) {
    const auto move = [&](const Held& into, const Held& from) {
      to.push_back({kernel::Copy{into.registers, index(into.left), from.registers, index(from.left),
                                 tile_.layout.vector(), 1, into.row(p, r), from.row(p, r)}});
    };
    for (const Stepped& one : tile_.rows.fields) {
      if (is_output(one.field)) continue;
      if (plan::has_before(context_.stencil.fields[one.field]))
        move(held(one.field, -1), held(one.field, 0));
      move(held(one.field, 0), held(one.field, 1));
    }
  });
  return {{std::move(loop)}};
}

void TileSteps::one_pass(const TilePass& pass, const ExprPtr& k, Names& names, Body& body) {
  const CellContext here = at_step(*pass.context, k, names, body);
  if (pass.exchange_index >= 0) exchange(pass, k, names, body);
  for (const plan::PassRead& read : pass.reads) {
    if (read.low + read.high > 0) ghost_planes(read, names, body);
    if (edges_ && read.below + read.above > 0) ghost_rows(read, names, body);
    // What the first row, or in space the first plane, finds there.
    if (in_space())
      over_planes(
          read.first_plane, std::min(read.last_plane, schedule_.planes), names, body,
          [&](const ExprPtr& p, Names& inner, Body& to) { sides_of_plane(read, p, inner, to); });
    else
      over_rows(read.first, std::min(read.last, schedule_.rows), names, body,
                [&](const ExprPtr& r, Names& inner, Body& to) {
                  take_sides(read, nullptr, r, inner, to);
                });
  }
  over_planes(0, planes(), names, body, [&](const ExprPtr& p, Names& inner, Body& to) {
    for (const plan::PassRead& read : pass.reads)
      if (p && read.first <= read.last)
        sides_of_plane(read, kernel::add(p, read.last_plane), inner, to);
    over_rows(0, rows(), inner, to, [&](const ExprPtr& r, Names& own, Body& row) {
      for (const plan::PassRead& read : pass.reads)
        if (!p && read.first <= read.last)
          take_sides(read, nullptr, kernel::add(r, read.last), own, row);
      cells_of_row(pass, here, p, r, own, row);
    });
  });
}

void TileSteps::cells_of_row(const TilePass& pass, const CellContext& here, const ExprPtr& p,
                             const ExprPtr& r, Names& names, Body& body) {
  For loop = unrolled(names.claim("v"), 0, tile_.layout.width());
  compute(pass, here, p, r, kernel::var(loop.name), names, loop.body);
  body.push_back({std::move(loop)});
  if (keeping() == Keeping::by_cell) return;
  for (const plan::Stored& stored : pass.launch->stores)
    restore_unassigned(context_.stencil.updates[stored.update], p, r, names, body);
}

// Planes beyond the ends of a tile are what the step reads there: where the grid ends, too, by the
// boundary, and elsewhere it is no matter.
void TileSteps::ghost_planes(const plan::PassRead& read, const Names& names, Body& body) const {
  const Held& one = held(read.field, read.level);
  const int first = read.corners ? -read.below : 0;
  const int end_row = schedule_.rows + (read.corners ? read.above : 0);
  for (const int end : {0, 1}) {
    const int last = end == 0 ? 0 : schedule_.planes - 1;
    for (int d = 1; d <= (end == 0 ? read.low : read.high); ++d)
      over_rows(first, end_row, names, body, [&](const ExprPtr& r, Names&, Body& to) {
        to.push_back({kernel::Copy{
            one.registers, index(one.left), one.registers, index(one.left), tile_.layout.vector(),
            1, one.row(index(last + (end == 0 ? -d : d)), r), one.row(index(last), r)}});
      });
    const ir::Side& side = context_.stencil.fields[read.field].boundary.sides[2][end];
    if (!edges_ || !ir::kind_of(side).open() || ir::kind_of(side).repeats_last()) continue;
    kernel::If there{is_last(context_, 2, end, kernel::add(tile_.layout.z, last)), {}, {}};
    for (int d = 1; d <= (end == 0 ? read.low : read.high); ++d)
      append(there.yes,
             tile_.ghosts.plane(
                 read.field, one.registers, one.left, end, d, first, end_row,
                 [&](int plane, const ExprPtr& r) { return one.row(index(plane), r); }, names));
    if (!there.yes.empty()) append_if(flags_.corner, {{std::move(there)}}, body);
  }
}

void TileSteps::ghost_rows(const plan::PassRead& read, const Names& names, Body& body) const {
  const Held& one = held(read.field, read.level);
  Body rows;
  bool any = false;
  over_planes(read.corners ? -read.low : 0, kernel::plus(planes(), read.corners ? read.high : 0),
              names, rows, [&](const ExprPtr& p, Names& inner, Body& to) {
                append(to, tile_.ghosts.rows(read.field, one.registers, one.below, one.left,
                                             p ? kernel::add(tile_.layout.z, p) : nullptr, true,
                                             inner, one.plane(p), one.rows));
                any = !to.empty();
              });
  if (any) append_if(flags_.corner, std::move(rows), body);
}

void TileSteps::sides_of_plane(const plan::PassRead& read, const ExprPtr& p, const Names& names,
                               Body& body) {
  over_rows(read.first, kernel::plus(rows(), read.last), names, body,
            [&](const ExprPtr& r, Names& inner, Body& to) { take_sides(read, p, r, inner, to); });
}

// In a variant that serves all blocks: cells of a row that the step does not assign, all of them
// near the boundary, are what they were.
void TileSteps::restore_unassigned(const ir::Update& update, const ExprPtr& p, const ExprPtr& r,
                                   const Names& names, Body& body) const {
  const ir::Domain& box = update.cases[0].domain;
  for (int axis = 0; axis < context_.rank(); ++axis) {
    Body along;
    for (const int end : {0, 1})
      if (unassigned_cells(box, axis, end) > 0)
        along.push_back(restore_along(update.field, box, axis, end, p, r, names));
    append_if(axis == 0 ? flags_.edge : flags_.corner, std::move(along), body);
  }
}

// So many cells at an end of an axis. Where vectors fill rows, and tiles end with the grid, few of
// a thread can lie there.
kernel::Stmt TileSteps::restore_along(int field, const ir::Domain& box, int axis, int end,
                                      const ExprPtr& p, const ExprPtr& r, Names names) const {
  const int cells = unassigned_cells(box, axis, end);
  const Held &made = held(field, 1), &was = held(field, 0);
  const int count = std::array{schedule_.vector, schedule_.rows, schedule_.planes}[axis];
  const bool ragged = axis == 0 && end == 1;
  const bool few = cells < count;
  const int first = axis > 0 || !few || ragged || end == 0 ? 0 : count - cells;
  For row =
      unrolled(names.claim("v"), first, axis == 0 && few && end == 0 ? cells : schedule_.vector);
  const ExprPtr v = kernel::var(row.name), at = axis == 0 ? v : axis == 1 ? r : p;
  const ExprPtr first_cell = axis == 0   ? tile_.layout.x
                             : axis == 1 ? tile_.layout.y
                                         : tile_.layout.z;
  // Of a row at its low end the loop takes those cells alone that may lie there.
  const ExprPtr here =
      is_unassigned(context_, box, axis, end,
                    {kernel::add(first_cell, at), axis == 0 && end == 0 ? nullptr : at, count,
                     ragged ? flags_.corner : nullptr});
  row.body.push_back({kernel::If{here,
                                 {{kernel::Store{made.registers, kernel::add(v, made.left),
                                                 was.value(p, r, v), made.row(p, r)}}},
                                 {}}});
  return {std::move(row)};
}

// The rows at the ends of a warp, for those beside it, and theirs.
void TileSteps::exchange(const TilePass& pass, const ExprPtr& k, Names& names, Body& body) {
  // Two buffers, one after the other; in space one, when all have taken what was exchanged before.
  const ExprPtr count = kernel::add(kernel::mul(k, index(exchanges_)), pass.exchange_index);
  const ExprPtr parity =
      in_space() ? index(0)
      : exchanges_ % 2 == 0
          ? index(pass.exchange_index % 2)
          : declare("parity", kernel::bin(BinOp::mod, count, index(2)), names, body);
  if (in_space()) body.push_back({kernel::Meet{}});
  Body beside;
  for (const plan::PassRead& read : pass.reads) {
    if (read.below + read.above == 0) continue;
    const Held& one = held(read.field, read.level);
    const Stepped& stepped = tile_.rows.stepped(read.field);
    const std::vector<int>& levels = tile_.rows.exchanged_levels(read.field);
    const auto n =
        static_cast<int>(std::find(levels.begin(), levels.end(), read.level) - levels.begin());
    const kernel::Count vector = tile_.layout.vector();
    const int all = temporal_.halo_rows(schedule_);
    for (int halo_row = 0; halo_row < all; ++halo_row) {
      const int end = halo_row < temporal_.above ? 0 : 1;
      const kernel::Count own =
          end == 0 ? kernel::Count(halo_row) : kernel::plus(rows(), halo_row - all);
      Body copies;
      over_planes(0, planes(), names, copies, [&](const ExprPtr& p, Names&, Body& to) {
        to.push_back({kernel::Copy{
            stepped.halo, tile_.layout.own(), one.registers, index(one.left), vector, 1,
            tile_.rows.halo_level(parity, n, p, tile_.rows.halo_of(tile_.layout.warp, halo_row)),
            one.row(p, index(own))}});
      });
      append_if(tile_.halo.exchanges(read.field, end), std::move(copies), body);
    }
    over_planes(0, planes(), names, beside, [&](const ExprPtr& p, Names&, Body& to) {
      for (const int end : {0, 1})
        for (int d = 0; d < (end == 0 ? read.below : read.above); ++d)
          to.push_back({kernel::Copy{
              one.registers, index(one.left), stepped.halo, tile_.layout.own(), vector, 1,
              one.row(p, index(end == 0 ? kernel::Count(-1 - d) : kernel::plus(rows(), d))),
              tile_.rows.halo_level(parity, n, p, tile_.halo.beside(read.field, end, d))}});
    });
  }
  body.push_back({kernel::Meet{}});
  append(body, std::move(beside));
}

// What lies beside the cells of a row.
void TileSteps::take_sides(const plan::PassRead& read, const ExprPtr& p, const ExprPtr& r,
                           const Names& names, Body& body) {
  const Held& one = held(read.field, read.level);
  kernel::Sides sides;
  sides.to = one.registers;
  sides.own = index(one.left);
  sides.row = one.row(p, r);
  sides.width = tile_.layout.vector();
  sides.left = read.left;
  sides.right = read.right;
  body.push_back({sides});
  if (!edges_) return;
  Names inner = names;
  append_if(flags_.edge,
            tile_.ghosts.columns_of_row(read.field, sides, place(p, r), flags_.corner, inner),
            body);
}

void TileSteps::compute(const TilePass& pass, const CellContext& here, const ExprPtr& p,
                        const ExprPtr& r, const ExprPtr& v, Names& names, Body& body) {
  const Context& context = *pass.context;
  std::vector<ExprPtr> at = place(p, r);
  at.insert(at.begin(), kernel::add(tile_.layout.x, v));
  const ExprPtr inside = edges_ ? tile_.layout.in_grid(at, names, body) : nullptr;
  const ExprPtr i = declare("i", linear_of_any(context, at), names, body);
  const Cell::Tap tap = [&](const ir::Read& read) -> ExprPtr {
    if (context.stencil.fields[read.field].role == ir::Role::input) return nullptr;
    if (read.level == 1 && context.launch.stores_field(context.stencil, read.field)) return nullptr;
    return held(read.field, read.level)
        .value(p ? kernel::add(p, read.offset[2]) : p, kernel::add(r, read.offset[1]),
               kernel::add(v, read.offset[0]));
  };
  const Sink sink = [&](int field, const ExprPtr& value, bool) {
    const Held& one = held(field, 1);
    return kernel::Stmt{
        kernel::Store{one.registers, kernel::add(v, one.left), value, one.row(p, r)}};
  };
  any_cell(context, edges_ && keeping() == Keeping::by_cell, {at, i, inside, true}, tap, sink,
           names, body, here);
}

}  // namespace stencilc::lower
