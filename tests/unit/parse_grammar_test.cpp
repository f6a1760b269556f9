#include <gtest/gtest.h>

#include <tao/pegtl/contrib/analyze.hpp>

#include "grammar/rules.hpp"

namespace stencilc::grammar {
namespace {

TEST(Grammar, HasNoLoopThatConsumesNothing) { EXPECT_EQ(p::analyze<file>(), 0u); }

}  // namespace
}  // namespace stencilc::grammar
