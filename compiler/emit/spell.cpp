#include "emit/spell.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "emit/signature.h"
#include "emit/writer.h"
#include "kernel/build.h"

namespace stencilc::emit {

using kernel::BinOp;
using kernel::ExprPtr;
using kernel::Fn;
using kernel::Type;

namespace {

// How tightly the outermost operator of a text binds.
enum Level { kTernary = 1, kOr, kAnd, kEquality, kRelation, kSum, kProduct, kUnary, kPrimary };

struct Text {
  std::string text;
  Level level = kPrimary;
};

std::string within(const Text& text, Level level) {
  return text.level < level ? "(" + text.text + ")" : text.text;
}

struct InfixRow {
  const char* symbol;
  Level level;
};
constexpr std::array<InfixRow, 15> kInfix = {{{"+", kSum},
                                              {"-", kSum},
                                              {"*", kProduct},
                                              {"/", kProduct},
                                              {nullptr, kPrimary},
                                              {nullptr, kPrimary},
                                              {"<", kRelation},
                                              {"<=", kRelation},
                                              {">", kRelation},
                                              {">=", kRelation},
                                              {"==", kEquality},
                                              {"!=", kEquality},
                                              {"&&", kAnd},
                                              {"||", kOr},
                                              {"^", kPrimary}}};

constexpr const char* kRounded[][2] = {  // add, sub, mul, div in f32 and f64
    {"__fadd_rn", "__dadd_rn"},
    {"__fsub_rn", "__dsub_rn"},
    {"__fmul_rn", "__dmul_rn"},
    {"__fdiv_rn", "__ddiv_rn"}};

struct FunctionRow {
  Fn function;
  const char *cuda32, *cuda64, *cpu;
};
constexpr FunctionRow kFunctions[] = {
    {Fn::clamp, "st::clamp", "st::clamp", "st::clamp"},
    {Fn::reflect, "st::reflect", "st::reflect", "st::reflect"},
    {Fn::mirror, "st::mirror", "st::mirror", "st::mirror"},
    {Fn::wrap, "st::wrap", "st::wrap", "st::wrap"},
    {Fn::held, "st::held", "st::held", "st::held"},
    {Fn::min, "st::min", "st::min", "st::min"},
    {Fn::max, "st::max", "st::max", "st::max"},
    {Fn::abs, "fabsf", "fabs", "std::fabs"},
    {Fn::popcount, "st::popcount", "st::popcount", "st::popcount"},
    {Fn::sqrt, "__fsqrt_rn", "__dsqrt_rn", "std::sqrt"},
    {Fn::exp, "expf", "exp", "std::exp"},
    {Fn::log, "logf", "log", "std::log"},
    {Fn::sin, "sinf", "sin", "std::sin"},
    {Fn::cos, "cosf", "cos", "std::cos"},
    {Fn::tan, "tanf", "tan", "std::tan"},
    {Fn::tanh, "tanhf", "tanh", "std::tanh"},
    {Fn::pow, "powf", "pow", "std::pow"},
    {Fn::floor, "floorf", "floor", "std::floor"},
    {Fn::ceil, "ceilf", "ceil", "std::ceil"},
    {Fn::majority, "st::majority", "st::majority", ""},
    {Fn::choose, "st::choose", "st::choose", ""},
    {Fn::moved, "st::moved", "st::moved", ""},
    {Fn::from_left, "st::from_left", "st::from_left", ""},
    {Fn::from_right, "st::from_right", "st::from_right", ""},
    {Fn::cells_in, "st::cells_in", "st::cells_in", ""},
    {Fn::with, "st::with", "st::with", ""},
    {Fn::next_in, "st::next_in", "st::next_in", ""},
    {Fn::ghost_cells, "st::ghost_cells", "st::ghost_cells", "st::ghost_cells"},
    {Fn::ghost_place, "st::ghost_place", "st::ghost_place", "st::ghost_place"},
    {Fn::ghost_x, "st::ghost_x", "st::ghost_x", "st::ghost_x"},
    {Fn::ghost_y, "st::ghost_y", "st::ghost_y", "st::ghost_y"},
    {Fn::ghost_z, "st::ghost_z", "st::ghost_z", "st::ghost_z"},
    {Fn::edge_x, "st::edge_x", "st::edge_x", ""},
    {Fn::edge_y, "st::edge_y", "st::edge_y", ""},
    {Fn::whole_vectors, "st::whole_vectors", "st::whole_vectors", ""},
    {Fn::over_number, "st::over_number", "st::over_number", ""},
    {Fn::quotient, "st::quotient", "st::quotient", ""},
    {Fn::quotient_of, "st::quotient_of", "st::quotient_of", ""},
    {Fn::quotient_or_infinity, "st::quotient_or_infinity", "st::quotient_or_infinity", ""},
    {Fn::quotient_by, "st::quotient_by", "st::quotient_by", ""},
    {Fn::quotient_by_number, "st::quotient_by_number", "st::quotient_by_number", ""},
    {Fn::root, "st::root", "st::root", ""},
    {Fn::reciprocal, "st::reciprocal", "st::reciprocal", ""},
    {Fn::reciprocal_root, "st::reciprocal_root", "st::reciprocal_root", ""},
    {Fn::anew, "st::anew", "st::anew", ""}};

bool is_narrow(Type type) { return type < Type::i32; }

// Does C++ take an expression of a narrow type for a wider one? Its min and max of integers have 32
// bits.
bool is_promoted(const kernel::ExprPtr& expr) {
  const auto* pick = std::get_if<kernel::Pick>(&expr->node);
  if (pick) return is_promoted(pick->yes) || is_promoted(pick->no);
  return std::holds_alternative<kernel::Call>(expr->node);
}

std::string side_name(kernel::Side side) {
  constexpr std::array kNames = {"stop", "clamp", "reflect", "mirror", "antireflect"};
  return std::string("st::Side::") + kNames[static_cast<size_t>(side)];
}

// Of the runtime, from any arithmetic type.
std::string half_function(Type type) { return type == Type::f16 ? "st::f16" : "st::bf16"; }

class Speller {
 public:
  Speller(Dialect dialect, int rank) : dialect_(dialect), rank_(rank) {}

