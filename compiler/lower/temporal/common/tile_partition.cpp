// Which tile and rows of a grid a warp has, or which tile a block.
#include "lower/context/build.h"
#include "lower/temporal/common/tile_layout.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;
using kernel::pick;

namespace {

ExprPtr place(kernel::Place::What what, int axis) {
  return kernel::make(kernel::Type::index, kernel::Place{what, axis});
}

ExprPtr least(const ExprPtr& a, const ExprPtr& b) {
  return pick(kernel::bin(BinOp::lt, a, b), a, b);
}

}  // namespace

void TemporalTile::declare_warp(Body& body) {
  warp = schedule_.threads[1] == 1
             ? index(0)
             : declare("warp", place(kernel::Place::warp, 1), context_.names, body);
  if (is_column()) return;
  body.push_back(
      {kernel::Note{schedule_.whole ? "A warp has 32 vectors, which hold whole rows of the grid."
                                    : "A warp has a strip of " + stored_of_tile() +
                                          ": those at the ends lack neighbours."}});
}

void TemporalTile::share_out(kernel::Kernel& kernel, Body& body) {
  if (is_column()) return share_out_columns(kernel, body);
  Names& names = context_.names;
  const int vector = schedule_.vector;
  declare_warp(body);
  kernel.partition.name = names.claim("march");
  kernel.partition.cost = names.claim("cost");
  kernel::Part part;
  part.part =
      kernel::add(kernel::mul(place(kernel::Place::block, 0), index(schedule_.threads[1])), warp);
  part.rows = extent(1);
  part.tile_x = names.claim("number");
  part.first = names.claim("first_" + context_.axes[1]);
  part.behind = names.claim("behind_" + context_.axes[1]);
  first = kernel::var(part.first);
  behind = kernel::var(part.behind);
  const ExprPtr number = kernel::var(part.tile_x);
  body.push_back({std::move(part)});
  const ExprPtr at = kernel::add(kernel::mul(number, index(temporal_.stored_cells(vector))),
                                 -temporal_.left_lanes * vector);
  if (temporal_.ends_with_rows) return set_back(at, body);
  aligned = kernel::var(context_.aligned, kernel::Type::boolean);
  first_cell = declare("strip", at, names, body);
}

void TemporalTile::set_back(const ExprPtr& at, Body& body) {
  Names& names = context_.names;
  const int vector = schedule_.vector;
  body.push_back(
      {kernel::Note{"Where vectors do not fill rows, the last strip begins so much "
                    "earlier that it ends with a vector where they end."}});
  const ExprPtr on_grid = declare("strip_at", at, names, body);
  const ExprPtr over =
      declare("over", kernel::bin(BinOp::mod, extent(0), index(vector)), names, body);
  const ExprPtr moved = declare(
      "set_back",
      kernel::both(kernel::bin(BinOp::gt, over, index(0)),
                   kernel::both(kernel::bin(BinOp::ge, on_grid, index(vector)),
                                kernel::bin(BinOp::gt, kernel::add(on_grid, cells()), extent(0)))),
      names, body);
  first_cell = declare(
      "strip", pick(moved, kernel::add(kernel::add(on_grid, over), -vector), on_grid), names, body);
  aligned = declare("vectors",
                    kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                                 kernel::make(kernel::Type::boolean, kernel::Not{moved})),
                    names, body);
}

// The tile of a column: where it begins along an axis, and what it stores. All of it lies in the
// grid, if that does not go round: the ends of the grid are ends of tiles.
TemporalTile::Span TemporalTile::span_of(int axis, const ExprPtr& number, int stored, int before,
                                         int cells, Body& body) {
  Names& names = context_.names;
  const std::string name = axis == 0 ? "strip" : "tile";
  const std::string first = "first_" + context_.axes[axis],
                    behind = "behind_" + context_.axes[axis];
  Span span;
  if (wraps(axis)) {
    span.first = declare(first, kernel::mul(number, index(stored)), names, body);
    span.behind =
        declare(behind, least(kernel::add(span.first, stored), extent(axis)), names, body);
    const ExprPtr at = kernel::add(span.first, -before);
    if (axis == 0 && schedule_.vector > 1)
      set_back(at, body);
    else
      span.begin = declare(name, at, names, body);
    return span;
  }
  const ExprPtr at = declare(name + "_at", kernel::mul(number, index(stored)), names, body);
  const ExprPtr last = declare("last_" + name, kernel::add(extent(axis), -cells), names, body);
  span.begin = declare(name, least(at, last), names, body);
  ExprPtr from = kernel::add(at, before);
  if (before > 0) from = pick(kernel::bin(BinOp::eq, at, index(0)), index(0), from);
  span.first = declare(first, from, names, body);
  span.behind = declare(
      behind,
      pick(kernel::bin(BinOp::lt, at, last), kernel::add(at, before + stored), extent(axis)), names,
      body);
  return span;
}

