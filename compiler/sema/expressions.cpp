#include "sema/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diag/codes.h"
#include "ir/build.h"

namespace stencilc::sema {

using ast::ExprPtr;
using ast::Range;
using ir::Op;
using ir::Type;

namespace {
constexpr int kMaxRadius = 64;
constexpr int kMaxLevels = 16;
constexpr int64_t kMaxNodes = 200'000;  // of one statement: 10,000 taps and what stands around them
}  // namespace

Operand literal_integer(int64_t value) {
  return {Operand::literal, {true, value, static_cast<double>(value)}, nullptr};
}
Operand literal_real(double value) { return {Operand::literal, {false, 0, value}, nullptr}; }
Operand typed(ir::ExprPtr expr) { return {Operand::typed, {}, std::move(expr)}; }

Operand Expressions::evaluate(const ExprPtr& expr, const Frame& frame, std::optional<Type> want) {
  if (!check_size(expr->at)) return fail();
  return std::visit([&](const auto& n) { return node(n, *expr, frame, want); }, expr->node);
}

bool Expressions::check_size(const Range& at) {
  if (++built_ <= kMaxNodes) return true;
  if (built_ == kMaxNodes + 1)
    engine_.report(diag::size_limit, at,
                   fmt::format("the statement unrolls to more than {} operations", kMaxNodes));
  return false;
}

Operand Expressions::node(const ast::Number& number, const ast::Expr&, const Frame&,
                          std::optional<Type>) {
  return number.integral ? literal_integer(number.integer) : literal_real(number.value);
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

Symbol* Expressions::find_symbol(const std::string& name, const Range& at) {
  if (scope_.rejected.count(name)) return nullptr;
  const auto found = scope_.symbols.find(name);
  if (found != scope_.symbols.end()) {
    ++found->second.uses;
    return &found->second;
  }
  if (name == "t") {
    engine_.report(diag::not_in_this_version, at, "the time `t` as a value")
        .note("`t` stands only in brackets here: `u[t+1]`, `u[t-1]`");
    return nullptr;
  }
  if (scope_.partial || !first(diag::unknown_name, name)) return nullptr;
  diag::Diagnostic& d =
      engine_.report(diag::unknown_name, at, fmt::format("`{}` is not declared", name));
  const std::string close = diag::nearest(name, scope_.names());
  if (!close.empty()) d.help(fmt::format("did you mean `{}`?", close), at, close);
  return nullptr;
}

Operand Expressions::node(const ast::Name& name, const ast::Expr& expr, const Frame& frame,
                          std::optional<Type>) {
  if (const Frame::Binding* binding = find_binding(name.name, frame))
    return binding->is_number ? literal_integer(binding->number)
                              : read_argument(*binding, {}, frame);
  Symbol* symbol = find_symbol(name.name, expr.at);
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
                  fmt::format("the weights `{}` stand without an index", name.name))
          .note("they are declared here", symbol->declared);
      return fail();
    case Symbol::function:
      engine_
          .report(diag::wrong_arity, expr.at,
                  fmt::format("the function `{}` stands without arguments", name.name))
          .note("it is declared here", symbol->declared);
      return fail();
  }
  return fail();
}

