// What lowering makes of stencils: names, integer operations that may wrap, and the shape of
// kernels.
#include "lower/lower.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "kernel/build.h"
#include "lower/context/names.h"
#include "lower/context/value_numbering.h"
#include "support/lowered.h"
#include "support/rows.h"

namespace stencilc::lower {
namespace {

using testing::on;

kernel::Module lowered(const std::string& axes, const std::string& items,
                       const std::string& schedule) {
  return testing::lowered(axes, items, schedule, plan::any_device());
}
// The kernel of a step that is one launch.
const kernel::Kernel& only_kernel(const kernel::Module& module) {
  EXPECT_EQ(module.launches.size(), 1u);
  return module.launches.at(0).kernel;
}

// All expressions of a body, and the loops and conditions in it, outermost first.
struct Contents {
  std::vector<kernel::ExprPtr> exprs;
  std::vector<const kernel::For*> loops;
  std::vector<const kernel::If*> conditions;
  std::vector<const kernel::Store*> stores;
};
void collect(const kernel::ExprPtr& expr, Contents& out) {
  out.exprs.push_back(expr);
  for (const kernel::ExprPtr& child : kernel::children(*expr)) collect(child, out);
}
void collect(const kernel::Body& body, Contents& out) {
  for (const kernel::Stmt& stmt : body) {
    if (const auto* let = std::get_if<kernel::Let>(&stmt.node)) collect(let->value, out);
    if (const auto* assign = std::get_if<kernel::Assign>(&stmt.node)) collect(assign->value, out);
    if (const auto* store = std::get_if<kernel::Store>(&stmt.node)) {
      out.stores.push_back(store);
      collect(store->value, out);
    }
    if (const auto* loop = std::get_if<kernel::For>(&stmt.node)) {
      out.loops.push_back(loop);
      collect(loop->body, out);
    }
    if (const auto* condition = std::get_if<kernel::If>(&stmt.node)) {
      out.conditions.push_back(condition);
      collect(condition->condition, out);
      collect(condition->yes, out);
      collect(condition->no, out);
    }
  }
}
Contents contents(const kernel::Body& body) {
  Contents out;
  collect(body, out);
  return out;
}
// The points loaded: buffer and index as text.
std::multiset<std::string> loads(const kernel::Body& body) {
  std::multiset<std::string> result;
  for (const kernel::ExprPtr& expr : contents(body).exprs) {
    if (!kernel::as<kernel::Load>(expr)) continue;
    kernel::Kernel one;
    one.body = {{kernel::Let{"e", expr}}};
    result.insert(kernel::print(one));
  }
  return result;
}
// Calls that map an index into the grid, and choices between a cell and what stands outside the
// grid.
int boundary_calls(const kernel::Body& body) {
  int count = 0;
  for (const kernel::ExprPtr& expr : contents(body).exprs) {
    const auto* call = kernel::as<kernel::Call>(expr);
    count += (call && call->function <= kernel::Fn::wrap) || kernel::as<kernel::Pick>(expr);
  }
  return count;
}
// The statement that parts interior blocks from the others.
const kernel::If& split(const kernel::Kernel& kernel) {
  const kernel::If* found = nullptr;
  for (const kernel::Stmt& stmt : kernel.body)
    if (const auto* condition = std::get_if<kernel::If>(&stmt.node)) found = condition;
  if (!found) throw std::logic_error("no split in\n" + kernel::print(kernel));
  return *found;
}

std::string items(const std::string& boundary, const std::string& value) {
  return "field f32 u boundary " + boundary + "; u[t+1] = " + value + ";";
}
struct Shape {
  const char *axes, *value;
};
constexpr Shape kShapes[] = {
    {"x", "0.3*u[x-2] + 0.2*u + 0.5*u[x+1]"},
    {"x, y", "0.1*laplacian(u) + u"},
    {"x, y", "sum(i in -2..2, j in -1..1 : u[x+i, y+j])"},
    {"x, y, z", "0.1*laplacian(u, order = 4) + u"},
    {"x, y, z", "sum(i in -1..1, j in -1..1, k in -1..1 : u[x+i, y+j, z+k])"}};
constexpr const char* kBoundaries[] = {"clamp",      "reflect", "mirror", "periodic",
                                       "constant 3", "fixed",   "none"};

TEST(LowerNames, WordsOfCppAndCudaGetATail) {
  Names names;
  for (const char* name : {"u", "x", "u_new", "Block", "e1", "a_", "T"})
    EXPECT_EQ(names.claim(name), name);
  for (const std::string word : {"int", "for", "namespace", "operator", "threadIdx", "blockDim",
                                 "dim3", "NULL", "std", "co_await"})
    EXPECT_EQ(names.claim(word), word + "_");
  EXPECT_EQ(names.claim("int"), "int_2");
}

TEST(LowerNames, WhatTheHostCodeCallsALaunchIsTaken) {
  Names names;
  for (const std::string word :
       {"advance_steps", "resident_tile_steps", "advance_steps_8_fits", "threads_2", "blocks_x_12"})
    EXPECT_EQ(names.claim(word), word + "_");
  for (const char* name : {"advances", "fits", "threads2", "u_2", "of_threads_2"})
    EXPECT_EQ(names.claim(name), name);
}

TEST(LowerNames, TheEntryForCIsNoField) {
  const kernel::Module module =
      testing::lowered("x, y", "field f32 s_run, u; s_run[t+1] = 2*u; u[t+1] = s_run;", "naive");
  EXPECT_EQ(module.name, "s");
  EXPECT_EQ(module.grids.at(0).name, "s_run_2");
}

TEST(LowerNames, WhatCppReservesIsSqueezedOut) {
  Names names;
  for (const std::string name : {"a__b", "__global__", "_x", "__", "___", "_Z"}) {
    const std::string claimed = names.claim(name);
    EXPECT_EQ(claimed.find("__"), std::string::npos) << name << " -> " << claimed;
    EXPECT_NE(claimed[0], '_') << name << " -> " << claimed;
  }
}

TEST(LowerNames, EveryNameIsClaimedOnce) {
  Names names;
  std::set<std::string> claimed;
  int count = 0;
  for (int round = 0; round < 3; ++round) {
    for (const char* name :
         {"u", "u_2", "u_3", "u_", "u__2", "int", "int_", "int_2", "a__b", "a_b", "a_b_", "_a_b"}) {
      claimed.insert(names.claim(name));
      ++count;
    }
  }
  EXPECT_EQ(static_cast<int>(claimed.size()), count);
}

TEST(LowerNames, TheGlobalScopeIsSharedWithTheLibraries) {
  for (const std::string name :
       {"round", "gamma", "time", "index", "float4", "uchar2", "y1", "half", "nv_bfloat16"}) {
    EXPECT_EQ(Names().claim_global(name), name + "_");
    EXPECT_EQ(Names().claim(name), name);
  }
  for (const std::string name : {"laplace2d", "wave", "float5", "rounds"})
    EXPECT_EQ(Names().claim_global(name), name);
}

// The values a step computes.
std::vector<ir::ExprPtr> values_of(const ir::Stencil& stencil) {
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) values.push_back(one.value);
  return values;
}

TEST(LowerNumbering, IntegersWrapOnlyWhereTheirRangesSay) {
  // Of a type: may the outermost operation leave it?
  const auto may_wrap = [](const std::string& update) {
    const ir::Stencil stencil =
        on("x",
           "param i32 n; field u8 a, b in; field i16 h in; field i32 i in; field i64 l in; "
           "field " +
               update.substr(0, 3) + " r out; r = " + update.substr(5) + ";");
    Numbering numbering(values_of(stencil));
    return numbering.may_wrap(stencil.updates[0].cases[0].value);
  };
  testing::expect_rows(may_wrap, R"(
    i32: a + b          => no
    // 255^3 fits, 255^4 does not.
    i32: a*b*a          => no
    i32: a*b*a*b        => yes
    i32: h*h            => no
    i32: h*h + h        => no
    // 2^31
    i32: h*h + h*h      => yes
    i32: i + 1          => yes
    i32: n*2            => yes
    i32: -i             => yes
    i32: abs(i)         => no
    i32: -h             => no
    i32: abs(h)         => no
    i32: (i > 0 ? a : b) + 1   => no
    i32: max(a, b) - min(a, b) => no
    i64: l + 1          => yes
    i64: i64(i) + 1     => no
    i64: x + 1          => no
  )");
}

TEST(LowerNumbering, EqualExpressionsAreOneValue) {
  const ir::Stencil stencil =
      on("x",
         "param f32 p; field f32 u, v boundary clamp; u[t+1] = sqrt(u*v) + p*p; v[t+1] = "
         "v*sqrt(u*v);");
  Numbering numbering(values_of(stencil));
  std::multiset<int> roots;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* apply = ir::as<ir::Apply>(node); apply && apply->op == ir::Op::sqrt) {
      roots.insert(numbering.id(node));
      EXPECT_EQ(numbering.uses(node), 2);
      EXPECT_FALSE(numbering.invariant(node));
    }
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_EQ(*roots.begin(), *roots.rbegin());
}

