// What the analysis of places, times, boundaries and sizes only just refuses, and what it only just
// takes.
#include <map>

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

std::string fields(int count) {
  std::string items;
  for (int f = 0; f < count; ++f) {
    const std::string name = "v" + std::to_string(f);
    items += "field f32 " + name + "; " + name + "[t+1] = " + name + "; ";
  }
  return on_x(items);
}

// Functions that call each other, `count` deep.
std::string calls(int count) {
  std::string text = "fn g1(a) = a; ";
  for (int f = 2; f <= count; ++f)
    text += "fn g" + std::to_string(f) + "(a) = g" + std::to_string(f - 1) + "(a); ";
  return text + update("g" + std::to_string(count) + "(u)");
}

// Names for expressions, each made of the one before; the update needs the last.
std::string lets(int count, const std::string& step) {
  std::string items = "let a1 = u; ";
  for (int i = 2; i <= count; ++i)
    items += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + step + "; ";
  return smooth(items + "u[t+1] = a" + std::to_string(count) + ";");
}

std::string colored(const std::string& color, const std::string& field) {
  return on_xy("field f32 p boundary " + color + "; " + field);
}

std::string many_colors(int count) {
  std::string names = "c0";
  for (int c = 1; c < count; ++c) names += ", c" + std::to_string(c);
  return on_x("field f32 p boundary zero; color " + names + " by x % " + std::to_string(count) +
              "; p = p[x-1];");
}

