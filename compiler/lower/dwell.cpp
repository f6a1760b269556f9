// Temporal blocking by blocks that dwell on a tile: it is loaded once, takes all time steps of a
// launch one after the other, and is stored.
//
// before   a launch for each step: load the rows around y, compute row y, store it
// after    load the rows of a warp into registers
//          for each step, and each pass of it: lend the rows at the ends of a warp; wait;
//                                              compute all rows
//          store the rows that lack no neighbour
//
// A pass is what of a step needs nothing beside the cell that the same pass makes. Cells at the
// ends of a tile lack neighbours, at each step those of one more row or column (a tile overlaps
// those beside it by so much), but where the grid ends there, too.
#include "lower/dwell.h"

#include <algorithm>
#include <memory>

#include "lower/bodies.h"
#include "lower/fill.h"
#include "lower/standing.h"
#include "lower/strip.h"
#include "lower/sweep.h"
#include "plan/dwell.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

namespace {

// What a thread holds of a field at a time level: its own rows, and what is read around them.
struct Held {
  int field = 0, level = 0;
  int below = 0, above = 0, left = 0, right = 0;
  kernel::Buffer registers;
};

struct Pass {
  std::unique_ptr<plan::Launch> launch;  // of the context
  std::unique_ptr<Context> context;
  std::vector<plan::PassRead> reads;
  int turn = -1;  // of those in a step in which warps lend rows; -1: they need not
};

// Of a text that serves all blocks, constants when the kernel is compiled: is it for blocks near
// the ends of rows, and for those where vectors do not fill rows or that need more along y? Null:
// there is no flag, and it is.
struct Flags {
  ExprPtr edge, corner;
};

class Dwell {
 public:
  Dwell(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        strip_(context, schedule, temporal) {}

  Body run(kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = context_.names.claim("degree");
    kernel.most_steps = temporal_.steps;
    kernel.any_steps = kernel.early = true;
    kernel.params.insert(kernel.params.begin(), {kernel.steps, kernel::Type::index});
    kernel.tile[0] = temporal_.stored_lanes() * schedule_.vector;
    kernel.tile[1] = temporal_.stored_rows(schedule_);
    launch.least[0] =
        strip_.wraps(0) ? strip_.cells() : std::max(temporal_.left, temporal_.right) + 1;
    launch.least[1] = temporal_.tile_rows(schedule_);
    steps_ = kernel::var(kernel.steps);
    Body body = context_.invariants;
    make_passes(body);
    strip_.lay_out(kernel, body);
    body.push_back({kernel::Follow{}});
    hold();
    for (const Held& one : held_)
      if (lasts(one)) body.push_back({kernel::Array{one.registers}});
    load(body);
    declare_standing(body);
    append(body, texts());
    store(body);
    return body;
  }

 private:
  ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  const ir::Field& field_of(const Held& one) const { return context_.stencil.fields[one.field]; }
  bool is_output(int field) const {
    return context_.stencil.fields[field].role == ir::Role::output;
  }
  // Is it there before and after a step, and not made anew by each?
  bool lasts(const Held& one) const { return one.level <= 0 || is_output(one.field); }
  bool reads_inputs() const { return strip_.fields.size() != context_.stencil.fields.size(); }
  bool is_one_text() const {
    return !reads_inputs() && std::all_of(passes_.begin(), passes_.end(), [](const Pass& pass) {
      return serves_both(*pass.context);
    });
  }

  void make_passes(Body& body) {
    int turns = 0;
    for (plan::Launch& launch : plan::passes_of(context_.stencil)) {
      Pass pass;
      pass.launch = std::make_unique<plan::Launch>(std::move(launch));
      pass.reads = plan::reads_of_pass(context_.stencil, *pass.launch);
      for (const plan::PassRead& read : pass.reads)
        if (read.below + read.above > 0 && pass.turn < 0) pass.turn = turns++;
      pass.context = std::make_unique<Context>(context_, context_.stencil, *pass.launch, false,
                                               context_.target);
      lower_invariants(*pass.context, true);
      context_.names = pass.context->names;
      append(body, pass.context->invariants);
      passes_.push_back(std::move(pass));
    }
    turns_ = turns;
  }

  // All that steps make, at the levels that are read, and at t+1.
  void hold() {
    const auto at = [&](int field, int level) -> Held& {
      for (Held& one : held_)
        if (one.field == field && one.level == level) return one;
      held_.push_back({field, level, 0, 0, 0, 0, {}});
      return held_.back();
    };
    for (const Stepped& one : strip_.fields) {
      if (!is_output(one.field)) at(one.field, 0);
      if (plan::has_before(context_.stencil.fields[one.field])) at(one.field, -1);
      at(one.field, 1);
    }
    for (const Pass& pass : passes_)
      for (const plan::PassRead& read : pass.reads) {
        Held& one = at(read.field, read.level);
        one.below = std::max(one.below, read.below);
        one.above = std::max(one.above, read.above);
        one.left = std::max(one.left, read.left);
        one.right = std::max(one.right, read.right);
      }
    for (Held& one : held_) {
      const ir::Field& field = field_of(one);
      one.registers.name = context_.names.claim(field.name + (one.level < 0          ? "_before"
                                                              : one.level == 0       ? "_rows"
                                                              : is_output(one.field) ? "_made"
                                                                                     : "_after"));
      one.registers.element =
          (is_output(one.field) ? context_.targets : context_.next)[one.field].element;
      one.registers.writable = true;
      one.registers.registers = one.left + schedule_.vector + one.right;
      one.registers.rows = one.below + schedule_.rows + one.above;
    }
  }
  const Held& held(int field, int level) const {
    return *std::find_if(held_.begin(), held_.end(),
                         [&](const Held& one) { return one.field == field && one.level == level; });
  }
  // Cell v of row r, counted from the thread's first ones.
  ExprPtr value(const Held& one, const ExprPtr& r, const ExprPtr& v) const {
    return kernel::make(one.registers.element,
                        kernel::Load{one.registers, kernel::add(v, one.left), row(one, r)});
  }
  static ExprPtr row(const Held& one, const ExprPtr& r) {
    return one.registers.rows == 1 ? nullptr : kernel::add(r, one.below);
  }

  // A loop over rows of a thread; fill in the body.
  template <class Make>
  void over_rows(int first, int behind, Names names, Body& body, const Make& make) const {
    if (first >= behind) return;
    For loop = unrolled(names.claim("r"), first, behind);
    make(kernel::var(loop.name), names, loop.body);
    body.push_back({std::move(loop)});
  }

  void load(Body& body) {
    body.push_back({kernel::Note{"The rows of a warp."}});
    over_rows(0, schedule_.rows, context_.names, body,
              [&](const ExprPtr& r, Names& names, Body& to) {
                for (const Held& one : held_) {
                  if (one.level > 0) continue;
                  const Stepped& stepped = strip_.stepped(one.field);
                  kernel::Copy copy;
                  copy.to = one.registers;
                  copy.to_at = index(one.left);
                  copy.to_row = row(one, r);
                  copy.from = context_.levels[one.field][-one.level];
                  copy.width = schedule_.vector;
                  to.push_back(strip_.load_row(
                      copy, one.level == 0 ? stepped.at : stepped.before_at, r, names, to));
                }
              });
  }

  // Does all lie inside that a block computes, along x or y?
  ExprPtr within(const ExprPtr& first, int cells, int axis) const {
    int low = 0, high = 0;
    for (const Pass& pass : passes_) {
      low = std::max(low, pass.launch->margin.low[axis]);
      high = std::max(high, pass.launch->margin.high[axis]);
    }
    return kernel::both(kernel::bin(BinOp::ge, first, index(low)),
                        kernel::bin(BinOp::le, kernel::add(first, cells + high), extent(axis)));
  }
  bool limits(int axis) const {
    for (const ir::Update& update : context_.stencil.updates)
      for (const ir::Case& one : update.cases)
        if (one.domain.low[axis] > 0 || one.domain.high[axis] > 0 || !one.domain.limits.empty())
          return true;
    return false;
  }
  // Is nothing special near the ends along y, because what lies beyond is lent or loaded?
  bool is_alike_along_y() const {
    if (!is_one_text() || limits(1)) return false;
    for (const Stepped& one : strip_.fields)
      for (const int end : {0, 1})
        if (plan::is_open(context_.stencil.fields[one.field].boundary.sides[1][end]) &&
            !strip_.lends_beyond(one.field, end))
          return false;
    return true;
  }

  void declare_standing(Body& body) {
    Names& names = context_.names;
    const ExprPtr aligned = kernel::var(context_.aligned, kernel::Type::boolean);
    const ExprPtr inside_x =
        declare("inside_" + context_.axes[0],
                kernel::both(aligned, within(strip_.first_cell, strip_.cells(), 0)), names, body);
    const ExprPtr inside_y =
        is_alike_along_y()
            ? nullptr
            : declare("inside_" + context_.axes[1],
                      within(strip_.first_tile_row(), temporal_.tile_rows(schedule_), 1), names,
                      body);
    inside_ = kernel::both(inside_x, inside_y);
    const ExprPtr even = kernel::both(
        aligned, kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, extent(0), index(schedule_.vector)),
                             index(0)));
    near_end_ = kernel::both(even, inside_y);
  }