TEST(Lower, InteriorBlocksKnowNoBoundary) {
  for (const char* schedule : {"naive", "coarsened,vector=1"}) {
    for (const Shape& shape : kShapes) {
      for (const char* boundary : kBoundaries) {
        SCOPED_TRACE(std::string(schedule) + " " + shape.axes + " " + boundary + " " + shape.value);
        const kernel::Module module = lowered(shape.axes, items(boundary, shape.value), schedule);
        const kernel::If& parts = split(only_kernel(module));
        EXPECT_EQ(boundary_calls(parts.yes), 0);
        EXPECT_TRUE(contents(parts.yes).conditions.empty());
        EXPECT_EQ(contents(parts.yes).stores.size(), 1u);
        const bool mapped = std::string(boundary) != "fixed" && std::string(boundary) != "none";
        EXPECT_EQ(boundary_calls(parts.no) > 0, mapped);
        EXPECT_FALSE(contents(parts.no).conditions.empty());
      }
    }
  }
}

TEST(Lower, ALoopOverCellsLoadsNoPointTwice) {
  for (const Shape& shape : kShapes) {
    for (const std::string axis : {"x", "y", "z"}) {
      if (std::string(shape.axes).find(axis) == std::string::npos) continue;
      SCOPED_TRACE(axis + " " + shape.value);
      const kernel::Module module = lowered(shape.axes, items("clamp", shape.value),
                                            "coarsened,vector=1,coarsen=" + axis + "4");
      const Contents interior = contents(split(only_kernel(module)).yes);
      ASSERT_EQ(interior.loops.size(), 1u);
      const std::multiset<std::string> points = loads(interior.loops[0]->body);
      EXPECT_EQ(std::set<std::string>(points.begin(), points.end()).size(), points.size());
    }
  }
}

