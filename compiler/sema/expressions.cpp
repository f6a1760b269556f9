#include "sema/expressions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/names.h"

namespace stencilc::sema {

using ast::ExprPtr;
using ast::Range;
using ir::Op;
using ir::Type;

namespace {
constexpr int64_t kMaxNodes = 200'000;  // of one statement: 10,000 reads and what combines them
constexpr int64_t kMaxWork = 10 * kMaxNodes;  // including what is evaluated to a constant
// Functions that walk an expression with its lets and functions expanded are recursive.
constexpr int kMaxTerms = 10'000;
constexpr int kMaxHeight = kMaxTerms + 500;  // including what is inside a term
constexpr int kMaxDepth = 2'000;  // of lets and functions that use each other, during evaluation
}  // namespace

Operand literal_integer(int64_t value) {
  return {Operand::literal, {true, value, static_cast<double>(value), ir::whole(value)}, nullptr};
}
Operand literal_real(double value, std::optional<ir::Fraction> exact) {
  return {Operand::literal, {false, 0, value, exact}, nullptr};
}
Operand typed(ir::ExprPtr expr) { return {Operand::typed, {}, std::move(expr)}; }

Operand Expressions::evaluate(const ExprPtr& expr, const Frame& frame, std::optional<Type> want) {
  if (!check_work(expr->at)) return fail();
  if (depth_ >= kMaxDepth) {
    engine_.report(diag::nesting_limit, expr->at,
                   fmt::format("`let`s and functions nest deeper than {} levels", kMaxDepth));
    return fail();
  }
  ++depth_;
  Operand result =
      std::visit([&](const auto& n) { return node(n, *expr, frame, want); }, expr->node);
  --depth_;
  if (result.kind == Operand::failed && depth_ == 0) report_unknown_names(expr, frame);
  return check_size(result, expr->at) && check_height(result, expr->at) ? result : fail();
}

bool Expressions::check_height(const Operand& operand, const Range& at) {
  if (operand.kind != Operand::typed || operand.expr->height <= kMaxHeight) return true;
  engine_
      .report(diag::size_limit, at,
              fmt::format("an expression has more than {} terms when its `let`s are expanded",
                          kMaxTerms))
      .help("compute a part of it into a field of its own");
  return false;
}

bool Expressions::check_limit(int64_t& count, int64_t more, int64_t limit, const char* text,
                              const Range& at) {
  const bool told = count > limit;
  count += more;
  if (count <= limit) return true;
  if (!told) engine_.report(diag::size_limit, at, fmt::format(fmt::runtime(text), limit));
  return false;
}

bool Expressions::check_size(const Operand& operand, const Range& at, int64_t size) {
  if (operand.kind != Operand::typed || ir::as<ir::Constant>(operand.expr)) return true;
  return check_limit(built_, size, kMaxNodes, "the statement unrolls to more than {} operations",
                     at);
}

int64_t Expressions::size_of(const Operand& operand) {
  if (operand.kind != Operand::typed) return 1;
  std::unordered_map<const ir::Expr*, int64_t> sizes;
  for (const ir::ExprPtr& node : ir::nodes_of(std::vector{operand.expr})) {
    int64_t size = 1;
    if (!ir::as<ir::Named>(node))  // a let is counted where it is declared
      for (const ir::ExprPtr& child : ir::children(*node)) size += sizes[child.get()];
    sizes[node.get()] = std::min(size, kMaxNodes + 1);
  }
  return sizes[operand.expr.get()];
}

bool Expressions::check_work(const Range& at) {
  if (built_ > kMaxNodes) return false;
  return check_limit(
      work_, 1, kMaxWork,
      "the statement unrolls to more than {} operations, those on constants included", at);
}

Operand Expressions::node(const ast::Number& number, const ast::Expr&, const Frame&,
                          std::optional<Type>) {
  return number.integral ? literal_integer(number.integer)
                         : literal_real(number.value, ir::as_decimal(number.value));
}

Operand Expressions::node(const ast::Bool& value, const ast::Expr&, const Frame&,
                          std::optional<Type>) {
  return typed(ir::constant(ir::Scalar{Type::boolean, 0, value.value}));
}

const Frame::Binding* Expressions::find_binding(const std::string& name, const Frame& frame) const {
  for (const Frame* f = &frame; f; f = f->outer)
    for (const Frame::Binding& binding : f->bindings)
      if (binding.name == name) return &binding;
  return nullptr;
}

Symbol* Expressions::find_symbol(const ast::Ident& ident, const char* declared,
                                 const Frame& frame) {
  const auto& [name, at] = ident;
  if (scope_.rejected.count(name)) return nullptr;
  const auto found = scope_.symbols.find(name);
  if (found != scope_.symbols.end()) {
    ++found->second.uses;
    return &found->second;
  }
  if (scope_.partial || !first(diag::unknown_name, name) || report_below(ident, scope_, engine_))
    return nullptr;
  diag::Diagnostic& d =
      engine_.report(diag::unknown_name, at, fmt::format("`{}` is not declared", name));
  std::string close;
  if (engine_.errors() <= kAdvised) {
    std::vector<std::string> known = scope_.names();
    known.insert(known.end(), {"true", "false"});
    close = diag::nearest(name, known);
  }
  if (!close.empty())
    d.help(fmt::format("did you mean `{}`?", close), at, close);
  else if (!frame.function)
    d.help(fmt::format("declare it, for example `{} f32 {};`", declared, name));
  return nullptr;
}

bool Expressions::check_declared(const ast::Ident& ident) {
  const std::string& name = ident.name;
  if (scope_.symbols.count(name)) return true;
  if (scope_.partial || scope_.rejected.count(name) || !first(diag::unknown_name, name))
    return false;
  if (report_below(ident, scope_, engine_)) return false;
  engine_.report(diag::unknown_name, ident.at, fmt::format("`{}` is not declared", name))
      .help(fmt::format("an offset names an axis, here `{}`, as in `u[{}-1]`",
                        fmt::join(scope_.stencil.axes, "` or `"), scope_.stencil.axes[0]));
  return false;
}

Operand Expressions::node(const ast::Name& name, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type>) {
  if (const Frame::Binding* binding = find_binding(name.name, frame))
    return binding->is_number ? literal_integer(binding->number)
                              : read_argument(*binding, {}, frame);
  if (name.name == "t") return typed(ir::make(Type::i64, ir::Time{}));
  Symbol* symbol = find_symbol({name.name, expr.at}, "param", frame);
  if (!symbol) return fail();
  switch (symbol->kind) {
    case Symbol::axis:
      return typed(ir::make(Type::i64, ir::Coordinate{symbol->index, frame.shift[symbol->index]}));
    case Symbol::extent:
      return typed(ir::make(Type::i64, ir::Extent{symbol->index}));
    case Symbol::param:
      return typed(
          ir::make(scope_.stencil.params[symbol->index].type, ir::ParamRef{symbol->index}));
    case Symbol::constant:
      return typed(ir::constant(scope_.constants[symbol->index]));
    case Symbol::field:
      return read_field(symbol->index, {}, expr.at, frame);
    case Symbol::let:
      return read_let(symbol->index, {}, expr.at, frame);
    case Symbol::weights:
      engine_
          .report(diag::wrong_arity, expr.at,
                  fmt::format("the weights `{}` need an index", name.name))
          .note("they are declared here", symbol->declared);
      return fail();
    case Symbol::function:
      engine_
          .report(diag::wrong_arity, expr.at,
                  fmt::format("the function `{}` needs arguments", name.name))
          .note("it is declared here", symbol->declared);
      return fail();
    case Symbol::reduction:
      return read_reduction(symbol->index, expr.at);
    case Symbol::series:
      engine_
          .report(diag::bad_points, expr.at,
                  fmt::format("the series `{}` needs its time index", name.name))
          .note("it is declared here", symbol->declared)
          .help(fmt::format("write `{}[t]`", name.name), expr.at, name.name + "[t]");
      return fail();
    case Symbol::color:
    case Symbol::points:
      engine_
          .report(diag::type_clash, expr.at,
                  fmt::format("`{}` is {}, which has no value", name.name,
                              symbol->kind == Symbol::color ? "a colour" : "a list of points"))
          .note("it is declared here", symbol->declared);
      return fail();
  }
  return fail();
}

// The argument as the body of the function sees it: displaced by `offset`, and by the displacement
// of the body since the call.
Operand Expressions::read_argument(const Frame::Binding& binding, const ir::Offset& offset,
                                   const Frame& frame) {
  Frame caller = *binding.caller;
  for (int a = 0; a < ir::kMaxRank; ++a) caller.shift[a] = frame.shift[a] + offset[a];
  return evaluate(binding.argument, caller);
}

Operand Expressions::node(const ast::Access& access, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type>) {
  const std::string& name = access.base.name;
  if (const Frame::Binding* binding = find_binding(name, frame); binding && !binding->is_number) {
    const auto where = site(access.args, expr.at, frame);
    if (!where) return fail();
    if (where->time != 0) {
      engine_
          .report(diag::time_index, expr.at,
                  fmt::format("the argument `{}` is read at another time", name))
          .note("pass `u[t-1]` as the argument");
      return fail();
    }
    return read_argument(*binding, where->offset, frame);
  }
  Symbol* symbol = find_symbol(access.base, "field", frame);
  if (!symbol) return fail();
  if (symbol->kind == Symbol::weights)
    return read_weights(symbol->index, access.args, expr.at, frame);
  if (symbol->kind == Symbol::series)
    return read_series(symbol->index, access.args, expr.at, frame);
  if (symbol->kind == Symbol::field || symbol->kind == Symbol::let) {
    const auto where =
        site(access.args, expr.at, frame,
             symbol->kind == Symbol::field ? &scope_.stencil.fields[symbol->index] : nullptr);
    if (!where) return fail();
    return symbol->kind == Symbol::field ? read_field(symbol->index, *where, expr.at, frame)
                                         : read_let(symbol->index, *where, expr.at, frame);
  }
  engine_
      .report(diag::type_clash, expr.at,
              fmt::format("`{}` has no neighbours: it is the same in every cell", name))
      .note("it is declared here", symbol->declared)
      .help(fmt::format("write `{}`", name), expr.at, name);
  return fail();
}

}  // namespace stencilc::sema