  // Blocks inside, and those near the rim.
  Body texts() {
    if (!is_one_text()) return {{kernel::If{inside_, steps(false, {}), steps(true, {})}}};
    const std::string name = context_.names.claim("cells");
    const std::string edge = context_.names.claim("edge"), corner = context_.names.claim("corner");
    for (Pass& pass : passes_) pass.context->edge = edge;
    Body body = steps(true, {kernel::var(edge, kernel::Type::boolean),
                             kernel::var(corner, kernel::Type::boolean)});
    for (Pass& pass : passes_) pass.context->edge.clear();
    const std::set<std::string> used = kernel::used_names(body);
    if (!used.count(edge) && !used.count(corner)) return body;
    kernel::Twice twice{name, used.count(edge) ? edge : corner, inside_, std::move(body),
                        edge_note(context_)};
    if (used.count(edge) && used.count(corner)) {
      twice.further = {corner};
      twice.texts = {{near_end_, {true, false}}};
    }
    return {{std::move(twice)}};
  }

  Body steps(bool edges, const Flags& flags) {
    edges_ = edges;
    flags_ = flags;
    Names names = context_.names;
    For loop{For::paired, names.claim("k"), kernel::Type::index, index(0), steps_, {},
             nullptr,     nullptr};
    const ExprPtr k = kernel::var(loop.name);
    for (const Held& one : held_)
      if (!lasts(one)) loop.body.push_back({kernel::Array{one.registers}});
    for (Pass& pass : passes_) {
      pass.context->names = names;
      one_pass(pass, k, loop.body);
      names = pass.context->names;
    }
    loop.body.push_back({kernel::Note{"The next step."}});
    over_rows(0, schedule_.rows, names, loop.body, [&](const ExprPtr& r, Names&, Body& to) {
      for (const Stepped& one : strip_.fields) {
        if (is_output(one.field)) continue;
        if (plan::has_before(context_.stencil.fields[one.field]))
          to.push_back(moved(held(one.field, -1), held(one.field, 0), r));
        to.push_back(moved(held(one.field, 0), held(one.field, 1), r));
      }
    });
    return {{std::move(loop)}};
  }
  kernel::Stmt moved(const Held& to, const Held& from, const ExprPtr& r) const {
    return {kernel::Copy{to.registers, index(to.left), from.registers, index(from.left),
                         schedule_.vector, 1, row(to, r), row(from, r)}};
  }

