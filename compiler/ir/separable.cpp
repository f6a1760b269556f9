// A table is a line along an axis times a table of the other axes if all its lines along the axis
// are multiples of one line. Then that line is split off, and the rest is examined along the next
// axis:
//
// 1 2 1
// 2 4 2   =   {1, 2, 1} along x   times   {1, 2, 1} along y
// 1 2 1
#include "ir/separable.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace stencilc::ir {
namespace {

using Line = std::map<int, Fraction>;  // by the offset along its axis

struct Box {
  Offset low, high;
  bool wide(int axis) const { return low[axis] < high[axis]; }
};

Box bounds(const WeightTable& table) {
  Box box{table.begin()->first, table.begin()->first};
  for (const auto& [offset, weight] : table)
    for (int a = 0; a < kMaxRank; ++a) {
      box.low[a] = std::min(box.low[a], offset[a]);
      box.high[a] = std::max(box.high[a], offset[a]);
    }
  return box;
}

// The number of which all weights are whole multiples without a common divisor.
template <class Weights>
Fraction unit(const Weights& weights) {
  int64_t above = 0, below = 1;
  for (const auto& [offset, weight] : weights) {
    above = std::gcd(above, weight.above);
    const int64_t more = weight.below / std::gcd(below, weight.below);
    below = (Fraction{below, 1} * Fraction{more, 1}).above;
  }
  return {above, below};
}

// The usual sign: a mean has a positive sum, a derivative a positive weight at the larger offset.
bool is_turned(const Line& line) {
  Fraction sum, moment;
  for (const auto& [offset, weight] : line) {
    sum = sum + weight;
    moment = moment + Fraction{offset, 1} * weight;
  }
  if (sum != Fraction{}) return sum.above < 0;
  return moment == Fraction{} ? line.rbegin()->second.above < 0 : moment.above < 0;
}

// The lines of the table along the axis, by their positions.
std::map<Offset, Line> lines_of(const WeightTable& table, int axis) {
  std::map<Offset, Line> lines;
  for (const auto& [offset, weight] : table) {
    Offset place = offset;
    place[axis] = 0;
    lines[place][offset[axis]] = weight;
  }
  return lines;
}

// The factor, if the second line is a multiple of the first.
std::optional<Fraction> multiple(const Line& first, const Line& second) {
  if (first.size() != second.size()) return {};
  const Fraction ratio = second.begin()->second / first.begin()->second;
  const bool same =
      std::equal(first.begin(), first.end(), second.begin(), [&](const auto& a, const auto& b) {
        return a.first == b.first && b.second / a.second == ratio;
      });
  return same ? std::optional(ratio) : std::nullopt;
}

// Splits the line along the axis off the table; nothing if the table is no such product.
std::optional<Line> take_line(WeightTable& table, int axis) {
  const std::map<Offset, Line> lines = lines_of(table, axis);
  Line line = lines.begin()->second;
  WeightTable rest;
  const Fraction scale = is_turned(line) ? Fraction{} - unit(line) : unit(line);
  for (const auto& [place, other] : lines) {
    const auto ratio = multiple(line, other);
    if (!ratio) return {};
    rest[place] = *ratio * scale;
  }
  for (auto& [offset, weight] : line) weight = weight / scale;
  table = std::move(rest);
  return line;
}

// Divides the line by its sum if the divisor of the rest contains it, so that a mean stays a mean.
void share_divisor(Line& line, WeightTable& rest) {
  Fraction sum;
  for (const auto& [offset, weight] : line) sum = sum + weight;
  if (sum.above <= 1 || unit(rest).below % sum.above != 0) return;
  for (auto& [offset, weight] : line) weight = weight / sum;
  for (auto& [offset, weight] : rest) weight = weight * sum;
}

Factor dense(const WeightTable& table, const std::vector<int>& axes) {
  const Box box = bounds(table);
  Factor factor{axes, {}, {Fraction{}}};
  for (const int axis : axes) {
    factor.ranges.emplace_back(box.low[axis], box.high[axis]);
    factor.weights.resize(factor.weights.size() * (box.high[axis] - box.low[axis] + 1));
  }
  for (const auto& [offset, weight] : table) {
    size_t place = 0;
    for (const int axis : axes)
      place = place * (box.high[axis] - box.low[axis] + 1) + (offset[axis] - box.low[axis]);
    factor.weights[place] = weight;
  }
  return factor;
}

std::vector<Factor> split(WeightTable table) {
  const Box box = bounds(table);
  std::vector<int> left;  // the other axes of the table
  for (int a = 0; a < kMaxRank; ++a)
    if (box.wide(a) || box.low[a] != 0) left.push_back(a);
  std::vector<Factor> result;
  for (int a = 0; a < kMaxRank; ++a) {
    const auto others = std::ranges::count_if(left, [&](int b) { return b != a && box.wide(b); });
    if (!box.wide(a) || others == 0) continue;
    std::optional<Line> line = take_line(table, a);
    if (!line) continue;
    share_divisor(*line, table);
    WeightTable along;
    for (const auto& [offset, weight] : *line) {
      Offset place = {};
      place[a] = offset;
      along[place] = weight;
    }
    result.push_back(dense(along, {a}));
    std::erase(left, a);
  }
  if (!result.empty()) result.push_back(dense(table, left));
  return result;
}

bool counts(const std::vector<Factor>& factors) {
  return std::ranges::count_if(factors, [](const Factor& one) { return one.count() >= 3; }) >= 2;
}

// The same except for the position.
bool same(const Separable& a, const Separable& b) {
  return a.field == b.field && a.level == b.level &&
         std::ranges::equal(a.factors, b.factors, {}, &Factor::weights, &Factor::weights);
}

}  // namespace

int Factor::count() const {
  return static_cast<int>(weights.size() - std::ranges::count(weights, Fraction{}));
}

std::vector<Factor> factors(const WeightTable& table) {
  if (table.empty()) return {};
  try {
    return split(table);
  } catch (const std::overflow_error&) {
    return {};
  }
}

std::vector<Separable> find_separable(const Stencil& stencil) {
  std::vector<Separable> result;
  for (const Update& update : stencil.updates)
    for (const Case& one : update.cases) {
      const size_t first = result.size();
      for (const WeightedSum& sum : weighted_sums(one.value)) {
        Separable found{one.source,
                        sum.field,
                        sum.level,
                        sum.type,
                        static_cast<int>(sum.weights.size()),
                        factors(sum.weights)};
        const bool known =
            std::any_of(result.begin() + static_cast<std::ptrdiff_t>(first), result.end(),
                        [&](const Separable& other) { return same(other, found); });
        if (counts(found.factors) && !known) result.push_back(std::move(found));
      }
    }
  return result;
}

}  // namespace stencilc::ir