// Along the streamed axis each column is loaded once a cell, at its front; the rest waits in
// registers.
TEST(Lower, AStreamedColumnIsLoadedOnce) {
  const auto loads_of = [](const std::string& axes, const std::string& value) {
    const kernel::Module module =
        lowered(axes, items("clamp", value),
                "coarsened,vector=1,coarsen=" + axes.substr(axes.size() - 1) + "4");
    return loads(contents(split(only_kernel(module)).yes).loops[0]->body).size();
  };
  EXPECT_EQ(loads_of("x, y", "u + laplacian(u)"), 3u);
  EXPECT_EQ(loads_of("x, y", "sum(i in -1..1, j in -1..1 : u[x+i, y+j])"), 3u);
  EXPECT_EQ(loads_of("x, y, z", "u + laplacian(u)"), 5u);
  EXPECT_EQ(loads_of("x, y, z", "u + laplacian(u, order = 4)"), 9u);
}

TEST(Lower, AnEvenBlockOfCellsHasTheTileOfItsSchedule) {
  const kernel::Module module =
      lowered("x, y", items("clamp", "u[x-1]"), "coarsened,threads=16x4,vector=1,coarsen=y3");
  EXPECT_EQ(only_kernel(module).threads[0], 16);
  EXPECT_EQ(only_kernel(module).threads[1], 4);
  EXPECT_EQ(only_kernel(module).tile[0], 16);
  EXPECT_EQ(only_kernel(module).tile[1], 12);
}

TEST(Lower, AKernelInPlaceHasOnePointer) {
  const kernel::Module module = lowered("x, y", "field f32 u; u[t+1] = 2*u + 1;", "naive");
  ASSERT_EQ(only_kernel(module).buffers.size(), 1u);
  EXPECT_TRUE(only_kernel(module).buffers[0].writable);
  EXPECT_EQ(module.grids[0].buffers, 1);
  // No cell is an edge cell: one guard, for the last block.
  EXPECT_EQ(contents(only_kernel(module).body).conditions.size(), 1u);
}

