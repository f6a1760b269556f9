#include "lint/scheme.h"

#include <algorithm>

namespace stencilc::lint {
namespace {

// Does the statement apply to no cell away from the rim?
bool at_rim_alone(const ir::Case& one) {
  return std::ranges::any_of(one.domain.limits,
                             [](const ir::Limit& limit) { return limit.upper != limit.from_end; });
}

// depends[a][b]: update a reads, directly or through others, what update b makes.
std::vector<std::vector<bool>> dependences(const ir::Stencil& stencil) {
  const size_t count = stencil.updates.size();
  std::vector<std::vector<bool>> depends(count, std::vector<bool>(count));
  for (size_t u = 0; u < count; ++u) {
    std::vector<ir::ExprPtr> values;
    for (const ir::Case& one : stencil.updates[u].cases)
      if (!at_rim_alone(one)) values.insert(values.end(), {one.value, one.domain.mask});
    for (const ir::ExprPtr& node : ir::nodes_of(values))
      if (const auto* read = ir::as<ir::Read>(node)) {
        const int of = stencil.update_of(read->field);
        if (of >= 0) depends[u][of] = true;
      }
  }
  for (size_t via = 0; via < count; ++via)
    for (size_t a = 0; a < count; ++a)
      if (depends[a][via])
        for (size_t b = 0; b < count; ++b)
          if (depends[via][b]) depends[a][b] = true;
  return depends;
}

}  // namespace

std::vector<std::vector<int>> circles(const ir::Stencil& stencil) {
  const std::vector<std::vector<bool>> depends = dependences(stencil);
  const int count = static_cast<int>(depends.size());
  std::vector<std::vector<int>> result;
  std::vector<bool> done(count);
  for (int a = 0; a < count; ++a) {
    if (done[a] || !depends[a][a]) continue;
    std::vector<int> circle;
    for (int b = a; b < count; ++b)
      if (depends[a][b] && depends[b][a]) {
        circle.push_back(b);
        done[b] = true;
      }
    result.push_back(std::move(circle));
  }
  return result;
}

size_t Scheme::taps() const {
  size_t count = 0;
  for (const Step& step : steps) count += step.taps.size();
  return count;
}

std::optional<Scheme> scheme(const ir::Stencil& stencil, const std::vector<int>& circle,
                             const Params& params) {
  Scheme result;
  result.first_state.assign(stencil.fields.size(), -1);
  std::vector<bool> unknown(stencil.fields.size());
  for (const int u : circle) {
    const int f = stencil.updates[u].field;
    const ir::Field& field = stencil.fields[f];
    if (field.role != ir::Role::stepped && field.role != ir::Role::output) return {};
    unknown[f] = true;
    if (field.role == ir::Role::output) continue;
    result.first_state[f] = result.states;
    result.states += field.levels();
  }
  for (const int u : circle)
    for (const ir::Case& one : stencil.updates[u].cases) {
      if (at_rim_alone(one)) continue;
      if (one.domain.mask) return {};
      std::optional<std::vector<Tap>> taps = linear_terms(one.value, unknown, params);
      if (!taps) return {};
      for (const Tap& tap : *taps)
        for (int a = 0; a < ir::kMaxRank; ++a) result.wide[a] |= tap.offset[a] != 0;
      result.steps.push_back({stencil.updates[u].field, std::move(*taps)});
    }
  return result;
}

Matrix step_of(const Scheme& scheme, const Wave& wave) {
  const int states = scheme.states;
  // What each field is at t+1, as a row of factors of the vector. Before the first statement a
  // stepped field is what it was.
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
  // Older levels move up.
  std::vector<bool> newest(states);
  for (const int first : scheme.first_state)
    if (first >= 0) newest[first] = true;
  for (int s = 1; s < states; ++s)
    if (!newest[s]) matrix.at(s, s - 1) = 1;
  return matrix;
}

}  // namespace stencilc::lint
