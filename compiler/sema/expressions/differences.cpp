#include "sema/expressions/differences.h"

#include <algorithm>
#include <cassert>

namespace stencilc::sema {
namespace {

Difference on_nodes(int derivative, const Fraction& place, int first, int last) {
  std::vector<int> nodes;
  for (int node = first; node <= last; ++node) nodes.push_back(node);
  const std::vector<Fraction> weights = difference_weights(derivative, place, nodes);
  Difference result;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (weights[i] != Fraction{}) result.push_back({nodes[i], weights[i]});
  return result;
}

}  // namespace

// B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math. Comp. 51
// (1988) 699-706. Nodes are added one by one, with the weights of all derivatives up to the wanted
// one: weights[m][v] is the weight of node v in the m-th derivative, for the nodes so far.
std::vector<Fraction> difference_weights(int derivative, const Fraction& place,
                                         std::span<const int> nodes) {
  const int count = static_cast<int>(nodes.size());
  assert(count > derivative && derivative >= 0);
  std::vector<std::vector<Fraction>> weights(derivative + 1, std::vector<Fraction>(count));
  weights[0][0] = {1, 1};
  Fraction before{1, 1};  // the product of the distances of the last node to the nodes before it
  for (int n = 1; n < count; ++n) {
    const Fraction to_node = Fraction{nodes[n], 1} - place;
    const Fraction to_last = Fraction{nodes[n - 1], 1} - place;
    Fraction product{1, 1};
    for (int v = 0; v < n; ++v) product = product * Fraction{nodes[n] - nodes[v], 1};
    // Downwards, since each derivative needs the next lower one without this node.
    for (int m = std::min(n, derivative); m >= 0; --m) {
      const Fraction times{m, 1};
      const auto lower = [&](int v) { return m > 0 ? times * weights[m - 1][v] : Fraction{}; };
      weights[m][n] = before / product * (lower(n - 1) - to_last * weights[m][n - 1]);
      for (int v = 0; v < n; ++v)
        weights[m][v] = (to_node * weights[m][v] - lower(v)) / Fraction{nodes[n] - nodes[v], 1};
    }
    before = product;
  }
  return weights[derivative];
}

Difference central_difference(int derivative, int order) {
  assert(derivative >= 1 && derivative <= 2 && order >= 2 && order % 2 == 0);
  return on_nodes(derivative, {}, -order / 2, order / 2);
}

Difference staggered_difference(int order, int side) {
  assert((side == 1 || side == -1) && order >= 2 && order % 2 == 0);
  const int above = side > 0 ? order / 2 : order / 2 - 1;
  return on_nodes(1, {side, 2}, above - order + 1, above);
}

Difference sided_difference(int derivative, int order, int side) {
  assert((side == 1 || side == -1) && order >= 1 && derivative >= 1);
  const int reach = order + derivative - 1;
  return side > 0 ? on_nodes(derivative, {}, 0, reach) : on_nodes(derivative, {}, -reach, 0);
}

// The name of an axis may be the end of another one; then the shortest first name is taken.
std::vector<int> difference_axes(const std::string& name, const std::vector<std::string>& axes) {
  if (!name.starts_with('d')) return {};
  const auto axis = [&](const std::string& wanted) {
    const auto found = std::find(axes.begin(), axes.end(), wanted);
    return found == axes.end() ? -1 : static_cast<int>(found - axes.begin());
  };
  if (const int only = axis(name.substr(1)); only >= 0) return {only};
  for (size_t split = 2; split < name.size(); ++split) {
    const int a = axis(name.substr(1, split - 1)), b = axis(name.substr(split));
    if (a >= 0 && b >= 0) return {std::min(a, b), std::max(a, b)};
  }
  return {};
}

std::vector<std::string> difference_names(const std::vector<std::string>& axes) {
  std::vector<std::string> names;
  for (const std::string& axis : axes) names.push_back("d" + axis);
  for (size_t a = 0; a < axes.size(); ++a)
    for (size_t b = a; b < axes.size(); ++b) names.push_back("d" + axes[a] + axes[b]);
  return names;
}

}  // namespace stencilc::sema
