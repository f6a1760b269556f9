#include "lint/scheme.h"

#include <algorithm>
#include <map>
#include <set>

namespace stencilc::lint {
namespace {

// Whether the statement applies only to cells near the boundary.
bool only_at_boundary(const ir::Case& one) {
  return std::ranges::any_of(one.domain.limits,
                             [](const ir::Limit& limit) { return limit.upper != limit.from_end; });
}

// [a]: the updates whose results update a reads.
std::vector<std::vector<int>> dependences(const ir::Stencil& stencil) {
  std::vector<int> update_of(stencil.fields.size(), -1);
  for (size_t u = 0; u < stencil.updates.size(); ++u)
    update_of[stencil.updates[u].field] = static_cast<int>(u);
  std::vector<std::vector<int>> result;
  for (const ir::Update& update : stencil.updates) {
    std::vector<ir::ExprPtr> values;
    for (const ir::Case& one : update.cases)
      if (!only_at_boundary(one)) values.insert(values.end(), {one.value, one.domain.mask});
    std::set<int> made;
    for (const ir::ExprPtr& node : ir::nodes_of(values))
      if (const auto* read = ir::as<ir::Read>(node); read && update_of[read->field] >= 0)
        made.insert(update_of[read->field]);
    result.emplace_back(made.begin(), made.end());
  }
  return result;
}

// Strongly connected components: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM
// J. Comput. 1(2), 1972.
struct Components {
  const std::vector<std::vector<int>>& edges;
  std::vector<int> number, low, component, path;
  int numbers = 0, components = 0;

  explicit Components(const std::vector<std::vector<int>>& graph)
      : edges(graph), number(graph.size(), -1), low(graph.size(), 0), component(graph.size(), -1) {
    for (size_t a = 0; a < graph.size(); ++a)
      if (number[a] < 0) visit(static_cast<int>(a));
  }
  void visit(int a) {
    number[a] = low[a] = numbers++;
    path.push_back(a);
    for (const int b : edges[a]) {
      if (number[b] < 0) visit(b);
      if (component[b] < 0) low[a] = std::min(low[a], low[b]);
    }
    if (low[a] != number[a]) return;
    int b = -1;
    do {
      b = path.back();
      path.pop_back();
      component[b] = components;
    } while (b != a);
    ++components;
  }
};

}  // namespace

std::vector<std::vector<int>> circles(const ir::Stencil& stencil) {
  const std::vector<std::vector<int>> edges = dependences(stencil);
  const Components found(edges);
  std::vector<std::vector<int>> members(found.components);
  for (size_t a = 0; a < edges.size(); ++a)
    members[found.component[a]].push_back(static_cast<int>(a));
  std::vector<std::vector<int>> result;  // by their first members
  for (size_t a = 0; a < edges.size(); ++a) {
    std::vector<int>& circle = members[found.component[a]];
    const bool by_itself = std::ranges::count(edges[a], static_cast<int>(a)) != 0;
    if (circle.empty() || (circle.size() == 1 && !by_itself)) continue;
    result.push_back(std::move(circle));
    circle.clear();
  }
  return result;
}

size_t Scheme::taps() const {
  size_t count = 0;
  for (const Step& step : steps) count += step.taps.size();
  return count;
}

std::optional<Scheme> scheme(const ir::Stencil& stencil, const std::vector<int>& circle,
                             const Values& values) {
  Scheme result;
  std::vector<bool> unknown(stencil.fields.size());
  std::map<int, int> place;  // index of a field among those of the cycle
  for (const int u : circle) {
    const int f = stencil.updates[u].field;
    const ir::Field& field = stencil.fields[f];
    if (field.role != ir::Role::stepped && field.role != ir::Role::output) return {};
    unknown[f] = true;
    place.emplace(f, static_cast<int>(place.size()));
    const bool stepped = field.role == ir::Role::stepped;
    result.first_state.push_back(stepped ? result.states : -1);
    if (stepped) result.states += field.levels();
  }
  for (const int u : circle)
    for (const ir::Case& one : stencil.updates[u].cases) {
      if (only_at_boundary(one)) continue;
      if (one.domain.mask) return {};
      std::optional<std::vector<Tap>> taps = linear_terms(one.value, unknown, values);
      if (!taps) return {};
      for (Tap& tap : *taps) {
        for (int a = 0; a < ir::kMaxRank; ++a) result.wide[a] |= tap.offset[a] != 0;
        tap.field = place.at(tap.field);
      }
      result.steps.push_back({place.at(stencil.updates[u].field), std::move(*taps)});
    }
  return result;
}

Matrix step_of(const Scheme& scheme, const Wave& wave) {
  const int states = scheme.states;
  // The value of each field at t+1, as a row of factors of the vector. Before its first statement,
  // a field has its old value.
  std::vector<std::vector<Complex>> made(scheme.first_state.size(), std::vector<Complex>(states));
  for (size_t f = 0; f < made.size(); ++f)
    if (scheme.first_state[f] >= 0) made[f][scheme.first_state[f]] = 1;
  for (const Scheme::Step& step : scheme.steps) {
    std::vector<Complex> row(states);
    for (const Tap& tap : step.taps) {
      double angle = 0;
      for (int a = 0; a < ir::kMaxRank; ++a) angle += wave[a] * tap.offset[a];
      const Complex factor = std::polar(1.0, angle) * tap.weight;
      if (tap.level <= 0)
        row[scheme.first_state[tap.field] - tap.level] += factor;
      else
        for (int s = 0; s < states; ++s) row[s] += factor * made[tap.field][s];
    }
    made[step.field] = std::move(row);
  }
  Matrix matrix(states);
  for (size_t f = 0; f < made.size(); ++f) {
    const int first = scheme.first_state[f];
    if (first < 0) continue;
    for (int s = 0; s < states; ++s) matrix.at(first, s) = made[f][s];
  }
  // Older levels shift by one.
  std::vector<bool> newest(states);
  for (const int first : scheme.first_state)
    if (first >= 0) newest[first] = true;
  for (int s = 1; s < states; ++s)
    if (!newest[s]) matrix.at(s, s - 1) = 1;
  return matrix;
}

}  // namespace stencilc::lint
