#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "kernel/operations.h"
#include "lower/boundary/edge_cell.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/peeled_loop.h"
#include "lower/context/build.h"
#include "lower/spatial/edge_cells.h"
#include "lower/spatial/marched_values.h"
#include "lower/spatial/staged_values.h"
#include "lower/spatial/streamed_values.h"
#include "lower/spatial/traversals.h"
#include "lower/tile/register_window.h"
#include "lower/tile/thread_mapping.h"
#include "plan/analysis/footprint.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::Let;

namespace {

class Blocks {
 public:
  Blocks(const Context& context, const plan::Schedule& schedule)
      : context_(context),
        streamed_(context, schedule),
        schedule_(streamed_.schedule()),
        axis_(schedule_.coarsen_axis),
        marched_(context, schedule_),
        staged_(context, schedule_) {}

  Body run(kernel::Launch& launch) {
    for (int a = 0; a < 3; ++a) {
      launch.kernel.tile[a] = schedule_.tile()[a];
      if (streamed_.empty()) launch.kernel.threads[a] = schedule_.threads[a];
    }
    if (!streamed_.empty()) return stream_of_values(launch);
    if (!marched_.empty()) return march_of_values(launch);
    if (const ir::Reach& margin = context_.launch.margin;
        has_edge_cells(context_, schedule_, margin)) {
      const EdgeCellBodies bodies = {
          [&](const ThreadMapping& mapping) { return interior_body(mapping); },
          [&](const std::vector<ExprPtr>& at, const Names& names) {
            return guarded_cell(at, true, names, {});
          }};
      return with_edge_cells(context_, schedule_, margin, bodies, launch);
    }
    Body body = context_.invariants.statements;
    const ThreadMapping mapping = map_threads(context_, schedule_, body);
    const bool edges = InteriorSplit(context_).has_edges();
    if (!edges && !reads_lanes()) {
      staged_.compute(mapping, nullptr, launch, body);
      append(body, guarded(mapping, false));
      return body;
    }
    body.push_back(
        {kernel::Note{"Interior blocks read nothing outside the grid and need no checks."}});
    launch.checked = why_checked(context_, schedule_, false);
    const bool peels = schedule_.peeled && launch.checked.empty();
    const ExprPtr inside = block_inside(context_, schedule_, mapping, context_.launch.margin, body,
                                        peels ? axis_ : -1);
    if (peels) {
      append(body, peeled(mapping, inside));
      return body;
    }
    staged_.compute(mapping, inside, launch, body);
    append(body, inside_or_not(context_, {inside}, [&](bool near, const VariantFlags&) {
             return near ? guarded(mapping, edges) : interior_body(mapping);
           }));
    return body;
  }

 private:
  // A launch whose threads keep values in registers while they stream.
  Body stream_of_values(kernel::Launch& launch) {
    Body body = context_.invariants.statements;
    const ThreadMapping mapping = streamed_.map(launch, body);
    body.push_back(
        {kernel::Note{"Interior blocks read nothing outside the grid and need no checks."}});
    const ExprPtr inside = streamed_.is_inside(mapping, body);
    const bool vectors = streamed_.width() > 1;
    Body near = vectors ? Body{{kernel::Note{edge_note(context_)}}} : Body();
    append(near, stream_of_values(mapping, {false, false}));
    Halves halves{inside};
    if (vectors) {  // and where they are not aligned
      halves.aligned = kernel::var(context_.aligned, kernel::Type::boolean);
      halves.noted = false;
      near = {{kernel::If{inside, stream_of_values(mapping, {true, false}), std::move(near)}}};
    }
    append(body, inside_or_not(context_, halves, [&](bool edges, const VariantFlags&) {
             return edges ? near : stream_of_values(mapping, {true, vectors});
           }));
    return body;
  }

