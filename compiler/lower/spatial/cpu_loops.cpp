#include "lower/boundary/edge_cell.h"
#include "lower/context/build.h"
#include "lower/spatial/traversals.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::Let;

namespace {

// Waking the other cores takes longer than so many cells.
constexpr int64_t kCellsOfOneCore = 20'000;

ExprPtr worth_sharing(const Context& context) {
  ExprPtr cells = context.box.cells(0);
  for (int a = 1; a < context.rank(); ++a) cells = kernel::mul(cells, context.box.cells(a));
  return kernel::bin(BinOp::gt, cells, kernel::index(kCellsOfOneCore));
}

// What a cell adds to the folds is kept for each cell; the runtime folds it in the one tree.
void keep(Context& context, const std::vector<ExprPtr>& at, const std::vector<ExprPtr>& folds,
          Body& body) {
  for (size_t n = 0; n < folds.size(); ++n)
    body.push_back(
        {kernel::Store{context.partials[context.launch.combines[n].reduction],
                       kernel::add(kernel::mul(row_of(context, at), context.box.extent(0)), at[0]),
                       folds[n], nullptr}});
}

// Where the statements of a cell go: into the body, or the test of the cell's colour there.
Body& colored(const Context& context, const std::vector<ExprPtr>& at, Body& body) {
  const ExprPtr condition = in_color(context, at);
  if (!condition) return body;
  body.push_back({kernel::If{condition, {}, {}}});
  return std::get<kernel::If>(body.back().node).yes;
}

// One row: the cells first .. last-1 in a vectorised loop, the others one by one by their
// boundaries.
Body row(Context& context, std::vector<ExprPtr> at) {
  Names names = context.names;
  const ir::Reach& reach = context.launch.margin;
  const Box& box = context.box;
  const ExprPtr extent = box.extent(0);
  Body body;
  ExprPtr first = box.first(0), last = box.end(0);
  if (has_edges(context)) {
    ExprPtr inside;  // do the rows the cells read lie inside?
    for (int a = 1; a < context.rank(); ++a) {
      if (reach.low[a] != 0)
        inside = kernel::both(inside, kernel::bin(BinOp::ge, at[a], kernel::index(reach.low[a])));
      if (reach.high[a] != 0)
        inside = kernel::both(inside, kernel::bin(BinOp::lt, kernel::add(at[a], reach.high[a]),
                                                  context.box.extent(a)));
    }
    const ExprPtr wide =
        kernel::bin(BinOp::gt, extent, kernel::index(reach.low[0] + reach.high[0]));
    body.push_back({kernel::Note{"Cells [first, last) of the row read nothing outside the grid."}});
    const ExprPtr inner = declare("inner", kernel::both(inside, wide), names, body);
    const auto pick = [&](ExprPtr yes, ExprPtr no) {
      return kernel::make(kernel::Type::index, kernel::Pick{inner, std::move(yes), std::move(no)});
    };
    first = declare("first", pick(box.not_before(0, kernel::index(reach.low[0])), box.first(0)),
                    names, body);
    ExprPtr inner_end = box.not_behind(0, kernel::add(extent, -reach.high[0]));
    if (box.is_cut(0))  // all of the box may be near an end of the grid
      inner_end = kernel::pick(kernel::bin(BinOp::lt, inner_end, first), first, inner_end);
    last = declare("last", pick(inner_end, box.first(0)), names, body);
  }
  // One axis has no rows to share out among the cores: its cells are.
  For fast{context.rank() == 1 ? For::parallel_vectorised : For::vectorised,
           context.axes[0],
           kernel::Type::index,
           first,
           last,
           {},
           context.rank() == 1 ? worth_sharing(context) : nullptr};
  at[0] = kernel::var(context.axes[0]);
  {
    Names own = names;
    const ExprPtr i = declare("i", linear(context, at), own, fast.body);
    const auto tap = [&](const ir::Read& read) { return interior_tap(context, at, i, read); };
    Body& cell = colored(context, at, fast.body);
    keep(context, at, interior_cell(context, at, tap, store_at(context, i), own, cell), fast.body);
  }
  body.push_back({std::move(fast)});
  if (has_edges(context)) {
    const ExprPtr skipped = kernel::bin(BinOp::sub, last, first);
    const ExprPtr skip = declare("skip", skipped, names, body);
    For edge{For::plain,
             names.claim("k"),
             kernel::Type::index,
             kernel::index(0),
             kernel::bin(BinOp::sub, box.cells(0), skip),
             {},
             nullptr};
    const ExprPtr k = kernel::var(edge.name);
    Names own = names;
    const ExprPtr x = kernel::add(box.first(0), k);
    edge.body.push_back(
        {Let{context.axes[0],
             kernel::make(kernel::Type::index, kernel::Pick{kernel::bin(BinOp::lt, x, first), x,
                                                            kernel::add(x, skip)})}});
    at[0] = kernel::var(context.axes[0]);
    const ExprPtr i = declare("i", linear(context, at), own, edge.body);
    Body& cell = colored(context, at, edge.body);
    keep(context, at, edge_cell(context, at, i, own, cell), edge.body);
    body.push_back({std::move(edge)});
  }
  return body;
}

}  // namespace

Body lower_loops(Context& context) {
  Body body = context.invariants;
  std::vector<ExprPtr> at(context.rank());
  for (int a = 1; a < context.rank(); ++a) at[a] = kernel::var(context.axes[a]);
  const Box& box = context.box;
  Body inner = row(context, at);
  for (int a = 1; a < context.rank(); ++a) {
    const bool outermost = a == context.rank() - 1;
    const For::Mark mark = !outermost            ? For::plain
                           : context.rank() == 3 ? For::parallel_2
                                                 : For::parallel;
    For loop{mark,
             context.axes[a],
             kernel::Type::index,
             box.first(a),
             box.end(a),
             std::move(inner),
             outermost ? worth_sharing(context) : nullptr};
    inner = {};
    inner.push_back({std::move(loop)});
  }
  body.insert(body.end(), std::make_move_iterator(inner.begin()),
              std::make_move_iterator(inner.end()));
  return body;
}

}  // namespace stencilc::lower
