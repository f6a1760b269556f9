// Which strip and rows of a grid a warp has, or which tile a block.
#include "lower/standing.h"
#include "lower/strip.h"

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

void Strip::declare_warp(Body& body) {
  warp = schedule_.threads[1] == 1
             ? index(0)
             : declare("warp", place(kernel::Place::warp, 1), context_.names, body);
  body.push_back(
      {kernel::Note{schedule_.whole ? "A warp has 32 vectors, which hold whole rows of the grid."
                                    : "A warp has a strip of " + stored_of_strip() +
                                          ": those at the ends lack neighbours."}});
}

void Strip::share_out(kernel::Kernel& kernel, Body& body) {
  Names& names = context_.names;
  const int vector = schedule_.vector;
  declare_warp(body);
  kernel.march.name = names.claim("march");
  kernel.march.cost = names.claim("cost");
  kernel::Part part;
  part.part =
      kernel::add(kernel::mul(place(kernel::Place::block, 0), index(schedule_.threads[1])), warp);
  part.rows = extent(1);
  part.strip = names.claim("number");
  part.first = names.claim("first_" + context_.axes[1]);
  part.behind = names.claim("behind_" + context_.axes[1]);
  first = kernel::var(part.first);
  behind = kernel::var(part.behind);
  const ExprPtr number = kernel::var(part.strip);
  body.push_back({std::move(part)});
  const ExprPtr at = kernel::add(kernel::mul(number, index(temporal_.stored_cells(vector))),
                                 -temporal_.left_lanes * vector);
  aligned = kernel::var(context_.aligned, kernel::Type::boolean);
  if (!temporal_.ends_with_rows) {
    first_cell = declare("strip", at, names, body);
    return;
  }
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
                    kernel::both(aligned, kernel::make(kernel::Type::boolean, kernel::Not{moved})),
                    names, body);
}

ExprPtr Strip::ends_with_vectors() const {
  const ExprPtr left = kernel::bin(BinOp::sub, extent(0), first_cell);
  return kernel::either(
      kernel::bin(BinOp::ge, left, index(cells())),
      kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, left, index(schedule_.vector)), index(0)));
}

// All of it lies in the grid, if that does not wrap: the ends of the grid are ends of tiles.
ExprPtr Strip::first_of_tile(int axis, const ExprPtr& stored, int before, int cells, Body& body) {
  Names& names = context_.names;
  const std::string name = axis == 1 ? "tile" : "tile_" + context_.axes[axis];
  const ExprPtr low = kernel::add(stored, -before);
  if (wraps(axis)) return declare(name, low, names, body);
  const ExprPtr fits = declare("low", least(low, kernel::add(extent(axis), -cells)), names, body);
  return declare(name, pick(kernel::bin(BinOp::lt, fits, index(0)), index(0), fits), names, body);
}

void Strip::place_tile(Body& body) {
  Names& names = context_.names;
  first_cell = declare("strip",
                       kernel::add(kernel::mul(place(kernel::Place::block, 0),
                                               index(temporal_.stored_cells(schedule_.vector))),
                                   -temporal_.left_lanes * schedule_.vector),
                       names, body);
  if (context_.rank() == 1) return;
  const int stored_rows = temporal_.stored_rows(schedule_);
  const bool in_space = temporal_.dwells && context_.rank() == 3;
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
  if (temporal_.dwells && !in_space) return;
  const int planes = in_space ? stored_planes : schedule_.coarsen;
  first = declare("first_" + context_.axes[2],
                  kernel::mul(place(kernel::Place::block, 2), index(planes)), names, body);
  behind = declare("behind_" + context_.axes[2], least(kernel::add(first, planes), extent(2)),
                   names, body);
  if (in_space) z = first_of_tile(2, first, temporal_.lost_low, schedule_.planes, body);
}

void Strip::stand_in_tile(Body& body) {
  if (!first_cell) place_tile(body);
  body.push_back({kernel::Let{context_.axes[0], kernel::add(first_cell, own())}});
  x = kernel::var(context_.axes[0]);
  if (context_.rank() == 1) return;
  body.push_back({kernel::Let{context_.axes[1],
                              kernel::add(below_, kernel::mul(warp, index(schedule_.rows)))}});
  y = kernel::var(context_.axes[1]);
}

}  // namespace stencilc::lower
