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
