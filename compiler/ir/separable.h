// Tables of weights that are products of smaller ones.
#pragma once

#include <map>
#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// The weights that are not 0, by their offset.
using WeightTable = std::map<Offset, Fraction>;

// The factors of a table that is a product, decided exactly: lines, and then what is left of it.
// Empty where it is none, or where a number on the way does not fit a Fraction.
//
// A factor of whole numbers with one divisor is made where there is one: {1, 2, 1} / 4.
std::vector<Factor> factors(const WeightTable& table);

// A sum in which reads of one field have constant weights; what else is added to them is left out.
struct WeightedSum {
  int field = 0, level = 0;
  Type type = Type::f32;
  WeightTable weights;
};
// The longest such sums of an expression. The weights are the numbers that were written; where one
// of them is not known, all are those that they were rounded to. A `let` that is used more than
// once is a value, and what makes it a sum of its own. Roundings must not be fixed yet.
std::vector<WeightedSum> weighted_sums(const ExprPtr& expr);

// The sums of the updates that are products of two or three tables with three weights or more,
// each once in a statement.
std::vector<Separable> find_separable(const Stencil& stencil);

}  // namespace stencilc::ir
