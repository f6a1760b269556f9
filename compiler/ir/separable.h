// Finds tables of weights that are products of smaller ones.
#pragma once

#include <map>
#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// The weights that are not 0, by offset.
using WeightTable = std::map<Offset, Fraction>;

// The factors of a table that is a product, decided exactly: lines, and the rest. Empty if it is
// not a product, or if a number does not fit a Fraction.
//
// A factor is written with whole numbers and one divisor if possible: {1, 2, 1} / 4.
std::vector<Factor> factors(const WeightTable& table);

// A sum in which reads of one field have constant weights, without its other terms.
struct WeightedSum {
  int field = 0, level = 0;
  Type type = Type::f32;
  WeightTable weights;
};
// The largest such sums of an expression. The weights are the numbers as written; if one of them is
// not known, the rounded numbers are taken for all. A `let` that is used more than once is a value,
// and its contents are a sum of their own. The roundings must not be fixed yet.
std::vector<WeightedSum> weighted_sums(const ExprPtr& expr);

// The sums of the updates that are products of two or three tables with at least three weights,
// each once per statement.
std::vector<Separable> find_separable(const Stencil& stencil);

}  // namespace stencilc::ir
