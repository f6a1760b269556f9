#include "lower/boundary/edge_cell.h"
#include "lower/boundary/peeled_loop.h"
#include "lower/context/build.h"
#include "lower/spatial/traversals.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

namespace {

// Waking the other cores takes longer than so many cells.
constexpr int64_t kCellsOfOneCore = 20'000;

ExprPtr worth_sharing(const ExprPtr& cells) {
  return kernel::bin(BinOp::gt, cells, kernel::index(kCellsOfOneCore));
}

// All that the launch computes.
ExprPtr cells_of(const Context& context) {
  ExprPtr cells = context.box.cells(0);
  for (int a = 1; a < context.rank(); ++a) cells = kernel::mul(cells, context.box.cells(a));
  return cells;
}

// What a cell adds to the folds is kept for each cell; the runtime folds it in the one tree.
void keep(const Context& context, const std::vector<ExprPtr>& at, const std::vector<ExprPtr>& folds,
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

// One row: the cells inside in a vectorised loop, the others one by one by their boundaries.
Body row(const Context& context, std::vector<ExprPtr> at, Names names) {
  Body body;
  // One axis has no rows to share out among the cores: its cells are.
  const bool alone = context.rank() == 1;
  For fast{alone ? For::parallel_vectorised : For::vectorised,
           context.axes[0],
           kernel::Type::index,
           nullptr,
           nullptr,
           {},
           alone ? worth_sharing(cells_of(context)) : nullptr};
  const std::vector<ExprPtr> rows = at;
  at[0] = kernel::var(context.axes[0]);
  const auto interior = [&](Names own) {
    Body statements;
    const ExprPtr i = declare("i", linear(context, at), own, statements);
    const auto tap = [&](const ir::Read& read) { return interior_tap(context, at, i, read); };
    Body& cell = colored(context, at, statements);
    keep(context, at, interior_cell(context, at, tap, store_at(context, i), own, cell), statements);
    return statements;
  };
  const auto edge = [&](Names own) {
    Body statements;
    const ExprPtr i = declare("i", linear(context, at), own, statements);
    Body& cell = colored(context, at, statements);
    keep(context, at, edge_cell(context, at, i, own, cell), statements);
    return statements;
  };
  peel_row(context, rows, std::move(fast), interior, edge, names, body);
  return body;
}

}  // namespace

Body lower_loops(const Context& context) {
  Body body = context.invariants.statements;
  std::vector<ExprPtr> at(context.rank());
  for (int a = 1; a < context.rank(); ++a) at[a] = kernel::var(context.axes[a]);
  const Box& box = context.box;
  Names names = context.names;
  ExprPtr cells = cells_of(context);
  if (box.is_cut(context.rank() - 1) && context.rank() > 1)
    cells = declare("cells", cells, names, body);
  Body inner = row(context, at, names);
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
             outermost ? worth_sharing(cells) : nullptr};
    inner = {};
    inner.push_back({std::move(loop)});
  }
  body.insert(body.end(), std::make_move_iterator(inner.begin()),
              std::make_move_iterator(inner.end()));
  return body;
}

}  // namespace stencilc::lower
