// Temporal blocking by blocks that hold a resident tile: it is loaded once, takes all time steps of
// a launch one after the other, and is stored.
//
// before   a launch for each step: load the rows around y, compute row y, store it
// after    load the rows of a warp into registers
//          for each step, and each pass of it: exchange the rows at the ends of a warp; wait;
//                                              compute all rows
//          store the rows that lack no neighbour
//
// A pass is what of a step needs nothing beside the cell that the same pass makes. Cells at the
// ends of a tile lack neighbours, at each step those of one more row or column (a tile overlaps
// those beside it by so much), but where the grid ends there, too.
#include "lower/temporal/resident/resident_tile.h"

#include <algorithm>
#include <memory>

#include "lower/boundary/interior_split.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/context/build.h"
#include "lower/temporal/resident/tile_steps.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

namespace {

class ResidentTile : TileSteps {
 public:
  ResidentTile(const Context& context, const plan::Schedule& schedule,
               const plan::Temporal& temporal)
      : TileSteps(context, schedule, temporal) {}

  Body run(kernel::Module& module, kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = "steps";  // which names of the program never are (names.cpp)
    kernel.most_steps = temporal_.steps;
    kernel.any_steps = kernel.early = true;
    kernel.params.insert(kernel.params.begin(), {kernel.steps, kernel::Type::index});
    kernel.tile[0] = temporal_.stored_cells(schedule_.vector);
    if (context_.rank() > 1) kernel.tile[1] = temporal_.stored_rows(schedule_);
    launch.least[0] = tile_.layout.wraps(0) ? tile_.layout.cells()
                                            : std::max(temporal_.left, temporal_.right) + 1;
    launch.least[1] = temporal_.tile_rows(schedule_);
    if (in_space()) {
      kernel.tile[2] = temporal_.stored_planes(schedule_);
      launch.least[2] = schedule_.planes;
    }
    if (schedule_.whole) launch.most = tile_.layout.cells();
    steps_ = kernel::var(kernel.steps);
    Body body = context_.invariants.statements;
    points_.take(module, launch);
    make_passes(body);
    tile_.lay_out(kernel, body);
    body.push_back({kernel::Follow{}});
    hold();
    for (const Held& one : held_)
      if (lasts(one)) body.push_back({kernel::Array{one.registers}});
    load(body);
    declare_interior(body);
    points_.mark(body);
    append(body, variants());
    store(body);
    tile_.layout.give_constants(kernel);
    return body;
  }