  void one_pass(Pass& pass, const ExprPtr& k, Body& body) {
    Names& names = pass.context->names;
    const AtStep here(*pass.context, k, names, body);
    if (pass.turn >= 0) exchange(pass, k, body);
    for (const plan::PassRead& read : pass.reads) {
      const Held& one = held(read.field, read.level);
      if (edges_ && read.below + read.above > 0)
        append_if(flags_.corner,
                  strip_.rows_beyond(read.field, one.registers, one.below, one.left, nullptr, true,
                                     names),
                  body);
      over_rows(read.first, std::min(read.last, schedule_.rows), names, body,
                [&](const ExprPtr& r, Names& inner, Body& to) { take_sides(read, r, inner, to); });
    }
    over_rows(0, schedule_.rows, names, body, [&](const ExprPtr& r, Names& inner, Body& to) {
      for (const plan::PassRead& read : pass.reads)
        if (read.first <= read.last) take_sides(read, kernel::add(r, read.last), inner, to);
      For loop = unrolled(inner.claim("v"), 0, schedule_.vector);
      compute(pass, r, kernel::var(loop.name), inner, loop.body);
      to.push_back({std::move(loop)});
    });
  }
  static void append_if(const ExprPtr& flag, Body from, Body& to) {
    if (!flag || from.empty()) return append(to, std::move(from));
    to.push_back({kernel::If{flag, std::move(from), {}}});
  }

