#include "ir/ir.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "ir/node_map.h"

namespace stencilc::ir {

std::string_view name(Reduction::Kind kind) {
  constexpr std::string_view kNames[] = {"sum", "prod", "min", "max", "norm2"};
  return kNames[kind];
}

std::string_view name(Role role) {
  constexpr std::string_view kNames[] = {"stepped", "input", "output", "in place"};
  return kNames[static_cast<size_t>(role)];
}

bool Boundary::given() const {
  for (const auto& axis : sides)
    for (const Side& side : axis)
      if (side.given) return true;
  return false;
}

bool Boundary::has(Edge edge) const {
  for (const auto& axis : sides)
    for (const Side& side : axis)
      if (side.given && side.edge == edge) return true;
  return false;
}

int Weights::count() const {
  int product = 1;
  for (const auto& [first, last] : ranges) product *= last - first + 1;
  return product;
}

bool Stencil::steps() const {
  return std::any_of(fields.begin(), fields.end(), [](const Field& f) {
    return f.role == Role::stepped || f.role == Role::in_place;
  });
}

int Stencil::update_of(int field) const {
  for (size_t u = 0; u < updates.size(); ++u)
    if (updates[u].field == field) return static_cast<int>(u);
  return -1;
}

const Update* Stencil::maker_of(int field) const {
  for (const std::vector<Update>* all : {&updates, &setups})
    for (const Update& update : *all)
      if (update.field == field) return &update;
  return nullptr;
}

std::vector<ExprPtr> children(const Expr& expr) {
  std::vector<ExprPtr> result;
  for_each_child(expr, [&](const ExprPtr& child) { result.push_back(child); });
  return result;
}

const Read* read_of_tap(const ExprPtr& tap) {
  if (const auto* cast = as<Cast>(tap)) return read_of_tap(cast->value);
  return as<Read>(tap);
}

namespace {

void collect(const ExprPtr& expr, NodeSet& seen, std::vector<ExprPtr>& out) {
  if (!seen.insert(expr.get())) return;
  for_each_child(*expr, [&](const ExprPtr& child) { collect(child, seen, out); });
  out.push_back(expr);
}

// Pointers to the expressions of a Stencil or a const Stencil.
template <class Place, class AnyStencil>
std::vector<Place> all_roots(AnyStencil& stencil) {
  std::vector<Place> result;
  const auto add = [&](auto& expr) {
    if (expr) result.push_back(&expr);
  };
  for (auto& field : stencil.fields)
    for (auto& axis : field.boundary.sides)
      for (auto& side : axis) add(side.value);
  for (auto& update : stencil.updates)
    for (auto& one : update.cases) {
      add(one.value);
      add(one.domain.mask);
    }
  for (auto& reduction : stencil.reductions) {
    add(reduction.value);
    add(reduction.domain.mask);
  }
  add(stencil.iterate.until);
  for (auto& injection : stencil.injections) add(injection.value);
  for (auto& sample : stencil.samples) add(sample.value);
  return result;
}

}  // namespace

std::vector<const ExprPtr*> roots(const Stencil& stencil) {
  return all_roots<const ExprPtr*>(stencil);
}
std::vector<ExprPtr*> roots(Stencil& stencil) { return all_roots<ExprPtr*>(stencil); }

std::vector<ExprPtr> nodes_of(const std::vector<ExprPtr>& roots) {
  NodeSet seen;
  std::vector<ExprPtr> out;
  for (const ExprPtr& root : roots)
    if (root) collect(root, seen, out);
  return out;
}

std::vector<ExprPtr> nodes_of(const Stencil& stencil) {
  std::vector<ExprPtr> all;
  for (const ExprPtr* root : roots(stencil)) all.push_back(*root);
  return nodes_of(all);
}

namespace {

// Shifts with a cache by node, so that a shared tree stays one shared tree.
struct Displacer {
  const Offset& offset;
  MovedValues* moved = nullptr;
  NodeMap<ExprPtr> done = {};