void TemporalTile::share_out_columns(kernel::Kernel& kernel, Body& body) {
  Names& names = context_.names;
  const int vector = schedule_.vector;
  kernel.partition.name = names.claim("columns");
  kernel.partition.cost = names.claim("cost");
  kernel::Part part;
  part.part = place(kernel::Place::block, 0);
  part.tile_x = names.claim("column_" + context_.axes[0]);
  part.tile_y = names.claim("column_" + context_.axes[1]);
  part.first = names.claim("first_" + context_.axes[2]);
  part.behind = names.claim("behind_" + context_.axes[2]);
  const ExprPtr tile_x = kernel::var(part.tile_x), tile = kernel::var(part.tile_y);
  first = kernel::var(part.first);
  behind = kernel::var(part.behind);
  const int stored = temporal_.stored_cells(vector), rows = temporal_.stored_rows(schedule_);
  body.push_back({kernel::Note{
      "A block has a column of tiles of " + std::to_string(cells()) + " cells and " +
      std::to_string(tile_rows()) + " rows, " + std::to_string(schedule_.rows) +
      " for each warp, of which it stores " + std::to_string(stored) + " and " +
      std::to_string(rows) + ": those at the ends lack neighbours" +
      (wraps(0) && wraps(1) ? "." : ", but for the ends of the grid, where tiles end, too.")}});
  body.push_back({std::move(part)});
  const Span across = span_of(0, tile_x, stored, temporal_.lost_left, cells(), body);
  if (across.begin) {
    first_cell = across.begin;
    aligned = kernel::var(context_.aligned, kernel::Type::boolean);
    if (vector > 1)
      aligned = declare(
          "vectors",
          kernel::both(
              aligned,
              kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, first_cell, index(vector)), index(0))),
          names, body);
  }
  first_stored = across.first;
  behind_stored = across.behind;
  const Span along = span_of(1, tile, rows, temporal_.rows_before(), tile_rows(), body);
  below_ = along.begin;
  first_row = along.first;
  behind_row = along.behind;
}

ExprPtr TemporalTile::ends_with_vectors() const {
  const ExprPtr left = kernel::bin(BinOp::sub, extent(0), first_cell);
  return kernel::either(
      kernel::bin(BinOp::ge, left, index(cells())),
      kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, left, index(schedule_.vector)), index(0)));
}

// All of it lies in the grid, if that does not wrap: the ends of the grid are ends of tiles.
ExprPtr TemporalTile::first_of_tile(int axis, const ExprPtr& stored, int before, int cells,
                                    Body& body) {
  Names& names = context_.names;
  const std::string name = axis == 1 ? "tile" : "tile_" + context_.axes[axis];
  const ExprPtr low = kernel::add(stored, -before);
  if (wraps(axis)) return declare(name, low, names, body);
  const ExprPtr fits = declare("low", least(low, kernel::add(extent(axis), -cells)), names, body);
  return declare(name, pick(kernel::bin(BinOp::lt, fits, index(0)), index(0), fits), names, body);
}

void TemporalTile::place_tile(Body& body) {
  Names& names = context_.names;
  first_cell = declare("strip",
                       kernel::add(kernel::mul(place(kernel::Place::block, 0),
                                               index(temporal_.stored_cells(schedule_.vector))),
                                   -temporal_.left_lanes * schedule_.vector),
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
  first_row = declare("first_" + context_.axes[1],
                      kernel::mul(place(kernel::Place::block, 1), index(stored_rows)), names, body);
  behind_row = declare("behind_" + context_.axes[1],
                       least(kernel::add(first_row, stored_rows), extent(1)), names, body);
  below_ = first_of_tile(1, first_row, temporal_.rows_before(), tile_rows(), body);
  if (!in_space) return;
  first = declare("first_" + context_.axes[2],
                  kernel::mul(place(kernel::Place::block, 2), index(stored_planes)), names, body);
  behind = declare("behind_" + context_.axes[2],
                   least(kernel::add(first, stored_planes), extent(2)), names, body);
  z = first_of_tile(2, first, temporal_.lost_low, schedule_.planes, body);
}

void TemporalTile::map_tile(Body& body) {
  if (!first_cell) place_tile(body);
  body.push_back({kernel::Let{context_.axes[0], kernel::add(first_cell, own())}});
  x = kernel::var(context_.axes[0]);
  if (context_.rank() == 1) return;
  body.push_back({kernel::Let{context_.axes[1],
                              kernel::add(below_, kernel::mul(warp, index(schedule_.rows)))}});
  y = kernel::var(context_.axes[1]);
}

}  // namespace stencilc::lower