TEST(Lower, TheOldestLevelOfAWaveIsTheBufferOfTheNext) {
  const kernel::Module module =
      lowered("x", items("zero", "2*u - u[t-1] + 0.1*laplacian(u)"), "naive");
  EXPECT_EQ(only_kernel(module).buffers.size(), 2u);
  EXPECT_EQ(module.grids[0].buffers, 2);
  EXPECT_EQ(module.grids[0].level_names, (std::vector<std::string>{"u", "u_prev"}));
}

TEST(Lower, AllValuesAreComputedBeforeTheFirstStore) {
  for (const char* schedule : {"naive", "loops"}) {
    const kernel::Module module =
        lowered("x", "field f32 u, v, w; u[t+1] = v; v[t+1] = w; w[t+1] = u;", schedule);
    // Three loads of this cell, and then three stores that load nothing.
    const Contents all = contents(only_kernel(module).body);
    ASSERT_EQ(all.stores.size(), 3u);
    for (const kernel::Store* store : all.stores)
      EXPECT_TRUE(kernel::as<kernel::Var>(store->value)) << schedule;
  }
}

TEST(Lower, WhatIsTheSameEverywhereIsComputedOnceAtTheTop) {
  const kernel::Module module = lowered(
      "x", "param f32 dt, h; " + items("clamp", "u + dt/(h*h)*(u[x-1] - 2*u + u[x+1])"), "loops");
  int divisions = 0;
  for (const kernel::ExprPtr& expr : contents(only_kernel(module).body).exprs)
    if (const auto* bin = kernel::as<kernel::Bin>(expr)) divisions += bin->op == kernel::BinOp::div;
  EXPECT_EQ(divisions, 1);
  EXPECT_TRUE(std::get_if<kernel::Let>(&only_kernel(module).body[0].node));
}

// A product with the reciprocal has the same bits, and nvcc does not replace __fdiv_rn by it.
TEST(Lower, DivisionsByPowersOfTwoAreProducts) {
  const auto divisions_of = [](const std::string& value) {
    int divisions = 0;
    const kernel::Module module = lowered("x", items("clamp", value), "naive");
    for (const kernel::ExprPtr& expr : contents(split(only_kernel(module)).yes).exprs)
      if (const auto* bin = kernel::as<kernel::Bin>(expr))
        divisions += bin->op == kernel::BinOp::div;
    return std::to_string(divisions);
  };
  testing::expect_rows(divisions_of, R"(
    max(u[x-1]*u, u)/8      => 0
    exp(u)/-0.25            => 0
    max(u[x-1]*u, u)/3      => 1
    exp(u)/2e-39            => 1
    exp(u)/max(u[x+1], 2)   => 1
  )");
}

TEST(Lower, TheInteriorOfARowIsALoopWithoutAGuard) {
  const kernel::Module module = lowered("x, y", items("periodic", "laplacian(u)"), "loops");
  const Contents all = contents(only_kernel(module).body);
  int vectorised = 0;
  for (const kernel::For* loop : all.loops) {
    if (loop->mark != kernel::For::vectorised) continue;
    ++vectorised;
    EXPECT_EQ(boundary_calls(loop->body), 0);
    EXPECT_TRUE(contents(loop->body).conditions.empty());
  }
  EXPECT_EQ(vectorised, 1) << kernel::print(only_kernel(module));
}

TEST(LowerNames, MacrosAndWordsAreNoNames) {
  Names names;
  EXPECT_EQ(names.claim("M_PI"), "M_PI_");
  EXPECT_EQ(names.claim("M_PI"), "M_PI_2");
  EXPECT_EQ(names.claim("INT_MAX_new"), "INT_MAX_new");
  EXPECT_EQ(names.claim("int"), "int_");
  EXPECT_EQ(names.claim("__CUDACC__"), "CUDACC_");
  EXPECT_EQ(names.claim("u"), "u");
  EXPECT_EQ(names.claim_global("sin"), "sin_");
}

}  // namespace
}  // namespace stencilc::lower