const std::vector<NearMiss>& rows() {
  static const std::vector<NearMiss> all = {
      {diag::offset_not_constant, "param", smooth("param i32 k; u[t+1] = u[x+k];"),
       smooth("const i32 k = 1; u[t+1] = u[x+k];")},
      {diag::offset_not_constant, "fraction", update("u[x + 3/2]"), update("u[x + 3/3]")},
      {diag::offset_not_constant, "sign", update("u[1 - x]"), update("u[1 + x]")},
      {diag::offset_not_constant, "negative", update("u[x + 7/-2]"), update("u[x + 6/-2]")},
      {diag::offset_wrong_axis, "twice", on_xy("field f32 u boundary clamp; u[t+1] = u[x-1, x+1];"),
       on_xy("field f32 u boundary clamp; u[t+1] = u[x-1, y+1];")},
      {diag::offset_wrong_axis, "positional", on_xy("field f32 u boundary clamp; u[t+1] = u[1];"),
       on_xy("field f32 u boundary clamp; u[t+1] = u[1, 0];")},
      {diag::offset_wrong_axis, "lower",
       on_xy("field f32 c(y) in boundary clamp; field f32 u; u[t+1] = u * c[x-1];"),
       on_xy("field f32 c(y) in boundary clamp; field f32 u; u[t+1] = u * c[y-1];")},
      {diag::time_index, "new", update("u[t+2]"),
       smooth("field f32 v; v[t+1] = u; u[t+1] = v[t+1];")},
      {diag::time_index, "old", update("u[t-17]"), update("u[t-16]")},
      {diag::time_index, "input", smooth("field f32 c in; u[t+1] = u * c[t-1];"),
       smooth("field f32 c in; u[t+1] = u * c[t];")},
      {diag::time_index, "assigned", smooth("u = u[x-1];"), smooth("field f32 p out; p = u[x-1];")},
      {diag::time_index, "let", smooth("let v = u; u[t+1] = v[t-1];"),
       smooth("let v = u[t-1]; u[t+1] = v;")},
      {diag::missing_boundary, "offset", on_x("field f32 u; u[t+1] = u[x-1];"),
       on_x("field f32 u; u[t+1] = u[x-0];")},
      {diag::missing_boundary, "side",
       on_x("field f32 u boundary { x.lo: clamp }; u[t+1] = u[x+1];"),
       on_x("field f32 u boundary { x.lo: clamp }; u[t+1] = u[x-1];")},
      {diag::missing_boundary, "axis",
       on_xy("field f32 u boundary { x: clamp }; u[t+1] = u[x-1, y+1];"),
       on_xy("field f32 u boundary { x: clamp }; u[t+1] = u[x-1];")},
      {diag::cycle, "level", on_x("field f32 u, v; u[t+1] = v[t+1]; v[t+1] = u[t+1];"),
       on_x("field f32 u, v; u[t+1] = v[t+1]; v[t+1] = u;")},
      {diag::cycle, "itself", update("u[t+1] + u"), smooth("u[t+1] = u; u[t+1] = u[t+1] + u;")},
      {diag::cycle, "neighbour", update("u[t+1, x-1] + u"), update("u[t, x-1] + u")},
      {diag::cycle, "let", smooth("let a = b + u; let b = a; u[t+1] = b;"),
       smooth("let a = b + u; let b = u; u[t+1] = a;")},
      {diag::boundary_unusable, "value", on_x("field f32 u boundary constant; u[t+1] = u[x-1];"),
       on_x("field f32 u boundary constant 0; u[t+1] = u[x-1];")},
      {diag::boundary_unusable, "superfluous",
       on_x("field f32 u boundary zero 1; u[t+1] = u[x-1];"),
       on_x("field f32 u boundary zero; u[t+1] = u[x-1];")},
      {diag::boundary_unusable, "updated",
       on_x("field f32 c in boundary fixed; field f32 u; u[t+1] = c[x-1];"),
       on_x("field f32 c in boundary none; field f32 u; u[t+1] = c[x-1];")},
      {diag::boundary_unusable, "ends",
       on_x("field f32 u boundary { x.lo: periodic; x.hi: clamp }; u[t+1] = u[x-1];"),
       on_x("field f32 u boundary { x.lo: periodic; x.hi: periodic }; u[t+1] = u[x-1];")},
      {diag::boundary_unusable, "place", on_x("field f32 u boundary constant x; u[t+1] = u[x-1];"),
       on_x("field f32 u boundary constant nx; u[t+1] = u[x-1];")},
      {diag::boundary_unusable, "floats", on_x("field i32 u boundary neumann 0; u[t+1] = u[x-1];"),
       on_x("field f16 u boundary neumann 0; u[t+1] = u[x-1];")},
      {diag::boundary_unusable, "cells", on_x("field f32 u boundary expr u; u[t+1] = u[x-1];"),
       on_x("field f32 u boundary expr t; u[t+1] = u[x-1];")},
      {diag::boundary_unusable, "second",
       on_x("field f32 u boundary clamp; boundary u clamp; u[t+1] = u[x-1];"),
       on_x("field f32 u, v; boundary u, v clamp; u[t+1] = v[x-1]; v[t+1] = u[x-1];")},
      {diag::radius_limit, "offset", update("u[x+65]"), update("u[x+64]")},
      {diag::radius_limit, "let", smooth("let a = u[x-40]; u[t+1] = a[x-25];"),
       smooth("let a = u[x-40]; u[t+1] = a[x-24];")},
      {diag::radius_limit, "window", update("sum(i in -65..0 : u[x+i])"),
       update("sum(i in -64..0 : u[x+i])")},
      {diag::bad_domain, "field", smooth("u[t+1] = u on u > 0;"),
       smooth("u[t+1] = u on x > 0 where u > 0;")},
      {diag::bad_domain, "axis", on_xy("field f32 u; u[t+1] = u on x > y;"),
       on_xy("field f32 u; u[t+1] = u on x > ny;")},
      {diag::bad_domain, "side", smooth("u[t+1] = u on x - 1 > 0;"),
       smooth("u[t+1] = u on x > 0 + 1;")},
      {diag::bad_domain, "comparison", smooth("u[t+1] = u on x % 2;"),
       smooth("u[t+1] = u where x % 2 == 0;")},
      {diag::bad_colors, "distance", colored("zero", "color a, b by (x+y) % 2; p = p[x-1, y-1];"),
       colored("zero", "color a, b by (x+y) % 2; p = p[x-1, y-2];")},
      {diag::bad_colors, "rim", colored("clamp", "color a, b by (x+y) % 2; p = p[x-1, y-2];"),
       colored("clamp", "color a, b by (x+y) % 2; p = p[x-1];")},
      {diag::bad_colors, "names", colored("zero", "color a, b by (x+y) % 3; p = p[x-1];"),
       colored("zero", "color a, b, c by (x+y) % 3; p = p[x-1];")},
      {diag::bad_colors, "number", many_colors(65), many_colors(64)},
      {diag::bad_colors, "form", colored("zero", "color a, b by (x*y) % 2; p = p[x-1];"),
       colored("zero", "color a, b by (x*3) % 2; p = p[x-1];")},
      {diag::not_in_this_version, "type", of_type("f128", "u"), of_type("f64", "u")},
      {diag::nesting_limit, "calls", calls(65), calls(64)},
      {diag::nesting_limit, "lets", lets(2000, ""), lets(1999, "")},
      {diag::size_limit, "fields", fields(257), fields(256)},
      {diag::size_limit, "weights",
       smooth("weights w[0..63, 0..63], v[0..0]; u[t+1] = w[0, 0] * v[0] * u;"),
       smooth("weights w[0..63, 0..63]; u[t+1] = w[0, 0] * u;")},
      {diag::size_limit, "height", update("max(i in 0..10500 : u)"),
       update("max(i in 0..10499 : u)")},
      {diag::size_limit, "unrolled",
       update("sum(i in 0..99, j in 0..0 : sum(k in 0..999 : u^(i + k)))"), update("u")},
      {diag::unused_name, "param", smooth("param f32 a; u[t+1] = u[x-1];"),
       on_x("param f32 a; field f32 u boundary constant a; u[t+1] = u[x-1];")},
      {diag::unused_name, "function", "fn f(a) = a; " + update("u[x-1]"),
       "fn f(a) = a; " + update("f(u[x-1])")},
      {diag::unused_name, "field", smooth("field f32 c in; u[t+1] = u[x-1];"),
       smooth("field f32 c out; u[t+1] = u[x-1]; c = u;")},
      {diag::boundary_unused, "offset", update("u[x-0]"), update("u[x-1]")},
      {diag::boundary_unused, "reduction", smooth("u[t+1] = u; reduce r = sum(u);"),
       smooth("u[t+1] = u; reduce r = sum(u[x-1]);")},
  };
  return all;
}

