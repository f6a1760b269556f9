// Which tile and rows of a grid a warp has, or which tile a block, and where in it a lane is.
#include "lower/temporal/common/tile_layout.h"

#include <algorithm>

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/grid_ends.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;
using kernel::pick;

namespace {

bool is_zero(const ExprPtr& number) {
  const auto* one = kernel::as<kernel::Int>(number);
  return one && one->value == 0;
}

ExprPtr difference(const ExprPtr& a, const ExprPtr& b) {
  return is_zero(b) ? a : kernel::bin(BinOp::sub, a, b);
}

}  // namespace

ExprPtr TileLayout::constant(const std::string& wanted, int64_t value) const {
  return index(context_.count(wanted, static_cast<int>(value)));
}

std::string TileLayout::spelt(const Factors& factors) const {
  std::string text;
  for (const auto& [wanted, value] : factors)
    if (value != 1) {
      const ExprPtr factor = constant(wanted, value);
      const auto* number = kernel::as<kernel::Int>(factor);
      text += (text.empty() ? "" : " * ") +
              (number->name.empty() ? std::to_string(value) : number->name);
    }
  return text.empty() ? "1" : text;
}

void TileLayout::spell_registers(kernel::Buffer& buffer, const Factors& rows) const {
  buffer.registers.text = spelt({{"width", buffer.registers}});
  buffer.rows.text = spelt(rows);
}

void TileLayout::give_constants(kernel::Kernel& kernel) const {
  for (const Builder::Named& one : context_.builder.constants)
    kernel.constants.emplace_back(one.name, one.value);
}

ExprPtr TileLayout::own() const { return kernel::mul(lane_, width()); }

ExprPtr TileLayout::in_grid(const ExprPtr& at, int axis) const {
  return lower::in_grid(context_, axis, at);
}
ExprPtr TileLayout::in_grid(std::vector<ExprPtr>& at, Names& names, Body& body) const {
  ExprPtr inside;
  for (int a = 0; a < context_.rank(); ++a) {
    if (wraps(a))
      at[a] = lower::declare(
          "at_" + context_.axes[a],
          kernel::call(kernel::Type::index, kernel::Fn::wrap, {at[a], extent(a)}), names, body);
    else
      inside = kernel::both(inside, in_grid(at[a], a));
  }
  return inside;
}

ExprPtr TileLayout::in_rows(const ExprPtr& y) const { return in_grid(y, context_.rank() - 1); }

bool TileLayout::wraps(int axis) const {
  return std::any_of(context_.stencil.fields.begin(), context_.stencil.fields.end(),
                     [&](const ir::Field& field) {
                       return field.role == ir::Role::stepped &&
                              field.boundary.sides[axis][0].edge == ir::Edge::periodic;
                     });
}

// Less than an extent beyond the ends.
ExprPtr TileLayout::wrapped(const ExprPtr& at, int axis) const {
  const ExprPtr end = extent(axis);
  return pick(beyond_end(context_, axis, 0, at), kernel::add(at, end),
              pick(beyond_end(context_, axis, 1, at), kernel::bin(BinOp::sub, at, end), at));
}

ExprPtr TileLayout::row_of(const ExprPtr& of, const ExprPtr& r) const {
  return kernel::add(kernel::mul(of, warp_rows()), r);
}

void TileLayout::declare_warp(Body& body) {
  warp = schedule_.threads[1] == 1
             ? index(0)
             : declare("warp", kernel::place(kernel::Place::warp, 1), context_.names, body);
  if (is_column()) return;
  body.push_back(
      {kernel::Note{schedule_.whole ? "A warp holds whole rows of the grid, as 32 vectors."
                                    : "A warp has a tile of " + stored_of_tile() +
                                          "; the others are its halo."}});
}