  ExprPtr move(const ExprPtr& expr) {
    if (!expr) return nullptr;
    if (const ExprPtr* found = done.find(expr.get())) return *found;
    ExprPtr result = std::visit([&](const auto& node) { return one(node, expr); }, expr->node);
    return done[expr.get()] = result;
  }
  template <class Leaf>
  ExprPtr one(const Leaf&, const ExprPtr& expr) {
    return expr;
  }
  ExprPtr one(const Coordinate& node, const ExprPtr& expr) {
    return make(expr->type, Coordinate{node.axis, node.offset + offset[node.axis]});
  }
  ExprPtr one(const Read& node, const ExprPtr& expr) {
    Read read = node;
    for (int a = 0; a < kMaxRank; ++a) read.offset[a] += offset[a];
    return make(expr->type, read);
  }
  ExprPtr one(const Apply& node, const ExprPtr& expr) {
    Apply apply{node.op, {}};
    for (const ExprPtr& arg : node.args) apply.args.push_back(move(arg));
    return make(expr->type, std::move(apply));
  }
  ExprPtr one(const Cast& node, const ExprPtr& expr) {
    return make(expr->type, Cast{node.saturate, move(node.value)});
  }
  ExprPtr one(const Named& node, const ExprPtr& expr) {
    Named named{node.name, node.let, node.offset, nullptr};
    for (int a = 0; a < kMaxRank; ++a) named.offset[a] += offset[a];
    const bool shared = moved && node.let < 0;
    if (shared)
      if (const auto known = moved->find({named.let, named.offset}); known != moved->end())
        return known->second;
    named.value = move(node.value);
    const auto place = std::pair(named.let, named.offset);
    const ExprPtr result = make(expr->type, std::move(named));
    return shared ? (*moved)[place] = result : result;
  }
  ExprPtr one(const Sum& node, const ExprPtr& expr) {
    Sum sum{move(node.bias), {}};
    for (const Sum::Term& term : node.terms)
      sum.terms.push_back({move(term.weight), move(term.tap)});
    return make(expr->type, std::move(sum));
  }
};

}  // namespace

ExprPtr with_operands(const ExprPtr& expr, const std::function<ExprPtr(const ExprPtr&)>& of) {
  if (const auto* apply = as<Apply>(expr)) {
    Apply made{apply->op, {}};
    for (const ExprPtr& arg : apply->args) made.args.push_back(of(arg));
    return made.args == apply->args ? expr : make(expr->type, std::move(made));
  }
  if (const auto* cast = as<Cast>(expr)) {
    const ExprPtr value = of(cast->value);
    return value == cast->value ? expr : make(expr->type, Cast{cast->saturate, value});
  }
  if (const auto* named = as<Named>(expr)) {
    const ExprPtr value = of(named->value);
    return value == named->value
               ? expr
               : make(expr->type, Named{named->name, named->let, named->offset, value});
  }
  if (const auto* sum = as<Sum>(expr)) {
    Sum made{of(sum->bias), {}};
    bool same = made.bias == sum->bias;
    for (const Sum::Term& term : sum->terms) {
      made.terms.push_back({of(term.weight), of(term.tap)});
      same &= made.terms.back().weight == term.weight && made.terms.back().tap == term.tap;
    }
    return same ? expr : make(expr->type, std::move(made));
  }
  return expr;
}

ExprPtr displace(const ExprPtr& expr, const Offset& offset) {
  return offset == Offset{} ? expr : Displacer{offset}.move(expr);
}

ExprPtr displace(const ExprPtr& expr, const Offset& offset, MovedValues& moved) {
  return offset == Offset{} ? expr : Displacer{offset, &moved}.move(expr);
}

bool Stencil::uses_time() const {
  if (!series.empty()) return true;
  Stencil met = *this;  // boundary values count only if a read reaches them
  drop_unmet_sides(met);
  const std::vector<const ExprPtr*> all = roots(static_cast<const Stencil&>(met));
  return std::any_of(all.begin(), all.end(), [](const ExprPtr* root) { return (*root)->counts; });
}

bool has_all_axes(const Stencil& stencil, const Field& field) {
  return std::all_of(field.along.begin(), field.along.begin() + stencil.rank(),
                     [](bool has) { return has; });
}

}  // namespace stencilc::ir
