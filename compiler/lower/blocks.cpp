#include <algorithm>
#include <map>
#include <utility>

#include "lower/standing.h"
#include "lower/traversals.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::Let;

namespace {

// The cells of one column along the marched axis that are read at several offsets: kept in
// registers from cell to cell.
struct Window {
  int field = 0, level = 0;
  ir::Offset column = {};          // 0 along the marched axis
  int low = 0, high = 0;           // the offsets along it, low < high
  std::vector<std::string> names;  // of the values at low .. high
};

class Blocks {
 public:
  Blocks(Context& context, const plan::Schedule& schedule)
      : context_(context), schedule_(schedule), axis_(schedule.coarsen_axis) {}

  Body run() {
    Body body = context_.invariants;
    const Standing standing = stand(context_, schedule_, body);
    if (!has_edges(context_)) {
      append(body, guarded(standing, false));
      return body;
    }
    body.push_back(
        {kernel::Note{"Interior blocks read nothing beyond the rim and need no checks."}});
    const ExprPtr inside =
        block_inside(context_, schedule_, standing, context_.launch.margin, body);
    kernel::If split{inside, interior_body(standing), {}};
    split.no.push_back({kernel::Note{edge_note(context_)}});
    append(split.no, guarded(standing, true));
    body.push_back({std::move(split)});
    return body;
  }

 private:
  static void append(Body& to, Body from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  bool marches() const { return schedule_.coarsen > 1; }
  bool strided() const { return axis_ == 0; }  // a thread's cells along x stand a block apart

  Cell::Tap plain_tap(std::vector<ExprPtr> at, ExprPtr i) {
    return [this, at = std::move(at), i = std::move(i)](const ir::Read& read) {
      return interior_tap(context_, at, i, read);
    };
  }

  // Variables for what a thread adds to each fold: nothing, until it has a cell.
  std::vector<std::string> declare_folds(Names& names, Body& body) {
    std::vector<std::string> folds;
    for (size_t n = 0; n < context_.launch.combines.size() && context_.folds; ++n) {
      const int reduction = context_.launch.combines[n].reduction;
      folds.push_back(names.claim(context_.stencil.reductions[reduction].name + "_part"));
      body.push_back({Let{folds.back(), identity_of(context_, n), true}});
    }
    return folds;
  }

  void combine(size_t n, const ExprPtr& value, const std::vector<ExprPtr>& at, Body& body) {
    const int reduction = context_.launch.combines[n].reduction;
    body.push_back({kernel::Combine{
        context_.partials[reduction], fold_of(context_.stencil.reductions[reduction].kind), value,
        at[0], kernel::var(context_.extents[0]), row_of(context_, at)}});
  }

  // The statements of an interior cell.
  void inside_cell(const std::vector<ExprPtr>& at, const ExprPtr& i, Cell::Tap tap, Names& names,
                   Body& body) {
    kernel::If colored{in_color(context_, at), {}, {}};
    Body& cell = colored.condition ? colored.yes : body;
    const std::vector<ExprPtr> here =
        interior_cell(context_, at, std::move(tap), store_at(context_, i), names, cell);
    if (colored.condition) body.push_back({std::move(colored)});
    for (size_t n = 0; n < here.size(); ++n) combine(n, here[n], at, body);
  }

  // Cells that may lie near the rim or beyond it.
  Body guarded(const Standing& standing, bool edges) {
    Names names = context_.names;
    Body body;
    Body* inner = &body;
    ExprPtr k;
    For loop;
    if (marches()) {
      loop = {For::unrolled,
              names.claim("k"),
              kernel::Type::index,
              kernel::index(0),
              kernel::index(schedule_.coarsen),
              {},
              nullptr};
      if (edges) loop.mark = For::plain;
      k = kernel::var(loop.name);
      inner = &loop.body;
    }
    const std::vector<ExprPtr> at = cell_at(context_, schedule_, standing, k, *inner);
    // Whole rows first, because all lanes of a warp fold together.
    kernel::If rows, guard;
    for (int a = 0; a < context_.rank(); ++a) {
      ExprPtr& condition = a == 0 || !context_.folds ? guard.condition : rows.condition;
      condition =
          kernel::both(condition, kernel::bin(BinOp::lt, at[a], kernel::var(context_.extents[a])));
    }
    Body& row = rows.condition ? rows.yes : *inner;
    const std::vector<std::string> folds = declare_folds(names, row);
    Body& cells = guard.yes;
    kernel::If colored{in_color(context_, at), {}, {}};
    Body& cell = colored.condition ? colored.yes : cells;
    const ExprPtr i = declare("i", linear(context_, at), names, cell);
    const std::vector<ExprPtr> here =
        edges ? edge_cell(context_, at, i, names, cell)
              : interior_cell(context_, at, plain_tap(at, i), store_at(context_, i), names, cell);
    for (size_t n = 0; n < folds.size(); ++n) cell.push_back({kernel::Assign{folds[n], here[n]}});
    if (colored.condition) cells.push_back({std::move(colored)});
    row.push_back({std::move(guard)});
    for (size_t n = 0; n < folds.size(); ++n)
      combine(n, kernel::var(folds[n], here[n]->type), at, row);
    if (rows.condition) inner->push_back({std::move(rows)});
    if (marches()) body.push_back({std::move(loop)});
    return body;
  }

  // The columns along the marched axis that are read more than once.
  std::vector<Window> windows(Names& names) {
    std::map<std::tuple<int, int, ir::Offset>, std::pair<int, int>> columns;
    for (const ir::ExprPtr& node : ir::nodes_of(context_.roots())) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read || !on_all_axes(read->field)) continue;
      ir::Offset column = read->offset;
      const int along = std::exchange(column[axis_], 0);
      const auto [place, fresh] =
          columns.try_emplace({read->field, read->level, column}, along, along);
      place->second = {std::min(place->second.first, along), std::max(place->second.second, along)};
    }
    std::vector<Window> result;
    for (const auto& [key, span] : columns) {
      if (span.first == span.second) continue;
      Window window{std::get<0>(key), std::get<1>(key), std::get<2>(key),
                    span.first,       span.second,      {}};
      for (int along = window.low; along <= window.high; ++along) {
        ir::Offset offset = window.column;
        offset[axis_] = along;
        const std::string name = context_.name_at(buffer_of(window).name, offset);
        window.names.push_back(names.claim(offset == ir::Offset{} ? name + "_0" : name));
      }
      result.push_back(std::move(window));
    }
    return result;
  }

