// What the analysis of types and values only just refuses, and what it only just takes.
#include "support/analysed.h"
#include "support/near_miss.h"

namespace stencilc {
namespace {

using testing::NearMiss;
using testing::of_type;
using testing::on_x;
using testing::on_xy;
using testing::smooth;
using testing::update;

const std::vector<NearMiss>& rows() {
  static const std::vector<NearMiss> all = {
      {diag::type_clash, "condition", update("u && u > 0 ? 1 : 0"),
       update("u != 0 && u > 0 ? 1 : 0")},
      {diag::type_clash, "remainder", update("u % 2"), of_type("i32", "u % 2")},
      {diag::type_clash, "compute", on_x("field f32 u compute f16; u[t+1] = u;"),
       on_x("field f16 u compute f32; u[t+1] = u;")},
      {diag::type_clash, "bool", of_type("bool", "u + u"), of_type("bool", "u + u != 0")},
      {diag::type_clash, "idiv", update("idiv(u, 2)"), of_type("i32", "idiv(u, 2)")},
      {diag::type_clash, "neighbour", smooth("param f32 a; u[t+1] = a[x-1] * u;"),
       smooth("field f32 a boundary zero; u[t+1] = a[x-1] * u;")},
      {diag::narrowing, "sign", on_x("field i16 u in; field u16 p out; p = u;"),
       on_x("field u8 u in; field u16 p out; p = u;")},
      {diag::narrowing, "sum", of_type("u8", "u + u[x-1]"), of_type("u8", "max(u, u[x-1])")},
      {diag::narrowing, "real", on_x("field f64 c in; field f32 u; u[t+1] = u * c;"),
       on_x("field f32 c in; field f64 u; u[t+1] = u * c;")},
      {diag::narrowing, "compute", on_x("field f64 u compute f32; u[t+1] = u;"),
       on_x("field f32 u compute f32; u[t+1] = u;")},
      {diag::not_constant, "param", smooth("param i32 k; u[t+1] = u^k;"),
       smooth("const i32 k = 3; u[t+1] = u^k;")},
      {diag::not_constant, "whole", update("sum(i in 0..3/2 : u[x+i])"),
       update("sum(i in 0..4/2 : u[x+i])")},
      {diag::integer_division, "whole", of_type("i32", "u / 2"), of_type("i32", "u * (4 / 2)")},
      {diag::integer_division, "real", on_x("field i32 k in; field f32 u; u[t+1] = u + k / 2;"),
       on_x("field i32 k in; field f32 u; u[t+1] = u + k / 2.0;")},
      {diag::literal_range, "u8", of_type("u8", "256"), of_type("u8", "255")},
      {diag::literal_range, "sign", of_type("u8", "-1"), of_type("u8", "-0")},
      {diag::literal_range, "i8", of_type("i8", "-129"), of_type("i8", "-128")},
      {diag::literal_range, "i16", of_type("i16", "32768"), of_type("i16", "32767")},
      {diag::literal_range, "u16", of_type("u16", "65536"), of_type("u16", "65535")},
      {diag::literal_range, "i32", of_type("i32", "2147483648"), of_type("i32", "2147483647")},
      {diag::literal_range, "i64", of_type("i64", "9223372036854775807 + 1"),
       of_type("i64", "9223372036854775806 + 1")},
      {diag::literal_range, "least", of_type("i64", "-9223372036854775807 - 2"),
       of_type("i64", "-9223372036854775807 - 1")},
      {diag::literal_range, "power", of_type("i64", "2^63"), of_type("i64", "(-2)^63")},
      {diag::literal_range, "bool", of_type("bool", "2"), of_type("bool", "1")},
      {diag::literal_range, "f16", on_x("field f16 u; u[t+1] = u; const f16 k = 65520;"),
       on_x("field f16 u; u[t+1] = k * u; const f16 k = 65519;")},
      {diag::literal_range, "f32", update("u + 3.402824e38"), update("u + 3.4028235e38")},
      {diag::weight_count, "values", smooth("const f32 w[-1..1] = { 1, 2 }; u[t+1] = w[0] * u;"),
       smooth("const f32 w[-1..0] = { 1, 2 }; u[t+1] = w[0] * u;")},
      {diag::weight_count, "empty", smooth("weights w[1..0]; u[t+1] = u;"),
       smooth("weights w[1..1]; u[t+1] = w[1] * u;")},
      {diag::weight_count, "long", smooth("weights w[0..1001]; u[t+1] = u;"),
       smooth("weights w[0..1000]; u[t+1] = w[1000] * u;")},
      {diag::weight_index, "above", smooth("weights w[-1..1]; u[t+1] = w[2] * u;"),
       smooth("weights w[-1..1]; u[t+1] = w[1] * u;")},
      {diag::weight_index, "below", smooth("weights w[-1..1]; u[t+1] = w[-2] * u;"),
       smooth("weights w[-1..1]; u[t+1] = w[-1] * u;")},
      {diag::division_by_zero, "literal", update("u / 0.0"), update("u / 1e-45")},
      {diag::division_by_zero, "constant", smooth("const f32 k = 1 - 1; u[t+1] = u / k;"),
       smooth("const f32 k = 1 - 2; u[t+1] = u / k;")},
      {diag::division_by_zero, "idiv", on_x("const i32 k = 0; field i32 u; u[t+1] = idiv(u, k);"),
       on_x("const i32 k = -1; field i32 u; u[t+1] = idiv(u, k);")},
      {diag::division_by_zero, "literals", of_type("i32", "idiv(7, 0)"),
       of_type("i32", "idiv(0, 7)")},
      {diag::division_by_zero, "weights", smooth("const f32 w[0..0] = { 1 } / 0; u[t+1] = u;"),
       smooth("const f32 w[0..0] = { 0 } / 1; u[t+1] = w[0] * u;")},
      {diag::bad_order, "odd", update("laplacian(u, order = 3)"),
       update("laplacian(u, order = 4)")},
      {diag::bad_order, "least", update("dx(u, order = 0)"), update("dx(u, order = 2)")},
      {diag::bad_order, "greatest", update("dx(u, order = 18)"), update("dx(u, order = 16)")},
      {diag::bad_order, "sided", update("dx(u, order = 9, side = -1)"),
       update("dx(u, order = 8, side = -1)")},
      {diag::bad_order, "upwind", update("dx(u, order = 0, upwind = 1)"),
       update("dx(u, order = 1, upwind = 1)")},
      {diag::bad_difference, "place", update("dx(u, at = 1/3)"), update("dx(u, at = 1/2)")},
      {diag::bad_difference, "side", update("dx(u, side = 2)"), update("dx(u, side = 1)")},
      {diag::bad_difference, "mixed",
       on_xy("field f32 u boundary zero; u[t+1] = dxy(u, side = 1);"),
       on_xy("field f32 u boundary zero; u[t+1] = dxx(u, side = 1) + dxy(u);")},
  };
  return all;
}

TEST(SemaValuesNearMiss, EachBorderIsWhereTheRowSays) {
  testing::expect_borders(rows(),
                          [](const std::string& text) { return testing::analysed(text).parsed; });
}

TEST(SemaValuesNearMiss, EveryCodeOfValuesHasARow) {
  testing::expect_all_codes(rows(), [](diag::Code code) { return code.number / 100 == 3; });
}

}  // namespace
}  // namespace stencilc
