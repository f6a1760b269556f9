// Cells near the boundary: what an interior cell knows beforehand is asked here, cell by cell.
#include "lower/boundary/edge_cell.h"

#include <algorithm>

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/ghost_value.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::Body;
using kernel::ExprPtr;

namespace {

constexpr int kConditionWidth = 125;

// One cell of the grid, the one in work or another whose t+1 that one reads.
class EdgeCell {
 public:
  EdgeCell(const Context& context, std::vector<ExprPtr> at, ExprPtr i, Cell::Tap in_registers,
           Names& names, Body& body, const CellContext& here)
      : context_(context),
        here_(here),
        at_(std::move(at)),
        i_(std::move(i)),
        in_registers_(std::move(in_registers)),
        names_(names),
        body_(body),
        made_(context.stencil.fields.size()),
        written_(context.stencil.fields.size()),
        taps_(context, at_, i_, names, body, fetch()),
        cell_(context, at_, tap(taps_), names, body, here) {}

  // Computes t+1 of the field here; what it reads of the others' t+1 at the cell was computed.
  void make(const ir::Update& update, bool named) {
    if (context_.launch.stores.size() > 1)
      for (const ir::ExprPtr& node : ir::nodes_of(plan::roots_of(update))) {
        const auto* read = ir::as<ir::Read>(node);
        if (read && read->level == 1 && read->field != update.field && !made_[read->field] &&
            context_.launch.stores_field(context_.stencil, read->field))
          make(context_.stencil.updates[context_.stencil.update_of(read->field)], true);
      }
    const ir::Case& first = update.cases[0];
    const std::string name = context_.stencil.fields[update.field].name + "_next";
    if (only_box(update) && !bounded(first.domain)) {
      body_.push_back({kernel::Line{first.line}});
      ExprPtr value = cell_.value(first.value);
      if (named) value = cell_.named(value, name);
      body_.push_back({kernel::Line{0}});
      made_[update.field] = value;
      return;
    }
    by_cases(update, name);
  }

  ExprPtr made(int field) const { return made_[field]; }
  ExprPtr written(int field) const { return written_[field]; }  // of an output; null: always

  // What the cell adds to the n-th fold of the launch.
  ExprPtr fold(size_t n) {
    const ir::Reduction& reduction =
        context_.stencil.reductions[context_.launch.combines[n].reduction];
    const std::string wanted = reduction.name + "_here";
    if (!bounded(reduction.domain) && !reduction.domain.mask)
      return cell_.named(cell_.value(reduction.value), wanted);
    const std::string name = names_.claim(wanted);
    body_.push_back({kernel::Let{name, identity_of(context_, n), true}});
    guarded(reduction.domain, reduction.value, name, "");
    return kernel::var(name, type_of(reduction.type));
  }

 private:
  using Values = std::vector<ExprPtr>;

  bool bounded(const ir::Domain& domain) const {
    for (int a = 0; a < context_.rank(); ++a)
      if (in_domain(context_, domain, a, at_[a])) return true;
    return false;
  }

  // Does the cell lie in the domain? Null: every cell does. A condition too long for a line stands
  // in names, one for each axis; one that is asked near the boundary alone in one, where `named`.
  ExprPtr condition(const ir::Domain& domain, bool named = false) {
    if (here_.flags.edge_x.empty()) {
      ExprPtr inside = within(domain);
      if (named && inside && edge_flag(here_.flags)) inside = cell_.named(inside, "inside");
      return near_boundary(here_.flags, inside);
    }
    ExprPtr beside = within(domain, 0, 1), rows = within(domain, 1);
    if (beside && rows) {
      beside = cell_.named(beside, "inside_" + context_.axes[0]);
      rows = cell_.named(rows, "inside_rows");
    }
    return kernel::both(unless(edge_x_flag(here_.flags), beside), near_boundary(here_.flags, rows));
  }
  // Along the axes from `first` to before `end`.
  ExprPtr within(const ir::Domain& domain, int first = 0, int end = 3) {
    std::vector<ExprPtr> parts(3);
    ExprPtr all;
    for (int a = first; a < std::min(end, context_.rank()); ++a) {
      parts[a] = in_domain(context_, domain, a, at_[a]);
      all = kernel::both(all, parts[a]);
    }
    if (!all || width(all) <= kConditionWidth) return all;
    all = nullptr;
    for (int a = 0; a < 3; ++a)
      if (parts[a]) all = kernel::both(all, cell_.named(parts[a], "inside_" + context_.axes[a]));
    return all;
  }

  // What the traversal keeps of the neighbours comes first, then what lies in memory.
  Cell::Tap tap(EdgeTaps& taps) const {
    return [this, &taps](const ir::Read& read) {
      const ExprPtr in_registers = in_registers_ ? in_registers_(read) : nullptr;
      return in_registers ? in_registers : taps(read);
    };
  }