  // The rows at the ends of a warp, for those beside it, and theirs.
  void exchange(const Pass& pass, const ExprPtr& k, Body& body) {
    const ExprPtr count = kernel::add(kernel::mul(k, index(turns_)), pass.turn);
    Names& names = pass.context->names;
    const ExprPtr turn = declare("turn", kernel::bin(BinOp::mod, count, index(2)), names, body);
    Body beside;
    for (const plan::PassRead& read : pass.reads) {
      if (read.below + read.above == 0) continue;
      const Held& one = held(read.field, read.level);
      const Stepped& stepped = strip_.stepped(read.field);
      const std::vector<int> levels = strip_.lent_levels(read.field);
      const auto n =
          static_cast<int>(std::find(levels.begin(), levels.end(), read.level) - levels.begin());
      const int vector = schedule_.vector;
      for (int lent = 0; lent < temporal_.above + temporal_.below; ++lent) {
        const int end = lent < temporal_.above ? 0 : 1;
        const int own = end == 0 ? lent : schedule_.rows + lent - temporal_.above - temporal_.below;
        const kernel::Copy copy{stepped.lent,
                                strip_.own(),
                                one.registers,
                                index(one.left),
                                vector,
                                1,
                                strip_.lent_level(turn, n, strip_.lent_of(strip_.warp, lent)),
                                row(one, index(own))};
        if (const ExprPtr lends = strip_.lends(read.field, end))
          body.push_back({kernel::If{lends, {{copy}}, {}}});
        else
          body.push_back({copy});
      }
      for (const int end : {0, 1})
        for (int d = 0; d < (end == 0 ? read.below : read.above); ++d)
          beside.push_back(
              {kernel::Copy{one.registers, index(one.left), stepped.lent, strip_.own(), vector, 1,
                            row(one, index(end == 0 ? -1 - d : schedule_.rows + d)),
                            strip_.lent_level(turn, n, stepped.beside[end][d])}});
    }
    body.push_back({kernel::Meet{}});
    append(body, std::move(beside));
  }

  // What lies beside the cells of a row.
  void take_sides(const plan::PassRead& read, const ExprPtr& r, const Names& names, Body& body) {
    const Held& one = held(read.field, read.level);
    kernel::Sides sides;
    sides.to = one.registers;
    sides.own = index(one.left);
    sides.row = row(one, r);
    sides.width = schedule_.vector;
    sides.left = read.left;
    sides.right = read.right;
    body.push_back({sides});
    if (!edges_) return;
    sides.row = one.registers.rows == 1 ? nullptr : index(one.below);
    append_if(flags_.edge, strip_.columns_of_row(read.field, sides, r, flags_.corner, names), body);
  }

