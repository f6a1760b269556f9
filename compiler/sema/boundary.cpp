#include "sema/boundary.h"

#include <fmt/format.h>

#include "diag/codes.h"

namespace stencilc::sema {

ir::Boundary resolve_boundary(const ast::Boundary& boundary, ir::Type type,
                              Expressions& expressions, diag::Engine& engine) {
  const std::string& kind = boundary.kind.name;
  ir::Boundary result;
  result.given = true;
  result.value = ir::Scalar{type};
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
        result.value = *value;
    return result;
  }
  if (boundary.value) {
    engine.report(diag::boundary_unusable, boundary.value->at,
                  fmt::format("the boundary `{}` takes no value", kind));
    return result;
  }
  if (kind == "zero") {
    result.edge = ir::Edge::constant;
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

}  // namespace stencilc::sema
