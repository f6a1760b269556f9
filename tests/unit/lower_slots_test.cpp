// Which slot of a ring a stage lies in: expressions, evaluated over a stream, against the remainder
// that they stand for.
#include <gtest/gtest.h>

#include <functional>

#include "lower/tile/slots.h"

namespace stencilc::lower {
namespace {

using kernel::BinOp;
using kernel::ExprPtr;

// The value of an expression of the variables.
int value_of(const ExprPtr& expr, const std::map<std::string, int>& vars) {
  if (const auto* number = kernel::as<kernel::Int>(expr)) return static_cast<int>(number->value);
  if (const auto* var = kernel::as<kernel::Var>(expr)) return vars.at(var->name);
  if (const auto* pick = kernel::as<kernel::Pick>(expr))
    return value_of(value_of(pick->condition, vars) != 0 ? pick->yes : pick->no, vars);
  const auto* bin = kernel::as<kernel::Bin>(expr);
  const int left = value_of(bin->left, vars), right = value_of(bin->right, vars);
  switch (bin->op) {
    case BinOp::add:
      return left + right;
    case BinOp::sub:
      return left - right;
    case BinOp::lt:
      return left < right ? 1 : 0;
    case BinOp::eq:
      return left == right ? 1 : 0;
    default:
      ADD_FAILURE() << "an operator that slots have no need of";
      return 0;
  }
}

// Runs the assignments and declarations of a body.
void run(const kernel::Body& body, std::map<std::string, int>& vars) {
  for (const kernel::Stmt& stmt : body) {
    if (const auto* let = std::get_if<kernel::Let>(&stmt.node))
      vars[let->name] = value_of(let->value, vars);
    else if (const auto* assign = std::get_if<kernel::Assign>(&stmt.node))
      vars[assign->name] = value_of(assign->value, vars);
    else
      ADD_FAILURE() << "a statement that slots have no need of";
  }
}

// Calls with slots of which so many stages are asked for ahead, and so many stay.
void for_all_rings(const std::function<void(Slots&, const Context&, int ahead)>& call) {
  for (int ahead = 1; ahead <= 3; ++ahead)
    for (int behind = 0; behind <= 4; ++behind) {
      SCOPED_TRACE(std::to_string(ahead) + " ahead, " + std::to_string(behind) + " behind");
      const ir::Stencil stencil;
      const plan::Launch launch;
      const Signature signature;
      Builder builder(signature);
      const Context context(signature, stencil, launch, plan::Target::cuda, builder);
      Slots slots(context, "ring_depth", ahead, behind);
      EXPECT_EQ(slots.depth(), ahead + 1 + behind);
      call(slots, context, ahead);
    }
}

TEST(LowerSlots, StageNLiesInSlotNModuloDepth) {
  for_all_rings([](Slots& slots, const Context&, int ahead) {
    std::map<std::string, int> vars;
    kernel::Body begin, step;
    slots.declare("slot", begin);
    slots.declare_previous("previous_slot", begin);
    run(begin, vars);
    slots.go_on(step);
    const int depth = slots.depth();
    for (int n = 0; n < 3 * depth; ++n) {
      EXPECT_EQ(value_of(slots.current(), vars), n % depth);
      EXPECT_EQ(value_of(slots.previous(), vars), (n + depth - 1) % depth);
      EXPECT_EQ(value_of(slots.next(), vars), (n + 1) % depth);
      EXPECT_EQ(value_of(slots.asked(), vars), (n + ahead) % depth);
      run(step, vars);
    }
  });
}

TEST(LowerSlots, StagesThatStayAreFoundAgain) {
  for_all_rings([](Slots& slots, const Context& context, int) {
    std::map<std::string, int> vars;
    kernel::Body begin, step, look;
    EXPECT_EQ(value_of(slots.before(0), vars), 0);
    slots.declare("slot", begin);
    run(begin, vars);
    slots.go_on(step);
    const ExprPtr found = slots.before(kernel::var("stages"), context.names, look);
    const int depth = slots.depth();
    for (int n = 0; n < 2 * depth; ++n) {
      for (int back = 0; back < depth; ++back) {
        const int slot = (n + depth - back) % depth;
        EXPECT_EQ(value_of(slots.before(back), vars), slot);
        vars["stages"] = back;
        run(look, vars);
        EXPECT_EQ(value_of(found, vars), slot);
      }
      run(step, vars);
    }
  });
}

TEST(LowerSlots, StagesStayAsLongAsAnyoneReadsThem) {
  for_all_rings([](Slots& slots, const Context&, int ahead) {
    const int behind = slots.behind();
    slots.keep(2);
    EXPECT_EQ(slots.behind(), std::max(behind, 2));
    EXPECT_EQ(slots.count(), ahead + 1 + std::max(behind, 2));
    EXPECT_EQ(slots.count().text, "ring_depth");
  });
}

}  // namespace
}  // namespace stencilc::lower