  Text spell(const ExprPtr& expr) const {
    return std::visit([&](const auto& node) { return one(node, *expr); }, expr->node);
  }

 private:
  bool cuda() const { return dialect_ == Dialect::cuda; }
  std::string call(const std::string& name, const std::vector<ExprPtr>& args,
                   const std::string& last = "") const {
    std::vector<std::string> texts;
    for (const ExprPtr& arg : args) texts.push_back(spell(arg).text);
    if (!last.empty()) texts.push_back(last);
    return name + "(" + join(texts, ", ") + ")";
  }

  Text one(const kernel::Int& node, const kernel::Expr& expr) const {
    if (!node.name.empty()) {
      const bool is_sum = node.name.find_first_of("+-") != std::string::npos;
      const bool is_product = node.name.find('*') != std::string::npos;
      return {node.name, is_sum ? kSum : is_product ? kProduct : kPrimary};
    }
    const bool negative = node.value < 0 && (expr.type == Type::index || expr.type == Type::i32);
    return {literal(expr.type, 0, node.value), negative ? kUnary : kPrimary};
  }
  Text one(const kernel::Real& node, const kernel::Expr& expr) const {
    const bool negative = std::signbit(node.value) && !kernel::is_half(expr.type);
    return {literal(expr.type, node.value, 0), negative ? kUnary : kPrimary};
  }
  Text one(const kernel::Var& node, const kernel::Expr&) const { return {node.name}; }