  // t+1 at the cell is a variable, at another cell computed anew; everything else is loaded.
  EdgeTaps::Fetch fetch() {
    return [this](const ir::Read& read, const std::vector<ExprPtr>& at, bool moved, Names& names,
                  Body& body) -> ExprPtr {
      if (read.level != 1 || !context_.launch.stores_field(context_.stencil, read.field)) {
        const ir::Field& field = context_.stencil.fields[read.field];
        return moved ? kernel::load(buffer_of(context_, read), linear_of_any(context_, at, field))
                     : interior_tap(context_, at_, i_, read);
      }
      if (!moved && read.offset == ir::Offset{}) return made_[read.field];
      std::vector<ExprPtr> there = at;
      for (int a = 0; a < context_.rank(); ++a) {
        if (kernel::as<kernel::Var>(there[a])) continue;
        const std::string name = names.claim(context_.axes[a] + "_there");
        body.push_back({kernel::Let{name, there[a]}});
        there[a] = kernel::var(name);
      }
      const ExprPtr inside = has_cell(read, there, moved);
      if (!inside) return made_there(read.field, there, names, body);
      // In a halo of the caller's t+1 is what level t is.
      const ir::Field& field = context_.stencil.fields[read.field];
      const std::string result = names.claim(context_.name_at(field.name + "_next", read.offset));
      body.push_back({kernel::Let{result, constant(ir::Scalar{field.type}), true}});
      kernel::If split{inside, {}, {}};
      Names inner = names;
      const ExprPtr made = made_there(read.field, there, inner, split.yes);
      split.yes.push_back({kernel::Assign{result, made}});
      const kernel::Buffer& held = field.role == ir::Role::output ? context_.targets[read.field]
                                                                  : context_.levels[read.field][0];
      split.no.push_back(
          {kernel::Assign{result, kernel::load(held, linear_of_any(context_, there, field))}});
      body.push_back({std::move(split)});
      return kernel::var(result, type_of(field.type));
    };
  }

  ExprPtr made_there(int field, const std::vector<ExprPtr>& there, Names& names, Body& body) {
    EdgeCell other(context_, there, linear_of_any(context_, there), nullptr, names, body, here_);
    other.make(context_.stencil.updates[context_.stencil.update_of(field)], true);
    return other.made(field);
  }

  // Is what the read finds there a cell, and not one of a halo? Null: it always is.
  ExprPtr has_cell(const ir::Read& read, const std::vector<ExprPtr>& there, bool moved) const {
    ExprPtr all;
    for (int a = 0; a < context_.rank(); ++a) {
      const auto& sides = context_.stencil.fields[read.field].boundary.sides[a];
      if (sides[0].edge == ir::Edge::ghost && (moved || read.offset[a] < 0))
        all = kernel::both(all, before_end(context_, a, 0, there[a]));
      if (sides[1].edge == ir::Edge::ghost && (moved || read.offset[a] > 0))
        all = kernel::both(all, before_end(context_, a, 1, there[a]));
    }
    return all;
  }

  // name = value where the cell lies within the domain; flag, too, where there is one.
  void guarded(const ir::Domain& domain, const ir::ExprPtr& value, const std::string& name,
               const std::string& flag) {
    const ExprPtr within = condition(domain);
    if (!within && !domain.mask) return assign(value, name, flag, names_, body_);
    Body body;
    Names names = names_;
    if (domain.mask) {
      EdgeTaps taps(context_, at_, i_, names, body, fetch());
      kernel::If masked{
          Cell(context_, at_, tap(taps), names, body, here_).value(domain.mask), {}, {}};
      Names inner = names;
      assign(value, name, flag, inner, masked.yes);
      body.push_back({std::move(masked)});
    } else {
      assign(value, name, flag, names, body);
    }
    if (within)
      body_.push_back({kernel::If{within, std::move(body), {}}});
    else
      body_.insert(body_.end(), body.begin(), body.end());
    if (!within) names_ = names;
  }

  // With reads of its own: what a case before made of the cell is not what it is now.
  void assign(const ir::ExprPtr& value, const std::string& name, const std::string& flag,
              Names& names, Body& body) {
    EdgeTaps taps(context_, at_, i_, names, body, fetch());
    Cell cell(context_, at_, tap(taps), names, body, here_);
    body.push_back({kernel::Assign{name, cell.value(value)}});
    if (!flag.empty())
      body.push_back({kernel::Assign{flag, kernel::make(kernel::Type::boolean, kernel::Int{1})}});
  }

