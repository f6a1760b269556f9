#include "sema/expressions/reads.h"

#include <fmt/format.h>

#include <cstdlib>

#include "diag/codes.h"
#include "ir/build.h"
#include "sema/expressions/expressions.h"

namespace stencilc::sema {

using ast::ExprPtr;
using ast::Range;
using ir::Type;

namespace {
constexpr int kMaxRadius = 64;
constexpr int kMaxLevels = 16;
}  // namespace

// Reports offsets that are too large to compute with.
bool Reads::check_offset(int64_t offset, const Range& at) {
  if (offset >= -1'000'000 && offset <= 1'000'000) return true;
  engine_.report(diag::radius_limit, at,
                 fmt::format("the offset is {} cells; the limit is {}", offset, kMaxRadius));
  return false;
}

Reads::SiteArg Reads::site_arg(const ExprPtr& arg, const Frame& frame) {
  if (const auto* name = std::get_if<ast::Name>(&arg->node);
      name && !find_binding(name->name, frame)) {
    if (name->name == "t") return {SiteArg::time, 0, 0};
    const auto symbol = scope_.symbols.find(name->name);
    if (symbol != scope_.symbols.end() && symbol->second.kind == Symbol::axis)
      return {SiteArg::axis, symbol->second.index, 0};
    if (!lookup_.check_declared({name->name, arg->at})) return {};
  }
  const auto* binary = std::get_if<ast::Binary>(&arg->node);
  if (binary && (binary->op == ast::Binary::add || binary->op == ast::Binary::sub)) {
    const SiteArg left = site_arg(binary->left, frame);
    if (left.kind == SiteArg::failed) return left;
    const SiteArg right = site_arg(binary->right, frame);
    if (right.kind == SiteArg::failed) return right;
    const bool minus = binary->op == ast::Binary::sub;
    const int64_t offset = left.offset + (minus ? -right.offset : right.offset);
    if (!check_offset(offset, arg->at)) return {};
    if (right.kind == SiteArg::number) return {left.kind, left.axis_index, offset};
    if (left.kind == SiteArg::number && !minus) return {right.kind, right.axis_index, offset};
    engine_.report(diag::offset_not_constant, arg->at,
                   "the index does not have the form `axis + constant`");
    return {};
  }
  const auto value = expressions_.constant_integer(arg, frame, "an offset");
  if (!value) return {};
  if (!check_offset(*value, arg->at)) return {};
  return {SiteArg::number, 0, *value};
}

// The field lacks this axis, and does not vary along it.
bool Reads::check_axis(const ir::Field* field, int axis, const Range& at) {
  if (!field || field->along[axis]) return true;
  const std::string& name = scope_.stencil.axes[axis];
  engine_
      .report(diag::offset_wrong_axis, at,
              fmt::format("`{}` does not have the axis `{}`", field->name, name))
      .help(fmt::format("it does not vary along `{0}`: leave out the offset along `{0}`", name));
  return false;
}

std::optional<Site> Reads::site(const std::vector<ExprPtr>& args, const Range& at,
                                const Frame& frame, const ir::Field* field) {
  const ir::Stencil& stencil = scope_.stencil;
  Site result;
  std::vector<SiteArg> parts;
  size_t numbers = 0, named = 0;
  for (const ExprPtr& arg : args) {
    parts.push_back(site_arg(arg, frame));
    if (parts.back().kind == SiteArg::failed) return {};
    numbers += parts.back().kind == SiteArg::number;
    named += parts.back().kind == SiteArg::axis;
  }
  if (numbers != 0) {  // without names: every axis, in order
    std::vector<int> own;
    for (int a = 0; a < stencil.rank(); ++a)
      if (!field || field->along[a]) own.push_back(a);
    if (named != 0 || numbers != own.size()) {
      engine_
          .report(diag::offset_wrong_axis, at,
                  named != 0
                      ? "some offsets in this bracket name their axis, and some do not"
                      : fmt::format("{} offset{} for {} ax{}s", numbers, numbers == 1 ? "" : "s",
                                    own.size(), own.size() == 1 ? "i" : "e"))
          .help("name the axis of each offset, as in `u[x-1]`; an axis left out means offset 0");
      return {};
    }
    size_t next = 0;
    for (SiteArg& part : parts)
      if (part.kind == SiteArg::number) part = {SiteArg::axis, own[next++], part.offset};
  }
  bool seen[ir::kMaxRank + 1] = {};
  for (const SiteArg& part : parts) {
    const int slot = part.kind == SiteArg::time ? ir::kMaxRank : part.axis_index;
    if (seen[slot]) {
      engine_.report(diag::offset_wrong_axis, at,
                     fmt::format("`{}` appears twice in one bracket",
                                 slot == ir::kMaxRank ? "t" : stencil.axes[slot]));
      return {};
    }
    seen[slot] = true;
    if (part.kind == SiteArg::time) {
      result.time = static_cast<int>(part.offset);
    } else {
      if (!check_axis(field, slot, at)) return {};
      result.offset[slot] = static_cast<int>(part.offset);
    }
  }
  return result;
}

// The level in the IR, if the field has it.
std::optional<int> Reads::level(int index, int time, const Range& at) {
  const ir::Field& field = scope_.stencil.fields[index];
  const std::string& name = field.name;
  const auto refuse = [&](const std::string& text, const std::string& help) {
    diag::Diagnostic& d = engine_.report(diag::time_index, at, text);
    d.note(fmt::format("`{}` is declared here", name), scope_.field_sites[index]);
    if (!help.empty()) d.help(help);
    return std::optional<int>();
  };
  if (time > 1)
    return refuse(fmt::format("`{}` is read at t+{}, but a step computes only t+1", name, time),
                  "");
  if (time < -kMaxLevels)
    return refuse(
        fmt::format("`{}` is read at t{}; the oldest level is t-{}", name, time, kMaxLevels), "");
  switch (field.role) {
    case ir::Role::stepped:
      return time;
    case ir::Role::in_place:
      if (time >= 0) return time;
      return refuse(fmt::format("`{}` is updated in place: there is no level t{}", name, time),
                    "copy the values into another field in each step: `old = " + name + ";`");
    case ir::Role::output:  // the result of this step
      if (time == 0) return 1;
      return refuse(fmt::format("`{}` is an `out` field, which has no time levels", name),
                    fmt::format("write `{}`", name));
    case ir::Role::input:
      break;
  }
  if (time == 0) return 0;
  return refuse(fmt::format("`{0}` has {1}: nothing assigns `{0}[t+1]`", name,
                            time > 0 ? "no level t+1" : "one time level"),
                "");
}

// Checks that the field has a boundary where the read leaves the grid.
bool Reads::check_boundary(int index, const ir::Offset& offset, const Range& at) {
  const ir::Field& field = scope_.stencil.fields[index];
  if (!scope_.boundaries_known) return true;
  for (int a = 0; a < ir::kMaxRank; ++a) {
    if (offset[a] == 0 || field.boundary.sides[a][offset[a] > 0].given) continue;
    const std::string side =
        fmt::format("{}.{}", scope_.stencil.axes[a], offset[a] > 0 ? "hi" : "lo");
    const std::string lacks = field.boundary.given() ? side : "";  // the one side, or all of them
    if (!scope_.without_boundary.emplace(index, lacks).second) return false;
    diag::Diagnostic& d = engine_.report(
        diag::missing_boundary, at,
        field.boundary.given()
            ? fmt::format("`{}` is read outside the grid at `{}`, where it has no boundary",
                          field.name, side)
            : fmt::format("`{}` is read in neighbouring cells, but it has no boundary",
                          field.name));
    d.note(fmt::format("`{}` is declared here{}", field.name,
                       field.boundary.given() ? "" : " without a boundary"),
           scope_.field_sites[index]);
    d.help(field.boundary.given()
               ? fmt::format("add the side to its boundary: `{}: clamp;`", side)
               : "add one of `boundary clamp`, `reflect`, `mirror`, `periodic`, `zero`, `constant "
                 "VALUE`, `fixed` or `none`");
    return false;
  }
  return true;
}

Operand Reads::read_field(int index, const Site& where, const Range& at, const Frame& frame) {
  const ir::Field& field = scope_.stencil.fields[index];
  ir::Read read{index, 0, where.offset};
  for (int a = 0; a < ir::kMaxRank; ++a) {
    if (field.along[a]) read.offset[a] += frame.shift[a];
    if (std::abs(read.offset[a]) > kMaxRadius) {
      if (statement_.first(diag::radius_limit, field.name))
        engine_.report(
            diag::radius_limit, at,
            fmt::format("`{}` is read {} cells away along {}; the limit is {}", field.name,
                        std::abs(read.offset[a]), scope_.stencil.axes[a], kMaxRadius));
      return fail();
    }
  }
  const auto known = level(index, where.time, at);
  if (!known || !check_boundary(index, read.offset, at)) return fail();
  read.level = index == statement_.changed() && read.offset == ir::Offset{} ? 1 : *known;
  const ir::ExprPtr result = ir::make(field.type, read);
  scope_.sites.insert_or_assign(result.get(), at);
  return typed(ir::cast(field.compute, result));
}

// amp[t]
Operand Reads::read_series(int index, const std::vector<ExprPtr>& args, const Range& at,
                           const Frame& frame) {
  const ir::Series& series = scope_.stencil.series[index];
  const SiteArg time = args.size() == 1 ? site_arg(args[0], frame) : SiteArg{SiteArg::number};
  if (time.kind == SiteArg::failed) return fail();
  if (time.kind != SiteArg::time || time.offset != 0) {
    engine_
        .report(diag::bad_points, at,
                fmt::format("`{}` is read at another step than `t`", series.name))
        .help(fmt::format(
                  "write `{}[t]`; to use another step, shift the values that are given to the run",
                  series.name),
              at, series.name + "[t]");
    return fail();
  }
  const ir::ExprPtr result = ir::make(series.type, ir::SeriesRef{index});
  scope_.sites.insert_or_assign(result.get(), at);
  return typed(result);
}

Operand Reads::read_reduction(int index, const Range& at) {
  const ir::Reduction& reduction = scope_.stencil.reductions[index];
  if (!scope_.reductions_known) {
    engine_
        .report(diag::bad_reduction, at,
                fmt::format("the reduction `{}` has no value here", reduction.name))
        .note("a reduction can be read in updates and in the condition of `iterate until`");
    return fail();
  }
  const ir::ExprPtr result = ir::make(reduction.type, ir::ReductionRef{index});
  scope_.sites.insert_or_assign(result.get(), at);
  return typed(result);
}

Operand Reads::read_let(int index, const Site& where, const Range& at, const Frame& frame) {
  Let& let = scope_.lets[index];
  if (where.time != 0) {
    engine_
        .report(diag::time_index, at,
                fmt::format("the `let` `{}` is read at another time", let.name.name))
        .help("put the time index on the fields inside the `let`");
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
  const diag::Engine::Silence loud(engine_, {});  // it may be read elsewhere
  const int changed = statement_.change(-1);      // a let is evaluated before all statements
  Operand value = expressions_.evaluate(let.value, body);
  statement_.change(changed);
  let.active = false;
  if (value.kind == Operand::typed)
    value = typed(ir::make(value.expr->type, ir::Named{let.name.name, index, offset, value.expr}));
  return let.instances[offset] = value;
}

Operand Reads::read_weights(int index, const std::vector<ExprPtr>& args, const Range& at,
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
    const auto value = expressions_.constant_integer(args[i], frame, "the index of a weight");
    if (!value) return fail();
    const auto [first, last] = weights.ranges[i];
    if (*value < first || *value > last) {
      engine_
          .report(diag::weight_index, args[i]->at,
                  fmt::format("index {} is outside {}..{}", *value, first, last))
          .note(fmt::format("`{}` is declared here", weights.name.name), weights.name.at);
      return fail();
    }
    position = position * (last - first + 1) + (*value - first);
  }
  if (weights.run_time < 0) return typed(ir::constant(weights.values[position]));
  return typed(ir::make(scope_.stencil.weights[weights.run_time].type,
                        ir::WeightRef{weights.run_time, static_cast<int>(position)}));
}

Operand Reads::name(const ast::Name& name, const Range& at, const Frame& frame) {
  if (const Frame::Binding* binding = find_binding(name.name, frame))
    return binding->is_number ? literal_integer(binding->number)
                              : read_argument(*binding, {}, at, frame);
  if (name.name == "t") return typed(ir::make(Type::i64, ir::Time{}));
  Symbol* symbol = lookup_.find_symbol({name.name, at}, "param", frame);
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
      return read_field(symbol->index, {}, at, frame);
    case Symbol::let:
      return read_let(symbol->index, {}, at, frame);
    case Symbol::weights:
      engine_
          .report(diag::wrong_arity, at, fmt::format("the weights `{}` need an index", name.name))
          .note("they are declared here", symbol->declared);
      return fail();
    case Symbol::function:
      engine_
          .report(diag::wrong_arity, at,
                  fmt::format("the function `{}` needs arguments", name.name))
          .note("it is declared here", symbol->declared);
      return fail();
    case Symbol::reduction:
      return read_reduction(symbol->index, at);
    case Symbol::series:
      engine_
          .report(diag::bad_points, at,
                  fmt::format("the series `{}` needs its time index", name.name))
          .note("it is declared here", symbol->declared)
          .help(fmt::format("write `{}[t]`", name.name), at, name.name + "[t]");
      return fail();
    case Symbol::color:
    case Symbol::points:
      engine_
          .report(diag::type_clash, at,
                  fmt::format("`{}` is {}, which has no value", name.name,
                              symbol->kind == Symbol::color ? "a colour" : "a list of points"))
          .note("it is declared here", symbol->declared);
      return fail();
  }
  return fail();
}

