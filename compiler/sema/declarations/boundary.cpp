#include "sema/declarations/boundary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "diag/codes.h"
#include "ir/boundary.h"
#include "ir/build.h"

namespace stencilc::sema {

namespace {

using ir::Edge;

std::optional<Edge> find_edge(const std::string& kind) {
  if (kind == "zero") return Edge::constant;
  for (const ir::EdgeKind& one : ir::edge_kinds())
    if (one.name == kind) return one.edge;
  return {};
}

// The kind that gives the same cells unchanged.
std::string_view copied_kind(Edge edge) {
  for (const ir::EdgeKind& one : ir::edge_kinds())
    if (one.source == ir::kind_of(edge).source && one.change == ir::EdgeKind::copied)
      return one.name;
  return "";
}

void report_unknown(const ast::Ident& kind, const Scope& scope, diag::Engine& engine) {
  diag::Diagnostic& d = engine.report(diag::unknown_boundary, kind.at,
                                      fmt::format("there is no boundary `{}`", kind.name));
  for (const ir::Field& field : scope.stencil.fields)
    if (field.name == kind.name) {
      d.help(fmt::format("`{}` is a field: is `;` missing before `boundary`?", kind.name));
      return;
    }
  static const std::pair<const char*, const char*> kElsewhere[] = {{"wrap", "periodic"},
                                                                   {"circular", "periodic"},
                                                                   {"nearest", "clamp"},
                                                                   {"replicate", "clamp"},
                                                                   {"edge", "clamp"},
                                                                   {"symmetric", "reflect"},
                                                                   {"dirichlet", "constant"},
                                                                   {"reflect101", "mirror"},
                                                                   {"valid", "none"},
                                                                   {"odd", "antireflect"},
                                                                   {"antisymmetric", "antireflect"},
                                                                   {"halo", "ghost"}};
  for (const auto& [theirs, ours] : kElsewhere)
    if (kind.name == theirs) {
      d.help(fmt::format("it is called `{}` here", ours), kind.at, ours);
      return;
    }
  std::vector<std::string> known = {"zero"};
  for (const ir::EdgeKind& one : ir::edge_kinds()) known.emplace_back(one.name);
  const std::string close = diag::nearest(kind.name, known);
  if (!close.empty())
    d.help(fmt::format("did you mean `{}`?", close), kind.at, close);
  else
    d.help("the boundaries are " + ir::listed_edge_kinds());
}

class Resolver {
 public:
  Resolver(const ir::Field& field, Scope& scope, Expressions& expressions, diag::Engine& engine)
      : field_(field), scope_(scope), expressions_(expressions), engine_(engine) {}

  ir::Side side(const ast::BoundaryKind& kind) {
    ir::Side result;
    result.given = true;  // also after an error, so that no read is reported because of it
    const std::optional<Edge> edge = find_edge(kind.kind.name);
    if (!edge) {
      report_unknown(kind.kind, scope_, engine_);
      return result;
    }
    if (ir::kind_of(*edge).needs_floats() && !ir::is_float(field_.type)) {
      engine_
          .report(diag::boundary_unusable, kind.kind.at,
                  fmt::format("`{}` needs floats, and `{}` holds `{}`", kind.kind.name, field_.name,
                              ir::name(field_.type)))
          .help(fmt::format("`{}` repeats the same cells as they are", copied_kind(*edge)));
      return result;
    }
    const bool valued = ir::kind_of(*edge).value != ir::EdgeKind::no_value;
    if (kind.kind.name == "zero" || !valued) {
      if (kind.value) {
        engine_.report(diag::boundary_unusable, kind.value->at,
                       fmt::format("the boundary `{}` takes no value", kind.kind.name));
        return result;
      }
      if (valued) result.value = ir::constant(field_.compute, 0);
    } else {
      result.value = value(kind, *edge);
      if (!result.value) return result;
    }
    result.edge = *edge;
    return result;
  }

  // The sides of `boundary { x: periodic; y.lo: constant 1; }`.
  ir::Boundary sides(const std::vector<ast::BoundarySide>& sides) {
    ir::Boundary result;
    std::array<std::array<const ast::BoundarySide*, 2>, ir::kMaxRank> given = {};
    for (const ast::BoundarySide& one : sides) {
      const std::optional<int> axis = find_axis(one.axis);
      const std::optional<std::pair<int, int>> ends = find_ends(one);
      if (!axis || !ends) {
        leave_out(result);
        continue;
      }
      const ir::Side resolved = side(one.kind);
      for (int end = ends->first; end <= ends->second; ++end) {
        if (given[*axis][end]) {
          report_second(one, *given[*axis][end]);
          break;
        }
        given[*axis][end] = &one;
        result.sides[*axis][end] = resolved;
      }
    }
    for (int axis = 0; axis < ir::kMaxRank; ++axis)
      for (int end = 0; end < 2; ++end)
        if (result.sides[axis][end].edge == Edge::periodic &&
            result.sides[axis][1 - end].edge != Edge::periodic)
          report_open(*given[axis][end]);
    return result;
  }

 private:
  // After an error in one side, no read is reported for lack of a boundary.
  void leave_out(ir::Boundary& boundary) const {
    for (int axis = 0; axis < ir::kMaxRank; ++axis)
      for (ir::Side& side : boundary.sides[axis]) side.given |= field_.along[axis];
  }

