#include "sema/expressions/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/expressions/differences.h"
#include "sema/expressions/expressions.h"
#include "sema/symbols/builtins.h"
#include "sema/symbols/types.h"

namespace stencilc::sema {

using ast::Range;
using ir::Op;
using ir::Type;

namespace {

constexpr int kMaxCallDepth = 64;

bool check_arity(const ast::Call& call, size_t count, const std::string& shape,
                 diag::Engine& engine) {
  if (!call.named.empty()) {
    engine
        .report(diag::wrong_arity, call.named[0].name.at,
                fmt::format("`{}` takes no named arguments", call.function.name))
        .note("it is used as " + shape);
    return false;
  }
  return check_count(call, count, shape, engine);
}

}  // namespace

bool check_count(const ast::Call& call, size_t count, const std::string& shape,
                 diag::Engine& engine) {
  if (call.args.size() == count) return true;
  engine
      .report(diag::wrong_arity, call.function.at,
              fmt::format("`{}` takes {} argument{}, and {} {} given", call.function.name, count,
                          count == 1 ? "" : "s", call.args.size(),
                          call.args.size() == 1 ? "is" : "are"))
      .note("it is used as " + shape);
  return false;
}

Operand Calls::evaluate(const ast::Call& call, const Range& at, const Frame& frame,
                        std::optional<Type> want) {
  const std::string& name = call.function.name;
  if (scope_.rejected.count(name)) return fail();
  const auto symbol = scope_.symbols.find(name);
  if (symbol != scope_.symbols.end()) {
    ++symbol->second.uses;
    if (symbol->second.kind == Symbol::function)
      return call_function(*scope_.functions[symbol->second.index], call, at, frame);
    engine_
        .report(diag::not_a_function, call.function.at,
                fmt::format("`{}` is called, but it is not a function", name))
        .note("it is declared here", symbol->second.declared)
        .help(difference_axes(name, scope_.stencil.axes).empty()
                  ? fmt::format("write `{0}[...]` for a neighbour and `{0} * (...)` for a product",
                                name)
                  : fmt::format("rename it to use the difference `{}`", name));
    return fail();
  }
  if (name == "laplacian") return differences_.laplacian(call, at, frame);
  if (const auto axes = difference_axes(name, scope_.stencil.axes); !axes.empty())
    return differences_.derivative(axes, call, at, frame);
  if (const auto type = find_type(name)) return call_cast(*type, false, call, frame);
  if (name.starts_with("sat_"))
    if (const auto type = find_type(name.substr(4)); type && ir::is_integer(*type))
      return call_cast(*type, true, call, frame);
  if (const MathFunction* row = find_math(name)) return call_math(row->op, call, frame, want);
  if (is_later_type(name)) {
    engine_
        .report(diag::not_in_this_version, call.function.at,
                fmt::format("`{}(...)` is not supported yet", name))
        .help("use `f64`");
    return fail();
  }
  lookup_.report_unknown_function(call.function);
  return fail();
}

// The number that an argument is, if evaluating a few names is enough to see it.
std::optional<Literal> Calls::known_number(const ast::ExprPtr& expr, const Frame& frame,
                                           int depth) const {
  constexpr int kDeep = 8;
  if (depth > kDeep) return {};
  if (const auto* number = std::get_if<ast::Number>(&expr->node))
    return Literal{number->integral,
                   number->integer,
                   number->integral ? static_cast<double>(number->integer) : number->value,
                   {}};
  if (const auto* unary = std::get_if<ast::Unary>(&expr->node);
      unary && unary->op == ast::Unary::neg) {
    auto value = known_number(unary->operand, frame, depth + 1);
    if (!value || !value->integral || value->integer == std::numeric_limits<int64_t>::min())
      return {};
    value->integer = -value->integer;
    value->real = -value->real;
    return value;
  }
  const auto* name = std::get_if<ast::Name>(&expr->node);
  const Frame::Binding* binding = name ? find_binding(name->name, frame) : nullptr;
  if (!binding) return {};
  if (!binding->is_number) return known_number(binding->argument, *binding->caller, depth + 1);
  return Literal{true, binding->number, static_cast<double>(binding->number), {}};
}

std::optional<Calls::FunctionCall> Calls::known_call(const ast::Function& function,
                                                     const ast::Call& call,
                                                     const Frame& frame) const {
  FunctionCall known{&function, statement_.changed(), frame.shift, {}};
  for (const ast::ExprPtr& arg : call.args) {
    const auto number = known_number(arg, frame, 0);
    if (!number) return {};
    std::get<3>(known).emplace_back(number->integral, number->integer, number->real);
  }
  return known;
}

Operand Calls::call_function(const ast::Function& function, const ast::Call& call, const Range& at,
                             const Frame& frame) {
  std::string shape = "`" + function.name.name + "(";
  for (size_t i = 0; i < function.params.size(); ++i)
    shape += (i ? ", " : "") + function.params[i].name;
  if (!check_arity(call, function.params.size(), shape + ")`", engine_)) return fail();
  if (broken_.count(&function)) return fail();
  const auto known = known_call(function, call, frame);
  if (known)
    if (const auto found = results_.find(*known); found != results_.end()) {
      const auto& [value, size] = found->second;
      return statement_.check_size(value, at, size) ? value : fail();
    }
  for (const Frame* f = &frame; f; f = f->caller)
    if (f->function == &function) {
      for (const Frame* on_cycle = &frame; on_cycle != f->caller; on_cycle = on_cycle->caller)
        broken_.insert(on_cycle->function);
      engine_
          .report(diag::recursive_function, at,
                  fmt::format("`{}` calls itself", function.name.name))
          .note("it is declared here", function.name.at)
          .help("functions are inlined, so they cannot be recursive");
      return fail();
    }
  if (frame.depth >= kMaxCallDepth) {
    engine_.report(diag::nesting_limit, at,
                   fmt::format("function calls nest deeper than {}", kMaxCallDepth));
    return fail();
  }
  Frame body;
  body.shift = frame.shift;
  body.depth = frame.depth + 1;
  body.function = &function;
  body.caller = &frame;
  std::vector<int> values(function.params.size(), -1);
  for (size_t i = 0; i < function.params.size(); ++i)
    body.bindings.push_back(
        {function.params[i].name, false, 0, call.args[i], &frame, &function, &values[i]});
  const Operand value = expressions_.evaluate(function.value, body);
  if (value.kind == Operand::failed && walked_.insert(&function).second)
    lookup_.report_unknown_names(function.value, body);
  if (value.kind == Operand::failed && engine_.has_errors()) {
    const Range& last = engine_.all().back().at;
    const Range& own = function.value->at;
    if (last.file == own.file && last.begin >= own.begin && last.end <= own.end)
      broken_.insert(&function);
  }
  if (known && value.kind != Operand::failed)
    results_.emplace(*known, std::pair(value, Statement::size_of(value)));
  return value;
}

Operand Calls::call_cast(Type type, bool saturate, const ast::Call& call, const Frame& frame) {
  if (!check_arity(call, 1, fmt::format("`{}(value)`", call.function.name), engine_)) return fail();
  const Operand operand = expressions_.evaluate(call.args[0], frame);
  if (operand.kind == Operand::failed) return fail();
  if (operand.kind == Operand::typed) return typed(ir::cast(type, operand.expr, saturate));
  const Literal& number = operand.number;
  const ir::Scalar value{number.integral ? Type::i64 : Type::f64, number.real, number.integer};
  return typed(ir::cast(type, ir::constant(ir::Constant{value, number.exact}), saturate));
}

// bit_and, bit_or, bit_xor and popcount.
Operand Calls::call_bits(Op op, const std::vector<Operand>& args, const Range& at) {
  Type type = operators_.common_type(args[0], args.back());
  if (ir::is_float(type)) {
    engine_.report(diag::type_clash, at, fmt::format("`{}` takes integers", ir::name(op)))
        .help("a cast makes an integer of a float: `i32(a)`");
    return fail();
  }
  std::vector<ir::ExprPtr> values;
  for (const Operand& arg : args) {
    values.push_back(operators_.in_type(arg, type, at));
    if (!values.back()) return fail();
  }
  if (op == Op::popcount) type = Type::i32;
  return typed(ir::apply(op, type, values));
}

Operand Calls::call_math(Op op, const ast::Call& call, const Frame& frame,
                         std::optional<Type> want) {
  const MathFunction& row = *find_math(call.function.name);
  if (row.arity < 0 && call.args.size() < 2) {
    engine_
        .report(diag::wrong_arity, call.function.at,
                fmt::format("`{}` takes two or more values", row.name))
        .help(fmt::format("for a window write `{}(i in -1..1 : u[x+i])`", row.name));
    return fail();
  }
  if (row.arity > 0 &&
      !check_arity(call, row.arity,
                   fmt::format("`{}({})`", row.name, row.arity == 1 ? "value" : "a, b"), engine_))
    return fail();
  std::vector<Operand> args;
  const bool chooses = row.arity < 0 && want && ir::is_integer(*want);  // min and max
  for (const ast::ExprPtr& arg : call.args)
    args.push_back(expressions_.evaluate(arg, frame, chooses ? want : std::nullopt));
  for (const Operand& arg : args)
    if (arg.kind == Operand::failed) return fail();
  const Range& at = call.function.at;
  if (row.arity < 0) {
    Operand result = args[0];
    for (size_t i = 1; i < args.size(); ++i)
      result = operators_.extremum(op, result, args[i], at, want);
    return result;
  }
  if (ir::is_bitwise(op) || op == Op::popcount) return call_bits(op, args, at);
  if (op == Op::idiv) {
    Type type = operators_.common_type(args[0], args[1]);
    if (ir::is_float(type)) {
      engine_.report(diag::type_clash, at, "`idiv` takes integers").help("write `floor(a / b)`");
      return fail();
    }
    if (is_zero(args[1])) {
      engine_.report(diag::division_by_zero, at, "the divisor is the constant 0");
      return fail();
    }
    const ir::ExprPtr a = operators_.in_type(args[0], type, at),
                      b = operators_.in_type(args[1], type, at);
    return a && b ? typed(ir::apply(op, type, {a, b})) : fail();
  }
  // abs keeps integers; the other functions convert integers to the real type of the stencil. The
  // value for literals only is a literal again.
  Type type = args.size() == 2                 ? operators_.common_type(args[0], args[1])
              : args[0].kind == Operand::typed ? ir::arithmetic(args[0].expr->type)
                                               : Type::f64;
  const bool literals = std::all_of(args.begin(), args.end(),
                                    [](const Operand& a) { return a.kind == Operand::literal; });
  if (literals && op == Op::abs && args[0].number.integral)
    return args[0].number.integer >= 0 ? args[0] : operators_.negate(args[0], at);
  if (literals) type = Type::f64;
  if (op != Op::abs && !ir::is_float(type)) type = scope_.real;
  std::vector<ir::ExprPtr> values;
  for (const Operand& arg : args) {
    values.push_back(operators_.in_type(arg, type, at));
    if (!values.back()) return fail();
  }
  const ir::ExprPtr result = ir::apply(op, type, values);
  return literals ? literal_real(ir::as<ir::Constant>(result)->value.real, {}) : typed(result);
}

}  // namespace stencilc::sema
