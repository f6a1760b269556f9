// before   for k in 0 .. 63: if edge ... else ...
// after    cells = (edge, k) -> ...
//          for k .. begin: cells(true, k);  for k .. end: cells(false, k);  for k .. 64:
//          cells(true, k)
#include "lower/boundary/peeled_loop.h"

#include <cctype>

#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

std::string why_checked(const Context& context, const plan::Schedule& schedule, bool one_variant) {
  const int axis = schedule.coarsen_axis;
  if (!schedule.peeled) return "";
  if (!InteriorSplit(context).has_edges()) return "no cell reads outside the grid there";
  if (context.launch.margin.low[axis] > schedule.coarsen)
    return "more cells read outside the grid than a block streams over";
  if (one_variant && !serves_both(context))
    return "cells near the boundary compute something else than interior cells";
  return "";
}

namespace {

ExprPtr pick_index(const ExprPtr& condition, const ExprPtr& yes, const ExprPtr& no) {
  return kernel::make(kernel::Type::index, kernel::Pick{condition, yes, no});
}

}  // namespace

void peel(const Context& context, const Stream& stream, For loop, const std::string& flag,
          Names& names, Body& body) {
  const InteriorSplit split(context);
  const ExprPtr count = loop.last;
  const auto from_first = [&](const ExprPtr& end) {
    return kernel::bin(BinOp::sub, end, stream.first);
  };
  const std::string cells = names.claim("cells");
  body.push_back({kernel::Local{cells, {loop.name}, std::move(loop.body), flag}});
  body.push_back(
      {kernel::Note{"Cells [begin, end) of the loop read nothing outside the grid; the "
                    "others are peeled from its loop."}});
  const ExprPtr begin = declare(
      "begin", pick_index(stream.inside, from_first(split.first(stream.axis)), count), names, body);
  const ExprPtr to_end = declare("to_end", from_first(split.end_in_box(stream.axis)), names, body);
  const ExprPtr end = declare("end", kernel::least(to_end, count), names, body);
  const ExprPtr k = kernel::var(loop.name);
  body.push_back({kernel::Let{loop.name, loop.first, true}});
  for (const auto& [last, edge] : {std::pair(begin, 1), std::pair(end, 0), std::pair(count, 1)}) {
    For part{For::plain, loop.name, kernel::Type::index, nullptr, last, {}, nullptr};
    part.body.push_back({kernel::Perform{cells, edge, {k}}});
    body.push_back({std::move(part)});
  }
}

Body peel_cells(const Context& context, const Stream& stream, const ExprPtr& count,
                const std::function<Body(const Names& names)>& edge_cell,
                const std::function<Body(const ExprPtr& begin, const ExprPtr& end)>& interior) {
  const InteriorSplit inner(context);
  Names names = context.names;
  kernel::Local boundary{names.claim("edge_cells"), {}, {}, ""};
  Names own = names;
  for (const char* param : {"first", "end"}) boundary.params.push_back(own.claim(param));
  boundary.body.push_back({For{For::plain, context.axes[stream.axis], kernel::Type::index,
                               kernel::var(boundary.params[0]), kernel::var(boundary.params[1]),
                               edge_cell(own), nullptr}});
  const auto near_boundary = [&](const ExprPtr& first, const ExprPtr& end) {
    return kernel::Stmt{kernel::Perform{boundary.name, -1, {first, end}}};
  };
  Body body;
  body.push_back({kernel::Note{"Cells [first, end) of the loop. " + edge_note(context)}});
  body.push_back({boundary});
  const ExprPtr& first = stream.first;
  const ExprPtr cells_end = kernel::add(first, count);
  kernel::If split{stream.inside, {}, {near_boundary(first, cells_end)}};
  Body& yes = split.yes;
  yes.push_back(
      {kernel::Note{"Cells [begin, end) read nothing outside the grid; the others are "
                    "peeled from the loop."}});
  const ExprPtr low = inner.first(stream.axis);
  const ExprPtr begin =
      declare("begin", pick_index(kernel::bin(BinOp::lt, first, low), low, first), names, yes);
  const ExprPtr end =
      declare("end", kernel::least(inner.end_in_box(stream.axis), cells_end), names, yes);
  const ExprPtr any = kernel::bin(BinOp::lt, begin, end);
  yes.push_back(near_boundary(first, begin));
  yes.push_back({kernel::If{any, interior(begin, end), {}}});
  yes.push_back(near_boundary(pick_index(any, end, begin), cells_end));
  body.push_back({std::move(split)});
  return body;
}

