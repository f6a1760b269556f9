// before   let c = sqrt(k);  v[t+1] = c*v + c[x+1]*v[x+1]
// after    before the first step:  c = sqrt(k)       a temporary
//          v[t+1] = c*v + c[x+1]*v[x+1]              which reads it like an input
#include "plan/schedule/setup_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ir/label.h"
#include "ir/node_map.h"
#include "plan/schedule/value_placement.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

std::vector<ExprPtr> roots_of_updates(const ir::Stencil& stencil) {
  std::vector<ExprPtr> roots;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      roots.push_back(one.value);
      if (one.domain.mask) roots.push_back(one.domain.mask);
    }
  return roots;
}

// SetupNumbers of expressions: equal ones have the same.
class SetupNumbers {
 public:
  int of(const ExprPtr& expr) {
    if (const int* known = numbers_.find(expr.get())) return *known;
    std::vector<int64_t> label;
    ir::add_label(*expr, label);
    ir::for_each_child(*expr, [&](const ExprPtr& child) { label.push_back(of(child)); });
    const int next = static_cast<int>(labels_.size());
    const int number = labels_.try_emplace(std::move(label), next).first->second;
    numbers_[expr.get()] = number;
    kept_.push_back(expr);
    return number;
  }

 private:
  std::map<std::vector<int64_t>, int> labels_;
  ir::NodeMap<int> numbers_;
  std::vector<ExprPtr> kept_;  // so that no other can have the address of one
};

// What changes from step to step in an expression, as a part of a sentence; or empty.
class StepChanges {
 public:
  explicit StepChanges(const ir::Stencil& stencil) : stencil_(stencil) {}

  std::string of(const ExprPtr& expr) {
    if (const std::string* known = known_.find(expr.get())) return *known;
    std::string why = own(expr);
    ir::for_each_child(*expr, [&](const ExprPtr& child) {
      if (why.empty()) why = of(child);
    });
    kept_.push_back(expr);
    known_[expr.get()] = why;
    return why;
  }
  // Is it the same in every step, and not the same in every cell?
  bool never(const ExprPtr& expr) { return expr->varies && of(expr).empty(); }

 private:
  std::string own(const ExprPtr& expr) const {
    if (ir::as<ir::Time>(expr)) return "depends on the number of the step";
    if (ir::as<ir::SeriesRef>(expr)) return "reads a series, which has a value for each step";
    if (ir::as<ir::ReductionRef>(expr)) return "reads a reduction, which each step computes again";
    const auto* read = ir::as<ir::Read>(expr);
    if (!read) return "";
    const ir::Field& field = stencil_.fields[read->field];
    if (field.role != ir::Role::input) return "reads `" + field.name + "`, which each step assigns";
    for (const auto& sides : field.boundary.sides)
      for (const ir::Side& side : sides)
        if (side.value && side.value->counts)
          return "reads `" + field.name + "`, whose boundary depends on the number of the step";
    return "";
  }

  const ir::Stencil& stencil_;
  ir::NodeMap<std::string> known_;
  std::vector<ExprPtr> kept_;
};

// The offset at which an expression first reads: from its own cell, it reads there at 0.
ir::Offset first_read(const ExprPtr& expr) {
  for (const ExprPtr& node : ir::nodes_of({expr}))
    if (const auto* read = ir::as<ir::Read>(node)) return read->offset;
  return {};
}

// Has it a division, a root or a transcendental function, beside those of the values that it reads?
class LongParts {
 public:
  bool in(const ExprPtr& expr) {
    if (!expr->varies || ir::as<ir::Named>(expr)) return false;
    if (const bool* known = known_.find(expr.get())) return *known;
    bool found = is_one(expr);
    ir::for_each_child(*expr, [&](const ExprPtr& child) { found = found || in(child); });
    kept_.push_back(expr);
    return known_[expr.get()] = found;
  }

 private:
  static bool is_one(const ExprPtr& expr) {
    const auto* apply = ir::as<ir::Apply>(expr);
    if (!apply || !ir::is_float(expr->type)) return false;
    if (apply->op == ir::Op::div) return apply->args[1]->varies;
    return apply->op == ir::Op::sqrt || ir::is_transcendental(apply->op);
  }

  ir::NodeMap<bool> known_;
  std::vector<ExprPtr> kept_;
};