  Text one(const kernel::Bin& node, const kernel::Expr& expr) const {
    const int op = static_cast<int>(node.op);
    if (kernel::is_float(expr.type) && cuda())
      return {call(kRounded[op][expr.type == Type::f64], {node.left, node.right})};
    if (const int exponent = kernel::exponent_of_divisor(node); exponent >= 0)
      return of_bits(node, exponent);
    if (node.op == BinOp::idiv || node.op == BinOp::mod)
      return {
          call((node.op == BinOp::idiv ? "st::idiv<" : "st::imod<") + emit::spell(expr.type) + ">",
               {node.left, node.right})};
    if (node.wraps) {
      constexpr const char* kWrapping[] = {"st::add", "st::sub", "st::mul"};
      return {call(kWrapping[op], {node.left, node.right})};
    }
    if (expr.type == Type::bits) return of_words(node);
    if (node.op >= BinOp::and_ && expr.type != Type::boolean)
      return {of_words(node).text, kTernary};
    const InfixRow& row = kInfix[op];
    // The left operand may be of the same level; && inside || is set in parentheses, as compilers
    // like it.
    const Level left = node.op == BinOp::or_ || row.level == kEquality || row.level == kRelation
                           ? static_cast<Level>(row.level + 1)
                           : row.level;
    const bool mixed = node.op == BinOp::or_;
    const std::string a = within(spell(node.left), mixed ? kEquality : left);
    const std::string b =
        within(spell(node.right), mixed ? kEquality : static_cast<Level>(row.level + 1));
    return {a + " " + row.symbol + " " + b, row.level};
  }
  // The operand of a bitwise operator: masks in hexadecimal.
  std::string operand(const ExprPtr& expr) const {
    const auto* number = kernel::as<kernel::Int>(expr);
    if (number && number->name.empty() && number->value > 9 && expr->type != Type::bits)
      return mask(expr->type, number->value);
    return within(spell(expr), kUnary);
  }
  static std::string mask(Type type, int64_t value) {
    if (value <= 9) return literal(type, 0, value);
    return fmt::format("{:#x}{}", value, type == Type::i64 ? "ll" : "");
  }
  // Quotients rounded down and their remainders, by powers of two: a >> 3 and a & 7, for negative
  // numbers too. In parentheses wherever another operator stands beside them.
  Text of_bits(const kernel::Bin& node, int exponent) const {
    const std::string value = within(spell(node.left), kUnary);
    if (node.op == BinOp::idiv) return {value + " >> " + std::to_string(exponent), kTernary};
    const int64_t divisor = kernel::as<kernel::Int>(node.right)->value;
    return {value + " & " + mask(node.left->type, divisor - 1), kTernary};
  }
  // a & (b ^ c): operators of words stand in parentheses in each other.
  Text of_words(const kernel::Bin& node) const {
    const char* symbol = node.op == BinOp::and_ ? " & " : node.op == BinOp::or_ ? " | " : " ^ ";
    return {operand(node.left) + symbol + operand(node.right), kSum};
  }
  Text one(const kernel::Neg& node, const kernel::Expr& expr) const {
    const bool hidden = !cuda() && kernel::is_float(expr.type) &&
                        !kernel::as<kernel::Load>(node.value);  // see st::neg
    if (node.wraps || hidden) return {call("st::neg", {node.value})};
    const std::string value = within(spell(node.value), kUnary);
    return {value[0] == '-' ? "-(" + value + ")" : "-" + value, kUnary};
  }
  Text one(const kernel::Not& node, const kernel::Expr&) const {
    const char* symbol = node.value->type == Type::bits ? "~" : "!";
    return {symbol + within(spell(node.value), kUnary), kUnary};
  }
  Text one(const kernel::Fma& node, const kernel::Expr& expr) const {
    return {call(!cuda()                  ? "std::fma"
                 : expr.type == Type::f64 ? "__fma_rn"
                                          : "__fmaf_rn",
                 {node.a, node.b, node.c})};
  }
  // In a FastDivision: the operands, and what is told that a number is rare.
  static size_t operands(const kernel::Call& node) {
    if (node.function < Fn::quotient) return node.args.size();
    if (node.function == Fn::quotient_by) return 3;
    if (node.function == Fn::quotient_by_number) return 4;
    return node.function <= Fn::quotient_or_infinity ? 2 : 1;
  }
  static std::vector<ExprPtr> of_numbers(const kernel::Call& node) {
    return {node.args.begin(), node.args.begin() + static_cast<std::ptrdiff_t>(operands(node))};
  }
  std::string rare_of(const kernel::Call& node) const {
    if (node.function < Fn::quotient) return "";
    if (node.args.size() == operands(node)) return "rare";
    return "st::only_if(" + spell(node.args.back()).text + ", rare)";
  }
  Text one(const kernel::Call& node, const kernel::Expr& expr) const {
    if (node.function == Fn::abs && !kernel::is_float(expr.type))
      return {call("st::abs", node.args)};
    if (node.function == Fn::fold || node.function == Fn::flips)
      return {call((node.function == Fn::fold ? "st::fold<" : "st::flips<") + side_name(node.low) +
                       ", " + side_name(node.high) + ">",
                   node.args)};
    for (const FunctionRow& row : kFunctions)
      if (row.function == node.function)
        return {call(!cuda()                  ? row.cpu
                     : expr.type == Type::f64 ? row.cuda64
                                              : row.cuda32,
                     of_numbers(node), rare_of(node))};
    return {};
  }
  Text one(const kernel::Convert& node, const kernel::Expr& expr) const {
    const Type to = expr.type;
    Type from = node.value->type;
    Text value = spell(node.value);
    if (kernel::is_half(from) && to == Type::f64) return {"st::f64(" + value.text + ")"};
    if (kernel::is_half(from) && (kernel::is_float(to) || to == Type::boolean)) {
      value = {"st::f32(" + value.text + ")"};
      if (to == Type::f32) return value;
      from = Type::f32;
    }
    if (kernel::is_half(to)) return {half_function(to) + "(" + value.text + ")"};
    if (to == Type::boolean)
      return {within(value, kRelation) + " != " + literal(from, 0, 0), kEquality};
    if (node.saturate && !kernel::is_float(to))
      return {"st::saturate<" + emit::spell(to) + ">(" + value.text + ")"};
    if (kernel::is_float(from) && !kernel::is_float(to))
      return {"st::convert<" + emit::spell(to) + ">(" + value.text + ")"};
    if (to == Type::i32 && is_narrow(from)) return value;  // C++ promotes it
    if (to == Type::f32 && is_narrow(from) && from != Type::boolean) {
      const bool promoted = is_promoted(node.value);
      return {"st::f32" + (promoted ? "<" + emit::spell(from) + ">" : "") + "(" + value.text + ")"};
    }
    return {"static_cast<" + emit::spell(to) + ">(" + value.text + ")"};
  }
  Text one(const kernel::Load& node, const kernel::Expr&) const {
    return {node.buffer.name + (node.row ? "[" + spell(node.row).text + "]" : "") + "[" +
            spell(node.at).text + "]"};
  }
  Text one(const kernel::Beside& node, const kernel::Expr&) const {
    return {"st::beside<" + std::to_string(node.distance) + ">(" + spell(node.own).text + ", " +
            place_in(node.buffer, spell(node.at).text) + ")"};
  }
  Text one(const kernel::Entry& node, const kernel::Expr&) const {
    constexpr const char* kMembers[] = {".first", ".next", ".number", ".any"};
    return {call(node.list.name + kMembers[node.what], node.args)};
  }
  Text one(const kernel::Pick& node, const kernel::Expr&) const {
    return {within(spell(node.condition), kOr) + " ? " + within(spell(node.yes), kOr) + " : " +
                within(spell(node.no), kOr),
            kTernary};
  }
  Text one(const kernel::Place& node, const kernel::Expr&) const {
    const std::string axis(1, "xyz"[node.axis]);
    if (node.what == kernel::Place::thread) return {"static_cast<Index>(threadIdx." + axis + ")"};
    if (node.what == kernel::Place::warp)
      return {"st::of_warp(static_cast<Index>(threadIdx." + axis + "))"};
    if (rank_ == 2 && node.axis == 1)
      return {"static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z)"};
    return {"static_cast<Index>(blockIdx." + axis + ")"};
  }