void peel_row(const Context& context, const std::vector<ExprPtr>& at, For fast,
              const std::function<Body(const Names& names)>& interior_cell,
              const std::function<Body(const Names& names)>& edge_cell, Names& names, Body& body) {
  const InteriorSplit split(context);
  const Box& box = context.box;
  fast.first = box.first(0);
  fast.last = box.end(0);
  if (split.has_edges()) {
    ExprPtr inside;  // do the rows the cells read lie inside?
    for (int a = 1; a < context.rank(); ++a) inside = kernel::both(inside, split.has(a, at[a]));
    const ir::Reach& reach = split.margin();
    const ExprPtr wide =
        kernel::bin(BinOp::gt, box.extent(0), kernel::index(reach.low[0] + reach.high[0]));
    body.push_back({kernel::Note{"Cells [first, last) of the row read nothing outside the grid."}});
    const ExprPtr inner = declare("inner", kernel::both(inside, wide), names, body);
    fast.first =
        declare("first", pick_index(inner, split.first_in_box(0), box.first(0)), names, body);
    ExprPtr end = split.end_in_box(0);
    if (box.is_cut(0)) {  // all of the box may be near an end of the grid
      end = declare("end", end, names, body);
      end = kernel::pick(kernel::bin(BinOp::lt, end, fast.first), fast.first, end);
    }
    fast.last = declare("last", pick_index(inner, end, box.first(0)), names, body);
  }
  const ExprPtr first = fast.first, last = fast.last;
  fast.body = interior_cell(names);
  body.push_back({std::move(fast)});
  if (!split.has_edges()) return;
  const ExprPtr skip = declare("skip", kernel::bin(BinOp::sub, last, first), names, body);
  For edge{For::plain,
           names.claim("k"),
           kernel::Type::index,
           kernel::index(0),
           kernel::bin(BinOp::sub, box.cells(0), skip),
           {},
           nullptr};
  const ExprPtr x = kernel::add(box.first(0), kernel::var(edge.name));
  edge.body.push_back({kernel::Let{
      context.axes[0], pick_index(kernel::bin(BinOp::lt, x, first), x, kernel::add(x, skip))}});
  append(edge.body, edge_cell(names));
  body.push_back({std::move(edge)});
}

Sections::Sections(const Span& inside, const ExprPtr& last, Names& names, Body& body)
    : last_(last) {
  inside_.first = declare("first_inside", kernel::least(inside.first, last), names, body);
  inside_.end = declare("end_inside", kernel::least(inside.end, last), names, body);
}

For Sections::loop(const std::string& what, const ExprPtr& first, Names& names, Body& body) {
  std::string others = what;
  others[0] = static_cast<char>(std::tolower(others[0]));
  body.push_back({kernel::Note{what + " near the low boundary, interior " + others + ", and " +
                               others + " near the high boundary."}});
  For parts{
      For::plain, names.claim("section"), kernel::Type::index, first, kernel::index(3), {}, nullptr,
      nullptr};
  const ExprPtr part = kernel::var(parts.name);
  first_ = kernel::bin(BinOp::eq, part, kernel::index(0));
  second_ = kernel::bin(BinOp::eq, part, kernel::index(1));
  return parts;
}

ExprPtr Sections::end() const {
  return pick_index(first_, inside_.first, pick_index(second_, inside_.end, last_));
}
ExprPtr Sections::end_of_edge() const { return pick_index(first_, inside_.first, last_); }

}  // namespace stencilc::lower
