// Statements that assign the same cells near the boundary: they stand under one condition, and what
// they share is computed once.
#include <gtest/gtest.h>

#include <string>

#include "lower/context/build.h"
#include "plan/schedule/value_placement.h"
#include "support/lowered.h"
#include "support/rows.h"

namespace stencilc::lower {
namespace {

// Two fields whose t+1 has an exponential in common.
const std::string kFields =
    "field f32 u boundary none; field f32 v boundary none; field f32 w boundary clamp; "
    "field u8 solid in; let shared = exp(u[x-1] + v[y+1]); ";

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// The statements of a cell near the boundary.
std::string edge_of(const kernel::Kernel& kernel) {
  kernel::Kernel edge;
  for (const kernel::Stmt& stmt : kernel.body)
    if (const auto* split = std::get_if<kernel::If>(&stmt.node)) edge.body = split->no;
  return kernel::print(edge);
}
std::string edge_of(const std::string& items) {
  std::string outputs;
  for (const std::string name : {"p", "q"})
    if (items.find(name + " = ") != items.npos) outputs += "field f32 " + name + " out; ";
  const kernel::Module module =
      testing::lowered("x, y", kFields + outputs + items, "naive", plan::any_device());
  return edge_of(module.launches.at(0).kernel);
}

// How often the edge code takes the exponential.
std::string exponentials(const std::string& items) {
  return std::to_string(count(edge_of(items), "exp("));
}

TEST(LowerStatements, ShareWhatTheyComputeInTheSameCells) {
  testing::expect_rows(exponentials, R"(
    u[t+1] = shared + u; v[t+1] = shared*v;                                 => 1
    u[t+1] = shared where solid > 3; v[t+1] = 2*shared where solid > 3;     => 1
    p = shared; q = 3*shared;                                               => 1
    p = shared; u[t+1] = shared + p;                                        => 1
    u[t+1] = shared + u; v[t+1] = shared*u[t+1];                            => 1
    u[t+1] = shared; u[t+1] = u[t+1] + 1 on x >= 3; v[t+1] = 2*shared;      => 1
    u[t+1] = v where solid > 3; u[t+1] = shared + u[t+1];
      v[t+1] = v where solid > 3; v[t+1] = shared + v[t+1];                 => 1
    w[t+1] = w[x-1]; w[t+1] *= exp(u) + w[y-1]; u[t+1] = v; u[t+1] /= exp(u);  => 1
    // Other cells.
    u[t+1] = shared + u[x+1]; v[t+1] = shared*v[y-1];                       => 2
    u[t+1] = shared where solid > 3; v[t+1] = 2*shared where solid > 4;     => 2
    // What u is before its last statement is not what v reads.
    u[t+1] = shared + u; u[t+1] = 2*u[t+1] on x >= 3; v[t+1] = shared*u[t+1];  => 2
  )");
}

TEST(LowerStatements, OnlyCellsThatKeepTheirValuesLoadThem) {
  const std::string boxes = edge_of("u[t+1] = shared; v[t+1] = 2*shared;");
  EXPECT_EQ(count(boxes, "if "), 2u) << boxes;
  EXPECT_GT(boxes.find("= u[i]"), boxes.find("else")) << boxes;
  // One condition of the coordinates, under which the mask is asked, and one of both.
  const std::string masks =
      edge_of("u[t+1] = shared where solid > 3; v[t+1] = 2*shared where solid > 3;");
  EXPECT_EQ(count(masks, "if "), 3u) << masks;
  EXPECT_GT(masks.find("= u[i]"), masks.find("else")) << masks;
}

TEST(LowerStatements, OutputsOfTheSameCellsAreStoredTogether) {
  const std::string edge = edge_of("p = shared where solid > 3; q = 2*shared where solid > 3;");
  EXPECT_EQ(count(edge, "p_written"), 3u) << edge;
  EXPECT_EQ(count(edge, "q_written"), 0u) << edge;
}

// Two temporaries that have as many ghost cells: the place of each is computed once, and only cells
// that take a ghost cell load it.
TEST(LowerStatements, ReadsOfTemporariesShareThePlacesOfGhostCells) {
  const ir::Stencil stencil = plan::with_global(
      testing::on(
          "x, y",
          "field f32 u boundary zero; field f32 v boundary zero; let g = u*u; let h = v*v; "
          "u[t+1] = g[x-1] + g[y+1]; v[t+1] = h[x-1] - h[y+1];"),
      {"g", "h"});
  const plan::Choice choice = plan::parse("naive", stencil, plan::Target::cuda, plan::any_device());
  kernel::Module module = lower::lower(
      stencil, plan::make_plan(stencil, choice.schedule, plan::Target::cuda, plan::any_device()));
  driver::run_kernel_passes(module, plan::Target::cuda);
  std::string edges;
  for (const kernel::Launch& launch : module.launches)
    if (launch.kernel.name.starts_with("update")) edges += edge_of(launch.kernel);
  EXPECT_EQ(count(edges, "ghost_place("), 2u) << edges;
  EXPECT_EQ(count(edges, "f32 = g_ghosts["), 0u) << edges;
}

// Code of f64, and that of planes, does not fit into the registers and the instruction cache.
TEST(LowerStatements, OfCellsOfAThreadStayInALoopWhereTheyAreLong) {
  const auto mark = [](kernel::Type type, int operations, bool along_z) {
    kernel::For loop = unrolled("k", 0, 4);
    const kernel::ExprPtr one = kernel::var("a", type);
    for (int n = 0; n < operations; ++n)
      loop.body.push_back(
          {kernel::Let{"b" + std::to_string(n), kernel::bin(kernel::BinOp::add, one, one)}});
    roll_if_long(loop, 4, along_z);
    return loop.mark;
  };
  using kernel::For, kernel::Type;
  EXPECT_EQ(mark(Type::f64, 150, false), For::unrolled);
  EXPECT_EQ(mark(Type::f64, 151, false), For::rolled);
  EXPECT_EQ(mark(Type::f32, 1000, false), For::unrolled);
  EXPECT_EQ(mark(Type::f32, 250, true), For::unrolled);
  EXPECT_EQ(mark(Type::f32, 251, true), For::rolled);
}

}  // namespace
}  // namespace stencilc::lower
