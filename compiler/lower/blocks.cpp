#include <map>
#include <utility>

#include "lower/traversals.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::Let;

namespace {

// Where a thread stands: its first cell, and the first cell of its block along each axis.
struct Standing {
  std::vector<ExprPtr> block, thread;
};

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
      : context_(context),
        schedule_(schedule),
        axis_(schedule.coarsen_axis),
        tile_(schedule.tile()) {}

  Body run() {
    Body body = context_.invariants;
    const Standing standing = stand(body);
    if (!has_edges(context_.stencil)) {
      append(body, guarded(standing, false));
      return body;
    }
    body.push_back(
        {kernel::Note{"Interior blocks read nothing beyond the rim and need no checks."}});
    const ExprPtr inside = interior(standing, body);
    kernel::If split{inside, interior_body(standing), {}};
    split.no.push_back({kernel::Note{edge_note()}});
    append(split.no, guarded(standing, true));
    body.push_back({std::move(split)});
    return body;
  }

 private:
  static void append(Body& to, Body from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  ExprPtr declare(const std::string& wanted, const ExprPtr& value, Names& names, Body& body,
                  bool changes = false) {
    const std::string name = names.claim(wanted);
    body.push_back({Let{name, value, changes}});
    return kernel::var(name, value->type);
  }

  ExprPtr coordinate(int axis, const ExprPtr& value, Body& body) {
    body.push_back({Let{context_.axes[axis], value}});
    return kernel::var(context_.axes[axis]);
  }

  bool marches() const { return schedule_.coarsen > 1; }
  bool strided() const { return axis_ == 0; }  // a thread's cells along x stand a block apart

  Standing stand(Body& body) {
    Standing standing;
    for (int a = 0; a < context_.rank(); ++a) {
      const ExprPtr block =
          kernel::make(kernel::Type::index, kernel::Place{kernel::Place::block, a});
      standing.block.push_back(declare("block_" + context_.axes[a],
                                       kernel::mul(block, kernel::index(tile_[a])), context_.names,
                                       body));
    }
    for (int a = 0; a < context_.rank(); ++a) {
      const bool marched = marches() && a == axis_;
      ExprPtr thread =
          schedule_.threads[a] == 1
              ? kernel::index(0)
              : kernel::make(kernel::Type::index, kernel::Place{kernel::Place::thread, a});
      if (marched && !strided()) thread = kernel::mul(thread, kernel::index(schedule_.coarsen));
      const ExprPtr first = kernel::add(standing.block[a], thread);
      // the name of the axis is kept for the cell itself
      if (marched && schedule_.threads[a] == 1)
        standing.thread.push_back(standing.block[a]);
      else if (marched)
        standing.thread.push_back(declare(context_.axes[a] + "0", first, context_.names, body));
      else
        standing.thread.push_back(coordinate(a, first, body));
    }
    return standing;
  }

  ExprPtr interior(const Standing& standing, Body& body) {
    const ir::Reach reach = ir::reach(context_.stencil);
    ExprPtr all;
    for (int a = 0; a < context_.rank(); ++a) {
      ExprPtr inside = reach.low[a] == 0
                           ? nullptr
                           : kernel::bin(BinOp::ge, standing.block[a], kernel::index(reach.low[a]));
      inside = kernel::both(
          inside, kernel::bin(BinOp::le, kernel::add(standing.block[a], tile_[a] + reach.high[a]),
                              kernel::var(context_.extents[a])));
      all =
          kernel::both(all, declare("interior_" + context_.axes[a], inside, context_.names, body));
    }
    return all;
  }

  std::string edge_note() const {
    std::string text = "Edge blocks: ";
    std::vector<std::string> kinds;
    for (const ir::Field& field : context_.stencil.fields) {
      if (!field.boundary.given) continue;
      std::string kind = "`" + std::string(ir::name(field.boundary.edge)) + "` for " + field.name;
      kinds.push_back(kind);
    }
    for (size_t k = 0; k < kinds.size() && k < 3; ++k) text += (k ? ", " : "") + kinds[k];
    return text + (kinds.size() > 3 ? ", ..." : "") + ".";
  }

  // The coordinates of the k-th cell of a thread; of its only one, where k is null.
  std::vector<ExprPtr> cell_at(const Standing& standing, const ExprPtr& k, Body& body) {
    std::vector<ExprPtr> at = standing.thread;
    if (k) {
      const ExprPtr stride = kernel::index(strided() ? schedule_.threads[0] : 1);
      at[axis_] = coordinate(axis_, kernel::add(at[axis_], kernel::mul(k, stride)), body);
    }
    return at;
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
    const std::vector<ExprPtr> at = cell_at(standing, k, *inner);
    kernel::If guard;
    for (int a = 0; a < context_.rank(); ++a)
      guard.condition = kernel::both(
          guard.condition, kernel::bin(BinOp::lt, at[a], kernel::var(context_.extents[a])));
    const ExprPtr i = declare("i", linear(context_, at), names, guard.yes);
    if (edges)
      edge_cell(context_, at, i, names, guard.yes);
    else
      interior_cell(
          context_, at, i, [&](const ir::Read& read) { return interior_tap(context_, i, read); },
          names, guard.yes);
    inner->push_back({std::move(guard)});
    if (marches()) body.push_back({std::move(loop)});
    return body;
  }

  // The columns along the marched axis that are read more than once.
  std::vector<Window> windows(Names& names) {
    std::map<std::tuple<int, int, ir::Offset>, std::pair<int, int>> columns;
    for (const ir::ExprPtr& node : ir::nodes_of(context_.stencil)) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read) continue;
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
        const std::string name =
            context_.name_at(context_.levels[window.field][-window.level].name, offset);
        window.names.push_back(names.claim(offset == ir::Offset{} ? name + "_0" : name));
      }
      result.push_back(std::move(window));
    }
    return result;
  }

  ExprPtr window_load(const Window& window, const ExprPtr& i, int along) {
    ir::Read read{window.field, window.level, window.column};
    read.offset[axis_] = along;
    return interior_tap(context_, i, read);
  }

  Body interior_body(const Standing& standing) {
    Names names = context_.names;
    Body body;
    if (!marches()) {
      const ExprPtr i = declare("i", linear(context_, standing.thread), names, body);
      interior_cell(
          context_, standing.thread, i,
          [&](const ir::Read& read) { return interior_tap(context_, i, read); }, names, body);
      return body;
    }
    ExprPtr i;
    std::vector<Window> kept;
    if (!strided()) {
      i = declare("i", linear(context_, standing.thread), names, body, true);
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
    const bool needs_place = strided() || reads_coordinate();
    const std::vector<ExprPtr> at =
        needs_place ? cell_at(standing, kernel::var(loop.name), loop.body) : standing.thread;
    if (strided()) i = declare("i", linear(context_, at), names, loop.body);
    for (const Window& window : kept)
      loop.body.push_back({Let{window.names.back(), window_load(window, i, window.high)}});
    const auto tap = [&](const ir::Read& read) {
      for (const Window& window : kept) {
        ir::Offset column = read.offset;
        const int along = std::exchange(column[axis_], 0);
        if (window.field == read.field && window.level == read.level && window.column == column)
          return kernel::var(window.names[along - window.low],
                             context_.levels[read.field][-read.level].element);
      }
      return interior_tap(context_, i, read);
    };
    interior_cell(context_, at, i, tap, names, loop.body);
    for (const Window& window : kept)  // the window moves on by one cell
      for (size_t n = 0; n + 1 < window.names.size(); ++n)
        loop.body.push_back({kernel::Assign{
            window.names[n], kernel::var(window.names[n + 1],
                                         context_.levels[window.field][-window.level].element)}});
    if (!strided()) {
      const std::string stride = axis_ == 1 ? context_.pitch : context_.plane;
      loop.body.push_back(
          {kernel::Assign{kernel::as<kernel::Var>(i)->name, kernel::add(i, kernel::var(stride))}});
    }
    body.push_back({std::move(loop)});
    return body;
  }

  bool reads_coordinate() const {
    for (const ir::ExprPtr& node : ir::nodes_of(context_.stencil))
      if (const auto* coordinate = ir::as<ir::Coordinate>(node);
          coordinate && coordinate->axis == axis_)
        return true;
    return false;
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const int axis_;
  const std::array<int, 3> tile_;
};

}  // namespace

Body lower_blocks(Context& context, const plan::Schedule& schedule) {
  return Blocks(context, schedule).run();
}

}  // namespace stencilc::lower