  Body stream_of_values(const ThreadMapping& mapping, const StreamedValues::Variant& variant) {
    const bool inside = variant.inside;
    Names names = context_.names;
    Body body;
    streamed_.declare(mapping, variant, names, body);
    const int axis = plan::streamed_axis(context_.stencil), early = streamed_.early();
    ir::Offset first = {};
    if (axis >= 0) first[axis] = -early;
    const ExprPtr i = declare("i", shifted(context_, linear(context_, mapping.thread), first),
                              names, body, axis >= 0);
    if (axis < 0) {
      append(body, pass_of_values(mapping.thread, i, nullptr, false, variant, names));
      return body;
    }
    // Inside, the passes before the first cell have a loop of their own, so that the others ask
    // nothing.
    const bool apart = inside && early > 0;
    for (const bool before : {true, false}) {
      if (before && !apart) continue;
      For loop = counted(before ? For::rolled : For::plain, names.claim("k"),
                         index(streamed_cells(context_, schedule_)));
      if (before) loop.last = index(0);
      if (before || !apart) loop.first = index(-early);
      loop.counts = true;
      const ExprPtr k = kernel::var(loop.name);
      Names of_loop = names;
      std::vector<ExprPtr> at = mapping.thread;
      at[axis] = declare(context_.axes[axis], kernel::add(at[axis], k), of_loop, loop.body);
      const ExprPtr pass = before || (!apart && early > 0) ? k : nullptr;
      append(loop.body, pass_of_values(at, i, pass, before, variant, of_loop));
      streamed_.move_on(loop.body);
      const std::string& stride = axis == 1 ? context_.pitch : context_.plane;
      loop.body.push_back(
          {kernel::Assign{kernel::as<kernel::Var>(i)->name, kernel::add(i, kernel::var(stride))}});
      if (inside && !before) loop.mark = passes_at_once(loop.body);
      body.push_back({std::move(loop)});
    }
    return body;
  }

  // Two passes at once need no moves between registers for one of them, and as many as the longest
  // queue has rows need none; but long ones do not fit into the instruction cache.
  For::Mark passes_at_once(const Body& pass) const {
    constexpr double kShort = 550, kDivision = 12;  // instructions
    const kernel::OperationCounts counts = kernel::operations_of(pass);
    const double instructions = counts.f32 + counts.f64 + counts.integer + counts.choices +
                                kDivision * (counts.divisions + counts.divisions_f64);
    if (streamed_.width() > 1 && streamed_.longest_queue() > 2 && schedule_.coarsen % 3 == 0 &&
        3 * instructions <= 2 * kShort)
      return For::tripled;
    return instructions <= kShort ? For::paired : For::plain;
  }

  // `pass`: its number where it may be one of those before the first cell; null: it is not.
  // `before`: it is.
  Body pass_of_values(const std::vector<ExprPtr>& at, const ExprPtr& i, const ExprPtr& pass,
                      bool before, const StreamedValues::Variant& variant, Names names) {
    Body body;
    streamed_.compute(at, i, pass, names, body);
    if (before) return body;
    kernel::If updates{streamed_.updates(), {}, {}};
    if (pass)
      updates.condition = kernel::both(kernel::bin(BinOp::ge, pass, index(0)), updates.condition);
    Body& cell = updates.condition ? updates.yes : body;
    const bool edges = !variant.inside && InteriorSplit(context_).has_edges();
    for (int n = 0; n < streamed_.width() && !variant.inside; ++n)
      append(cell, guarded_cell(streamed_.cell(at, n), edges, names,
                                streamed_.read(n, streamed_.cell(at, n))));
    if (variant.inside) inside_cells(at, i, variant.vectors, names, cell);
    if (updates.condition) body.push_back({std::move(updates)});
    return body;
  }

  // The cells side by side that a pass updates.
  void inside_cells(const std::vector<ExprPtr>& at, const ExprPtr& i, bool vectors, Names& names,
                    Body& body) {
    Body cells;
    std::vector<kernel::Copy> stores;
    for (int n = 0; n < streamed_.width(); ++n) {
      const std::vector<ExprPtr> here = streamed_.cell(at, n);
      const ExprPtr i_here = kernel::add(i, n);
      const auto tap = [&](const ir::Read& read) {
        ir::Read moved = read;
        moved.offset[0] += n;
        const ExprPtr known = streamed_.held(moved);
        return known ? known : interior_tap(context_, here, i_here, read);
      };
      const Sink one_by_one = store_at(context_, i_here);
      const auto sink = [&](int field, const ExprPtr& value, bool always) {
        if (!vectors || !always) return one_by_one(field, value, always);
        const kernel::Buffer& target = context_.targets[field];
        auto out = std::ranges::find_if(
            stores, [&](const kernel::Copy& one) { return one.to.name == target.name; });
        if (out == stores.end()) {
          kernel::Buffer next = target;
          next.name = names.claim(context_.stencil.fields[field].name + "_out");
          next.registers = context_.count("width", streamed_.width());
          body.push_back({kernel::Array{next}});
          out =
              stores.insert(out, {target, i, next, index(0), next.registers, 1, nullptr, nullptr});
        }
        return kernel::Stmt{kernel::Store{out->from, index(n), value, nullptr}};
      };
      inside_cell(here, i_here, tap, names, cells, streamed_.read(n, here), sink);
    }
    append(body, std::move(cells));
    for (kernel::Copy& store : stores) body.push_back({std::move(store)});
  }