// Finds what can be set up, from outside to inside.
class SetupFinder {
 public:
  explicit SetupFinder(const ir::Stencil& stencil) : stencil_(stencil), changes_(stencil) {
    for (const ir::Field& field : stencil.fields) taken_.insert(field.name);
    for (const ir::Param& param : stencil.params) taken_.insert(param.name);
    for (const Value& value : values_in(stencil)) taken_.insert(value.name);
  }

  std::vector<SetupValue> find() {
    if (!stencil_.steps()) return {};
    for (const ExprPtr& root : roots_of_updates(stencil_)) look(root, true);
    for (const std::string& name : changing_)
      std::erase_if(found_, [&](const SetupValue& one) { return one.named && one.name == name; });
    return std::move(found_);
  }

 private:
  // `unnamed`: is an expression without a name looked for? Not inside of what never changes.
  void look(const ExprPtr& expr, bool unnamed) {
    if (!seen_.emplace(expr.get(), unnamed).second || !expr->varies) return;
    const bool never = changes_.never(expr);
    const auto* named = ir::as<ir::Named>(expr);
    if (named && never && expr->type != ir::Type::boolean) {
      if (lets_.insert(named->let).second)
        found_.push_back(
            {named->name, named->let, true, 0, ir::displace(expr, ir::opposite(named->offset))});
      unnamed = false;
    } else if (named) {
      changing_.insert(named->name);
    } else if (never && unnamed && ir::is_float(expr->type) && !ir::as<ir::Read>(expr) &&
               long_.in(expr)) {
      const ExprPtr own = ir::displace(expr, ir::opposite(first_read(expr)));
      if (const int number = numbers_.of(own); known_.insert(number).second)
        found_.push_back({next_name(), 0, false, number, own});
      unnamed = false;
    }
    if (const auto* sum = ir::as<ir::Sum>(expr)) {  // weights stay: they read no field
      if (sum->bias) look(sum->bias, unnamed);
      for (const ir::Sum::Term& term : sum->terms) look(term.tap, unnamed);
      return;
    }
    ir::for_each_child(*expr, [&](const ExprPtr& child) { look(child, unnamed); });
  }

  std::string next_name() {
    std::string name;
    do name = "invariant" + std::to_string(++named_);
    while (taken_.contains(name));
    return name;
  }

  const ir::Stencil& stencil_;
  StepChanges changes_;
  LongParts long_;
  SetupNumbers numbers_;
  std::vector<SetupValue> found_;
  std::set<std::pair<const ir::Expr*, bool>> seen_;
  std::set<int> lets_, known_;
  std::set<std::string> taken_, changing_;
  int named_ = 0;
};

// Replaces set-up values by reads of their temporaries, which it makes when they are first read.
class SetupReader {
 public:
  SetupReader(ir::Stencil& stencil, const std::vector<SetupValue>& values,
              const std::vector<std::string>& names)
      : stencil_(stencil), changes_(stencil) {
    for (const SetupValue& value : values) {
      if (std::ranges::find(names, value.name) == names.end()) continue;
      if (value.named)
        by_let_[value.let] = &value;
      else
        by_number_[numbers_.of(value.expr)] = &value;
    }
  }

  ExprPtr replaced(const ExprPtr& expr) {
    if (!expr || !expr->varies) return expr;
    if (const ExprPtr* known = done_.find(expr.get())) return *known;
    const ExprPtr result = one(expr);
    kept_.push_back(expr);
    return done_[expr.get()] = result;
  }

 private:
  ExprPtr one(const ExprPtr& expr) {
    if (const auto* named = ir::as<ir::Named>(expr)) {
      if (const auto found = by_let_.find(named->let); found != by_let_.end())
        return read(*found->second, named->offset);
    } else if (!by_number_.empty() && ir::is_float(expr->type) && long_.in(expr) &&
               changes_.never(expr)) {
      const ir::Offset at = first_read(expr);
      const auto found = by_number_.find(numbers_.of(ir::displace(expr, ir::opposite(at))));
      if (found != by_number_.end()) return read(*found->second, at);
    }
    return ir::with_operands(expr, [&](const ExprPtr& operand) { return replaced(operand); });
  }