  bool on_all_axes(int field) const {
    return ir::has_all_axes(context_.stencil, context_.stencil.fields[field]);
  }

  const kernel::Buffer& buffer_of(const Window& window) const {
    return lower::buffer_of(context_, ir::Read{window.field, window.level, {}});
  }

  ExprPtr window_load(const Window& window, const ExprPtr& i, int along) {
    ir::Read read{window.field, window.level, window.column};
    read.offset[axis_] = along;
    return interior_tap(context_, standing_, i, read);
  }

  Body interior_body(const Standing& standing) {
    Names names = context_.names;
    Body body;
    if (!marches()) {
      const ExprPtr i = declare("i", linear(context_, standing.thread), names, body);
      inside_cell(standing.thread, i, plain_tap(standing.thread, i), names, body);
      return body;
    }
    ExprPtr i;
    std::vector<Window> kept;
    if (!strided()) {
      i = declare("i", linear(context_, standing.thread), names, body, true);
      standing_ = standing.thread;
      kept = windows(names);
      for (const Window& window : kept)
        for (int along = window.low; along < window.high; ++along)
          body.push_back(
              {Let{window.names[along - window.low], window_load(window, i, along), true}});
    }
    For loop{For::unrolled,
             names.claim("k"),
             kernel::Type::index,
             kernel::index(0),
             kernel::index(schedule_.coarsen),
             {},
             nullptr};
    const bool needs_place = strided() || needs_coordinate();
    const std::vector<ExprPtr> at =
        needs_place ? cell_at(context_, schedule_, standing, kernel::var(loop.name), loop.body)
                    : standing.thread;
    if (strided()) i = declare("i", linear(context_, at), names, loop.body);
    for (const Window& window : kept)
      loop.body.push_back({Let{window.names.back(), window_load(window, i, window.high)}});
    const auto tap = [&](const ir::Read& read) {
      for (const Window& window : kept) {
        ir::Offset column = read.offset;
        const int along = std::exchange(column[axis_], 0);
        if (window.field == read.field && window.level == read.level && window.column == column)
          return kernel::var(window.names[along - window.low], buffer_of(window).element);
      }
      return interior_tap(context_, at, i, read);
    };
    inside_cell(at, i, tap, names, loop.body);
    for (const Window& window : kept)  // the window moves on by one cell
      for (size_t n = 0; n + 1 < window.names.size(); ++n)
        loop.body.push_back({kernel::Assign{
            window.names[n], kernel::var(window.names[n + 1], buffer_of(window).element)}});
    if (!strided()) {
      const std::string stride = axis_ == 1 ? context_.pitch : context_.plane;
      loop.body.push_back(
          {kernel::Assign{kernel::as<kernel::Var>(i)->name, kernel::add(i, kernel::var(stride))}});
    }
    body.push_back({std::move(loop)});
    return body;
  }

  // Does a cell ask where it stands along the marched axis?
  bool needs_coordinate() const {
    if (context_.folds || context_.stencil.colors.count() != 0) return true;
    for (const ir::ExprPtr& node : ir::nodes_of(context_.roots())) {
      if (const auto* coordinate = ir::as<ir::Coordinate>(node);
          coordinate && coordinate->axis == axis_)
        return true;
      if (const auto* read = ir::as<ir::Read>(node); read && !on_all_axes(read->field)) return true;
    }
    return false;
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const int axis_;
  std::vector<ExprPtr> standing_;  // of the thread's first cell
};

}  // namespace

Body lower_blocks(Context& context, const plan::Schedule& schedule) {
  return Blocks(context, schedule).run();
}

}  // namespace stencilc::lower