  // A launch whose blocks go through planes with values of theirs. Passes that read nothing outside
  // the grid have a loop of their own, between those at the ends.
  Body march_of_values(kernel::Launch& launch) {
    using Pass = MarchedValues::Pass;
    const int early = marched_.early();
    Names& names = context_.names;
    Body body = context_.invariants.statements;
    const ThreadMapping mapping = map_threads(context_, schedule_, body);
    marched_.allocate(mapping, launch, body);
    const ir::Reach& margin = context_.launch.margin;
    const ExprPtr first = mapping.block[axis_];
    const auto least = [](const ExprPtr& a, const ExprPtr& b) {
      return kernel::pick(kernel::bin(BinOp::lt, a, b), a, b);
    };
    const ExprPtr all = kernel::index(block_cells(context_, schedule_, axis_));
    const ExprPtr planes = declare(
        "planes", least(kernel::bin(BinOp::sub, context_.box.end(axis_), first), all), names, body);
    for (int row = 0; row < schedule_.rows; ++row) {
      std::vector<ExprPtr> at = mapping.thread;
      at[1] = kernel::add(at[1], row);
      marched_columns_.push_back(std::move(at));
    }
    if (marched_.wraps()) return march_around(mapping, planes, std::move(body));
    body.push_back({kernel::Note{
        "Passes from `begin` to before `end` read nothing outside the grid and need no checks."}});
    ir::Reach near = margin;
    for (int a = 0; a < axis_; ++a)
      if (marched_.wraps(a)) near.low[a] = near.high[a] = 0;
    const ExprPtr inside = block_inside(context_, schedule_, mapping, near, body, axis_);
    const bool wraps = near.low != margin.low || near.high != margin.high;
    const ExprPtr rest =
        declare("rest",
                kernel::bin(BinOp::sub,
                            kernel::add(context_.box.extent(axis_), -margin.high[axis_]), first),
                names, body);
    // Passes before the first cell is updated copy nothing, so that they read beyond the ends.
    ExprPtr begin = index(-early);
    if (wraps && early > 0)
      begin = kernel::pick(block_inside(context_, schedule_, mapping, margin, body, axis_), begin,
                           index(0));
    if (margin.low[axis_] > 0) {
      const ExprPtr low = index(margin.low[axis_]);
      begin = kernel::pick(kernel::bin(BinOp::ge, first, low), begin,
                           least(kernel::bin(BinOp::sub, low, first), planes));
    }
    begin = declare(
        "begin",
        kernel::pick(kernel::both(inside, kernel::bin(BinOp::gt, rest, index(0))), begin, planes),
        names, body);
    const ExprPtr last = declare("last", least(rest, planes), names, body);
    const ExprPtr end =
        declare("end", kernel::pick(kernel::bin(BinOp::gt, last, begin), last, begin), names, body);
    marched_.declare(names, body);
    const auto loop_of = [&](Pass pass, const ExprPtr& from, const ExprPtr& to, Names of_loop) {
      return passes_of_march(pass, mapping, from, to, std::move(of_loop));
    };
    // The passes near the boundary before the others and after them are one text.
    Names of_parts = names;
    For parts = counted(For::rolled, of_parts.claim("part"), index(2));
    const ExprPtr is_first = kernel::bin(BinOp::eq, kernel::var(parts.name), index(0));
    parts.body.push_back({kernel::Note{edge_note(context_, "Passes near the boundary")}});
    const ExprPtr edge_begin =
        declare("edge_begin", kernel::pick(is_first, index(-early), end), of_parts, parts.body);
    const ExprPtr edge_end =
        declare("edge_end", kernel::pick(is_first, begin, planes), of_parts, parts.body);
    kernel::If edge{kernel::bin(BinOp::lt, edge_begin, edge_end), {}, {}};
    edge.share = 0;
    edge.yes.push_back({loop_of(Pass::edge, edge_begin, edge_end, of_parts)});
    parts.body.push_back({std::move(edge)});
    kernel::If between{is_first, {}, {}};
    if (early > 0) {
      const ExprPtr early_end = declare("early_end", least(end, index(0)), of_parts, between.yes);
      between.yes.push_back({loop_of(Pass::early, begin, early_end, of_parts)});
    }
    const ExprPtr from =
        early > 0 ? declare("from",
                            kernel::pick(kernel::bin(BinOp::lt, begin, index(0)), index(0), begin),
                            of_parts, between.yes)
                  : begin;
    std::vector<MarchedValues::Coordinates> at = marched_columns_;
    for (MarchedValues::Coordinates& one : at) one[axis_] = kernel::add(first, from);
    kernel::If inner{kernel::bin(BinOp::lt, from, end), {}, {}};
    marched_.begin_inside(at, from, end, of_parts, inner.yes);
    inner.yes.push_back({loop_of(Pass::inside, from, end, of_parts)});
    between.yes.push_back({std::move(inner)});
    parts.body.push_back({std::move(between)});
    body.push_back({std::move(parts)});
    return body;
  }

