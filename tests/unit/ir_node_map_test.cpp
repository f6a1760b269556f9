// Maps and sets of expressions, from empty ones to such as grow several times.
#include <gtest/gtest.h>

#include "ir/node_map.h"

namespace stencilc::ir {
namespace {

std::vector<ExprPtr> numbers(int count) {
  std::vector<ExprPtr> nodes;
  for (int n = 0; n < count; ++n) nodes.push_back(make(Type::i32, Constant{{Type::i32, 0, n}}));
  return nodes;
}

TEST(NodeSet, HoldsWhatWasPutIn) {
  for (const int count : {0, 1, 127, 128, 129, 5000}) {
    const std::vector<ExprPtr> nodes = numbers(2 * count);
    NodeSet set;
    for (int n = 0; n < count; ++n) EXPECT_TRUE(set.insert(nodes[n].get()));
    for (int n = 0; n < count; ++n) EXPECT_FALSE(set.insert(nodes[n].get()));
    for (int n = 0; n < 2 * count; ++n) EXPECT_EQ(set.has(nodes[n].get()), n < count) << n;
  }
}

TEST(NodeMap, HoldsTheLastValueOfEach) {
  for (const int count : {0, 1, 7, 8, 9, 5000}) {
    const std::vector<ExprPtr> nodes = numbers(2 * count + 1);
    NodeMap<int> map;
    EXPECT_EQ(map.find(nodes[0].get()), nullptr);
    for (int n = 0; n < count; ++n) ++map[nodes[n].get()];
    for (int n = 0; n < count; ++n) map[nodes[n].get()] += n;
    for (int n = 0; n < count; ++n) {
      const int* found = map.find(nodes[n].get());
      ASSERT_NE(found, nullptr) << n;
      EXPECT_EQ(*found, n + 1);
    }
    for (int n = count; n < 2 * count; ++n) EXPECT_EQ(map.find(nodes[n].get()), nullptr) << n;
  }
}

}  // namespace
}  // namespace stencilc::ir
