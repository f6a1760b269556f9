// before   for k in 0 .. 63: if edge ... else ...
// after    cells = (edge, k) -> ...
//          for k .. begin: cells(true, k);  for k .. end: cells(false, k);  for k .. 64:
//          cells(true, k)
#include "lower/boundary/peeled_loop.h"

#include "lower/cell/interior_cell.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

std::string why_checked(const Context& context, const plan::Schedule& schedule, bool one_variant) {
  const int axis = schedule.coarsen_axis;
  if (!schedule.peeled) return "";
  if (!has_edges(context)) return "no cell reads outside the grid there";
  if (context.launch.margin.low[axis] > schedule.coarsen)
    return "more cells read outside the grid than a block streams over";
  if (one_variant && !serves_both(context))
    return "cells near the boundary compute something else than interior cells";
  return "";
}

void peel(const Context& context, const plan::Schedule& schedule, For loop, const std::string& flag,
          const ExprPtr& inside, const ExprPtr& first, Names& names, Body& body) {
  const int axis = schedule.coarsen_axis;
  const ir::Reach& margin = context.launch.margin;
  const ExprPtr count = loop.last;
  const auto pick = [](const ExprPtr& condition, const ExprPtr& yes, const ExprPtr& no) {
    return kernel::make(kernel::Type::index, kernel::Pick{condition, yes, no});
  };
  const auto from_first = [&](const ExprPtr& end) { return kernel::bin(BinOp::sub, end, first); };
  const std::string cells = names.claim("cells");
  body.push_back({kernel::Local{cells, {loop.name}, std::move(loop.body), flag}});
  body.push_back(
      {kernel::Note{"Cells [begin, end) of the loop read nothing outside the grid; the "
                    "others are peeled from its loop."}});
  const ExprPtr begin = declare(
      "begin", pick(inside, from_first(kernel::index(margin.low[axis])), count), names, body);
  const ExprPtr to_end =
      declare("to_end",
              from_first(context.box.not_behind(
                  axis, kernel::add(context.box.extent(axis), -margin.high[axis]))),
              names, body);
  const ExprPtr end =
      declare("end", pick(kernel::bin(BinOp::lt, to_end, count), to_end, count), names, body);
  const ExprPtr k = kernel::var(loop.name);
  body.push_back({kernel::Let{loop.name, loop.first, true}});
  for (const auto& [last, edge] : {std::pair(begin, 1), std::pair(end, 0), std::pair(count, 1)}) {
    For part{For::plain, loop.name, kernel::Type::index, nullptr, last, {}, nullptr};
    part.body.push_back({kernel::Perform{cells, edge, {k}}});
    body.push_back({std::move(part)});
  }
}

}  // namespace stencilc::lower