  // The same where the fields are periodic: there is no boundary. Threads beyond the ends of x and
  // y compute the cell at the other end, for others of the block.
  Body march_around(const ThreadMapping& mapping, const ExprPtr& planes, Body body) {
    using Pass = MarchedValues::Pass;
    Names names = context_.names;
    for (MarchedValues::Coordinates& at : marched_columns_) {
      ExprPtr updates;
      for (int a = 0; a < axis_; ++a) updates = kernel::both(updates, in_box(context_, a, at[a]));
      updates_.push_back(declare("updates", updates, names, body));
    }
    const ExprPtr x =
        declare(context_.axes[0] + "_here", marched_.wrapped(0, mapping.thread[0]), names, body);
    for (MarchedValues::Coordinates& at : marched_columns_)
      at = {x, declare(context_.axes[1] + "_here", marched_.wrapped(1, at[1]), names, body),
            at[axis_]};
    marched_.declare(names, body);
    if (marched_.early() > 0)
      body.push_back(
          {passes_of_march(Pass::early, mapping, index(-marched_.early()), index(0), names)});
    marched_.begin_inside(marched_columns_, index(0), planes, names, body);
    body.push_back({passes_of_march(Pass::inside, mapping, index(0), planes, names)});
    return body;
  }

  For passes_of_march(MarchedValues::Pass pass, const ThreadMapping& mapping, const ExprPtr& from,
                      const ExprPtr& to, Names names) {
    For loop = counted(For::rolled, names.claim("k"), to);
    loop.first = from;
    loop.counts = kernel::as<kernel::Int>(to) == nullptr;
    loop.body = pass_of_march(pass, mapping, kernel::var(loop.name), names);
    return loop;
  }

  Body pass_of_march(MarchedValues::Pass pass, const ThreadMapping& mapping, const ExprPtr& k,
                     Names& names) {
    using Pass = MarchedValues::Pass;
    Body body;
    const ExprPtr plane =
        declare(context_.axes[axis_], kernel::add(mapping.block[axis_], k), names, body);
    MarchedValues::OwnCells cells;
    for (std::vector<ExprPtr> at : marched_columns_) {
      at[axis_] = plane;
      const ExprPtr i =
          pass == Pass::edge ? index(0) : declare("i", linear(context_, at), names, body);
      cells.push_back({std::move(at), i});
    }
    marched_.compute(pass, cells, k, names, body);
    if (pass == Pass::inside) {
      Names of_cells = names;
      std::vector<Body> by_row(cells.size());
      for (size_t n = 0; n < cells.size(); ++n) {
        const int row = static_cast<int>(n);
        const auto tap = [&](const ir::Read& read) { return marched_.tap(read, row, cells[n]); };
        const Sink store = store_at(context_, cells[n].i);
        // Where the first row of a thread is in the grid, the others may be beyond its end.
        const auto sink = [&](int field, const ExprPtr& value, bool always) {
          kernel::Stmt one = store(field, value, always);
          if (row == 0 || updates_.empty()) return one;
          return kernel::Stmt{kernel::If{updates_[n], {std::move(one)}, {}}};
        };
        inside_cell(cells[n].at, cells[n].i, tap, of_cells, by_row[n], marched_.read(row), sink);
      }
      kernel::If updates{updates_.empty() ? nullptr : updates_[0], {}, {}};
      marched_.add_rows(std::move(by_row), of_cells, updates_.empty() ? body : updates.yes);
      if (!updates_.empty()) body.push_back({std::move(updates)});
    } else if (pass == Pass::edge) {
      const bool edges = InteriorSplit(context_).has_edges();
      Body updated;
      for (size_t n = 0; n < cells.size(); ++n)
        append(updated,
               guarded_cell(cells[n].at, edges, names, marched_.read(static_cast<int>(n))));
      if (marched_.early() > 0)
        body.push_back({kernel::If{kernel::bin(BinOp::ge, k, index(0)), std::move(updated), {}}});
      else
        append(body, std::move(updated));
    }
    marched_.move_on(pass, body);
    return body;
  }

