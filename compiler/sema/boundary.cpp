#include "sema/boundary.h"

#include <fmt/format.h>

#include "diag/codes.h"
#include "ir/build.h"

namespace stencilc::sema {

namespace {

ir::Side resolve_side(const ast::BoundaryKind& boundary, const ir::Field& field,
                      Expressions& expressions, diag::Engine& engine) {
  const std::string& kind = boundary.kind.name;
  const ir::Type type = field.compute;
  ir::Side result;
  result.given = true;
  for (const char* later : {"expr", "neumann", "antireflect", "ghost"})
    if (kind == later) {
      engine
          .report(diag::not_in_this_version, boundary.kind.at,
                  fmt::format("the boundary `{}`", kind))
          .help(
              "the boundaries are clamp, reflect, mirror, periodic, constant, zero, fixed and "
              "none");
      return result;
    }
  if (kind == "constant") {
    result.edge = ir::Edge::constant;
    if (!boundary.value) {
      engine.report(diag::boundary_unusable, boundary.kind.at, "`constant` without its value")
          .help("write `boundary constant 1.5`");
      return result;
    }
    if (const auto number =
            expressions.constant_number(boundary.value, {}, "the value of a boundary"))
      if (const auto value = expressions.adopt(*number, type, boundary.value->at))
        result.value = ir::constant(*value);
    return result;
  }
  if (boundary.value) {
    engine.report(diag::boundary_unusable, boundary.value->at,
                  fmt::format("the boundary `{}` takes no value", kind));
    return result;
  }
  if (kind == "zero") {
    result.edge = ir::Edge::constant;
    result.value = ir::constant(type, 0);
    return result;
  }
  for (const ir::Edge edge : {ir::Edge::none, ir::Edge::fixed, ir::Edge::clamp, ir::Edge::reflect,
                              ir::Edge::mirror, ir::Edge::periodic})
    if (ir::name(edge) == kind) {
      result.edge = edge;
      return result;
    }
  diag::Diagnostic& d = engine.report(diag::unknown_boundary, boundary.kind.at,
                                      fmt::format("there is no boundary `{}`", kind));
  static const std::pair<const char*, const char*> kElsewhere[] = {
      {"wrap", "periodic"},      {"circular", "periodic"}, {"nearest", "clamp"},
      {"replicate", "clamp"},    {"edge", "clamp"},        {"symmetric", "reflect"},
      {"dirichlet", "constant"}, {"reflect101", "mirror"}, {"valid", "none"}};
  for (const auto& [theirs, ours] : kElsewhere)
    if (kind == theirs) {
      d.help(fmt::format("it is called `{}` here", ours), boundary.kind.at, ours);
      return result;
    }
  const std::string close = diag::nearest(
      kind, {"clamp", "reflect", "mirror", "periodic", "constant", "zero", "fixed", "none"});
  if (!close.empty())
    d.help(fmt::format("did you mean `{}`?", close), boundary.kind.at, close);
  else
    d.help("the boundaries are clamp, reflect, mirror, periodic, constant, zero, fixed and none");
  return result;
}

}  // namespace

ir::Boundary resolve_boundary(const ast::Boundary& boundary, const ir::Field& field, Scope& scope,
                              Expressions& expressions, diag::Engine& engine) {
  const ir::Side side = resolve_side(boundary.whole, field, expressions, engine);
  ir::Boundary result;
  for (int axis = 0; axis < scope.stencil.rank(); ++axis)
    if (field.along[axis]) result.sides[axis] = {side, side};
  return result;
}

}  // namespace stencilc::sema