// What no text of a program raises, and why.
const std::map<int, const char*> kElsewhere = {
    {diag::bad_schedule.number, "of the planner"},
    {diag::bad_tuning.number, "of files that the driver reads"},
    {diag::bad_arch.number, "of the planner"},
    {diag::bad_choice.number, "of the command line"},
    {diag::cannot_read.number, "of the file system"},
    {diag::cannot_write.number, "of the file system"},
    {diag::bad_input_data.number, "of the data of a run"},
    {diag::build_failed.number, "of another compiler"},
    {diag::tool_missing.number, "of what is installed"},
    {diag::run_failed.number, "of a run"},
    {diag::check_failed.number, "of the emitted text"},
};

TEST(SemaGridsNearMiss, EachBorderIsWhereTheRowSays) {
  testing::expect_borders(rows(),
                          [](const std::string& text) { return testing::analysed(text).parsed; });
}

TEST(SemaGridsNearMiss, EveryCodeOfGridsAndSizesHasARow) {
  testing::expect_all_codes(rows(), [](diag::Code code) {
    const bool of_the_lint =
        code.number / 100 == 8 && code != diag::unused_name && code != diag::boundary_unused;
    return code.number >= 400 && !of_the_lint && kElsewhere.count(code.number) == 0;
  });
}

}  // namespace
}  // namespace stencilc