  // name = the value within the domain, and what level t is elsewhere, which only those cells load.
  // False where the value takes more than an expression.
  bool alternatives(const ir::Case& one, const std::string& name, const ExprPtr& level) {
    const ExprPtr inside = condition(one.domain, true);
    Body body;
    Names names = names_;
    EdgeTaps taps(context_, at_, i_, names, body, fetch());
    const ExprPtr value = Cell(context_, at_, tap(taps), names, body, here_).value(one.value);
    if (!inside || !body.empty()) return false;
    const ExprPtr chosen = kernel::make(value->type, kernel::Pick{inside, value, level});
    body_.push_back({kernel::Line{one.line}});
    body_.push_back({kernel::Let{name, chosen}});
    body_.push_back({kernel::Line{0}});
    return true;
  }

  // Where no case applies a stepped field keeps level t, an output is not written.
  void by_cases(const ir::Update& update, const std::string& wanted) {
    const ir::Field& field = context_.stencil.fields[update.field];
    const bool output = field.role == ir::Role::output;
    const std::string name = names_.claim(wanted);
    const ir::Read here{update.field, 0, {}};
    const ExprPtr in_registers = in_registers_ && !output ? in_registers_(here) : nullptr;
    const bool one_box = update.cases.size() == 1 && !update.cases[0].domain.mask;
    const ExprPtr start = output         ? constant(ir::Scalar{field.type})
                          : in_registers ? in_registers
                                         : interior_tap(context_, at_, i_, here);
    if (!output && !in_registers && one_box && alternatives(update.cases[0], name, start)) {
      made_[update.field] = kernel::var(name, type_of(field.type));
      return;
    }
    body_.push_back({kernel::Let{name, start, true}});
    made_[update.field] = kernel::var(name, type_of(field.type));
    std::string flag;
    if (output && one_box) {
      written_[update.field] = condition(update.cases[0].domain);
    } else if (output) {
      flag = names_.claim(field.name + "_written");
      body_.push_back(
          {kernel::Let{flag, kernel::make(kernel::Type::boolean, kernel::Int{0}), true}});
      written_[update.field] = kernel::var(flag, kernel::Type::boolean);
    }
    for (const ir::Case& one : update.cases) {
      body_.push_back({kernel::Line{one.line}});
      guarded(one.domain, one.value, name, flag);
      body_.push_back({kernel::Line{0}});
    }
  }

  const Context& context_;
  const CellContext& here_;
  const std::vector<ExprPtr> at_;
  const ExprPtr i_;
  const Cell::Tap in_registers_;
  Names& names_;
  Body& body_;
  Values made_, written_;  // by field
  EdgeTaps taps_;
  Cell cell_;
};

}  // namespace

std::vector<ExprPtr> edge_cell(const Context& context, const std::vector<ExprPtr>& at,
                               const ExprPtr& i, Names& names, Body& body, Cell::Tap in_registers,
                               Sink sink, const CellContext& here) {
  if (!sink) sink = store_at(context, i);
  EdgeCell cell(context, at, i, std::move(in_registers), names, body, here);
  const std::vector<plan::Stored>& stores = context.launch.stores;
  std::vector<ExprPtr> folds;
  for (const plan::Stored& stored : stores)
    cell.make(context.stencil.updates[stored.update], stores.size() > 1);
  for (size_t n = 0; n < context.launch.combines.size() && context.folds; ++n)
    folds.push_back(cell.fold(n));
  for (const plan::Stored& stored : stores) {
    const int field = context.stencil.updates[stored.update].field;
    const ExprPtr written = cell.written(field);
    kernel::Stmt store = sink(field, cell.made(field), !written);
    if (written)
      body.push_back({kernel::If{written, {std::move(store)}, {}}});
    else
      body.push_back(std::move(store));
  }
  return folds;
}

std::vector<ExprPtr> any_cell(const Context& context, bool edges, const CellPlace& cell,
                              const Cell::Tap& in_registers, const Sink& sink, Names& names,
                              Body& body, const CellContext& here) {
  if (!edges) {
    const Cell::Tap tap = [&](const ir::Read& read) {
      const ExprPtr value = in_registers(read);
      return value ? value : interior_tap(context, cell.at, cell.i, read);
    };
    return interior_cell(context, cell.at, tap, sink ? sink : store_at(context, cell.i), names,
                         body, here);
  }
  Body made;
  std::vector<ExprPtr> folds =
      edge_cell(context, cell.at, cell.i, names, made, in_registers, sink, here);
  if (cell.in_grid && touch_memory(context, made))
    made = {{kernel::If{near_boundary(here.flags, cell.in_grid), std::move(made), {}}}};
  append(body, std::move(made));
  return folds;
}

}  // namespace stencilc::lower
