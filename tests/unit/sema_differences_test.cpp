// The weights of finite differences: published tables, and what they must sum to, exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "sema/expressions/differences.h"

namespace stencilc::ir {
void PrintTo(const Fraction& fraction, std::ostream* out) {
  *out << fraction.above << "/" << fraction.below;
}
}  // namespace stencilc::ir

namespace stencilc::sema {
namespace {

using Wide = __int128;
using Weights = std::vector<Fraction>;

std::vector<int> nodes_of(const Difference& difference) {
  std::vector<int> nodes;
  for (const WeightedNode& node : difference) nodes.push_back(node.node);
  return nodes;
}
Weights weights_of(const Difference& difference) {
  Weights weights;
  for (const WeightedNode& node : difference) weights.push_back(node.weight);
  return weights;
}
std::vector<int> from_to(int first, int last) {
  std::vector<int> nodes(last - first + 1);
  std::iota(nodes.begin(), nodes.end(), first);
  return nodes;
}
Weights mirrored(Weights weights, int sign) {
  std::reverse(weights.begin(), weights.end());
  for (Fraction& weight : weights) weight.above *= sign;
  return weights;
}

void expect_is(const Difference& difference, const std::vector<int>& nodes,
               const Weights& weights) {
  EXPECT_EQ(nodes_of(difference), nodes) << "from " << nodes.front();
  EXPECT_EQ(weights_of(difference), weights) << "from " << nodes.front();
}

// The tables of B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids,
// Math. Comp. 51 (1988) 699-706; row by row for the orders named.

TEST(SemaDifferences, CentralFirstDerivativesAreThoseOfTheTable) {
  const std::vector<Weights> above = {
      {{1, 2}},
      {{2, 3}, {-1, 12}},
      {{3, 4}, {-3, 20}, {1, 60}},
      {{4, 5}, {-1, 5}, {4, 105}, {-1, 280}}};  // of the cells 1, 2, ... above
  for (size_t row = 0; row < above.size(); ++row) {
    const int reach = static_cast<int>(row) + 1;
    Weights expected = mirrored(above[row], -1);
    expected.insert(expected.end(), above[row].begin(), above[row].end());
    std::vector<int> nodes = from_to(-reach, reach);
    nodes.erase(nodes.begin() + reach);
    expect_is(central_difference(1, 2 * reach), nodes, expected);  // the cell itself is left out
  }
}

TEST(SemaDifferences, CentralSecondDerivativesAreThoseOfTheTable) {
  const std::vector<Weights> from_cell = {{{-2, 1}, {1, 1}},
                                          {{-5, 2}, {4, 3}, {-1, 12}},
                                          {{-49, 18}, {3, 2}, {-3, 20}, {1, 90}},
                                          {{-205, 72}, {8, 5}, {-1, 5}, {8, 315}, {-1, 560}}};
  for (size_t row = 0; row < from_cell.size(); ++row) {
    const int reach = static_cast<int>(row) + 1;
    Weights expected = mirrored(from_cell[row], 1);
    expected.insert(expected.end(), from_cell[row].begin() + 1, from_cell[row].end());
    expect_is(central_difference(2, 2 * reach), from_to(-reach, reach), expected);
  }
}

TEST(SemaDifferences, StaggeredFirstDerivativesAreThoseOfTheTable) {
  const std::vector<Weights> above = {
      {{1, 1}},
      {{9, 8}, {-1, 24}},
      {{75, 64}, {-25, 384}, {3, 640}},
      {{1225, 1024}, {-245, 3072}, {49, 5120}, {-5, 7168}}};  // 1/2, 3/2, ... above the place
  for (size_t row = 0; row < above.size(); ++row) {
    const int reach = static_cast<int>(row) + 1;
    Weights expected = mirrored(above[row], -1);
    expected.insert(expected.end(), above[row].begin(), above[row].end());
    expect_is(staggered_difference(2 * reach, 1), from_to(1 - reach, reach), expected);
    expect_is(staggered_difference(2 * reach, -1), from_to(-reach, reach - 1), expected);
  }
}

TEST(SemaDifferences, OneSidedDerivativesAreThoseOfTheTable) {
  const std::vector<Weights> first = {{{-1, 1}, {1, 1}},
                                      {{-3, 2}, {2, 1}, {-1, 2}},
                                      {{-11, 6}, {3, 1}, {-3, 2}, {1, 3}},
                                      {{-25, 12}, {4, 1}, {-3, 1}, {4, 3}, {-1, 4}},
                                      {{-137, 60}, {5, 1}, {-5, 1}, {10, 3}, {-5, 4}, {1, 5}}};
  for (int order = 1; order <= 5; ++order) {
    expect_is(sided_difference(1, order, 1), from_to(0, order), first[order - 1]);
    expect_is(sided_difference(1, order, -1), from_to(-order, 0), mirrored(first[order - 1], -1));
  }
  const std::vector<Weights> second = {{{1, 1}, {-2, 1}, {1, 1}},
                                       {{2, 1}, {-5, 1}, {4, 1}, {-1, 1}},
                                       {{35, 12}, {-26, 3}, {19, 2}, {-14, 3}, {11, 12}},
                                       {{15, 4}, {-77, 6}, {107, 6}, {-13, 1}, {61, 12}, {-5, 6}}};
  for (int order = 1; order <= 4; ++order) {
    expect_is(sided_difference(2, order, 1), from_to(0, order + 1), second[order - 1]);
    expect_is(sided_difference(2, order, -1), from_to(-order - 1, 0),
              mirrored(second[order - 1], 1));
  }
}

TEST(SemaDifferences, TheDerivativeOfOrderZeroInterpolates) {
  const Weights expected = {{-5, 2048},   {49, 2048},   {-245, 2048}, {1225, 2048},
                            {1225, 2048}, {-245, 2048}, {49, 2048},   {-5, 2048}};
  EXPECT_EQ(difference_weights(0, {1, 2}, from_to(-3, 4)), expected);
}

// What a difference makes of the powers of the distance from the place, in integers that share
// nothing with Fraction: all weights times their common denominator, distances in units of
// 1/place.below.
struct Moments {
  Wide denominator = 1;
  std::vector<Wide> weights, distances;
  Fraction place;
  Moments(const Difference& difference, const Fraction& where) : place(where) {
    for (const WeightedNode& node : difference)
      denominator *=
          node.weight.below /
          std::gcd(static_cast<int64_t>(denominator % node.weight.below), node.weight.below);
    for (const WeightedNode& node : difference) {
      weights.push_back(denominator / node.weight.below * node.weight.above);
      distances.push_back(Wide{node.node} * where.below - where.above);
    }
  }
  Wide of(int power) const {
    Wide sum = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      Wide term = weights[i];
      for (int k = 0; k < power; ++k)
        EXPECT_FALSE(__builtin_mul_overflow(term, distances[i], &term));
      EXPECT_FALSE(__builtin_add_overflow(sum, term, &sum));
    }
    return sum;
  }
  // The derivative of the m-th power at its zero is m!, of all others 0.
  void expect_exactly(int derivative, int order) const {
    for (int power = 0; power < derivative + order; ++power) {
      Wide expected = power == derivative ? denominator : 0;
      for (int k = 1; k <= power; ++k) expected *= k * place.below;
      EXPECT_TRUE(of(power) == expected) << "power " << power;
    }
    EXPECT_TRUE(of(derivative + order) != 0) << "better than of order " << order;
  }
};

struct Named {
  std::string name;
  int derivative, order;
  Fraction place;
  Difference difference;
};
std::vector<Named> all_differences() {
  std::vector<Named> all;
  for (int order = 2; order <= kMaxCentralOrder; order += 2) {
    for (const int m : {1, 2})
      all.push_back({"central", m, order, {}, central_difference(m, order)});
    for (const int side : {-1, 1})
      all.push_back({"staggered", 1, order, {side, 2}, staggered_difference(order, side)});
  }
  for (int order = 1; order <= kMaxSidedOrder; ++order)
    for (const int m : {1, 2})
      for (const int side : {-1, 1})
        all.push_back({"sided", m, order, {}, sided_difference(m, order, side)});
  return all;
}

TEST(SemaDifferences, EveryDifferenceIsOfItsOrderAndNoBetter) {
  const std::vector<Named> all = all_differences();
  EXPECT_EQ(all.size(), 8u * 4 + 8 * 4);
  for (const Named& named : all) {
    SCOPED_TRACE(named.name + " " + std::to_string(named.derivative) + ", order " +
                 std::to_string(named.order));
    Moments(named.difference, named.place).expect_exactly(named.derivative, named.order);
    for (size_t i = 0; i < named.difference.size(); ++i) {
      EXPECT_NE(named.difference[i].weight.above, 0);
      EXPECT_TRUE(i == 0 || named.difference[i - 1].node < named.difference[i].node);
    }
  }
}

// Half a unit in the last place of an f32 lies between two f64, so rounding twice could go wrong;
// it does not for these weights.
TEST(SemaDifferences, EveryWeightIsRoundedOnce) {
  Weights all;
  for (const Named& named : all_differences())
    for (const WeightedNode& node : named.difference) all.push_back(node.weight);
  for (int order = 2; order <= kMaxCentralOrder; order += 2) {
    const Weights first = weights_of(central_difference(1, order));
    for (const Fraction& a : first)  // dxy
      for (const Fraction& b : first) all.push_back(a * b);
    for (const int rank : {2, 3})  // the cell itself in a laplacian
      all.push_back(central_difference(2, order)[order / 2].weight * Fraction{rank, 1});
  }
  constexpr int64_t kExact = int64_t{1} << 53;
  for (const Fraction& weight : all) {
    ASSERT_LE(std::abs(weight.above), kExact) << weight.below;
    ASSERT_LE(weight.below, kExact) << weight.above;
    const auto error_of = [&](long double value) {  // times the denominator
      return std::fabs(std::fma(value, static_cast<long double>(weight.below),
                                -static_cast<long double>(weight.above)));
    };
    const double value = nearest(weight);
    for (const double other : {std::nextafter(value, -9), std::nextafter(value, 9)})
      EXPECT_LE(error_of(value), error_of(other)) << weight.above << "/" << weight.below;
    const auto narrow = static_cast<float>(value);
    for (const float other : {std::nextafter(narrow, -9.0f), std::nextafter(narrow, 9.0f)})
      EXPECT_LE(error_of(narrow), error_of(other)) << weight.above << "/" << weight.below;
  }
}

TEST(SemaDifferences, NodesMayBeAnywhereAndInAnyOrder) {
  const std::vector<int> nodes = {4, -3, 0, 7, -1};
  for (const Fraction& place : {Fraction{1, 3}, {-7, 2}, {22, 7}, {5, 1}, {-2, 1}}) {
    for (const int m : {0, 1, 2}) {
      const Weights weights = difference_weights(m, place, nodes);
      Difference difference;
      for (size_t i = 0; i < nodes.size(); ++i) difference.push_back({nodes[i], weights[i]});
      Moments(difference, place).expect_exactly(m, 5 - m);
    }
  }
}

TEST(SemaDifferences, AreExactOrThereAreNone) {
  EXPECT_THROW(difference_weights(1, {1, 1'000'003}, from_to(-8, 8)), std::overflow_error);
}

}  // namespace
}  // namespace stencilc::sema