 private:
  bool reads_inputs() const { return tile_.rows.fields.size() != context_.stencil.fields.size(); }
  // Does one variant serve all blocks? Then no cell reads or writes memory, and all are computed;
  // those that no step assigns get back what they were when all is made of what was computed for
  // them.
  bool has_one_variant() const {
    return !reads_inputs() && std::all_of(passes_.begin(), passes_.end(), [](const TilePass& pass) {
      return serves_both(*pass.context) && !reads_unassigned(*pass.context);
    });
  }
  void make_passes(Body& body) {
    int exchanges = 0;
    for (plan::Launch& launch : plan::passes_of(context_.stencil)) {
      TilePass pass;
      pass.launch = std::make_unique<plan::Launch>(std::move(launch));
      pass.reads = plan::reads_of_pass(context_.stencil, *pass.launch);
      for (const plan::PassRead& read : pass.reads)
        if (read.below + read.above > 0 && pass.exchange_index < 0)
          pass.exchange_index = exchanges++;
      const Context bare(context_, *pass.launch);
      pass.context = std::make_unique<const Context>(bare.with(invariants_of(bare, true)));
      append(body, pass.context->invariants.statements);
      passes_.push_back(std::move(pass));
    }
    exchanges_ = exchanges;
  }
  // All that steps make, at the levels that are read, and at t+1.
  void hold() {
    const auto at = [&](int field, int level) -> Held& {
      for (Held& one : held_)
        if (one.field == field && one.level == level) return one;
      held_.push_back({field, level, 0, 0, 0, 0, 0, 0, 0, {}});
      return held_.back();
    };
    for (const Stepped& one : tile_.rows.fields) {
      if (!is_output(one.field)) at(one.field, 0);
      if (plan::has_before(context_.stencil.fields[one.field])) at(one.field, -1);
      at(one.field, 1);
    }
    for (const TilePass& pass : passes_)
      for (const plan::PassRead& read : pass.reads) {
        Held& one = at(read.field, read.level);
        one.below = std::max(one.below, read.below);
        one.above = std::max(one.above, read.above);
        one.left = std::max(one.left, read.left);
        one.right = std::max(one.right, read.right);
        one.low = std::max(one.low, read.low);
        one.high = std::max(one.high, read.high);
      }
    for (Held& one : held_) {
      const ir::Field& field = context_.stencil.fields[one.field];
      one.registers.name = context_.names.claim(field.name + (one.level < 0          ? "_before"
                                                              : one.level == 0       ? "_rows"
                                                              : is_output(one.field) ? "_made"
                                                                                     : "_after"));
      one.registers.element =
          (is_output(one.field) ? context_.targets : context_.next)[one.field].element;
      one.registers.writable = true;
      one.registers.registers = kernel::plus(tile_.layout.vector(), one.left + one.right);
      one.rows = kernel::plus(context_.count("rows", schedule_.rows), one.below + one.above);
      one.registers.rows = kernel::times(
          kernel::plus(context_.count("tile_planes", schedule_.planes), one.low + one.high),
          one.rows);
    }
  }
  void load(Body& body) {
    body.push_back(
        {kernel::Note{context_.rank() == 1 ? "The cells of a warp." : "The rows of a warp."}});
    const ExprPtr held = loads_held(body);
    over_all(context_.names, body, [&](const ExprPtr& p, const ExprPtr& r, Names& names, Body& to) {
      for (const Held& one : held_) {
        if (one.level > 0) continue;
        const Stepped& stepped = tile_.rows.stepped(one.field);
        kernel::Copy copy;
        copy.to = one.registers;
        copy.to_at = index(one.left);
        copy.to_row = one.row(p, r);
        copy.from = context_.levels[one.field][-one.level];
        copy.width = tile_.layout.vector();
        to.push_back(tile_.rows.load_row(copy, one.level == 0 ? stepped.at : stepped.before_at,
                                         place(p, r), held, names, to));
      }
    });
  }
  // Does a lane load whole vectors, and does memory hold all rows or planes of its thread? Then it
  // need not ask where each of them is. Null: it has to, or holds all of the grid.
  ExprPtr loads_held(Body& body) const {
    const int last = context_.rank() - 1;
    if (last == 0 || tile_.layout.wraps(last)) return nullptr;
    const ExprPtr first = last == 1 ? tile_.layout.y : tile_.layout.z;
    const kernel::Count count = last == 1 ? rows() : planes();
    const ExprPtr holds = context_.box.holds(last, first, kernel::add(first, index(count)));
    if (!holds) return nullptr;
    return declare("loads_held", kernel::both(tile_.layout.loads_whole, holds), context_.names,
                   body);
  }
  // Does all lie inside that a block computes, along an axis?
  ExprPtr within(const ExprPtr& first, const ExprPtr& cells, int axis) const {
    ir::Reach margin;
    for (const TilePass& pass : passes_) {
      margin.low[axis] = std::max(margin.low[axis], pass.launch->margin.low[axis]);
      margin.high[axis] = std::max(margin.high[axis], pass.launch->margin.high[axis]);
    }
    return InteriorSplit(context_, margin).holds(axis, first, kernel::add(first, cells));
  }
  // Is nothing special near the ends along y or z, because what lies beyond is exchanged, or
  // loaded, or the same as a tile's end?
  bool is_alike_along(int axis) const {
    if (!has_one_variant() || step_limits(context_, axis)) return false;
    for (const Stepped& one : tile_.rows.fields)
      for (const int end : {0, 1}) {
        const ir::Side& side = context_.stencil.fields[one.field].boundary.sides[axis][end];
        if (ir::kind_of(side).open() && !(axis == 1 ? tile_.halo.holds_ghosts(one.field, end)
                                                    : ir::kind_of(side).repeats_last()))
          return false;
      }
    return true;
  }
  void declare_interior(Body& body) {
    Names& names = context_.names;
    const ExprPtr aligned = kernel::var(context_.aligned, kernel::Type::boolean);
    const ExprPtr inside_x =
        declare("inside_" + context_.axes[0],
                kernel::both(aligned, within(tile_.layout.first_cell, tile_.layout.row_cells(), 0)),
                names, body);
    ExprPtr inside;  // along the others
    if (context_.rank() > 1 && !is_alike_along(1))
      inside =
          declare("inside_" + context_.axes[1],
                  within(tile_.layout.first_tile_row(),
                         tile_.layout.constant("tile_rows", temporal_.tile_rows(schedule_)), 1),
                  names, body);
    if (in_space() && !is_alike_along(2))
      inside = kernel::both(
          inside,
          declare("inside_" + context_.axes[2],
                  within(tile_.layout.z, tile_.layout.constant("tile_planes", schedule_.planes), 2),
                  names, body));
    inside_ = kernel::both(inside_x, inside);
    const ExprPtr even = kernel::both(
        aligned,
        kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, extent(0), tile_.layout.width()), index(0)));
    near_end_ = kernel::both(even, inside);
  }
  // Blocks inside, and those near the boundary.
  Body variants() {
    Halves halves{inside_, has_one_variant()};
    halves.between = {"corner", near_end_, {true, false}};
    halves.noted = false;
    return inside_or_not(context_, halves, [&](bool edges, const VariantFlags& flags) {
      const auto flag = [](const std::string& name) {
        return name.empty() ? nullptr : kernel::var(name, kernel::Type::boolean);
      };
      return steps(edges, {flag(flags.edge), flag(flags.further)});
    });
  }
  void store(Body& body) {
    body.push_back({kernel::Note{context_.rank() == 1 ? "Cells that lack no neighbour."
                                                      : "Rows that lack no neighbour."}});
    Body rows;
    const auto stored = [](const ExprPtr& at, const ExprPtr& first, const ExprPtr& end) {
      return kernel::both(kernel::bin(BinOp::ge, at, first), kernel::bin(BinOp::lt, at, end));
    };
    over_all(context_.names, rows, [&](const ExprPtr& p, const ExprPtr& r, Names& names, Body& to) {
      std::vector<ExprPtr> at = place(p, r);
      kernel::If own{
          at.empty() ? nullptr : stored(at[0], tile_.layout.first_row, tile_.layout.end_row),
          {},
          {}};
      if (p)
        own.condition =
            kernel::both(own.condition, stored(at[1], tile_.layout.first, tile_.layout.end));
      at.insert(at.begin(), tile_.layout.x);
      const ExprPtr i = declare("i", linear(context_, at), names, own.yes);
      const auto store = [&](const kernel::Buffer& memory, const Held& one) {
        const kernel::Copy copy{
            memory, i,       one.registers, index(one.left), tile_.layout.vector(),
            1,      nullptr, one.row(p, r)};
        own.yes.push_back({kernel::StoreRow{copy, tile_.layout.whole,
                                            kernel::bin(BinOp::sub, extent(0), tile_.layout.x)}});
      };
      for (const Stepped& one : tile_.rows.fields) {
        store(context_.targets[one.field], held(one.field, is_output(one.field) ? 1 : 0));
        if (plan::has_before(context_.stencil.fields[one.field]))
          store(context_.earlier[one.field], held(one.field, -1));
      }
      if (own.condition)
        to.push_back({std::move(own)});
      else
        append(to, std::move(own.yes));
    });
    if (tile_.layout.parts[0].stores)
      body.push_back({kernel::If{tile_.layout.parts[0].stores, std::move(rows), {}}});
    else
      append(body, std::move(rows));
  }

  // Is a block inside; and, if not, is it near an end of rows that vectors fill, and nothing else?
  ExprPtr inside_, near_end_;
};

}  // namespace

Body lower_resident_tile(const Context& context, const plan::Schedule& schedule,
                         const plan::Temporal& temporal, kernel::Module& module,
                         kernel::Launch& launch) {
  return ResidentTile(context, schedule, temporal).run(module, launch);
}

}  // namespace stencilc::lower