// What is shared out are the rows or planes of the box.
void TileLayout::begin_at_box(int axis, Body& body) {
  if (!context_.box.is_cut(axis)) return;
  const auto in_grid = [&](const std::string& name, const ExprPtr& at) {
    return declare(name + "_" + context_.axes[axis], kernel::add(context_.box.first(axis), at),
                   context_.names, body);
  };
  first = in_grid("from", first);
  end = in_grid("to", end);
}

// On a window, what neighbours read of it is counted while the rest goes on.
void TileLayout::count_borders(kernel::Kernel& kernel, kernel::Part& part, int axis) {
  if (!context_.windows) return;
  kernel.partition.borders = context_.names.claim("borders");
  kernel.partition.counter = context_.names.claim("counter");
  kernel.partition.part = part.part;
  part.low_end = context_.names.claim("end_of_low");
  part.origin = context_.box.is_cut(axis) ? context_.box.first(axis) : index(0);
  low_end = kernel::var(part.low_end);
}

void TileLayout::share_out(kernel::Kernel& kernel, Body& body) {
  if (is_column()) return share_out_columns(kernel, body);
  Names& names = context_.names;
  declare_warp(body);
  kernel.partition.name = names.claim("chunks");
  kernel.partition.cost = names.claim("cost");
  kernel::Part part;
  part.part = kernel::add(kernel::mul(kernel::place(kernel::Place::block, 0), warps()), warp);
  part.rows = context_.box.cells(1);
  part.tile_x = names.claim("tile_number");
  part.first = names.claim("first_" + context_.axes[1]);
  part.end = names.claim("end_" + context_.axes[1]);
  first = kernel::var(part.first);
  end = kernel::var(part.end);
  const ExprPtr number = kernel::var(part.tile_x);
  count_borders(kernel, part, 1);
  body.push_back({std::move(part)});
  begin_at_box(1, body);
  const ExprPtr at = difference(kernel::mul(number, stored_cells()), margin_cells());
  if (temporal_.ends_with_rows()) return set_back(at, body);
  aligned = kernel::var(context_.aligned, kernel::Type::boolean);
  first_cell = declare("tile_" + context_.axes[0], at, names, body);
}

void TileLayout::set_back(const ExprPtr& at, Body& body) {
  Names& names = context_.names;
  body.push_back(
      {kernel::Note{"If vectors do not fill the rows, the last tile is shifted: it "
                    "ends with the row and with a vector."}});
  const ExprPtr on_grid = declare("regular_" + context_.axes[0], at, names, body);
  const ExprPtr over =
      declare("remainder", kernel::bin(BinOp::mod, extent(0), width()), names, body);
  const ExprPtr moved = declare(
      "shifted",
      kernel::both(
          kernel::bin(BinOp::gt, over, index(0)),
          kernel::both(kernel::bin(BinOp::ge, on_grid, width()),
                       kernel::bin(BinOp::gt, kernel::add(on_grid, row_cells()), extent(0)))),
      names, body);
  first_cell =
      declare("tile_" + context_.axes[0],
              pick(moved, difference(kernel::add(on_grid, over), width()), on_grid), names, body);
  aligned = declare("vectors",
                    kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                                 kernel::make(kernel::Type::boolean, kernel::Not{moved})),
                    names, body);
}

