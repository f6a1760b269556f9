#include "lower/tile/thread_mapping.h"

#include <algorithm>

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

ThreadMapping map_threads(Context& context, const plan::Schedule& schedule, Body& body) {
  ThreadMapping mapping;
  const std::array<int, 3> tile = schedule.tile();
  for (int a = 0; a < context.rank(); ++a) {
    const ExprPtr block = kernel::make(kernel::Type::index, kernel::Place{kernel::Place::block, a});
    mapping.block.push_back(declare("block_" + context.axes[a],
                                    kernel::mul(block, kernel::index(tile[a])), context.names,
                                    body));
  }
  for (int a = 0; a < context.rank(); ++a) {
    const bool streamed = schedule.coarsen > 1 && a == schedule.coarsen_axis;
    ExprPtr thread =
        schedule.threads[a] == 1
            ? kernel::index(0)
            : kernel::make(kernel::Type::index, kernel::Place{kernel::Place::thread, a});
    // A thread's cells along x stand a block apart, those along another axis side by side.
    if (streamed && a > 0) thread = kernel::mul(thread, kernel::index(schedule.coarsen));
    if (a == 0) thread = kernel::mul(thread, kernel::index(schedule.vector));
    if (a == 1) thread = kernel::mul(thread, kernel::index(schedule.rows));
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

ExprPtr block_inside(Context& context, const plan::Schedule& schedule, const ThreadMapping& mapping,
                     const ir::Reach& margin, Body& body, int free_axis,
                     std::vector<ExprPtr>* each) {
  const std::array<int, 3> tile = schedule.tile();
  ExprPtr all;
  for (int a = 0; a < context.rank(); ++a) {
    if (a == free_axis) continue;
    ExprPtr inside = margin.low[a] == 0
                         ? nullptr
                         : kernel::bin(BinOp::ge, mapping.block[a], kernel::index(margin.low[a]));
    inside = kernel::both(
        inside, kernel::bin(BinOp::le, kernel::add(mapping.block[a], tile[a] + margin.high[a]),
                            kernel::var(context.extents[a])));
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
    const int stride = axis == 0 ? schedule.threads[0] * schedule.vector : 1;
    at[axis] = coordinate(context, axis,
                          kernel::add(at[axis], kernel::mul(k, kernel::index(stride))), body);
  }
  return at;
}

}  // namespace stencilc::lower
