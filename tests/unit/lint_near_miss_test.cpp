// What the lint only just warns of, and what it only just lets pass.
#include "support/linted.h"
#include "support/near_miss.h"

namespace stencilc {
namespace {

using testing::NearMiss;
using testing::on_x;
using testing::on_xy;
using testing::smooth;

std::string weighted(const std::string& weights) {
  return smooth("const f32 w[-1..1] = { " + weights +
                " }; u[t+1] = sum(i in -1..1 : w[i] * u[x+i]);");
}

// Nine weights, of which the last two are given.
std::string weighted_box(const std::string& last) {
  return on_xy("field f32 u boundary clamp; const f32 w[-1..1, -1..1] = { 1, 2, 3, 2, 4, 6, 3, " +
               last + " } / 36; u[t+1] = sum(i in -1..1, j in -1..1 : w[i, j] * u[x+i, y+j]);");
}

const std::vector<NearMiss>& rows() {
  static const std::vector<NearMiss> all = {
      {diag::unstable, "factor", smooth("u[t+1] = u + 0.51 * laplacian(u);"),
       smooth("u[t+1] = u + 0.5 * laplacian(u);")},
      {diag::unstable, "unknown", smooth("param f32 dt = 1; u[t+1] = u + dt * laplacian(u);"),
       smooth("param f32 dt; u[t+1] = u + dt * laplacian(u);")},
      {diag::weight_sum, "sum", weighted("0.25, 0.499, 0.25"), weighted("0.25, 0.5, 0.25")},
      {diag::weight_sum, "far", weighted("0.25, 0.499, 0.25"), weighted("0.25, 0.25, 0.25")},
      {diag::write_only, "read", smooth("field f32 g; u[t+1] = u[x-1]; g[t+1] = u;"),
       smooth("field f32 g; u[t+1] = u[x-1]; g[t+1] = u; reduce r = sum(g[t+1]);")},
      {diag::write_only, "declared", smooth("field f32 g; u[t+1] = u[x-1]; g[t+1] = u;"),
       smooth("field f32 g inout; u[t+1] = u[x-1]; g[t+1] = u;")},
      {diag::double_literal, "digits", smooth("u[t+1] = 0.1234567891 * u[x-1];"),
       smooth("u[t+1] = 0.123456789 * u[x-1];")},
      {diag::double_literal, "whole", smooth("u[t+1] = min(u[x-1], 16777217);"),
       smooth("u[t+1] = min(u[x-1], 16777216);")},
      {diag::double_literal, "type", smooth("u[t+1] = 0.1234567891 * u[x-1];"),
       on_x("field f64 u boundary clamp; u[t+1] = 0.1234567891 * u[x-1];")},
      {diag::axis_order, "order",
       "stencil s { axes y, x; field f32 u boundary clamp; u[t+1] = u[x-1]; }",
       on_xy("field f32 u boundary clamp; u[t+1] = u[x-1];")},
      {diag::axis_order, "names",
       "stencil s { axes y, x; field f32 u boundary clamp; u[t+1] = u[x-1]; }",
       "stencil s { axes row, x; field f32 u boundary clamp; u[t+1] = u[x-1]; }"},
      {diag::float_equality, "computed", smooth("u[t+1] = u[x-1] + u == 1 ? 0 : u;"),
       smooth("u[t+1] = u[x-1] == 1 ? 0 : u;")},
      {diag::float_equality, "fraction", smooth("u[t+1] = u[x-1] == 0.1 ? 0 : u;"),
       smooth("u[t+1] = u[x-1] == 0.5 ? 0 : u;")},
      {diag::float_equality, "order", smooth("u[t+1] = u[x-1] + u == 1 ? 0 : u;"),
       smooth("u[t+1] = u[x-1] + u >= 1 ? 0 : u;")},
      {diag::self_assignment, "level",
       on_x("field f32 u boundary clamp; field f32 c; u[t+1] = c * u[x-1]; c[t+1] = c;"),
       on_x("field f32 u boundary clamp; field f32 c; u[t+1] = c * u[x-1]; c[t+1] = c[t-1];")},
      {diag::separable_weights, "entry", weighted_box("6, 9"), weighted_box("6, 8")},
  };
  return all;
}

TEST(LintNearMiss, EachBorderIsWhereTheRowSays) {
  testing::expect_borders(rows(), [](const std::string& text) { return testing::linted(text); });
}

TEST(LintNearMiss, EveryCodeOfTheLintHasARow) {
  testing::expect_all_codes(rows(), [](diag::Code code) {
    return code.number >= diag::unstable.number && code.number <= diag::separable_weights.number;
  });
}

}  // namespace
}  // namespace stencilc
