// The table of boundary kinds beside what the interpreter, which does not read it, makes of each.
#include <gtest/gtest.h>

#include <set>

#include "interp/cell.h"
#include "ir/boundary.h"

namespace stencilc::interp {
namespace {

using ir::EdgeKind;

// The cell that an index outside a line of n cells stands for by the table; the index itself, where
// no cell does.
int64_t by_table(const EdgeKind& kind, int64_t index, int64_t n) {
  const bool below = index < 0;
  const int64_t distance = below ? -index : index - (n - 1);
  switch (kind.source) {
    case EdgeKind::last:
      return kind.change == EdgeKind::copied ? (below ? 0 : n - 1) : index;
    case EdgeKind::again:
      return below ? distance - 1 : n - distance;
    case EdgeKind::next:
      return below ? distance : n - 1 - distance;
    case EdgeKind::around:
      return below ? n - distance : distance - 1;
    default:
      return index;
  }
}

TEST(BoundaryTable, HasARowForEachKindAndTheNamesOfTheManual) {
  std::set<ir::Edge> edges;
  std::set<std::string_view> names;
  for (const EdgeKind& kind : ir::edge_kinds()) {
    EXPECT_TRUE(edges.insert(kind.edge).second && names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(&ir::kind_of(kind.edge), &kind);
  }
  EXPECT_EQ(edges.size(), static_cast<size_t>(ir::Edge::ghost) + 1);
  EXPECT_EQ(ir::listed_edge_kinds(),
            "clamp, reflect, mirror, antireflect, periodic, constant, zero, expr, neumann, fixed, "
            "ghost and none");
}

TEST(BoundaryTable, MapsIndicesAsTheInterpreterDoes) {
  constexpr int64_t kCells = 6;
  for (const EdgeKind& kind : ir::edge_kinds())
    for (const int64_t index : {-4, -3, -2, -1, 6, 7, 8, 9}) {
      const Landing landing = extend(kind.edge, kind.edge, index, kCells);
      EXPECT_EQ(landing.index, by_table(kind, index, kCells)) << kind.name << " at " << index;
      EXPECT_EQ(landing.negated, kind.change == EdgeKind::negated) << kind.name << " at " << index;
    }
}

TEST(BoundaryTable, ClassesOfCostFollowFromTheRow) {
  const std::pair<ir::Edge, ir::GhostCost> kRows[] = {
      {ir::Edge::none, ir::GhostCost::nothing},
      {ir::Edge::fixed, ir::GhostCost::kept},
      {ir::Edge::clamp, ir::GhostCost::copy},
      {ir::Edge::mirror, ir::GhostCost::copy},
      {ir::Edge::periodic, ir::GhostCost::around},
      {ir::Edge::constant, ir::GhostCost::number},
      {ir::Edge::expr, ir::GhostCost::computation},
      {ir::Edge::neumann, ir::GhostCost::computation},
      {ir::Edge::antireflect, ir::GhostCost::computation}};
  for (const auto& [edge, cost] : kRows) EXPECT_EQ(ir::ghost_cost(edge), cost) << ir::name(edge);
}

}  // namespace
}  // namespace stencilc::interp