// The argument as the function's body sees it: displaced by `offset`, and by what the body itself
// is displaced since the call.
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
          .report(diag::time_index, expr.at, fmt::format("the argument `{}` at another time", name))
          .note("pass `u[t-1]` itself as the argument");
      return fail();
    }
    return read_argument(*binding, where->offset, frame);
  }
  Symbol* symbol = find_symbol(name, access.base.at);
  if (!symbol) return fail();
  if (symbol->kind == Symbol::weights)
    return read_weights(symbol->index, access.args, expr.at, frame);
  if (symbol->kind == Symbol::field || symbol->kind == Symbol::let) {
    const auto where = site(access.args, expr.at, frame);
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

Expressions::SiteArg Expressions::site_arg(const ExprPtr& arg, const Frame& frame) {
  if (const auto* name = std::get_if<ast::Name>(&arg->node);
      name && !find_binding(name->name, frame)) {
    if (name->name == "t") return {SiteArg::time, 0, 0};
    const auto symbol = scope_.symbols.find(name->name);
    if (symbol != scope_.symbols.end() && symbol->second.kind == Symbol::axis)
      return {SiteArg::axis, symbol->second.index, 0};
  }
  const auto* binary = std::get_if<ast::Binary>(&arg->node);
  if (binary && (binary->op == ast::Binary::add || binary->op == ast::Binary::sub)) {
    const SiteArg left = site_arg(binary->left, frame);
    if (left.kind == SiteArg::failed) return left;
    const SiteArg right = site_arg(binary->right, frame);
    if (right.kind == SiteArg::failed) return right;
    const bool minus = binary->op == ast::Binary::sub;
    if (right.kind == SiteArg::number)
      return {left.kind, left.axis_index, left.offset + (minus ? -right.offset : right.offset)};
    if (left.kind == SiteArg::number && !minus)
      return {right.kind, right.axis_index, left.offset + right.offset};
    engine_.report(diag::offset_not_constant, arg->at, "the index is not `axis + constant`");
    return {};
  }
  const auto value = constant_integer(arg, frame, "an offset");
  if (!value) return {};
  if (std::abs(*value) > 1'000'000) {
    engine_.report(diag::radius_limit, arg->at,
                   fmt::format("an offset of {} cells; the limit is {}", *value, kMaxRadius));
    return {};
  }
  return {SiteArg::number, 0, *value};
}

std::optional<Expressions::Site> Expressions::site(const std::vector<ExprPtr>& args,
                                                   const Range& at, const Frame& frame) {
  const ir::Stencil& stencil = scope_.stencil;
  Site result;
  std::vector<SiteArg> parts;
  size_t numbers = 0;
  for (const ExprPtr& arg : args) {
    parts.push_back(site_arg(arg, frame));
    if (parts.back().kind == SiteArg::failed) return {};
    numbers += parts.back().kind == SiteArg::number;
  }
  if (numbers != 0) {  // positional: every axis, in order
    if (numbers != parts.size() || numbers != static_cast<size_t>(stencil.rank())) {
      engine_
          .report(diag::offset_wrong_axis, at,
                  numbers != parts.size() ? "offsets with and without an axis in one bracket"
                                          : fmt::format("{} offset{} for {} axes", numbers,
                                                        numbers == 1 ? "" : "s", stencil.rank()))
          .help("name the axis of each offset, as in `u[x-1]`; an axis left out means offset 0");
      return {};
    }
    for (size_t a = 0; a < parts.size(); ++a)
      parts[a] = {SiteArg::axis, static_cast<int>(a), parts[a].offset};
  }
  bool seen[ir::kMaxRank + 1] = {};
  for (const SiteArg& part : parts) {
    const int slot = part.kind == SiteArg::time ? ir::kMaxRank : part.axis_index;
    if (seen[slot]) {
      engine_.report(diag::offset_wrong_axis, at,
                     fmt::format("`{}` stands twice in one bracket",
                                 slot == ir::kMaxRank ? "t" : stencil.axes[slot]));
      return {};
    }
    seen[slot] = true;
    if (part.kind == SiteArg::time)
      result.time = static_cast<int>(part.offset);
    else
      result.offset[slot] = static_cast<int>(part.offset);
  }
  return result;
}

Operand Expressions::read_field(int index, const Site& where, const Range& at, const Frame& frame) {
  const ir::Field& field = scope_.stencil.fields[index];
  const auto declared = scope_.field_sites[index];
  ir::Read read{index, where.time, where.offset};
  for (int a = 0; a < ir::kMaxRank; ++a) {
    read.offset[a] += frame.shift[a];
    if (std::abs(read.offset[a]) > kMaxRadius) {
      if (first(diag::radius_limit, field.name))
        engine_.report(
            diag::radius_limit, at,
            fmt::format("`{}` is read {} cells away along {}; the limit is {}", field.name,
                        std::abs(read.offset[a]), scope_.stencil.axes[a], kMaxRadius));
      return fail();
    }
  }
  if (where.time > 0) {
    if (where.time > 1 || field.role != ir::Role::stepped) {
      engine_
          .report(diag::time_index, at,
                  where.time > 1 ? fmt::format("`{}` at t+{} lies beyond the step being computed",
                                               field.name, where.time)
                                 : fmt::format("`{}` has no level t+1: nothing assigns `{}[t+1]`",
                                               field.name, field.name))
          .note(fmt::format("`{}` is declared here", field.name), declared);
      return fail();
    }
    if (scope_.current_update >= 0)
      scope_.future_reads[scope_.current_update].push_back(field.name);
    scope_.future_sites.emplace_back(field.name, at);
    return fail();  // judged for all updates together, when all are known: a cycle, or stages
  }
  if (where.time < -kMaxLevels) {
    engine_.report(diag::time_index, at,
                   fmt::format("`{}` at t{}; the oldest level that can be kept is t-{}", field.name,
                               where.time, kMaxLevels));
    return fail();
  }
  if (where.time < 0 && field.role != ir::Role::stepped) {
    engine_
        .report(diag::time_index, at,
                fmt::format("`{}` has one time level: nothing assigns `{}[t+1]`", field.name,
                            field.name))
        .note(fmt::format("`{}` is declared here", field.name), declared);
    return fail();
  }
  if (field.role == ir::Role::output) {
    engine_
        .report(diag::bad_role, at,
                fmt::format("`{}` is written by this stencil and read in it", field.name))
        .note(fmt::format("`{}` is declared `out` here", field.name), declared)
        .help(fmt::format("name the value by a `let` and use that in both places"));
    return fail();
  }
  if (read.offset != ir::Offset{} && !field.boundary.given()) {
    if (!first(diag::missing_boundary, field.name)) return fail();
    engine_
        .report(
            diag::missing_boundary, at,
            fmt::format("`{}` is read beside the cell, and nothing says what lies beyond its rim",
                        field.name))
        .note(fmt::format("`{}` is declared here without a boundary", field.name), declared)
        .help(
            "add one of `boundary clamp`, `reflect`, `mirror`, `periodic`, `zero`, `constant "
            "VALUE`, `fixed` or `none`");
    return fail();
  }
  return typed(ir::cast(field.compute, ir::make(field.type, read)));
}

Operand Expressions::read_let(int index, const Site& where, const Range& at, const Frame& frame) {
  Let& let = scope_.lets[index];
  if (where.time != 0) {
    engine_.report(diag::time_index, at, fmt::format("the let `{}` at another time", let.name.name))
        .help("put the time index on the fields in the let");
    return fail();
  }
  ir::Offset offset = where.offset;
  for (int a = 0; a < ir::kMaxRank; ++a) offset[a] += frame.shift[a];
  const auto known = let.instances.find(offset);
  if (known != let.instances.end()) return known->second;
  if (let.active) {
    std::string path;
    for (const Let& other : scope_.lets)
      if (other.active) path += "`" + other.name.name + "` -> ";
    engine_.report(diag::cycle, at, fmt::format("`{}` depends on itself", let.name.name))
        .note(fmt::format("the cycle is {}`{}`", path, let.name.name), let.name.at);
    return fail();
  }
  let.active = true;
  Frame body;
  body.shift = offset;
  Operand value = evaluate(let.value, body);
  let.active = false;
  if (value.kind == Operand::typed)
    value = typed(ir::make(value.expr->type, ir::Named{let.name.name, index, offset, value.expr}));
  return let.instances[offset] = value;
}

Operand Expressions::read_weights(int index, const std::vector<ExprPtr>& args, const Range& at,
                                  const Frame& frame) {
  const Weights& weights = scope_.weights[index];
  if (args.size() != weights.ranges.size()) {
    engine_
        .report(diag::wrong_arity, at,
                fmt::format("{} {} for the weights `{}`, which have {}", args.size(),
                            args.size() == 1 ? "index" : "indices", weights.name.name,
                            weights.ranges.size()))
        .note("they are declared here", weights.name.at);
    return fail();
  }
  int64_t position = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    const auto value = constant_integer(args[i], frame, "the index of a weight");
    if (!value) return fail();
    const auto [first, last] = weights.ranges[i];
    if (*value < first || *value > last) {
      engine_
          .report(diag::weight_index, args[i]->at,
                  fmt::format("index {} lies outside {}..{}", *value, first, last))
          .note(fmt::format("`{}` is declared here", weights.name.name), weights.name.at);
      return fail();
    }
    position = position * (last - first + 1) + (*value - first);
  }
  return typed(ir::constant(weights.values[position]));
}

}  // namespace stencilc::sema
