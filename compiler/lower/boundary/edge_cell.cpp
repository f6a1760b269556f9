// Cells near the boundary: what an interior cell knows beforehand is asked here, cell by cell.
#include "lower/boundary/edge_cell.h"

#include <algorithm>
#include <set>

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/ghost_value.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/statement_groups.h"
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

  // Computes t+1 of the fields here, and of those whose t+1 at the cell they read.
  void make(const std::vector<const ir::Update*>& updates, bool named) {
    const std::set<int>& staged = context_.launch.staged;
    for (const Group& group :
         statement_groups(context_, updates, here_.holds_staged ? staged : std::set<int>())) {
      if (assigns_all(context_, group[0].assigns->domain))
        everywhere(group, named);
      else
        in_domain_of(group);
    }
  }

  // What the traversal holds of the fields here needs no statements.
  void take_held(std::vector<const ir::Update*>& updates) {
    if (!here_.holds_staged) return;
    std::erase_if(updates, [&](const ir::Update* update) {
      ExprPtr& made = made_[update->field];
      made = here_.staged(ir::Read{update->field, 1, {}}, nullptr, names_, body_);
      return made != nullptr;
    });
  }

  ExprPtr made(int field) const { return made_[field]; }
  ExprPtr written(int field) const { return written_[field]; }  // of an output; null: always

  // What the cell adds to the n-th fold of the launch.
  ExprPtr fold(size_t n) {
    const ir::Reduction& reduction =
        context_.stencil.reductions[context_.launch.combines[n].reduction];
    const std::string wanted = reduction.name + "_here";
    if (assigns_all(context_, reduction.domain))
      return cell_.named(cell_.value(reduction.value), wanted);
    const std::string name = names_.claim(wanted);
    body_.push_back({kernel::Let{name, identity_of(context_, n), true}});
    guarded(reduction.domain, {{name, reduction.value}});
    return kernel::var(name, type_of(reduction.type));
  }

 private:
  using Values = std::vector<ExprPtr>;
  using Group = std::vector<Statement>;
  // A variable, what it becomes, and the line of the program that says so; 0: said already.
  struct Assigned {
    std::string name;
    ir::ExprPtr value;
    int line = 0;
  };

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
      if (const ExprPtr held = in_registers_ ? in_registers_(read) : nullptr) return held;
      if (const ExprPtr held = staged(read, nullptr, names_, body_)) return held;
      return taps(read);
    };
  }

  // What the block holds of t+1. Of the cell itself it is what the statements here have made, if
  // they have.
  ExprPtr staged(const ir::Read& read, const std::vector<ExprPtr>* at, Names& names,
                 Body& body) const {
    if (!here_.staged || read.level != 1) return nullptr;
    return made_[read.field] && read.offset == ir::Offset{} ? nullptr
                                                            : here_.staged(read, at, names, body);
  }

  // t+1 at the cell is a variable, at another cell computed anew; everything else is loaded.
  EdgeTaps::Fetch fetch() {
    return [this](const ir::Read& read, const std::vector<ExprPtr>& at, bool moved, Names& names,
                  Body& body) -> ExprPtr {
      if (read.level != 1 || !context_.launch.stores_field(context_.stencil, read.field)) {
        const ir::Field& field = context_.stencil.fields[read.field];
        return moved ? kernel::load(buffer_of(context_, read), linear_of_any(context_, at, field))
                     : tap_anywhere(context_, at_, i_, read);
      }
      if (!moved && read.offset == ir::Offset{}) return made_[read.field];
      if (const ExprPtr held = staged(read, &at, names, body)) {
        const auto same = [&](Names&, Body&) { return held; };
        return where_a_cell(read, at, moved, same, names, body);
      }
      std::vector<ExprPtr> there = at;
      for (int a = 0; a < context_.rank(); ++a) {
        if (kernel::as<kernel::Var>(there[a])) continue;
        const std::string name = names.claim(context_.axes[a] + "_there");
        body.push_back({kernel::Let{name, there[a]}});
        there[a] = kernel::var(name);
      }
      const auto make = [&](Names& of, Body& to) { return made_there(read.field, there, of, to); };
      return where_a_cell(read, there, moved, make, names, body);
    };
  }

  // What `make` gives where the coordinates are those of a cell. In a halo of the caller's t+1 is
  // what level t is.
  template <class Make>
  ExprPtr where_a_cell(const ir::Read& read, const std::vector<ExprPtr>& there, bool moved,
                       const Make& make, Names& names, Body& body) const {
    const ExprPtr inside = has_cell(read, there, moved);
    if (!inside) return make(names, body);
    const ir::Field& field = context_.stencil.fields[read.field];
    const std::string result = names.claim(context_.name_at(field.name + "_next", read.offset));
    body.push_back({kernel::Let{result, constant(ir::Scalar{field.type}), true}});
    kernel::If split{inside, {}, {}};
    Names inner = names;
    const ExprPtr made = make(inner, split.yes);
    split.yes.push_back({kernel::Assign{result, made}});
    const kernel::Buffer& held = field.role == ir::Role::output ? context_.targets[read.field]
                                                                : context_.levels[read.field][0];
    split.no.push_back(
        {kernel::Assign{result, kernel::load(held, linear_of_any(context_, there, field))}});
    body.push_back({std::move(split)});
    return kernel::var(result, type_of(field.type));
  }

  ExprPtr made_there(int field, const std::vector<ExprPtr>& there, Names& names, Body& body) const {
    EdgeCell other(context_, there, linear_of_any(context_, there), nullptr, names, body, here_);
    other.make({&context_.stencil.updates[context_.stencil.update_of(field)]}, true);
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

  // Assigns where the cell lies within the domain, and sets the flags; elsewhere does what
  // `otherwise` says. Returns the condition on its coordinates.
  ExprPtr guarded(const ir::Domain& domain, const std::vector<Assigned>& all,
                  const std::vector<std::string>& flags = {}, Body otherwise = {}) {
    const ExprPtr within = condition(domain);
    if (!domain.mask || !within) {
      kernel::If split{domain.mask ? value_of(domain.mask, names_, body_) : within, {}, {}};
      Names names = names_;
      assign(all, flags, names, split.yes);
      split.no = std::move(otherwise);
      body_.push_back({std::move(split)});
      return within;
    }
    kernel::If split{within, {}, {}};
    Names names = names_;
    kernel::If masked{value_of(domain.mask, names, split.yes), {}, {}};
    Body& applies = masked.yes;
    if (otherwise.empty()) {
      assign(all, flags, names, applies);
      split.yes.push_back({std::move(masked)});
      body_.push_back({std::move(split)});
      return within;
    }
    // What stands elsewhere stands there once.
    const std::string assigned = names_.claim("assigned");
    const ExprPtr no = kernel::make(kernel::Type::boolean, kernel::Int{0});
    body_.push_back({kernel::Let{assigned, no, true}});
    split.yes.push_back({kernel::Assign{assigned, masked.condition}});
    body_.push_back({std::move(split)});
    masked.condition = kernel::var(assigned, kernel::Type::boolean);
    masked.no = std::move(otherwise);
    names = names_;
    assign(all, flags, names, applies);
    body_.push_back({std::move(masked)});
    return within;
  }

  // With reads of its own.
  ExprPtr value_of(const ir::ExprPtr& expr, Names& names, Body& body) const {
    EdgeTaps taps(taps_, names, body);
    return Cell(cell_, tap(taps), names, body).value(expr);
  }

  // With reads of their own: what a statement before made of the cell is not what it is now.
  void assign(const std::vector<Assigned>& all, const std::vector<std::string>& flags, Names& names,
              Body& body) {
    EdgeTaps taps(taps_, names, body);
    Cell cell(cell_, tap(taps), names, body);
    for (const Assigned& one : all) {
      if (one.line) body.push_back({kernel::Line{one.line}});
      body.push_back({kernel::Assign{one.name, cell.value(one.value)}});
    }
    for (const std::string& flag : flags)
      body.push_back({kernel::Assign{flag, kernel::make(kernel::Type::boolean, kernel::Int{1})}});
  }

  // name = the value within the domain, and what level t is elsewhere, which only those cells load.
  // False where the value takes more than an expression.
  bool alternatives(const ir::Case& one, const std::string& name, const ExprPtr& level) {
    const Names before = names_;
    const size_t length = body_.size();
    const ExprPtr inside = condition(one.domain, true);
    Body body;
    Names names = names_;
    EdgeTaps taps(taps_, names, body);
    const ExprPtr value = Cell(cell_, tap(taps), names, body).value(one.value);
    if (!inside || !body.empty()) {
      names_ = before;
      body_.erase(body_.begin() + length, body_.end());
      return false;
    }
    const ExprPtr chosen = kernel::make(value->type, kernel::Pick{inside, value, level});
    body_.push_back({kernel::Line{one.line}});
    body_.push_back({kernel::Let{name, chosen}});
    body_.push_back({kernel::Line{0}});
    return true;
  }

  std::string claim_next(const Statement& statement) {
    return names_.claim(context_.stencil.fields[statement.update->field].name + "_next");
  }

  // Statements that assign every cell.
  void everywhere(const Group& group, bool named) {
    std::vector<Assigned> later;  // by statements that are not the first of their fields
    const auto assign_later = [&] {
      if (!later.empty()) assign(later, {}, names_, body_);
      later.clear();
    };
    for (const Statement& statement : group) {
      const ir::Case& assigns = *statement.assigns;
      if (statement.first()) {
        assign_later();
        body_.push_back({kernel::Line{assigns.line}});
        begin(statement, named);
      } else {
        later.push_back({name_of(made_[statement.update->field]), assigns.value, assigns.line});
      }
    }
    assign_later();
    body_.push_back({kernel::Line{0}});
  }

  void begin(const Statement& statement, bool named) {
    const ir::Field& field = context_.stencil.fields[statement.update->field];
    ExprPtr& made = made_[statement.update->field];
    made = cell_.value(statement.assigns->value);
    if (!statement.last()) {
      const std::string name = claim_next(statement);
      body_.push_back({kernel::Let{name, made, true}});
      made = kernel::var(name, type_of(field.type));
    } else if (named) {
      made = cell_.named(made, field.name + "_next");
    }
  }

  static const std::string& name_of(const ExprPtr& made) {
    return kernel::as<kernel::Var>(made)->name;
  }

  // Where no statement applies a stepped field keeps level t, an output is not written.
  void in_domain_of(const Group& group) {
    const ir::Domain& domain = group[0].assigns->domain;
    std::vector<Assigned> all;
    std::vector<std::string> flags;
    Body kept;
    for (const Statement& statement : group) {
      const ir::Update& update = *statement.update;
      if (statement.first() && !declare(statement, group.size() == 1, kept)) return;
      const std::string flag = flag_of(update);
      if (!flag.empty() && std::find(flags.begin(), flags.end(), flag) == flags.end())
        flags.push_back(flag);
      all.push_back({name_of(made_[update.field]), statement.assigns->value,
                     all.empty() ? 0 : statement.assigns->line});
    }
    body_.push_back({kernel::Line{group[0].assigns->line}});
    const ExprPtr within = guarded(domain, all, flags, std::move(kept));
    body_.push_back({kernel::Line{0}});
    for (const Statement& statement : group)
      if (is_output(*statement.update) && by_box(*statement.update))
        written_[statement.update->field] = within;
  }

  // The variable of a field, which begins as what it is where no statement applies. Of several only
  // the cells that these do not assign load level t, by `kept`. False: all is done.
  bool declare(const Statement& statement, bool alone, Body& kept) {
    const ir::Update& update = *statement.update;
    const ir::Field& field = context_.stencil.fields[update.field];
    const std::string name = claim_next(statement);
    made_[update.field] = kernel::var(name, type_of(field.type));
    ExprPtr start = constant(ir::Scalar{field.type});
    if (!is_output(update)) {
      const ir::Read here{update.field, 0, {}};
      const ExprPtr held = in_registers_ ? in_registers_(here) : nullptr;
      const ExprPtr level = held ? held : interior_tap(context_, at_, i_, here);
      if (!held && alone && by_box(update) && alternatives(update.cases[0], name, level))
        return false;
      if (held || alone)
        start = level;
      else
        kept.push_back({kernel::Assign{name, level}});
    }
    body_.push_back({kernel::Let{name, start, true}});
    return true;
  }

  bool is_output(const ir::Update& update) const {
    return context_.stencil.fields[update.field].role == ir::Role::output;
  }
  static bool by_box(const ir::Update& update) {
    return update.cases.size() == 1 && !update.cases[0].domain.mask;
  }

  // The variable that says whether an output was assigned, where no condition does. Those that are
  // assigned in the same cells have one.
  std::string flag_of(const ir::Update& update) {
    if (!is_output(update) || by_box(update)) return "";
    ExprPtr& written = written_[update.field];
    for (const ir::Case& one : update.cases)
      if (assigns_all(context_, one.domain)) return "";
    for (const plan::Stored& stored : context_.launch.stores) {
      const ir::Update& other = context_.stencil.updates[stored.update];
      if (!written && flag_serves(other, update)) written = written_[other.field];
    }
    if (!written) {
      const std::string name =
          names_.claim(context_.stencil.fields[update.field].name + "_written");
      const ExprPtr no = kernel::make(kernel::Type::boolean, kernel::Int{0});
      body_.push_back({kernel::Let{name, no, true}});
      written = kernel::var(name, kernel::Type::boolean);
    }
    return name_of(written);
  }

  bool flag_serves(const ir::Update& one, const ir::Update& other) const {
    return is_output(one) && std::equal(one.cases.begin(), one.cases.end(), other.cases.begin(),
                                        other.cases.end(), [&](const auto& a, const auto& b) {
                                          return same_cells(context_, a.domain, b.domain);
                                        });
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
  std::vector<const ir::Update*> updates;
  for (const plan::Stored& stored : stores)
    updates.push_back(&context.stencil.updates[stored.update]);
  cell.take_held(updates);
  cell.make(updates, stores.size() > 1);
  for (size_t n = 0; n < context.launch.combines.size() && context.folds; ++n)
    folds.push_back(cell.fold(n));
  ExprPtr guard;  // of the store before
  for (const plan::Stored& stored : stores) {
    const int field = context.stencil.updates[stored.update].field;
    const ExprPtr written = cell.written(field);
    kernel::Stmt store = sink(field, cell.made(field), !written);
    auto* before = body.empty() ? nullptr : std::get_if<kernel::If>(&body.back().node);
    if (written && written == guard && before)
      before->yes.push_back(std::move(store));
    else if (written)
      body.push_back({kernel::If{written, {std::move(store)}, {}}});
    else
      body.push_back(std::move(store));
    guard = written;
  }
  return folds;
}

ExprPtr next_of_cell(const Context& context, int field, const std::vector<ExprPtr>& at,
                     const ExprPtr& i, Names& names, Body& body, const CellContext& here) {
  EdgeCell cell(context, at, i, nullptr, names, body, here);
  cell.make({&context.stencil.updates[context.stencil.update_of(field)]}, true);
  return cell.made(field);
}

std::vector<ExprPtr> any_cell(const Context& context, bool edges, const CellPlace& cell,
                              const Cell::Tap& in_registers, const Sink& sink, Names& names,
                              Body& body, const CellContext& here) {
  if (!edges) {
    const Cell::Tap tap = [&](const ir::Read& read) {
      if (const ExprPtr value = in_registers(read)) return value;
      return cell.anywhere ? tap_anywhere(context, cell.at, cell.i, read)
                           : interior_tap(context, cell.at, cell.i, read);
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
