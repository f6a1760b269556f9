#include "sema/symbols/builtins.h"

#include "sema/symbols/types.h"

namespace stencilc::sema {

using ir::Op;

namespace {

constexpr MathFunction kMath[] = {
    {"sqrt", Op::sqrt, 1},       {"exp", Op::exp, 1},
    {"log", Op::log, 1},         {"sin", Op::sin, 1},
    {"cos", Op::cos, 1},         {"tan", Op::tan, 1},
    {"tanh", Op::tanh, 1},       {"floor", Op::floor, 1},
    {"ceil", Op::ceil, 1},       {"abs", Op::abs, 1},
    {"pow", Op::pow, 2},         {"idiv", Op::idiv, 2},
    {"bit_and", Op::bit_and, 2}, {"bit_or", Op::bit_or, 2},
    {"bit_xor", Op::bit_xor, 2}, {"popcount", Op::popcount, 1},
    {"min", Op::min, -2},        {"max", Op::max, -2}};  // -2: two or more

}  // namespace

const MathFunction* find_math(const std::string& name) {
  for (const MathFunction& row : kMath)
    if (name == row.name) return &row;
  return nullptr;
}

std::string known_elsewhere(std::string name) {
  if (name == "laplace" || name == "lap" || name == "del2") return "laplacian";
  if (name.ends_with('f')) name.pop_back();
  if (find_math(name)) return name;
  return name.starts_with('f') && find_math(name.substr(1)) ? name.substr(1) : "";
}

std::string written_instead(const std::string& name) {
  struct Row {
    const char *name, *text;
  };
  constexpr Row kRows[] = {{"sign", "`a > 0 ? 1 : a < 0 ? -1 : 0`"},
                           {"sgn", "`a > 0 ? 1 : a < 0 ? -1 : 0`"},
                           {"heaviside", "`a > 0 ? 1 : 0`"},
                           {"where", "`c ? a : b`"},
                           {"select", "`c ? a : b`"},
                           {"if", "`c ? a : b`"},
                           {"clamp", "`min(max(a, low), high)`"},
                           {"clip", "`min(max(a, low), high)`"},
                           {"lerp", "`a + s*(b - a)`"},
                           {"mix", "`a + s*(b - a)`"},
                           {"mod", "`a % b` for integers, `a - b*floor(a/b)` for floats"},
                           {"fmod", "`a - b*floor(a/b)`, which has the sign of `b`"},
                           {"div", "`idiv(a, b)`, which rounds down"},
                           {"round", "`floor(a + 0.5)`, or `sat_i32(a)` for an integer"},
                           {"rint", "`floor(a + 0.5)`, or `sat_i32(a)` for an integer"},
                           {"trunc", "`f64(i64(a))`"},
                           {"hypot", "`sqrt(a^2 + b^2)`"},
                           {"rsqrt", "`1 / sqrt(a)`"},
                           {"cbrt", "`pow(a, 1.0/3)`, for a >= 0"},
                           {"sqr", "`a^2`"},
                           {"square", "`a^2`"},
                           {"exp2", "`pow(2.0, a)`"},
                           {"exp10", "`pow(10.0, a)`"},
                           {"log2", "`log(a) / log(2.0)`"},
                           {"log10", "`log(a) / log(10.0)`"},
                           {"sinh", "`0.5*(exp(a) - exp(-a))`"},
                           {"cosh", "`0.5*(exp(a) + exp(-a))`"},
                           {"sigmoid", "`1 / (1 + exp(-a))`"},
                           {"popc", "`popcount(a)`"},
                           {"xor", "`bit_xor(a, b)`"},
                           {"bit_not", "`-1 - a`, which has all bits turned"},
                           {"int", "`i32(a)`"},
                           {"float", "`f32(a)`"},
                           {"double", "`f64(a)`"}};
  for (const Row& row : kRows)
    if (name == row.name) return std::string("write ") + row.text;
  // These have no short form, and what is spelled like them is another function.
  for (const char* none : {"asin", "acos", "atan", "atan2", "erf", "erfc"})
    if (name == none) return "give its values as a field, or write an approximation as an `fn`";
  return name == "rand" || name == "random" ? "give random numbers as a field" : "";
}

bool is_builtin_function(const std::string& name) {
  return find_math(name) || name == "laplacian" || find_type(name) ||
         (name.starts_with("sat_") && find_type(name.substr(4)));
}

std::vector<std::string> builtin_functions() {
  std::vector<std::string> names = {"laplacian", "sum", "prod"};
  for (const MathFunction& row : kMath) names.emplace_back(row.name);
  for (const char* type : {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "u16", "i8", "u8"})
    names.emplace_back(type);
  for (const char* type : {"i32", "i16", "u16", "i8", "u8"})
    names.push_back(std::string("sat_") + type);
  return names;
}

}  // namespace stencilc::sema