  std::optional<int> find_axis(const ast::Ident& axis) {
    const std::vector<std::string>& axes = scope_.stencil.axes;
    const auto found = std::find(axes.begin(), axes.end(), axis.name);
    if (found == axes.end()) {
      diag::Diagnostic& d = engine_.report(diag::unknown_name, axis.at,
                                           fmt::format("there is no axis `{}`", axis.name));
      const std::string close = diag::nearest(axis.name, axes);
      if (!close.empty()) d.help(fmt::format("did you mean `{}`?", close), axis.at, close);
      return {};
    }
    const int index = static_cast<int>(found - axes.begin());
    if (field_.along[index]) return index;
    engine_
        .report(diag::offset_wrong_axis, axis.at,
                fmt::format("`{}` does not have the axis `{}`", field_.name, axis.name))
        .help("leave this side out");
    return {};
  }

  std::optional<std::pair<int, int>> find_ends(const ast::BoundarySide& side) {
    if (!side.has_end) return {{0, 1}};
    if (side.end.name == "lo") return {{0, 0}};
    if (side.end.name == "hi") return {{1, 1}};
    engine_
        .report(diag::boundary_unusable, side.end.at,
                fmt::format("`{}` is not an end of an axis", side.end.name))
        .help(fmt::format("the two ends are `{0}.lo` and `{0}.hi`", side.axis.name));
    return {};
  }

  void report_second(const ast::BoundarySide& second, const ast::BoundarySide& first) {
    engine_
        .report(diag::boundary_unusable, second.axis.at,
                fmt::format("an end of `{}` has two boundaries", second.axis.name))
        .note("the first one is here", first.axis.at);
  }

  void report_open(const ast::BoundarySide& side) {
    engine_
        .report(diag::boundary_unusable, side.kind.kind.at,
                fmt::format("`periodic` joins both ends of `{}`, and is given for one only",
                            side.axis.name))
        .help(fmt::format("write `{}: periodic`", side.axis.name));
  }

  // The value in the compute type of the field; null after an error.
  ir::ExprPtr value(const ast::BoundaryKind& kind, Edge edge) {
    const std::string& name = kind.kind.name;
    if (!kind.value) {
      engine_.report(diag::boundary_unusable, kind.kind.at, fmt::format("`{}` needs a value", name))
          .help(edge == Edge::expr ? "write `boundary expr 0.5 * x`"
                                   : fmt::format("write `boundary {} 1.5`", name));
      return nullptr;
    }
    // Floats are rounded to the type in memory; integers have to fit it.
    const ir::Type type = ir::is_float(field_.type) ? field_.compute : field_.type;
    const Operand operand = expressions_.evaluate(kind.value, {}, type);
    const ir::ExprPtr value = expressions_.assign(operand, type, kind.value->at,
                                                  fmt::format("the boundary of `{}`", field_.name));
    if (!value || !is_known_ghost(value, kind, edge)) return nullptr;
    return ir::cast(field_.compute, value);
  }

  // Whether the value is known at ghost cells and, except for `expr`, is the same at all of them.
  bool is_known_ghost(const ir::ExprPtr& value, const ast::BoundaryKind& kind, Edge edge) {
    for (const ir::ExprPtr& node : ir::nodes_of({value})) {
      const auto site = scope_.sites.find(node.get());
      const diag::Range& at = site == scope_.sites.end() ? kind.value->at : site->second;
      if (const auto* read = ir::as<ir::Read>(node)) {
        engine_
            .report(diag::boundary_unusable, at,
                    fmt::format("the value of a boundary cannot read `{}`",
                                scope_.stencil.fields[read->field].name))
            .help("use coordinates, extents, params, constants and `t`");
        return false;
      }
      if (ir::as<ir::SeriesRef>(node) || ir::as<ir::ReductionRef>(node)) {
        engine_
            .report(diag::boundary_unusable, at,
                    "the value of a boundary cannot depend on what a step computes")
            .help("use coordinates, extents, params, constants and `t`");
        return false;
      }
      const auto* coordinate = ir::as<ir::Coordinate>(node);
      if (coordinate && edge != Edge::expr) {
        diag::Diagnostic& d =
            engine_.report(diag::boundary_unusable, kind.value->at,
                           fmt::format("the value of `{}` varies along `{}`", kind.kind.name,
                                       scope_.stencil.axes[coordinate->axis]));
        if (edge == Edge::constant)
          d.help("`expr` takes a value for each cell", kind.kind.at, "expr");
        else
          d.help("it has to be one number for the whole side");
        return false;
      }
      if (coordinate && !field_.along[coordinate->axis]) {
        const std::string& axis = scope_.stencil.axes[coordinate->axis];
        engine_
            .report(
                diag::offset_wrong_axis, kind.value->at,
                fmt::format(
                    "the value of the boundary varies along `{}`, an axis that `{}` does not have",
                    axis, field_.name))
            .help(fmt::format("the field does not vary along `{}`", axis));
        return false;
      }
    }
    return true;
  }

  const ir::Field& field_;
  Scope& scope_;
  Expressions& expressions_;
  diag::Engine& engine_;
};

}  // namespace

ir::Boundary resolve_boundary(const ast::Boundary& boundary, const ir::Field& field, Scope& scope,
                              Expressions& expressions, diag::Engine& engine) {
  Resolver resolver(field, scope, expressions, engine);
  if (!boundary.sides.empty()) return resolver.sides(boundary.sides);
  const ir::Side side = resolver.side(boundary.whole);
  ir::Boundary result;
  for (int axis = 0; axis < scope.stencil.rank(); ++axis)
    if (field.along[axis]) result.sides[axis] = {side, side};
  return result;
}

}  // namespace stencilc::sema
