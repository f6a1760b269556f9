#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "diag/codes.h"
#include "lint/rules.h"
#include "lint/stability.h"
#include "lint/tree.h"

namespace stencilc::lint {
namespace {

std::string fraction_of_pi(int part, int parts) {
  if (part == 0) return "0";
  const int common = std::gcd(part, parts);
  const int above = part / common, below = parts / common;
  const std::string factor = above == 1 ? "" : above == -1 ? "-" : fmt::format("{}*", above);
  return below == 1 ? factor + "pi" : fmt::format("{}pi/{}", factor, below);
}

std::string wave_of(const Growth& growth, int rank) {
  std::vector<std::string> components;
  for (int a = 0; a < rank; ++a) components.push_back(fraction_of_pi(growth.wave[a], growth.parts));
  return rank == 1 ? components[0] : fmt::format("({})", fmt::join(components, ", "));
}

// A param and the largest value up to which waves do not grow.
struct Bound {
  std::string name;
  double value = 0;
};

constexpr size_t kMaxParams = 6;  // that are tried

// The params that make the scheme stable when they become smaller; only `dt` if it is one of them.
std::vector<Bound> bounds(const ir::Stencil& stencil, const std::vector<int>& circle,
                          const Values& values, double slack) {
  std::vector<int> read;
  for (const int u : circle)
    for (const ir::Case& one : stencil.updates[u].cases)
      for (const ir::ExprPtr& node : ir::nodes_of(std::vector{one.value}))
        if (const auto* param = ir::as<ir::ParamRef>(node)) read.push_back(param->param);
  // The time step first, since one would change that.
  const auto order = [&](int p) { return std::pair(stencil.params[p].name != "dt", p); };
  std::ranges::sort(read, {}, order);
  read.erase(std::ranges::unique(read).begin(), read.end());
  if (read.size() > kMaxParams) read.resize(kMaxParams);
  std::vector<Bound> result;
  for (const int p : read) {
    if (!values.params[p] || !ir::is_float(values.params[p]->type)) continue;
    const auto factor = [&](double value) {
      Values changed = values;
      changed.params[p] = ir::make_real(values.params[p]->type, value);
      const auto other = scheme(stencil, circle, changed);
      if (!other) return HUGE_VAL;
      const auto grown = growth(*other, stencil.rank(), slack);
      return grown ? grown->factor : 1.0;
    };
    const auto found = bound(values.params[p]->real, slack, factor);
    if (!found) continue;
    result.push_back({stencil.params[p].name, *found});
    if (result[0].name == "dt") break;
  }
  return result;
}

std::string condition(const Bound& bound) {
  return fmt::format("`{}` {} {:.4g}", bound.name, bound.value < 0 ? "<" : ">", bound.value);
}

std::string assumptions(const Subject& subject) {
  const auto by_default = [&](const ir::Param& one) {
    return !subject.given.params.contains(one.name);
  };
  const bool defaults = std::ranges::any_of(subject.stencil.params, by_default);
  if (subject.given.params.empty() && subject.given.weights.empty())
    return defaults ? "with the defaults of the params and without boundaries"
                    : "without boundaries";
  return defaults ? "with the values of `--param`, the defaults of the other params, and without "
                    "boundaries"
                  : "with the values of `--param` and without boundaries";
}

void judge(const Subject& subject, const std::vector<int>& circle, const Values& values,
           diag::Engine& engine) {
  const ir::Stencil& stencil = subject.stencil;
  const auto all = scheme(stencil, circle, values);
  if (!all) return;
  bool double_precision = true;
  std::vector<std::string> names;
  const ir::Update* first = nullptr;
  for (const int u : circle) {
    const ir::Field& field = stencil.fields[stencil.updates[u].field];
    double_precision &= field.compute == ir::Type::f64;
    if (field.role != ir::Role::stepped) continue;
    names.push_back(field.name);
    if (!first) first = &stencil.updates[u];
  }
  const double tolerance = slack(*all, double_precision);
  const auto grown = growth(*all, stencil.rank(), tolerance);
  if (!grown) return;

  const std::vector<Bound> cures = bounds(stencil, circle, values, tolerance);
  std::string text = "unstable";
  if (cures.size() == 1) text += " for " + condition(cures[0]);
  text += fmt::format(": each step multiplies the wave number {} of `{}` by {:.4g}",
                      wave_of(*grown, stencil.rank()), fmt::join(names, "`, `"), grown->factor);
  diag::Diagnostic& d =
      engine.report(diag::unstable, target_at(subject.text, first->cases[0].source), text);
  if (cures.size() > 1)
    for (const Bound& one : cures)
      d.note(fmt::format("unstable for {}, if the other params stay as they are", condition(one)));
  d.note("by von Neumann's analysis, " + assumptions(subject));
}

}  // namespace

void find_unstable(const Subject& subject, diag::Engine& engine) {
  Values values;
  for (const ir::Param& param : subject.stencil.params) {
    const auto given = subject.given.params.find(param.name);
    values.params.push_back(given != subject.given.params.end() ? std::optional(given->second)
                            : param.has_default                 ? std::optional(param.value)
                                                                : std::nullopt);
  }
  for (const ir::Weights& weights : subject.stencil.weights) {
    const auto given = subject.given.weights.find(weights.name);
    values.weights.push_back(given != subject.given.weights.end() ? given->second
                                                                  : std::vector<ir::Scalar>{});
  }
  for (const std::vector<int>& circle : circles(subject.stencil))
    judge(subject, circle, values, engine);
}

}  // namespace stencilc::lint
