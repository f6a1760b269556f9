#include "growth/shapes.h"

#include <cmath>

namespace stencilc::growth {
namespace {

using std::to_string;
using Text = std::string;

// What `of` makes of 0 .. n-1, one after the other.
template <class Of>
Text each(int n, Of of, const Text& between = "") {
  Text text;
  for (int i = 0; i < n; ++i) text += (i ? between : "") + of(i);
  return text;
}
// The same text n times, with the number in place of every `#`.
Text rows(int n, const Text& row, const Text& between = "") {
  return each(
      n,
      [&](int i) {
        Text text;
        for (const char c : row) c == '#' ? text += to_string(i) : text += c;
        return text;
      },
      between);
}
Text repeated(int n, const Text& text) {
  return each(n, [&](int) { return text; });
}

Text plane(const Text& statements) {
  return "stencil s {\n  axes x, y;\n  field f32 u boundary clamp;\n" + statements + "}\n";
}
Text line(const Text& statements) {
  return "stencil s {\n  axes x;\n  field f32 u boundary clamp;\n" + statements + "}\n";
}
Text greater(const Text& more = "") { return plane("  u[t+1] = max(u[x-1], 0)" + more + ";\n"); }
Text value(const Text& expression) { return plane("  u[t+1] = " + expression + ";\n"); }

// ---- the text ----
Text comment_lines(int n) { return repeated(n, "// one more line\n") + greater(); }
Text comment_block(int n) { return "/*" + repeated(n, " * word\n") + "*/\n" + greater(); }
Text blank_lines(int n) { return Text(n, '\n') + greater(); }
Text long_line(int n) { return plane(Text(n, ' ') + "u[t+1] = max(u[x-1], 0);\n"); }
Text long_name(int n) {
  return plane("let " + Text(n, 'a') + " = u;\n u[t+1] = " + Text(n, 'a') + ";\n");
}
Text schedule_parts(int n) {
  return plane("  u[t+1] = max(u[x-1], 0);\n  schedule { coarsened, " +
               rows(n, "coarsen = y4", ",\n") + " }\n");
}

// ---- declarations ----
Text unused_params(int n) {
  return rows(n, "", "") + plane(rows(n, "  param f32 p# = 1;\n") + "  u[t+1] = max(u[x-1], 0);\n");
}
Text unused_lets(int n) {
  return plane(rows(n, "  let e# = u[x-1];\n") + "  u[t+1] = max(u[x-1], 0);\n");
}
Text unused_consts(int n) {
  return plane(rows(n, "  const f32 c# = 1;\n") + "  u[t+1] = max(u[x-1], 0);\n");
}
Text unused_fns(int n) { return rows(n, "fn g#(a) = a[x-1];\n") + greater(); }
Text file_consts(int n) { return rows(n, "const f32 c# = 1;\n") + greater(); }
Text params(int n) {
  return plane("  param f32 " + rows(n, "p# = 1", ", ") + ";\n  u[t+1] = " + rows(n, "p#", " + ") +
               ";\n");
}
Text consts(int n) {
  return plane("  const f32 c0 = 1;\n" +
               each(n,
                    [](int i) {
                      return "  const f32 c" + to_string(i + 1) + " = c" + to_string(i) + " + 1;\n";
                    }) +
               "  u[t+1] = u * c" + to_string(n) + ";\n");
}
Text table(int n) {
  return plane("  const f32 w[0.." + to_string(n - 1) + "] = { " + rows(n, "#", ", ") +
               " };\n  u[t+1] = u * w[1] + w[2];\n");
}
Text weights(int n) {
  return plane("  weights f32 w[0.." + to_string(n - 1) +
               "];\n  u[t+1] = " + rows(n, "w[#]", " + ") + ";\n");
}
Text fields(int n) {
  return plane(rows(n, "  field f32 a# boundary clamp;\n") + "  u[t+1] = u;\n" +
               rows(n, "  a#[t+1] = a#[x-1];\n"));
}
Text fields_of_one(int n) {
  return plane("  field f32 " + rows(n, "a# in", ", ") +
               " boundary clamp;\n  u[t+1] = " + rows(n, "a#[x-1]", " + ") + ";\n");
}
Text coupled_fields(int n) {
  return "stencil s {\n  axes x, y;\n  field f32 " + rows(n, "a#", ", ") + " boundary periodic;\n" +
         each(n,
              [n](int i) {
                const Text a = "a" + to_string(i), b = "a" + to_string((i + 1) % n),
                           c = "a" + to_string((i + n - 1) % n);
                return "  " + a + "[t+1] = " + a + " + 0.1*max(" + b + "[x-1], " + c + "[y+1]);\n";
              }) +
         "}\n";
}
Text sides(int n) {
  return plane("  field f32 " + rows(n, "a# in", ", ") + ";\n" +
               rows(n, "  boundary a# { x.lo: constant #; x.hi: clamp; y: mirror }\n") +
               "  u[t+1] = " + rows(n, "a#[x-1]", " + ") + ";\n");
}
Text expr_sides(int n) {
  return plane(rows(n, "  field f32 a# in boundary expr x + #;\n") +
               "  u[t+1] = " + rows(n, "a#[x-1]", " + ") + ";\n");
}
Text lets(int n) {
  return plane("  let e0 = u[x-1];\n" +
               each(n,
                    [](int i) {
                      return "  let e" + to_string(i + 1) + " = e" + to_string(i) +
                             " * 0.5 + u[y-1];\n";
                    }) +
               "  u[t+1] = e" + to_string(n) + ";\n");
}
Text lets_used_twice(int n) {
  return plane("  let e0 = u[x-1];\n" +
               each(n,
                    [](int i) {
                      const Text e = "e" + to_string(i);
                      return "  let e" + to_string(i + 1) + " = " + e + " * " + e + " + u[y-1];\n";
                    }) +
               "  u[t+1] = e" + to_string(n) + ";\n");
}
// So deep that n values are computed in all.
Text lets_shifted(int values) {
  const int n = static_cast<int>(std::sqrt(2.0 * values));
  return line("  let e0 = u;\n" +
              each(n,
                   [](int i) {
                     const Text e = "e" + to_string(i);
                     return "  let e" + to_string(i + 1) + " = 0.5 * (" + e + "[x-1] + " + e +
                            "[x+1]);\n";
                   }) +
              "  u[t+1] = e" + to_string(n) + ";\n");
}
Text lets_doubled(int values) {
  const int n = static_cast<int>(std::log2(values));
  return line("  let e0 = u;\n" +
              each(n,
                   [](int i) {
                     const Text e = "e" + to_string(i), j = to_string(1 << i);
                     return "  let e" + to_string(i + 1) + " = sqrt(" + e + " + " + e + "[x+" + j +
                            "]);\n";
                   }) +
              "  u[t+1] = e" + to_string(n) + ";\n");
}
Text lets_of_windows(int n) {
  return plane(rows(n, "  let e# = sum(i in -1..1, j in -1..1 : u[x+i, y+j] * #);\n") +
               "  u[t+1] = " + rows(n, "max(e#, 0)", " + ") + ";\n");
}
Text functions(int n) {
  return "fn g0(a) = a[x-1];\n" +
         each(n,
              [](int i) {
                return "fn g" + to_string(i + 1) + "(a) = g" + to_string(i) + "(a) + 1;\n";
              }) +
         value("g" + to_string(n) + "(u)");
}
Text functions_twice(int values) {
  const int n = static_cast<int>(std::log2(values));
  return "fn g0(a) = a[x-1];\n" +
         each(n,
              [](int i) {
                const Text f = "g" + to_string(i);
                return "fn g" + to_string(i + 1) + "(a) = " + f + "(a) + " + f + "(a);\n";
              }) +
         value("g" + to_string(n) + "(u)");
}
Text calls(int n) { return "fn f(a) = a[x-1] * a;\n" + value(rows(n, "f(u) * #", " + ")); }
Text nested_calls(int n) {
  return "fn f(a) = 0.5 * a;\n" + value(repeated(n, "f(") + "u" + Text(n, ')'));
}
Text arguments(int n) {
  return "fn f(" + rows(n, "a#", ", ") + ") = " + rows(n, "a#", " + ") + ";\n" +
         value("f(" + rows(n, "u * #", ", ") + ")");
}
Text stencils(int n) {
  return each(n, [](int i) {
    return "stencil s" + to_string(i) +
           " {\n  axes x;\n  field f32 u boundary clamp;\n  u[t+1] = max(u[x-1], 0);\n}\n";
  });
}
Text reductions(int n) {
  return plane("  u[t+1] = max(u[x-1], 0);\n" + rows(n, "  reduce r# = max(abs(u[t+1] - #));\n"));
}
Text reductions_before(int n) {
  return plane(rows(n, "  reduce r# = sum(u * #);\n") + "  u[t+1] = u + " + rows(n, "r#", " + ") +
               ";\n");
}
Text points(int n) {
  return plane("  points " + rows(n, "p#", ", ") + ";\n  u[t+1] = max(u[x-1], 0);\n" +
               rows(n, "  inject u[t+1] += # at p#;\n"));
}
Text series(int n) {
  return plane("  points p linear;\n  series f32 " + rows(n, "q#(p)", ", ") +
               ";\n  u[t+1] = max(u[x-1], 0);\n" + rows(n, "  sample q#[t] = u * # at p;\n"));
}
Text injections(int n) {
  return plane("  points p;\n  u[t+1] = max(u[x-1], 0);\n" +
               rows(n, "  inject u[t+1] += # at p;\n"));
}
Text colors(int n) {
  return "stencil s {\n  axes x, y;\n  field f32 p boundary zero;\n  color " + rows(n, "c#", ", ") +
         " by (x + y) % " + to_string(n) + ";\n  p = 0.25 * (p[x-1] + p[x+1]);\n}\n";
}
Text colored_statements(int n) {
  return "stencil s {\n  axes x, y;\n  field f32 p boundary zero;\n  color red, black by (x + y) % "
         "2;\n" +
         rows(n, "  p = 0.25 * (p[x-1] + p[x+1]) on x == #;\n") + "}\n";
}

// ---- statements ----
Text where_statements(int n) {
  return plane("  u[t+1] = max(u[x-1], 0);\n" + rows(n, "  u[t+1] = u[y-1] * #  where u > #;\n"));
}
Text on_statements(int n) {
  return plane("  u[t+1] = max(u[x-1], 0);\n" + rows(n, "  u[t+1] = u * 0.5 + #  on x == #;\n"));
}
Text on_conditions(int n) { return greater(" on " + rows(n, "x >= #", ", ")); }
Text plus_equals(int n) {
  return plane("  u[t+1] = u;\n" + rows(n, "  u[t+1] += 0.5 * u[x-1];\n"));
}
Text times_equals(int n) { return plane("  u[t+1] = u;\n" + rows(n, "  u[t+1] *= u[x-1];\n")); }
Text stages(int n) {
  return plane("  field f32 a0 out boundary clamp;\n  a0 = u[x-1];\n" +
               each(n,
                    [](int i) {
                      const Text a = "a" + to_string(i + 1);
                      return "  field f32 " + a + " out boundary clamp;\n  " + a + " = a" +
                             to_string(i) + "[x-1] + a" + to_string(i) + "[x+1];\n";
                    }) +
               "  u[t+1] = a" + to_string(n) + ";\n");
}
// Each a launch of its own, and a reduction.
Text launches(int n) {
  return plane(
      "  field f32 a0 boundary clamp;\n  a0[t+1] = a0 + 0.1 * sqrt(abs(u[x-2] - u[x+2]));\n" +
      each(n,
           [](int i) {
             const Text a = "a" + to_string(i + 1), b = "a" + to_string(i);
             return "  field f32 " + a + " boundary clamp;\n  " + a + "[t+1] = " + a +
                    " + 0.1 * sqrt(abs(" + b + "[x-2, t+1] - " + b + "[y+2, t+1]));\n";
           }) +
      "  u[t+1] = 0.5 * (a0[x-1] + a0[x+1]);\n  reduce change = max(abs(u[t+1] - u));\n");
}
Text stages_here(int n) {
  return plane("  field f32 a0 out;\n  a0 = u[x-1];\n" +
               each(n,
                    [](int i) {
                      const Text a = "a" + to_string(i + 1);
                      return "  field f32 " + a + " out;\n  " + a + " = a" + to_string(i) +
                             " + u[y-1];\n";
                    }) +
               "  u[t+1] = a" + to_string(n) + ";\n");
}
Text outputs(int n) {
  return plane(rows(n, "  field f32 a# out;\n  a# = u[x-1] * #;\n") +
               "  u[t+1] = max(u[x-1], 0);\n");
}
Text levels(int n) { return value(rows(n, "max(u[t-#], 0)", " + ")); }

// ---- expressions ----
Text sum_of_factors(int n) { return value(rows(n, "u * #", " + ")); }
Text sum_of_points(int n) {
  return value(each(
      n,
      [](int i) {
        return "u[x" + Text(i % 101 < 50 ? "-" : "+") +
               to_string(i % 101 < 50 ? 50 - i % 101 : i % 101 - 50) + ", y-" + to_string(i / 101) +
               "]";
      },
      " + "));
}
Text different_weights(int n) {
  return value(each(
      n,
      [](int i) {
        return to_string(i + 1) + "*u[x" + Text(i % 101 < 50 ? "-" : "+") +
               to_string(i % 101 < 50 ? 50 - i % 101 : i % 101 - 50) + ", y-" + to_string(i / 101) +
               "]";
      },
      " + "));
}
Text product(int n) { return value(repeated(n - 1, "u * ") + "u"); }
Text product_of_points(int n) {
  return value(each(
      n, [](int i) { return "u[x-" + to_string(i % 64) + ", y-" + to_string(i / 64) + "]"; },
      " * "));
}
Text differences(int n) { return value(rows(n, "max(u[x-1], #)", " - ")); }
Text quotients(int n) { return value("u" + rows(n, " / (u[x-1] + #)")); }
Text whole_numbers(int n) {
  return plane("  field i32 k;\n  u[t+1] = u;\n  k[t+1] = " + rows(n, "k * #", " + ") + ";\n");
}
Text ternaries(int n) { return value(rows(n, "u > # ? u[x-1] * # : ") + "u"); }
Text conditions(int n) { return value("(" + rows(n, "u[x-1] > #", " && ") + ") ? 0.5 : u"); }
Text minimum(int n) { return value("min(" + rows(n, "u[x-1] * #", ", ") + ")"); }
Text parentheses(int n) { return value(Text(n, '(') + "u[x-1]" + Text(n, ')')); }
Text nested_sums(int n) { return value(rows(n, "(0.5 * ") + "u[x-1]" + repeated(n, " + u)")); }
Text signs(int n) { return value(repeated(n, "- ") + "u[x-1]"); }
Text casts(int n) { return value(repeated(n, "f32(") + "u[x-1]" + Text(n, ')')); }
Text powers(int n) { return value(rows(n, "(u[x-1] + #)^5", " + ")); }
Text roots(int n) { return value(rows(n, "sqrt(u[x-1] + #)", " + ")); }
Text coordinates(int n) { return value(rows(n, "(u > 0 ? f32(x + #) : f32(ny - y))", " + ")); }
Text numbers(int n) { return value("u * (" + rows(n, "#.5", " + ") + ")"); }
Text laplacians(int n) { return value(rows(n, "max(laplacian(laplacian(u * #)), 0)", " + ")); }
Text radius(int n) { return line("  u[t+1] = 0.5 * (u + u[x-" + to_string(n) + "]);\n"); }
Text star(int n) {
  return line("  u[t+1] = sum(i in -" + to_string(n) + ".." + to_string(n) + " : u[x+i]);\n");
}
Text window(int n) {
  return plane("  u[t+1] = sum(i in -" + to_string(n / 2) + ".." + to_string(n / 2) +
               ", j in -2..2 : u[x+i, y+j]);\n");
}
Text greatest(int n) {
  return plane("  u[t+1] = max(i in -" + to_string(n / 2) + ".." + to_string(n / 2) +
               ", j in -2..2 : u[x+i, y+j]);\n");
}
Text greatest_in_space(int points) {
  const Text r = to_string(static_cast<int>((std::cbrt(points) - 1) / 2));
  return "stencil s {\n  axes x, y, z;\n  field f32 u boundary clamp;\n  u[t+1] = max(i in -" + r +
         ".." + r + ", j in -" + r + ".." + r + ", k in -" + r + ".." + r +
         " : u[x+i, y+j, z+k]);\n}\n";
}
Text windows(int n) { return value(rows(n, "sum(i in -1..1 : u[x+i] * #)", " + ")); }

// ---- mistakes and advice ----
Text unknown_names(int n) { return plane(rows(n, "  u[t+1] = v#;\n")); }
Text unknown_names_of_one(int n) { return value(rows(n, "v#", " + ")); }
Text declared_twice(int n) {
  return plane(rows(n, "  param f32 p = #;\n") + "  u[t+1] = u * p;\n");
}
Text missing_semicolons(int n) {
  return plane(rows(n, "  param f32 p# = 1\n") + "  u[t+1] = max(u[x-1], 0);\n");
}
Text wrong_characters(int n) {
  return plane(rows(n, "  $ # ;\n") + "  u[t+1] = max(u[x-1], 0);\n");
}
Text unclosed(int n) { return value(Text(n, '(') + "u"); }
Text wrong_types(int n) {
  return plane("  field u8 " + rows(n, "a# out", ", ") + ";\n" + rows(n, "  a# = 0.5 * u;\n") +
               "  u[t+1] = max(u[x-1], 0);\n");
}
Text far_offsets(int n) { return value(rows(n, "u[x+100#]", " + ")); }
Text long_literals(int n) { return value(rows(n, "0.1234567890123# * max(u, #)", " + ")); }
Text equalities(int n) { return value(rows(n, "(u * # == 0.5 ? 1 : u)", " + ")); }
Text unused_boundaries(int n) {
  return plane(rows(n, "  field f32 a# boundary mirror;\n") + "  u[t+1] = u;\n" +
               rows(n, "  a#[t+1] = a# * 0.5;\n"));
}
Text same_fields(int n) {
  return plane(rows(n, "  field f32 a#;\n") + "  u[t+1] = max(u[x-1], 0);\n" +
               rows(n, "  a#[t+1] = a#;\n"));
}

constexpr Shape kShapes[] = {
    {"comment_lines", 100, 1000000, comment_lines},
    {"comment_block", 100, 1000000, comment_block},
    {"blank_lines", 1000, 1000000, blank_lines, Shape::only_long},
    {"long_line", 1000, 60000000, long_line},
    {"long_name", 1000, 60000000, long_name, Shape::only_long},
    {"schedule_parts", 20, 1000000, schedule_parts},
    {"unused_params", 10, 4096, unused_params},
    {"unused_lets", 10, 1000000, unused_lets},
    {"unused_consts", 10, 1000000, unused_consts},
    {"unused_fns", 10, 1000000, unused_fns, Shape::only_long},
    {"file_consts", 10, 1000000, file_consts, Shape::only_long},
    {"params", 10, 4096, params},
    {"consts", 10, 10000, consts},
    {"table", 25, 10000, table},
    {"weights", 10, 512, weights},
    {"fields", 4, 255, fields},
    {"fields_of_one", 4, 255, fields_of_one},
    {"coupled_fields", 4, 256, coupled_fields},
    {"sides", 4, 255, sides},
    {"expr_sides", 4, 255, expr_sides},
    {"lets", 5, 250, lets},
    {"lets_used_twice", 4, 250, lets_used_twice},
    {"lets_shifted", 8, 2048, lets_shifted},
    {"lets_doubled", 4, 64, lets_doubled},
    {"lets_of_windows", 2, 1000, lets_of_windows},
    {"functions", 7, 63, functions},
    {"functions_twice", 4, 65536, functions_twice, Shape::only_long},
    {"calls", 8, 10000, calls, Shape::planned},
    {"nested_calls", 7, 63, nested_calls},
    {"arguments", 8, 256, arguments},
    {"stencils", 1, 256, stencils},
    {"reductions", 2, 256, reductions},
    {"reductions_before", 2, 256, reductions_before},
    {"points", 2, 256, points},
    {"series", 2, 256, series, Shape::planned},
    {"injections", 2, 256, injections},
    {"colors", 2, 64, colors, Shape::only_long},
    {"colored_statements", 5, 1000, colored_statements},
    {"where_statements", 4, 10000, where_statements, Shape::planned},
    {"on_statements", 4, 10000, on_statements},
    {"on_conditions", 5, 10000, on_conditions},
    {"plus_equals", 4, 10000, plus_equals},
    {"times_equals", 4, 10000, times_equals},
    {"stages", 2, 64, stages},
    {"launches", 1, 64, launches, Shape::planned},
    {"stages_here", 2, 254, stages_here},
    {"outputs", 4, 255, outputs},
    {"levels", 2, 16, levels, Shape::only_long},
    {"sum_of_factors", 12, 10000, sum_of_factors},
    {"sum_of_points", 8, 6000, sum_of_points},
    {"different_weights", 8, 6000, different_weights},
    {"product", 12, 10000, product},
    {"product_of_points", 8, 4096, product_of_points},
    {"differences", 8, 10000, differences},
    {"quotients", 8, 10000, quotients},
    {"whole_numbers", 12, 10000, whole_numbers},
    {"ternaries", 8, 250, ternaries},
    {"conditions", 8, 10000, conditions},
    {"minimum", 8, 10000, minimum},
    {"parentheses", 16, 250, parentheses, Shape::only_long},
    {"nested_sums", 16, 250, nested_sums},
    {"signs", 16, 250, signs, Shape::only_long},
    {"casts", 16, 250, casts},
    {"powers", 4, 10000, powers},
    {"roots", 4, 10000, roots, Shape::planned},
    {"coordinates", 8, 10000, coordinates},
    {"numbers", 25, 100000, numbers, Shape::only_long},
    {"laplacians", 4, 500, laplacians, Shape::only_long},
    {"radius", 8, 64, radius, Shape::only_long},
    {"star", 4, 64, star},
    {"window", 8, 128, window, Shape::only_long},
    {"greatest", 4, 128, greatest},
    {"greatest_in_space", 125, 9261, greatest_in_space, Shape::only_long},
    {"windows", 5, 3000, windows},
    {"unknown_names", 10, 1000000, unknown_names, Shape::refused},
    {"unknown_names_of_one", 10, 10000, unknown_names_of_one, Shape::refused},
    {"declared_twice", 10, 1000000, declared_twice, Shape::refused},
    {"missing_semicolons", 10, 1000000, missing_semicolons, Shape::refused},
    {"wrong_characters", 10, 1000000, wrong_characters, Shape::refused},
    {"unclosed", 16, 1000000, unclosed, Shape::refused},
    {"wrong_types", 8, 255, wrong_types, Shape::refused},
    {"far_offsets", 10, 10000, far_offsets, Shape::refused},
    {"long_literals", 10, 10000, long_literals},
    {"equalities", 4, 10000, equalities},
    {"unused_boundaries", 4, 255, unused_boundaries},
    {"same_fields", 4, 255, same_fields},
};

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

}  // namespace stencilc::growth