  ExprPtr read(const SetupValue& value, const ir::Offset& offset) {
    const auto [place, fresh] =
        fields_.try_emplace(&value, static_cast<int>(stencil_.fields.size()));
    if (fresh) {
      ir::Field field;
      field.name = value.name;
      field.type = field.compute = value.expr->type;
      field.temporary = field.setup = true;
      stencil_.fields.push_back(std::move(field));
      ir::Case one;
      one.domain = ir::domain_of(stencil_, {value.expr});
      // The value itself, and no variable of its name.
      const auto* named = ir::as<ir::Named>(value.expr);
      one.value = named ? named->value : value.expr;
      stencil_.setups.push_back({place->second, {std::move(one)}});
    }
    return ir::make(value.expr->type, ir::Read{place->second, 0, offset});
  }

  ir::Stencil& stencil_;
  StepChanges changes_;
  LongParts long_;
  SetupNumbers numbers_;
  std::map<int, const SetupValue*> by_let_, by_number_;
  std::map<const SetupValue*, int> fields_;
  ir::NodeMap<ExprPtr> done_;
  std::vector<ExprPtr> kept_;
};

}  // namespace

std::vector<SetupValue> setup_values(const ir::Stencil& stencil) {
  return SetupFinder(stencil).find();
}

std::vector<std::string> all_setups(const ir::Stencil& stencil) {
  std::vector<std::string> names;
  for (const SetupValue& value : setup_values(stencil))
    if (std::ranges::find(names, value.name) == names.end()) names.push_back(value.name);
  const ir::Stencil placed = with_setup(stencil, names);
  std::set<std::string> kept;
  for (const ir::Field& field : placed.fields)
    if (field.setup) kept.insert(field.name);
  std::erase_if(names, [&](const std::string& name) { return !kept.contains(name); });
  return names;
}

std::string setup_problem(const ir::Stencil& stencil, const std::vector<std::string>& names) {
  if (!stencil.steps()) return "a run of `" + stencil.name + "` is one pass, which has no steps";
  const std::vector<SetupValue> values = setup_values(stencil);
  StepChanges changes(stencil);
  std::string known;
  for (const SetupValue& value : values)
    if (known.find("`" + value.name + "`") == std::string::npos)
      known += (known.empty() ? "`" : ", `") + value.name + "`";
  const std::string others = known.empty()
                                 ? "; no value of `" + stencil.name + "` is the same in every step"
                                 : "; those that can are " + known;
  for (const std::string& name : names) {
    if (std::ranges::any_of(values, [&](const SetupValue& one) { return one.name == name; }))
      continue;
    for (const Value& value : values_in(stencil)) {
      if (value.name != name) continue;
      const std::string& why = changes.of(value.expr);
      if (!why.empty()) return "`" + name + "` cannot be set up, because it " + why + others;
      if (value.expr->type == ir::Type::boolean)
        return "`" + name + "` cannot be set up, because it is a condition" + others;
      if (!value.expr->varies)
        return "`" + name + "` needs no set-up, because it is the same in every cell" + others;
    }
    return "there is no value `" + name + "` that could be set up" + others;
  }
  return "";
}

ir::Stencil with_setup(const ir::Stencil& stencil, const std::vector<std::string>& names) {
  if (names.empty()) return stencil;
  ir::Stencil result = stencil;
  const std::vector<ir::Offset> halos = ir::ghost_halos(stencil);
  for (size_t f = 0; f < result.fields.size(); ++f)
    if (result.fields[f].boundary.has(ir::Edge::ghost)) result.fields[f].halo = halos[f];
  const std::vector<SetupValue> values = setup_values(stencil);
  SetupReader reader(result, values, names);
  for (ir::Update& update : result.updates)
    for (ir::Case& one : update.cases) {
      one.value = reader.replaced(one.value);
      one.domain.mask = reader.replaced(one.domain.mask);
    }
  set_ghosts(result);
  return result;
}

ir::Stencil with_kept(const ir::Stencil& stencil, const std::vector<std::string>& setup,
                      const std::vector<std::string>& global) {
  return with_global(with_setup(stencil, setup), global);
}

ir::Stencil setup_step(const ir::Stencil& placed) {
  ir::Stencil result = placed;
  result.updates = placed.setups;
  result.setups.clear();
  result.reductions.clear();
  result.injections.clear();
  result.samples.clear();
  result.colors = {};
  result.iterate = {};
  for (ir::Field& field : result.fields)
    if (field.setup) field.role = ir::Role::output;
  return result;
}

}  // namespace stencilc::plan
