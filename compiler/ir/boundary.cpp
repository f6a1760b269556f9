#include "ir/boundary.h"

#include <cassert>
#include <cmath>

namespace stencilc::ir {
namespace {

using K = EdgeKind;

// The table of docs/language.md, "Boundaries". A row for each value of Edge.
constexpr EdgeKind kKinds[] = {
    {Edge::clamp, "clamp", K::last, K::copied, K::no_value},
    {Edge::reflect, "reflect", K::again, K::copied, K::no_value},
    {Edge::mirror, "mirror", K::next, K::copied, K::no_value},
    {Edge::antireflect, "antireflect", K::again, K::negated, K::no_value},
    {Edge::periodic, "periodic", K::around, K::copied, K::no_value},
    {Edge::constant, "constant", K::outside, K::copied, K::one_value},
    {Edge::expr, "expr", K::outside, K::copied, K::value_of_cell},
    {Edge::neumann, "neumann", K::last, K::sloped, K::one_value},
    {Edge::fixed, "fixed", K::nowhere, K::copied, K::no_value},
    {Edge::ghost, "ghost", K::outside, K::copied, K::no_value},
    {Edge::none, "none", K::nowhere, K::copied, K::no_value},
};

}  // namespace

const EdgeKind& kind_of(Edge edge) {
  for (const EdgeKind& kind : kKinds)
    if (kind.edge == edge) return kind;
  assert(false);
  return kKinds[0];
}

std::span<const EdgeKind> edge_kinds() { return kKinds; }

std::string listed_edge_kinds() {
  std::string text;
  for (const EdgeKind& kind : kKinds) {
    if (!text.empty()) text += kind.edge == Edge::none ? " and " : ", ";
    text += kind.name;
    if (kind.edge == Edge::constant) text += ", zero";
  }
  return text;
}

std::string_view name(Edge edge) { return kind_of(edge).name; }

GhostCost ghost_cost(Edge edge) {
  const EdgeKind& kind = kind_of(edge);
  if (edge == Edge::none) return GhostCost::nothing;
  if (kind.closed()) return GhostCost::kept;
  if (kind.computes()) return GhostCost::computation;
  if (kind.source == K::around) return GhostCost::around;
  return kind.value == K::one_value ? GhostCost::number : GhostCost::copy;
}

const Constant* number_of(const Side& side) {
  return side.edge == Edge::constant ? as<Constant>(side.value) : nullptr;
}

bool same_number(const Constant* a, const Constant* b) {
  return a && b && a->value.type == b->value.type && a->value.real == b->value.real &&
         std::signbit(a->value.real) == std::signbit(b->value.real) &&
         a->value.integer == b->value.integer;
}

const Constant* number_along(const Boundary& boundary, int axis) {
  const std::array<Side, 2>& sides = boundary.sides[axis];
  const Constant* low = number_of(sides[0]);
  return same_number(low, number_of(sides[1])) ? low : nullptr;
}

}  // namespace stencilc::ir
