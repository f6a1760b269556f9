#include "ir/ir.h"

#include <algorithm>
#include <unordered_set>

namespace stencilc::ir {

std::string_view name(Edge edge) {
  switch (edge) {
    case Edge::none:
      return "none";
    case Edge::fixed:
      return "fixed";
    case Edge::clamp:
      return "clamp";
    case Edge::reflect:
      return "reflect";
    case Edge::mirror:
      return "mirror";
    case Edge::periodic:
      return "periodic";
    case Edge::constant:
      return "constant";
  }
  return "";
}

bool Stencil::steps() const {
  return std::any_of(fields.begin(), fields.end(),
                     [](const Field& f) { return f.role == Role::stepped; });
}

std::vector<ExprPtr> children(const Expr& expr) {
  if (const auto* apply = std::get_if<Apply>(&expr.node)) return apply->args;
  if (const auto* cast = std::get_if<Cast>(&expr.node)) return {cast->value};
  if (const auto* named = std::get_if<Named>(&expr.node)) return {named->value};
  std::vector<ExprPtr> result;
  if (const auto* sum = std::get_if<Sum>(&expr.node)) {
    if (sum->bias) result.push_back(sum->bias);
    for (const Sum::Term& term : sum->terms) {
      result.push_back(term.weight);
      result.push_back(term.tap);
    }
  }
  return result;
}

namespace {
void collect(const ExprPtr& expr, std::unordered_set<const Expr*>& seen,
             std::vector<ExprPtr>& out) {
  if (!seen.insert(expr.get()).second) return;
  for (const ExprPtr& child : children(*expr)) collect(child, seen, out);
  out.push_back(expr);
}

std::vector<ExprPtr> nodes_of(const Update& update) {
  std::unordered_set<const Expr*> seen;
  std::vector<ExprPtr> out;
  collect(update.value, seen, out);
  return out;
}
}  // namespace

std::vector<ExprPtr> nodes_of(const Stencil& stencil) {
  std::unordered_set<const Expr*> seen;
  std::vector<ExprPtr> out;
  for (const Update& update : stencil.updates) collect(update.value, seen, out);
  return out;
}

Reach reach(const Stencil& stencil) {
  Reach result;
  for (const ExprPtr& node : nodes_of(stencil))
    if (const auto* read = as<Read>(node))
      for (int a = 0; a < kMaxRank; ++a) {
        result.low[a] = std::max(result.low[a], -read->offset[a]);
        result.high[a] = std::max(result.high[a], read->offset[a]);
      }
  return result;
}

void infer(Stencil& stencil) {
  const std::vector<ExprPtr> nodes = nodes_of(stencil);
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    Field& field = stencil.fields[f];
    field.oldest_level = 0;
    for (const ExprPtr& node : nodes)
      if (const auto* read = as<Read>(node); read && read->field == static_cast<int>(f))
        field.oldest_level = std::max(field.oldest_level, -read->level);
    field.overwrites_oldest = field.role == Role::stepped &&
                              std::all_of(nodes.begin(), nodes.end(), [&](const ExprPtr& node) {
                                const auto* read = as<Read>(node);
                                return !read || read->field != static_cast<int>(f) ||
                                       read->level != -field.oldest_level ||
                                       read->offset == Offset{};
                              });
  }
  for (Update& update : stencil.updates) {
    update.low = update.high = {};
    for (const ExprPtr& node : nodes_of(update)) {
      const auto* read = as<Read>(node);
      if (!read) continue;
      const Boundary& boundary = stencil.fields[read->field].boundary;
      if (boundary.edge != Edge::none && boundary.edge != Edge::fixed) continue;
      for (int a = 0; a < kMaxRank; ++a) {
        update.low[a] = std::max(update.low[a], -read->offset[a]);
        update.high[a] = std::max(update.high[a], read->offset[a]);
      }
    }
  }
}

}  // namespace stencilc::ir