  void compute(Pass& pass, const ExprPtr& r, const ExprPtr& v, Names& names, Body& body) {
    Context& context = *pass.context;
    std::vector<ExprPtr> at = {kernel::add(strip_.x, v), kernel::add(strip_.y, r)};
    ExprPtr inside;
    for (int a = 0; a < 2 && edges_; ++a) {
      if (strip_.wraps(a)) {
        at[a] = declare("at_" + context.axes[a],
                        kernel::call(kernel::Type::index, kernel::Fn::wrap, {at[a], extent(a)}),
                        names, body);
        continue;
      }
      inside = kernel::both(inside, kernel::both(kernel::bin(BinOp::ge, at[a], index(0)),
                                                 kernel::bin(BinOp::lt, at[a], extent(a))));
    }
    const ExprPtr i = declare("i", linear(context, at), names, body);
    const Cell::Tap tap = [&](const ir::Read& read) -> ExprPtr {
      if (context.stencil.fields[read.field].role == ir::Role::input) return nullptr;
      if (read.level == 1 && context.launch.stores_field(context.stencil, read.field))
        return nullptr;
      return value(held(read.field, read.level), kernel::add(r, read.offset[1]),
                   kernel::add(v, read.offset[0]));
    };
    const Sink sink = [&](int field, const ExprPtr& value, bool) {
      const Held& one = held(field, 1);
      return kernel::Stmt{
          kernel::Store{one.registers, kernel::add(v, one.left), value, row(one, r)}};
    };
    if (edges_) {
      Body cell;
      edge_cell(context, at, i, names, cell, tap, sink);
      if (inside && touch_memory(context, cell))
        cell = {{kernel::If{near_rim(context, inside), std::move(cell), {}}}};
      append(body, std::move(cell));
    } else {
      const Cell::Tap or_load = [&](const ir::Read& read) {
        const ExprPtr value = tap(read);
        return value ? value : interior_tap(context, at, i, read);
      };
      interior_cell(context, at, or_load, sink, names, body);
    }
    context.at_hand.clear();
  }

  void store(Body& body) {
    body.push_back({kernel::Note{"Rows that lack no neighbour."}});
    Body rows;
    over_rows(0, schedule_.rows, context_.names, rows,
              [&](const ExprPtr& r, Names& names, Body& to) {
                const ExprPtr y = kernel::add(strip_.y, r);
                kernel::If own{kernel::both(kernel::bin(BinOp::ge, y, strip_.first_row),
                                            kernel::bin(BinOp::lt, y, strip_.behind_row)),
                               {},
                               {}};
                const ExprPtr i = declare("i", linear(context_, {strip_.x, y}), names, own.yes);
                const auto store = [&](const kernel::Buffer& memory, const Held& one) {
                  const kernel::Copy copy{memory,           i, one.registers, index(one.left),
                                          schedule_.vector, 1, nullptr,       row(one, r)};
                  own.yes.push_back({kernel::StoreRow{
                      copy, strip_.whole, kernel::bin(BinOp::sub, extent(0), strip_.x)}});
                };
                for (const Stepped& one : strip_.fields) {
                  store(context_.targets[one.field], held(one.field, is_output(one.field) ? 1 : 0));
                  if (plan::has_before(context_.stencil.fields[one.field]))
                    store(context_.earlier[one.field], held(one.field, -1));
                }
                to.push_back({std::move(own)});
              });
    if (strip_.stores)
      body.push_back({kernel::If{strip_.stores, std::move(rows), {}}});
    else
      append(body, std::move(rows));
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  Strip strip_;
  ExprPtr steps_;  // of the launch
  std::vector<Pass> passes_;
  int turns_ = 0;
  std::vector<Held> held_;
  // Is a block inside; and, if not, is it near an end of rows that vectors fill, and nothing else?
  ExprPtr inside_, near_end_;
  // Of the text in work.
  bool edges_ = false;
  Flags flags_;
};

}  // namespace

Body lower_dwell(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
                 kernel::Launch& launch) {
  return Dwell(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
