#include "lower/tile/thread_mapping.h"

#include <algorithm>
#include <array>

#include "lower/boundary/interior_split.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::Let;

namespace {

ExprPtr coordinate(const Context& context, int axis, const ExprPtr& value, Body& body) {
  body.push_back({Let{context.axes[axis], value}});
  return kernel::var(context.axes[axis]);
}

}  // namespace

kernel::Count block_cells(const Context& context, const plan::Schedule& schedule, int axis) {
  constexpr std::array kNames = {"block_cells", "block_rows", "block_planes"};
  return context.count(kNames[axis], schedule.tile()[axis]);
}

kernel::Count streamed_cells(const Context& context, const plan::Schedule& schedule) {
  const int axis = schedule.coarsen_axis;
  return schedule.tile()[axis] == schedule.coarsen ? block_cells(context, schedule, axis)
                                                   : context.count("coarsening", schedule.coarsen);
}

namespace {

// Where blocks stand along y and z that run band by band: those of some rows for all planes, and
// then those of the next rows. So the L2 still holds the planes that the next blocks read again.
std::array<ExprPtr, 2> swizzled_blocks(const Context& context, const plan::Schedule& schedule,
                                       const ExprPtr& row, Body& body) {
  const auto blocks_along = [&](int axis) {
    const kernel::Count cells = block_cells(context, schedule, axis);
    const ExprPtr computed = context.box.cells(axis);
    const ExprPtr filled = kernel::add(kernel::add(computed, kernel::index(cells)), -1);
    return declare("blocks_" + context.axes[axis],
                   cells == 1 ? computed : kernel::bin(BinOp::idiv, filled, kernel::index(cells)),
                   context.names, body);
  };
  body.push_back({kernel::Note{
      "Swizzled block order: all planes of a band of rows come before those of the next band."}});
  const ExprPtr band = kernel::index(
      context.count("band_blocks", std::max(1, schedule.swizzle / schedule.tile()[1])));
  const ExprPtr blocks_y = blocks_along(1), blocks_z = blocks_along(2);
  const ExprPtr number = declare(
      "block", kernel::add(kernel::mul(kernel::place(kernel::Place::block, 2), blocks_y), row),
      context.names, body);
  const ExprPtr first = declare(
      "band", kernel::mul(kernel::bin(BinOp::idiv, number, kernel::mul(band, blocks_z)), band),
      context.names, body);
  const ExprPtr rest = kernel::bin(BinOp::sub, blocks_y, first);
  const ExprPtr height =
      declare("band_height", kernel::pick(kernel::bin(BinOp::lt, rest, band), rest, band),
              context.names, body);
  const ExprPtr in_band =
      declare("in_band", kernel::bin(BinOp::sub, number, kernel::mul(first, blocks_z)),
              context.names, body);
  const ExprPtr layer =
      declare("layer", kernel::bin(BinOp::idiv, in_band, height), context.names, body);
  return {kernel::add(first, kernel::bin(BinOp::mod, in_band, height)), layer};
}

}  // namespace

ThreadMapping map_threads(const Context& context, const plan::Schedule& schedule, Body& body,
                          ExprPtr row, const ExprPtr& column) {
  ThreadMapping mapping;
  if (!row) row = kernel::place(kernel::Place::block, 1);
  std::array<ExprPtr, 2> swizzled;  // along y and z
  if (schedule.swizzle > 0 && context.rank() == 3)
    swizzled = swizzled_blocks(context, schedule, row, body);
  for (int a = 0; a < context.rank(); ++a) {
    const ExprPtr block = a > 0 && swizzled[a - 1] ? swizzled[a - 1]
                          : a == 1                 ? row
                                                   : kernel::place(kernel::Place::block, a);
    mapping.block.push_back(
        declare("block_" + context.axes[a],
                kernel::add(context.box.first(a),
                            kernel::mul(block, kernel::index(block_cells(context, schedule, a)))),
                context.names, body));
  }
  for (int a = 0; a < context.rank(); ++a) {
    const bool streamed = schedule.coarsen > 1 && a == schedule.coarsen_axis;
    ExprPtr thread =
        schedule.threads[a] == 1 ? kernel::index(0) : kernel::place(kernel::Place::thread, a);
    if (a == 0 && column) thread = column;
    // A thread's cells along x stand a block apart, those along another axis side by side.
    if (streamed && a > 0)
      thread = kernel::mul(thread, kernel::index(streamed_cells(context, schedule)));
    if (a == 0)
      thread = kernel::mul(thread, kernel::index(context.count("width", schedule.vector)));
    if (a == 1) thread = kernel::mul(thread, kernel::index(context.count("rows", schedule.rows)));
    const ExprPtr first = kernel::add(mapping.block[a], thread);
    if (streamed && schedule.threads[a] == 1)
      mapping.thread.push_back(mapping.block[a]);
    else if (streamed)
      mapping.thread.push_back(declare(context.axes[a] + "0", first, context.names, body));
    else
      mapping.thread.push_back(coordinate(context, a, first, body));
  }
  return mapping;
}

ExprPtr end_of_block(const Context& context, const plan::Schedule& schedule,
                     const ThreadMapping& mapping, int axis) {
  return kernel::add(mapping.block[axis], kernel::index(block_cells(context, schedule, axis)));
}

ExprPtr block_inside(const Context& context, const plan::Schedule& schedule,
                     const ThreadMapping& mapping, const ir::Reach& margin, Body& body,
                     int free_axis, std::vector<ExprPtr>* each) {
  ExprPtr all;
  for (int a = 0; a < context.rank(); ++a) {
    if (a == free_axis) continue;
    // No block begins before the grid.
    ExprPtr inside = InteriorSplit(context, margin)
                         .holds(a, margin.low[a] == 0 ? nullptr : mapping.block[a],
                                end_of_block(context, schedule, mapping, a));
    inside = kernel::both(inside,
                          context.box.holds_before(a, end_of_block(context, schedule, mapping, a)));
    inside = declare("interior_" + context.axes[a], inside, context.names, body);
    if (each) each->push_back(inside);
    all = kernel::both(all, inside);
  }
  return all;
}

std::vector<ExprPtr> cell_at(const Context& context, const plan::Schedule& schedule,
                             const ThreadMapping& mapping, const ExprPtr& k, Body& body) {
  std::vector<ExprPtr> at = mapping.thread;
  if (k) {
    const int axis = schedule.coarsen_axis;
    const int across = axis == 0 ? schedule.threads[0] * schedule.vector : 1;
    const kernel::Count stride = context.count("cells_at_once", across);
    at[axis] = coordinate(context, axis,
                          kernel::add(at[axis], kernel::mul(k, kernel::index(stride))), body);
  }
  return at;
}

}  // namespace stencilc::lower