  bool streams() const { return schedule_.coarsen > 1; }
  bool strided() const { return axis_ == 0; }  // a thread's cells along x stand a block apart

  // Do values come from other lanes, all of which have to be there then?
  bool reads_lanes() const {
    Names names = context_.names;
    const std::vector<Window> windows =
        windows_of(context_, context_.roots(), -1, schedule_.lanes, names);
    return std::any_of(windows.begin(), windows.end(),
                       [](const Window& window) { return !window.own.empty(); });
  }

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
    body.push_back({kernel::Combine{context_.partials[reduction],
                                    fold_of(context_.stencil.reductions[reduction].kind), value,
                                    at[0], context_.box.extent(0), row_of(context_, at)}});
  }

  // The statements of an interior cell.
  void inside_cell(const std::vector<ExprPtr>& at, const ExprPtr& i, Cell::Tap tap, Names& names,
                   Body& body, const CellContext& here, const Sink& sink = nullptr) {
    kernel::If colored{in_color(context_, at), {}, {}};
    Body& cell = colored.condition ? colored.yes : body;
    const std::vector<ExprPtr> parts = interior_cell(
        context_, at, std::move(tap), sink ? sink : store_at(context_, i), names, cell, here);
    if (colored.condition) body.push_back({std::move(colored)});
    for (size_t n = 0; n < parts.size(); ++n) combine(n, parts[n], at, body);
  }

  // Cells that may lie near the boundary or beyond it.
  Body guarded(const ThreadMapping& mapping, bool edges) {
    Names names = context_.names;
    Body body;
    Body* inner = &body;
    ExprPtr k;
    For loop;
    if (streams()) {
      loop = {For::unrolled,
              names.claim("k"),
              kernel::Type::index,
              kernel::index(0),
              kernel::index(streamed_cells(context_, schedule_)),
              {},
              nullptr};
      if (edges) loop.mark = For::plain;
      k = kernel::var(loop.name);
      inner = &loop.body;
    }
    const CellContext here = edges ? staged_.read_near_boundary_by(k, mapping) : staged_.read_by(k);
    append(*inner,
           guarded_cell(cell_at(context_, schedule_, mapping, k, *inner), edges, names, here));
    if (streams()) body.push_back({std::move(loop)});
    return body;
  }

  // A cell of the grid, or a place beyond it.
  Body guarded_cell(const std::vector<ExprPtr>& at, bool edges, Names names,
                    const CellContext& here) {
    Body body;
    // Whole rows first, because all lanes of a warp fold together.
    kernel::If rows, guard;
    for (int a = 0; a < context_.rank(); ++a) {
      ExprPtr& condition = a == 0 || !context_.folds ? guard.condition : rows.condition;
      condition = kernel::both(condition, in_box(context_, a, at[a]));
    }
    Body& row = rows.condition ? rows.yes : body;
    const std::vector<std::string> folds = declare_folds(names, row);
    Body& cells = guard.yes;
    kernel::If colored{in_color(context_, at), {}, {}};
    Body& cell = colored.condition ? colored.yes : cells;
    const ExprPtr i = declare("i", linear(context_, at), names, cell);
    const std::vector<ExprPtr> parts =
        edges ? edge_cell(context_, at, i, names, cell, nullptr, nullptr, here)
              : interior_cell(context_, at, plain_tap(at, i), store_at(context_, i), names, cell,
                              here);
    for (size_t n = 0; n < folds.size(); ++n) cell.push_back({kernel::Assign{folds[n], parts[n]}});
    if (colored.condition) cells.push_back({std::move(colored)});
    row.push_back({std::move(guard)});
    for (size_t n = 0; n < folds.size(); ++n)
      combine(n, kernel::var(folds[n], parts[n]->type), at, row);
    if (rows.condition) body.push_back({std::move(rows)});
    return body;
  }