// The argument as the body of the function sees it: displaced by `offset`, and by the displacement
// of the body since the call.
Operand Reads::read_argument(const Frame::Binding& binding, const ir::Offset& offset,
                             const Range& at, const Frame& frame) {
  ir::Offset place = frame.shift;
  for (int a = 0; a < ir::kMaxRank; ++a) place[a] += offset[a];
  const std::string name = binding.function->name.name + "_" + binding.name;
  return arguments_.read(binding.argument, name, *binding.caller, place, at, *binding.value);
}

Operand Reads::access(const ast::Access& access, const Range& at, const Frame& frame) {
  const std::string& name = access.base.name;
  if (const Frame::Binding* binding = find_binding(name, frame); binding && !binding->is_number) {
    const auto where = site(access.args, at, frame);
    if (!where) return fail();
    if (where->time != 0) {
      engine_
          .report(diag::time_index, at,
                  fmt::format("the argument `{}` is read at another time", name))
          .note("pass `u[t-1]` as the argument");
      return fail();
    }
    return read_argument(*binding, where->offset, at, frame);
  }
  Symbol* symbol = lookup_.find_symbol(access.base, "field", frame);
  if (!symbol) return fail();
  if (symbol->kind == Symbol::weights) return read_weights(symbol->index, access.args, at, frame);
  if (symbol->kind == Symbol::series) return read_series(symbol->index, access.args, at, frame);
  if (symbol->kind == Symbol::field || symbol->kind == Symbol::let) {
    const auto where =
        site(access.args, at, frame,
             symbol->kind == Symbol::field ? &scope_.stencil.fields[symbol->index] : nullptr);
    if (!where) return fail();
    return symbol->kind == Symbol::field ? read_field(symbol->index, *where, at, frame)
                                         : read_let(symbol->index, *where, at, frame);
  }
  engine_
      .report(diag::type_clash, at,
              fmt::format("`{}` has no neighbours: it is the same in every cell", name))
      .note("it is declared here", symbol->declared)
      .help(fmt::format("write `{}`", name), at, name);
  return fail();
}

}  // namespace stencilc::sema
