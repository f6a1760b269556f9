#include "sema/dependences/coloring.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "ir/boundary.h"

namespace stencilc::sema {
namespace {

// The cell whose value is read at `index`: that cell, or where the boundary maps it to, in one or
// several steps; nothing if no cell is read.
std::optional<int> mapped(const std::array<ir::Side, 2>& sides, int index, int extent) {
  while (index < 0 || index >= extent) {
    const bool high = index >= extent;
    switch (ir::kind_of(sides[high]).source) {
      case ir::EdgeKind::last:
        return high ? extent - 1 : 0;
      case ir::EdgeKind::again:
        index = high ? 2 * extent - 1 - index : -1 - index;
        break;
      case ir::EdgeKind::next:
        if (extent == 1) return 0;
        index = high ? 2 * (extent - 1) - index : -index;
        break;
      default:
        return {};
    }
  }
  return index;
}

// The distances along one axis between the cell that is read and the cell that reads it, for all
// grid sizes.
std::set<int> distances(const std::array<ir::Side, 2>& sides, int offset) {
  std::set<int> result = {offset};
  for (int extent = 1; extent <= std::abs(offset) + 1; ++extent)
    for (int cell = 0; cell < extent; ++cell)
      if (const auto source = mapped(sides, cell + offset, extent)) result.insert(*source - cell);
  return result;
}

using Distances = std::array<std::set<int>, ir::kMaxRank>;

Distances distances_of(const ir::Read& read, const ir::Boundary& boundary) {
  Distances result;
  for (int a = 0; a < ir::kMaxRank; ++a) result[a] = distances(boundary.sides[a], read.offset[a]);
  return result;
}

// Whether a read can reach a cell of the same colour. The bits of a set are differences between
// colours.
bool meets_color_outside(const Distances& distances, const ir::Colors& colors) {
  const int64_t count = colors.count();
  const uint64_t all = ~uint64_t{0} >> (kMaxColors - count);
  const auto turned = [&](uint64_t bits, int64_t by) {
    return by == 0 ? bits : (bits << by | bits >> (count - by)) & all;
  };
  uint64_t itself = 1, others = 0;
  for (int a = 0; a < ir::kMaxRank; ++a) {
    uint64_t next_itself = 0, next_others = 0;
    for (const int distance : distances[a]) {
      const int64_t by = remainder(colors.factor[a] * distance, count);
      (distance == 0 ? next_itself : next_others) |= turned(itself, by);
      next_others |= turned(others, by);
    }
    itself = next_itself;
    others = next_others;
  }
  return (others & 1) != 0;
}

}  // namespace

bool same_color(const ir::Offset& apart, const ir::Colors& colors) {
  int64_t sum = 0;
  for (int a = 0; a < ir::kMaxRank; ++a) sum += colors.factor[a] * apart[a];
  return apart != ir::Offset{} && sum % colors.count() == 0;
}

bool meets_color_outside(const ir::Read& read, const ir::Boundary& boundary,
                         const ir::Colors& colors) {
  return meets_color_outside(distances_of(read, boundary), colors);
}

int64_t remainder(int64_t value, int64_t count) { return (value % count + count) % count; }

Coloring fewest_colors(const std::vector<ir::Read>& reads, const ir::Stencil& stencil) {
  constexpr int64_t kMostRules =
      100000;  // all rules for two axes; three axes with 64 colours have 64^3
  std::vector<Distances> by_read;
  for (const ir::Read& read : reads)
    by_read.push_back(distances_of(read, stencil.fields[read.field].boundary));
  const auto separates = [&](const ir::Colors& colors) {
    return std::none_of(reads.begin(), reads.end(),
                        [&](const ir::Read& read) { return same_color(read.offset, colors); }) &&
           std::none_of(by_read.begin(), by_read.end(), [&](const Distances& distances) {
             return meets_color_outside(distances, colors);
           });
  };
  Coloring result;
  ir::Colors colors;
  colors.names = {"red"};
  for (int64_t tried = 0; colors.count() < kMaxColors; result.most = colors.count()) {
    if (colors.count() == 2) colors.names = {"c0", "c1"};
    colors.names.push_back(colors.count() == 1 ? "black" : fmt::format("c{}", colors.count()));
    const int64_t count = colors.count();
    int64_t rules = 1;
    for (int a = 0; a < stencil.rank(); ++a) rules *= count;
    tried += rules;
    if (tried > kMostRules) return result;
    for (int64_t rule = 1; rule < rules; ++rule) {
      int64_t rest = rule;  // the digits are the factors, that of x first
      for (int a = stencil.rank(); a-- > 0; rest /= count) colors.factor[a] = rest % count;
      if (!separates(colors)) continue;
      result.rule = colors;
      return result;
    }
  }
  return result;
}

std::string print(const ir::Colors& colors, const ir::Stencil& stencil) {
  std::vector<std::string> terms;
  for (int a = 0; a < stencil.rank(); ++a) {
    if (colors.factor[a] == 0) continue;
    const std::string& axis = stencil.axes[a];
    terms.push_back(colors.factor[a] == 1 ? axis : fmt::format("{}*{}", colors.factor[a], axis));
  }
  std::string sum = fmt::format("{}", fmt::join(terms, " + "));
  if (sum != terms[0] || sum.find('*') != std::string::npos) sum = "(" + sum + ")";
  return fmt::format("color {} by {} % {};", fmt::join(colors.names, ", "), sum, colors.count());
}

}  // namespace stencilc::sema