  // The stream in three parts: the cells between those that read beyond its ends run without
  // checks.
  Body peeled(const ThreadMapping& mapping, const ExprPtr& inside) {
    std::vector<ExprPtr> at = mapping.thread;
    at[axis_] = kernel::var(context_.axes[axis_]);
    return peel_cells(
        context_, {axis_, mapping.thread[axis_], inside},
        kernel::index(streamed_cells(context_, schedule_)),
        [&](const Names& names) { return guarded_cell(at, true, names, {}); },
        [&](const ExprPtr& begin, const ExprPtr& end) {
          return interior_body(mapping, begin, end);
        });
  }

  bool on_all_axes(int field) const {
    return ir::has_all_axes(context_.stencil, context_.stencil.fields[field]);
  }

  // All cells of a thread, or where the stream is peeled those from `begin` to before `end`.
  Body interior_body(const ThreadMapping& mapping, const ExprPtr& begin = nullptr,
                     const ExprPtr& end = nullptr) {
    Names names = context_.names;
    for (const ExprPtr& taken : {begin, end})
      if (const auto* var = kernel::as<kernel::Var>(taken)) names.claim(var->name);
    std::vector<ExprPtr> from = mapping.thread;
    if (begin) from[axis_] = begin;
    Body body;
    const int along = streams() && !strided() ? axis_ : -1;
    const std::vector<Window> windows =
        along >= 0 || schedule_.lanes
            ? windows_of(context_, staged_.roots(), along, schedule_.lanes, names)
            : std::vector<Window>();
    ExprPtr i;
    if (along >= 0) {
      i = declare("i", linear(context_, from), names, body, true);
      for (const Window& window : windows)
        for (int n = window.low; n < window.high; ++n)
          body.push_back({Let{window.names[n - window.low],
                              arriving(context_, window, along, n, mapping.thread, i), true}});
    }
    For loop{For::unrolled,
             begin       ? context_.axes[axis_]
             : streams() ? names.claim("k")
                         : "",
             kernel::Type::index,
             kernel::index(0),
             kernel::index(streamed_cells(context_, schedule_)),
             {},
             nullptr};
    // Many unrolled planes of several fields take all registers that a thread can have.
    constexpr int kFewPlanes = 4;
    if (axis_ == 2 && schedule_.coarsen > kFewPlanes &&
        !plan::unrolls(plan::reads_of(context_.stencil, context_.launch), schedule_))
      loop.mark = For::plain;
    if (begin) {
      loop.mark = For::plain;
      loop.first = begin;
      loop.last = end;
      from[axis_] = kernel::var(loop.name);
    }
    Body& each = streams() ? loop.body : body;
    const bool needs_place = streams() && !begin && (strided() || needs_coordinate());
    const std::vector<ExprPtr> at =
        needs_place ? cell_at(context_, schedule_, mapping, kernel::var(loop.name), each) : from;
    if (along < 0) i = declare("i", linear(context_, at), names, each);
    for (const Window& window : windows)
      each.push_back({Let{window.names.back(),
                          arriving(context_, window, along, window.high, mapping.thread, i)}});
    const auto tap = [&](const ir::Read& read) {
      const ExprPtr known = held(context_, windows, along, read);
      return known ? known : interior_tap(context_, at, i, read);
    };
    inside_cell(at, i, tap, names, each,
                staged_.read_by(streams() ? kernel::var(loop.name) : nullptr));
    for (const Window& window : windows)  // the window moves on by one cell
      for (size_t n = 0; n + 1 < window.names.size(); ++n)
        each.push_back({kernel::Assign{
            window.names[n],
            kernel::var(window.names[n + 1],
                        buffer_of(context_, ir::Read{window.field, window.level, {}}).element)}});
    if (along >= 0) {
      const std::string stride = axis_ == 1 ? context_.pitch : context_.plane;
      each.push_back(
          {kernel::Assign{kernel::as<kernel::Var>(i)->name, kernel::add(i, kernel::var(stride))}});
    }
    if (streams()) body.push_back({std::move(loop)});
    return body;
  }

  // Does a cell ask where it stands along the streamed axis?
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

  const Context& context_;
  StreamedValues streamed_;
  const plan::Schedule& schedule_;
  const int axis_;
  MarchedValues marched_;
  // Of a thread that goes through planes: the first cell in each of its rows, and does it update
  // cells there? Empty: all do.
  std::vector<MarchedValues::Coordinates> marched_columns_;
  std::vector<ExprPtr> updates_;
  StagedValues staged_;
};

}  // namespace

Body lower_blocks(const Context& context, const plan::Schedule& schedule, kernel::Launch& launch) {
  return Blocks(context, schedule).run(launch);
}

}  // namespace stencilc::lower
