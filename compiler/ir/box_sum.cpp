#include "ir/box_sum.h"

#include <algorithm>

namespace stencilc::ir {
namespace {

// Whether both are cast in the same way, whatever they read.
bool cast_alike(const ExprPtr& a, const ExprPtr& b) {
  const auto *from = as<Cast>(a), *to = as<Cast>(b);
  if (!from || !to) return !from && !to;
  return a->type == b->type && from->saturate == to->saturate && cast_alike(from->value, to->value);
}

bool same_value(const ExprPtr& a, const ExprPtr& b) {
  if (a == b) return true;
  const auto *one = as<Constant>(a), *other = as<Constant>(b);
  if (one && other) return a->type == b->type && one->value.real == other->value.real;
  const auto *param = as<ParamRef>(a), *same = as<ParamRef>(b);
  return param && same && param->param == same->param;
}

// An element of an array of weights, perhaps cast.
const WeightRef* element_of(const ExprPtr& weight) {
  const auto* cast = as<Cast>(weight);
  return as<WeightRef>(cast && !cast->saturate ? cast->value : weight);
}

// Whether the offsets of the terms are those of a box, in the order of its rows.
bool fill_box(const Sum& sum, BoxSum& box) {
  const auto count = static_cast<int64_t>(sum.terms.size());
  box.low = read_of_tap(sum.terms.front().tap)->offset;
  box.high = read_of_tap(sum.terms.back().tap)->offset;
  if (box.low[2] != 0 || box.high[2] != 0 || box.row() < 1 || box.rows() < 1) return false;
  if (int64_t{box.row()} * box.rows() != count) return false;
  for (int n = 0; n < count; ++n) {
    const Read& read = *read_of_tap(sum.terms[n].tap);
    const Offset at = {box.low[0] + n % box.row(), box.low[1] + n / box.row(), 0};
    if (read.field != box.field || read.level != box.level || read.offset != at) return false;
    if (!cast_alike(sum.terms[n].tap, sum.terms[0].tap)) return false;
  }
  return true;
}

bool lie_in_array(const std::vector<Sum::Term>& terms, BoxSum& box) {
  const auto at = [&](size_t n) { return element_of(terms[n].weight); };
  if (!at(0)) return false;
  box.elements = {at(0)->array, at(0)->element, {}};
  const int row = box.row();
  for (size_t n = 0; n < terms.size(); ++n) {
    if (!at(n) || at(n)->array != at(0)->array) return false;
    if (n == 1 && row > 1) box.elements.stride[0] = at(n)->element - at(0)->element;
    if (n == static_cast<size_t>(row)) box.elements.stride[1] = at(n)->element - at(0)->element;
    const int x = static_cast<int>(n) % row, y = static_cast<int>(n) / row;
    if (at(n)->element !=
        box.elements.first + x * box.elements.stride[0] + y * box.elements.stride[1])
      return false;
  }
  return true;
}

}  // namespace

std::optional<BoxSum> box_sum(const Sum& sum) {
  if (sum.terms.size() < 2) return {};
  for (const Sum::Term& term : sum.terms)
    if (!read_of_tap(term.tap)) return {};
  BoxSum box;
  const Sum::Term& first = sum.terms.front();
  box.field = read_of_tap(first.tap)->field;
  box.level = read_of_tap(first.tap)->level;
  if (!fill_box(sum, box)) return {};
  box.tap = displace(first.tap, {-box.low[0], -box.low[1], 0});
  const auto all = [&](const auto& holds) {
    return std::all_of(sum.terms.begin(), sum.terms.end(),
                       [&](const Sum::Term& term) { return holds(term.weight); });
  };
  if (all([&](const ExprPtr& weight) { return same_value(weight, first.weight); })) {
    box.weight = first.weight;
  } else if (all([](const ExprPtr& weight) { return as<Constant>(weight) != nullptr; })) {
    for (const Sum::Term& term : sum.terms) box.constants.push_back(term.weight);
  } else if (!lie_in_array(sum.terms, box)) {
    return {};
  }
  return box;
}

}  // namespace stencilc::ir