// The tile of a column: where it begins along an axis, and what it stores. All of it lies in the
// grid, if that does not go round: the ends of the grid are ends of tiles.
TileLayout::Span TileLayout::span_of(int axis, const ExprPtr& number, const ExprPtr& stored,
                                     const ExprPtr& before, const ExprPtr& cells, Body& body) {
  Names& names = context_.names;
  const std::string name = "tile_" + context_.axes[axis];
  const std::string first = "first_" + context_.axes[axis], end = "end_" + context_.axes[axis];
  Span span;
  if (wraps(axis)) {
    span.first = declare(first, kernel::mul(number, stored), names, body);
    span.end =
        declare(end, kernel::least(kernel::add(span.first, stored), extent(axis)), names, body);
    const ExprPtr at = difference(span.first, before);
    if (axis == 0 && schedule_.vector > 1)
      set_back(at, body);
    else
      span.begin = declare(name, at, names, body);
    return span;
  }
  const ExprPtr at =
      declare("regular_" + context_.axes[axis], kernel::mul(number, stored), names, body);
  const ExprPtr last = declare("last_" + name, difference(extent(axis), cells), names, body);
  span.begin = declare(name, kernel::least(at, last), names, body);
  ExprPtr from = kernel::add(at, before);
  if (!is_zero(before)) from = pick(kernel::bin(BinOp::eq, at, index(0)), index(0), from);
  span.first = declare(first, from, names, body);
  span.end = declare(end,
                     pick(kernel::bin(BinOp::lt, at, last),
                          kernel::add(kernel::add(at, before), stored), extent(axis)),
                     names, body);
  return span;
}

void TileLayout::share_out_columns(kernel::Kernel& kernel, Body& body) {
  Names& names = context_.names;
  const int vector = schedule_.vector;
  kernel.partition.name = names.claim("columns");
  kernel.partition.cost = names.claim("cost");
  kernel::Part part;
  part.part = kernel::place(kernel::Place::block, 0);
  part.tile_x = names.claim("column_" + context_.axes[0]);
  part.tile_y = names.claim("column_" + context_.axes[1]);
  part.first = names.claim("first_" + context_.axes[2]);
  part.end = names.claim("end_" + context_.axes[2]);
  const ExprPtr tile_x = kernel::var(part.tile_x), tile = kernel::var(part.tile_y);
  first = kernel::var(part.first);
  end = kernel::var(part.end);
  const int stored = temporal_.stored_cells(vector), rows = temporal_.stored_rows(schedule_);
  count_borders(kernel, part, 2);
  body.push_back(
      {kernel::Note{"A block has a column of tiles of " + std::to_string(cells()) + " cells and " +
                    std::to_string(tile_rows()) + " rows, " + std::to_string(schedule_.rows) +
                    " for each warp, of which it stores " + std::to_string(stored) + " and " +
                    std::to_string(rows) + "; the others are its halo" +
                    (wraps(0) && wraps(1) ? "." : ". Tiles at the boundary have none there.")}});
  body.push_back({std::move(part)});
  begin_at_box(2, body);
  const Span across = span_of(0, tile_x, stored_cells(),
                              constant("margin_cells", temporal_.lost_left), row_cells(), body);
  if (across.begin) {
    first_cell = across.begin;
    aligned = kernel::var(context_.aligned, kernel::Type::boolean);
    if (vector > 1)
      aligned = declare(
          "vectors",
          kernel::both(aligned, kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, first_cell, width()),
                                            index(0))),
          names, body);
  }
  first_stored = across.first;
  end_stored = across.end;
  const Span along = span_of(1, tile, constant("stored_rows", rows),
                             constant("margin_rows", temporal_.rows_before()),
                             constant("tile_rows", tile_rows()), body);
  below_ = along.begin;
  first_row = along.first;
  end_row = along.end;
}

ExprPtr TileLayout::ends_with_vectors() const {
  const ExprPtr left = kernel::bin(BinOp::sub, extent(0), first_cell);
  return kernel::either(kernel::bin(BinOp::ge, left, row_cells()),
                        kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, left, width()), index(0)));
}

// All of it lies in the grid, if that does not wrap: the ends of the grid are ends of tiles.
ExprPtr TileLayout::first_of_tile(int axis, const ExprPtr& stored, const ExprPtr& before,
                                  const ExprPtr& cells, Body& body) {
  Names& names = context_.names;
  const std::string name = "tile_" + context_.axes[axis];
  const ExprPtr low = difference(stored, before);
  if (wraps(axis)) return declare(name, low, names, body);
  const ExprPtr fits =
      declare("low", kernel::least(low, difference(extent(axis), cells)), names, body);
  return declare(name, pick(kernel::bin(BinOp::lt, fits, index(0)), index(0), fits), names, body);
}

