// What the analysis of names and declarations only just refuses, and what it only just takes.
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

std::string reduced(const std::string& items) {
  return smooth("u[t+1] = u[x-1]; reduce r = max(abs(u[t+1] - u)); " + items);
}

std::string at_points(const std::string& items) {
  return smooth("points src, rec; series f32 amp(src), trace(rec); u[t+1] = u[x-1]; " + items);
}

const std::vector<NearMiss>& rows() {
  static const std::vector<NearMiss> all = {
      {diag::unknown_name, "case", update("U"), update("u")},
      {diag::unknown_name, "axis", on_xy("field f32 u; u[t+1] = u * nz;"),
       on_xy("field f32 u; u[t+1] = u * ny;")},
      {diag::unknown_name, "window", update("sum(i in -1..1 : u[x+i]) + i"),
       update("sum(i in -1..1 : u[x+i] + i)")},
      {diag::unknown_name, "function", "fn f(a) = a + b; " + update("f(u)"),
       "fn f(a, b) = a + b; " + update("f(u, u)")},
      {diag::unknown_name, "difference", on_x("field f32 u boundary clamp; u[t+1] = dy(u);"),
       on_xy("field f32 u boundary clamp; u[t+1] = dy(u);")},
      {diag::duplicate_name, "window", smooth("let i = u; let i = u; u[t+1] = i;"),
       smooth("let i = u; u[t+1] = i + sum(i in -1..1 : u[x+i]);")},
      {diag::duplicate_name, "argument", "fn f(a, a) = a; " + update("f(u, u)"),
       "fn f(a, u) = a + u; " + update("f(u, u)")},
      {diag::duplicate_name, "stencil", update("u[x-1]") + update("u[x+1]"),
       update("u[x-1]") + " stencil r { axes x; field f32 u; u[t+1] = u; }"},
      {diag::reserved_name, "time", smooth("let t = u[x-1]; u[t+1] = u;"),
       smooth("let T = u[x-1]; u[t+1] = T;")},
      {diag::reserved_name, "extent", smooth("let nx = u[x-1]; u[t+1] = u;"),
       smooth("let ny = u[x-1]; u[t+1] = ny;")},
      {diag::reserved_name, "function", smooth("param f32 sqrt; u[t+1] = u;"),
       smooth("param f32 sqrt2; u[t+1] = sqrt2 * u;")},
      {diag::reserved_name, "type", smooth("param f32 f16; u[t+1] = u;"),
       smooth("param f32 f15; u[t+1] = f15 * u;")},
      {diag::reserved_name, "operator", smooth("param f32 laplacian; u[t+1] = u;"),
       smooth("param f32 dx; u[t+1] = u / dx;")},
      {diag::bad_axes, "four", "stencil s { axes a, b, c, d; field f32 u; u[t+1] = u; }",
       "stencil s { axes a, b, c; field f32 u; u[t+1] = u; }"},
      {diag::bad_axes, "order", on_xy("field f32 c(y, x) in; field f32 u; u[t+1] = u * c;"),
       on_xy("field f32 c(x, y) in; field f32 u; u[t+1] = u * c;")},
      {diag::bad_axes, "twice", on_x("axes y; field f32 u; u[t+1] = u;"),
       on_x("field f32 y; y[t+1] = y;")},
      {diag::wrong_arity, "two", update("min(u)"), update("min(u, u)")},
      {diag::wrong_arity, "one", update("sqrt(u, u)"), update("sqrt(u)")},
      {diag::wrong_arity, "window", update("sum(i in 1..0 : u[x+i])"),
       update("sum(i in 1..1 : u[x+i])")},
      {diag::wrong_arity, "index", smooth("const f32 w[0..1] = { 1, 2 }; u[t+1] = w[0, 1] * u;"),
       smooth("const f32 w[0..1] = { 1, 2 }; u[t+1] = w[0] * u;")},
      {diag::wrong_arity, "named", update("laplacian(u, at = +1/2)"),
       update("laplacian(u, order = 2)")},
      {diag::not_a_function, "bracket", update("u(x-1)"), update("u[x-1]")},
      {diag::not_a_function, "difference", smooth("param f32 dx; u[t+1] = dx(u);"),
       smooth("param f32 h; u[t+1] = dx(u) / h;")},
      {diag::not_a_function, "argument", "fn f(u, dx) = dx(u); " + update("f(u, u)"),
       "fn f(u, h) = dx(u) * h; " + update("f(u, u)")},
      {diag::not_assignable, "neighbour", smooth("u[t+1, x+1] = u;"), smooth("u[t+1, x+0] = u;")},
      {diag::not_assignable, "role", on_x("field f32 u in; field f32 p out; p = u; u[t+1] = u;"),
       on_x("field f32 u inout; field f32 p out; p = u; u[t+1] = u;")},
      {diag::not_assignable, "let", smooth("let v = u; u[t+1] = v; v = u;"),
       smooth("field f32 v out; u[t+1] = v; v = u;")},
      {diag::double_assignment, "series",
       at_points("inject u[t+1] += amp[t] at src; sample trace[t] = u at rec; sample trace[t] = u "
                 "at rec;"),
       at_points("series f32 more(rec); inject u[t+1] += amp[t] at src; sample trace[t] = u at "
                 "rec; sample more[t] = u at rec;")},
      {diag::no_update, "reduction", on_x("field f32 u in;"),
       on_x("field f32 u in; reduce r = sum(u);")},
      {diag::bad_role, "domain",
       on_x("field f32 u in; field f32 p out, q out; p = u on x > 0; q = p;"),
       on_x("field f32 u in; field f32 p out, q out; p = u on x >= 0; q = p;")},
      {diag::bad_role, "axes", on_xy("field f32 s(x); s[t+1] = s;"),
       on_xy("field f32 s(x, y); s[t+1] = s;")},
      {diag::bad_role, "unassigned", smooth("field f32 v inout; u[t+1] = u + v;"),
       smooth("field f32 v; u[t+1] = u + v;")},
      {diag::unknown_type, "digit", of_type("f31", "u"), of_type("f32", "u")},
      {diag::unknown_boundary, "letter", on_x("field f32 u boundary ghosts; u[t+1] = u[x-1];"),
       on_x("field f32 u boundary ghost; u[t+1] = u[x-1];")},
      {diag::recursive_function, "itself", "fn f(a) = f(a) / 2; " + update("f(u)"),
       "fn f(a) = a / 2; " + update("f(f(u))")},
      {diag::recursive_function, "order", "fn f(a) = g(a); fn g(a) = f(a); " + update("f(u)"),
       "fn f(a) = g(a); fn g(a) = a; " + update("f(u)")},
      {diag::bad_reduction, "level", smooth("reduce r = max(u[t+1]); u[t+1] = u / r;"),
       smooth("reduce r = max(u); u[t+1] = u / r;")},
      {diag::bad_reduction, "type", on_x("field i32 u in; reduce r = norm2(u);"),
       on_x("field i32 u in; reduce r = norm2(f32(u));")},
      {diag::bad_reduction, "kind", on_x("field f32 u in; reduce r = norm(u);"),
       on_x("field f32 u in; reduce r = norm2(u);")},
      {diag::bad_iterate, "none", smooth("u[t+1] = u; iterate 0 times;"),
       smooth("u[t+1] = u; iterate 1 times;")},
      {diag::bad_iterate, "limit", reduced("iterate until r < 1;"),
       reduced("iterate until r < 1, limit 1;")},
      {diag::bad_iterate, "twice", smooth("u[t+1] = u; iterate 1 times; iterate 1 times;"),
       smooth("u[t+1] = u; iterate 1 times;")},
      {diag::bad_iterate, "cell", reduced("iterate until r < u, limit 9;"),
       reduced("param f32 tol; iterate until r < tol, limit 9;")},
      {diag::bad_iterate, "steps", on_x("field f32 u in; field f32 p out; p = u; iterate 1 times;"),
       smooth("field f32 p out; p = u; u[t+1] = u; iterate 1 times;")},
      {diag::bad_points, "time", at_points("inject u[t+1] += amp[t-1] at src;"),
       at_points("inject u[t+1] += amp[t-0] at src;")},
      {diag::bad_points, "cell", at_points("inject u[t+1] += u[x-1] * amp[t] at src;"),
       at_points("inject u[t+1] += u[x-0] * amp[t] at src;")},
      {diag::bad_points, "list", at_points("inject u[t+1] += amp[t] at rec;"),
       at_points("inject u[t+1] += amp[t] at src;")},
      {diag::bad_points, "both",
       at_points("inject u[t+1] += amp[t] at src; sample amp[t] = u at src;"),
       at_points("inject u[t+1] += amp[t] at src; sample trace[t] = u at rec;")},
  };
  return all;
}

TEST(SemaNamesNearMiss, EachBorderIsWhereTheRowSays) {
  testing::expect_borders(rows(),
                          [](const std::string& text) { return testing::analysed(text).parsed; });
}

TEST(SemaNamesNearMiss, EveryCodeOfNamesHasARow) {
  testing::expect_all_codes(rows(), [](diag::Code code) {
    if (code == diag::bad_define) return false;  // of the command line
    return code.number / 100 == 2;
  });
}

}  // namespace
}  // namespace stencilc