  Text one(const kernel::Identity& node, const kernel::Expr& expr) const {
    return {fold_name(node.fold) + "::identity<" + emit::spell(expr.type) + ">()"};
  }

  Dialect dialect_;
  int rank_;
};

}  // namespace

std::string spell(Type type) {
  constexpr std::array kNames = {"bool",    "int8_t",  "uint8_t",      "int16_t",       "uint16_t",
                                 "int32_t", "int64_t", "stencil::f16", "stencil::bf16", "float",
                                 "double",  "Index",   "uint32_t"};
  return kNames[static_cast<size_t>(type)];
}

std::string literal(Type type, double real, int64_t integer) {
  if (type == Type::boolean) return integer ? "true" : "false";
  if (type == Type::index) return std::to_string(integer);
  if (type == Type::i32)
    return integer == std::numeric_limits<int32_t>::min() ? "(-2147483647 - 1)"
                                                          : std::to_string(integer);
  if (type == Type::i64 && integer == std::numeric_limits<int64_t>::min())
    return "(int64_t{-9223372036854775807} - 1)";
  if (type == Type::bits) return integer ? "~uint32_t{0}" : "uint32_t{0}";
  if (!kernel::is_float(type)) return spell(type) + "{" + std::to_string(integer) + "}";
  if (kernel::is_half(type)) return half_function(type) + "(" + literal(Type::f32, real, 0) + ")";
  const std::string suffix = type == Type::f32 ? "f" : "";
  if (std::isnan(real)) return type == Type::f32 ? "NAN" : "static_cast<double>(NAN)";
  if (std::isinf(real))
    return std::string(real < 0 ? "-" : "") +
           (type == Type::f32 ? "INFINITY" : "static_cast<double>(INFINITY)");
  char text[64];
  const auto end = type == Type::f32
                       ? std::to_chars(text, text + sizeof text, static_cast<float>(real)).ptr
                       : std::to_chars(text, text + sizeof text, real).ptr;
  std::string digits(text, end);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits + suffix;
}

std::string spell(const ExprPtr& expr, Dialect dialect, int rank) {
  return Speller(dialect, rank).spell(expr).text;
}

std::string spell_on_host(const ExprPtr& expr) {
  const auto call = [&](const std::string& name) {
    std::vector<std::string> args;
    kernel::for_each_child(*expr,
                           [&](const ExprPtr& child) { args.push_back(spell_on_host(child)); });
    return "stencil::host::" + name + "(" + join(args, ", ") + ")";
  };
  constexpr const char* kOperations[] = {"sum", "difference", "product", "quotient"};
  if (const auto* bin = kernel::as<kernel::Bin>(expr))
    return call(kOperations[static_cast<size_t>(bin->op)]);
  if (const auto* convert = kernel::as<kernel::Convert>(expr))
    return "stencil::host::real<" + spell(expr->type) + ">(" +
           spell(convert->value, Dialect::cuda, 1) + ")";
  if (kernel::as<kernel::Fma>(expr)) return call("fused");
  if (kernel::as<kernel::Call>(expr)) return call("root");
  if (const auto* negated = kernel::as<kernel::Neg>(expr)) {
    const std::string value = spell_on_host(negated->value);
    return value[0] == '-' ? "-(" + value + ")" : "-" + value;
  }
  return spell(expr, Dialect::cuda, 1);
}

std::string place_in(const kernel::Buffer& buffer, const std::string& at) {
  if (at == "0") return buffer.name;
  if (buffer.texel == 0) return "&" + buffer.name + "[" + at + "]";
  return buffer.name + " + " + (at.find(' ') == std::string::npos ? at : "(" + at + ")");
}

std::string texture_arguments(const kernel::Buffer& buffer) {
  return spell(buffer.element) + ", " + std::to_string(buffer.texel) + ", Index";
}

}  // namespace stencilc::emit