void TileLayout::place_tile(Body& body) {
  Names& names = context_.names;
  first_cell =
      declare("tile_" + context_.axes[0],
              difference(kernel::mul(kernel::place(kernel::Place::block, 0), stored_cells()),
                         margin_cells()),
              names, body);
  if (context_.rank() == 1) return;
  const int stored_rows = temporal_.stored_rows(schedule_);
  const bool in_space = context_.rank() == 3;
  const int stored_planes = temporal_.stored_planes(schedule_);
  body.push_back(
      {kernel::Note{"A block has a tile of " + std::to_string(tile_rows()) + " rows, " +
                    std::to_string(schedule_.rows) + " for each warp, of which it stores " +
                    std::to_string(stored_rows) +
                    (in_space ? ", in each of " + std::to_string(schedule_.planes) +
                                    " planes, of which it stores " + std::to_string(stored_planes)
                              : "") +
                    "."}});
  first_row =
      declare("first_" + context_.axes[1],
              kernel::add(context_.box.first(1), kernel::mul(kernel::place(kernel::Place::block, 1),
                                                             constant("stored_rows", stored_rows))),
              names, body);
  end_row = declare("end_" + context_.axes[1],
                    kernel::least(kernel::add(first_row, constant("stored_rows", stored_rows)),
                                  context_.box.end(1)),
                    names, body);
  below_ = first_of_tile(1, first_row, constant("margin_rows", temporal_.rows_before()),
                         constant("tile_rows", tile_rows()), body);
  if (!in_space) return;
  first = declare(
      "first_" + context_.axes[2],
      kernel::add(context_.box.first(2), kernel::mul(kernel::place(kernel::Place::block, 2),
                                                     constant("stored_planes", stored_planes))),
      names, body);
  end = declare("end_" + context_.axes[2],
                kernel::least(kernel::add(first, constant("stored_planes", stored_planes)),
                              context_.box.end(2)),
                names, body);
  z = first_of_tile(2, first, constant("margin_planes", temporal_.resident_tile()->lost_low),
                    constant("tile_planes", schedule_.planes), body);
}

// The lane, and the tile and the rows of its warp.
void TileLayout::map_threads(Body& body) {
  Names& names = context_.names;
  lane_ = declare("lane", kernel::place(kernel::Place::thread, 0), names, body);
  if (is_tile()) {
    declare_warp(body);
    map_tile(body);
  } else {
    body.push_back({kernel::Let{context_.axes[0], kernel::add(first_cell, own())}});
    x = kernel::var(context_.axes[0]);
  }
  if (is_column())
    map_column(body);
  else
    map_row(body);
  declare_stores(body);
}

void TileLayout::map_tile(Body& body) {
  if (!first_cell) place_tile(body);
  body.push_back({kernel::Let{context_.axes[0], kernel::add(first_cell, own())}});
  x = kernel::var(context_.axes[0]);
  if (context_.rank() == 1) return;
  body.push_back(
      {kernel::Let{context_.axes[1], kernel::add(below_, kernel::mul(warp, warp_rows()))}});
  y = kernel::var(context_.axes[1]);
}

void TileLayout::map_row(Body& body) {
  Names& names = context_.names;
  body.push_back(
      {kernel::Note{wraps(0) ? "Lanes outside the row load the cells that wrap around."
                             : "Lanes outside the row load any cell: their ghost cells are "
                               "computed from the row."}});
  const ExprPtr in_row = in_grid(x, 0);
  load_x = declare("from_" + context_.axes[0],
                   wraps(0) ? wrapped(x, 0) : pick(unless(at_boundary[0], in_row), x, index(0)),
                   names, body);
  ExprPtr loads = unless(
      at_boundary[0], kernel::both(vectors_aligned(), span_in_grid(context_, 0, nullptr, 0,
                                                                   kernel::add(load_x, width()))));
  if (wraps(0)) {
    // Where a grid is narrower than a tile, that may wrap more than once.
    // A condition that is too long for a line stands in two.
    if (temporal_.bits()) loads = declare("fits", loads, names, body);
    if (!is_tile()) loads = kernel::both(loads, before_end(context_, 0, 0, load_x));
    loads = kernel::both(
        loads, kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, load_x, width()), index(0)));
  }
  loads_whole = declare("loads", loads, names, body);
  if (temporal_.ends_with_rows()) {
    ExprPtr follow =
        span_in_grid(context_, 0, wraps(0) ? load_x : nullptr, 0, kernel::add(load_x, width()));
    if (!wraps(0) && corner)
      follow = kernel::either(kernel::make(kernel::Type::boolean, kernel::Not{corner}), follow);
    body.push_back({kernel::Note{"A tile that was shifted copies its cells one by one."}});
    contiguous = declare("contiguous", follow, names, body);
  }
  whole = declare(
      "whole",
      kernel::both(vectors_aligned(), span_in_grid(context_, 0, x, 0, kernel::add(x, width()))),
      names, body);
}

// All of its vectors lie in rows, or wrap around.
void TileLayout::map_column(Body& body) {
  Names& names = context_.names;
  whole = vectors_aligned();
  load_x = x;
  loads_whole = unless(at_boundary[0], whole);
  if (wraps(0)) {
    body.push_back({kernel::Note{"Lanes outside the row load the cells that wrap around."}});
    load_x = declare("from_" + context_.axes[0], wrapped(x, 0), names, body);
    if (schedule_.vector > 1)
      loads_whole = kernel::both(
          loads_whole,
          unless(at_boundary[0],
                 kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, load_x, width()), index(0))));
  }
  loads_whole = declare("loads", loads_whole, names, body);
}

// Which parts of its vectors a lane stores.
void TileLayout::declare_stores(Body& body) {
  if (is_column()) {
    // Of tiles that were set back, the next one stores a vector in which it begins to.
    const ExprPtr last = kernel::add(kernel::add(x, width()), -1);
    const ExprPtr stores = kernel::both(kernel::bin(BinOp::ge, last, first_stored),
                                        kernel::bin(BinOp::lt, wraps(0) ? last : x, end_stored));
    parts.push_back({0, vector(), declare("stores", stores, context_.names, body)});
    return;
  }
  const int vector = schedule_.vector;
  const kernel::Count part = stores_vectors() || temporal_.part == vector
                                 ? this->vector()
                                 : context_.count("stored_part", temporal_.part);
  for (int first = 0; first < vector; first += part) {
    const int low = (temporal_.lost_left - first + vector - 1) / vector;
    const int high = (cells() - temporal_.lost_right - first - part) / vector + 1;
    ExprPtr own;
    if (low > 0) own = kernel::bin(BinOp::ge, lane_, constant("first_storing", low));
    if (high < kLanes)
      own = kernel::both(own, kernel::bin(BinOp::lt, lane_, constant("end_storing", high)));
    if (low < temporal_.left_lanes) own = kernel::both(own, before_end(context_, 0, 0, x));
    if (is_tile()) own = kernel::both(own, before_end(context_, 0, 1, x));
    if (own)
      own = declare(part == vector ? "stores" : "stores_" + std::to_string(first), own,
                    context_.names, body);
    parts.push_back({first, part, own});
  }
}

std::string TileLayout::stored_of_tile() const {
  const int vector = schedule_.vector;
  const bool vectors = stores_vectors();
  return (vectors ? "32 vectors" : std::to_string(cells()) + " cells") + ", of which it stores " +
         std::to_string(temporal_.stored_cells(vector) / (vectors ? vector : 1));
}

}  // namespace stencilc::lower
