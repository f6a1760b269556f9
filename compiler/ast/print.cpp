// Prints the tree in the syntax of the language, with every operation in parentheses: this shows
// how the text was understood, and parsing it gives the same tree again.
#include "ast/print.h"

#include <string_view>

namespace stencilc::ast {
namespace {

void print_exprs(std::string& out, const std::vector<ExprPtr>& exprs) {
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (i > 0) out += ", ";
    print(out, exprs[i]);
  }
}

void print_names(std::string& out, const std::vector<Ident>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ", ";
    out += names[i].name;
  }
}

// " = 1" and the like; nothing without an expression.
void print_clause(std::string& out, std::string_view words, const ExprPtr& expr) {
  if (expr == nullptr) return;
  out += words;
  print(out, expr);
}

void print_extents(std::string& out, const std::vector<Const::Extent>& extents) {
  for (size_t i = 0; i < extents.size(); ++i) {
    out += i > 0 ? ", " : "[";
    print(out, extents[i].first);
    out += "..";
    print(out, extents[i].last);
  }
  out += "]";
}

// ---- declarations ----

void print_item(std::string& out, const Axes& axes) {
  out += "axes ";
  print_names(out, axes.names);
}

void print_item(std::string& out, const Params& params) {
  out += "param " + params.type.name;
  for (size_t i = 0; i < params.decls.size(); ++i) {
    out += (i > 0 ? ", " : " ") + params.decls[i].name.name;
    print_clause(out, " = ", params.decls[i].init);
  }
}

void print_item(std::string& out, const Const& constant) {
  out += "const " + constant.type.name + " " + constant.name.name;
  if (constant.extents.empty()) {
    out += " = ";
    print_exprs(out, constant.values);
    return;
  }
  print_extents(out, constant.extents);
  out += " = { ";
  print_exprs(out, constant.values);
  out += " }";
  print_clause(out, " / ", constant.divisor);
}

void print_item(std::string& out, const Weights& weights) {
  out += "weights";
  if (weights.has_type) out += " " + weights.type.name;
  for (size_t i = 0; i < weights.decls.size(); ++i) {
    out += (i > 0 ? ", " : " ") + weights.decls[i].name.name;
    print_extents(out, weights.decls[i].extents);
  }
}

void print_kind(std::string& out, const BoundaryKind& boundary) {
  out += boundary.kind.name;
  if (boundary.value == nullptr) return;
  out += " ";
  print(out, boundary.value);
}

void print_boundary(std::string& out, const Boundary& boundary) {
  if (boundary.sides.empty()) return print_kind(out, boundary.whole);
  for (size_t i = 0; i < boundary.sides.size(); ++i) {
    const BoundarySide& side = boundary.sides[i];
    out += (i > 0 ? "; " : "{ ") + side.axis.name;
    if (side.has_end) out += "." + side.end.name;
    out += ": ";
    print_kind(out, side.kind);
  }
  out += " }";
}

void print_item(std::string& out, const Fields& fields) {
  out += "field " + fields.type.name;
  for (size_t i = 0; i < fields.decls.size(); ++i) {
    const FieldDecl& decl = fields.decls[i];
    out += (i > 0 ? ", " : " ") + decl.name.name;
    if (decl.has_axes) {
      out += "(";
      print_names(out, decl.axes);
      out += ")";
    }
    if (decl.has_role) out += " " + decl.role.name;
  }
  if (fields.has_compute) out += " compute " + fields.compute.name;
  if (!fields.has_boundary) return;
  out += " boundary ";
  print_boundary(out, fields.boundary);
}

void print_item(std::string& out, const Boundaries& boundaries) {
  out += "boundary ";
  print_names(out, boundaries.fields);
  out += " ";
  print_boundary(out, boundaries.boundary);
}

void print_item(std::string& out, const Points& points) {
  out += "points";
  for (size_t i = 0; i < points.decls.size(); ++i) {
    out += (i > 0 ? ", " : " ") + points.decls[i].name.name;
    if (points.decls[i].linear) out += " linear";
  }
}

void print_item(std::string& out, const Series& series) {
  out += "series " + series.type.name;
  for (size_t i = 0; i < series.decls.size(); ++i) {
    const Series::Decl& decl = series.decls[i];
    out += (i > 0 ? ", " : " ") + decl.name.name + "(" + decl.points.name + ")";
  }
}

// ---- what a stencil does ----

void print_item(std::string& out, const Let& let) {
  out += "let " + let.name.name;
  print_clause(out, " = ", let.value);
}

std::string_view spelling(Update::Op op) {
  switch (op) {
    case Update::assign:
      return " = ";
    case Update::add:
      return " += ";
    case Update::sub:
      return " -= ";
    case Update::mul:
      return " *= ";
    case Update::div:
      return " /= ";
  }
  return "";
}

void print_where(std::string& out, const Where& where) {
  if (!where.on.empty()) {
    out += " on ";
    print_exprs(out, where.on);
  }
  print_clause(out, " where ", where.mask);
}

void print_item(std::string& out, const Update& update) {
  out += update.target.name;
  if (update.has_args) {
    out += "[";
    print_exprs(out, update.args);
    out += "]";
  }
  print_clause(out, spelling(update.op), update.value);
  print_where(out, update.where);
}

void print_item(std::string& out, const Reduce& reduce) {
  out += "reduce " + reduce.name.name + " = " + reduce.kind.name + "(";
  print(out, reduce.value);
  out += ")";
  print_where(out, reduce.where);
}

void print_item(std::string& out, const Iterate& iterate) {
  if (iterate.times == nullptr) {
    print_clause(out, "iterate until ", iterate.until);
    print_clause(out, ", check every ", iterate.every);
    print_clause(out, ", limit ", iterate.limit);
    return;
  }
  std::string times;
  print(times, iterate.times);
  // A name that starts like the other form is put in parentheses.
  out +=
      times.starts_with("until") ? "iterate (" + times + ") times" : "iterate " + times + " times";
}

void print_item(std::string& out, const Color& color) {
  out += "color ";
  print_names(out, color.names);
  print_clause(out, " by ", color.value);
}

void print_item(std::string& out, const Inject& inject) {
  out += "inject ";
  print_item(out, inject.update);
  out += " at " + inject.points.name;
}

void print_item(std::string& out, const Sample& sample) {
  out += "sample ";
  print_item(out, sample.update);
  out += " at " + sample.points.name;
}

void print_parts(std::string& out, const std::vector<Schedule::Part>& parts) {
  for (const Schedule::Part& part : parts) {
    out += (&part == parts.data() ? "" : ", ") + part.name.name;
    if (part.has_value) out += " = " + part.value.name;
    if (part.shape.empty()) continue;
    out += "(";
    print_parts(out, part.shape);
    out += ")";
  }
}

void print_item(std::string& out, const Schedule& schedule) {
  out += "schedule ";
  if (!schedule.targets.empty()) {
    out += "for ";
    print_names(out, schedule.targets);
    out += " ";
  }
  out += "{ ";
  print_parts(out, schedule.parts);
  out += " }";
}

void print_item(std::string& out, const Function& function) {
  out += "fn " + function.name.name + "(";
  print_names(out, function.params);
  out += ")";
  print_clause(out, " = ", function.value);
}

void print_item(std::string& out, const Use& use) { out += "use \"" + use.path + "\""; }

template <typename Items>
void print_items(std::string& out, const Items& items) {
  for (const auto& item : items) {
    print_item(out, item);
    out += ";\n";
  }
}

}  // namespace

std::string print(const Program& program) {
  std::string out;
  print_items(out, program.uses);
  print_items(out, program.constants);
  print_items(out, program.functions);
  for (const Stencil& stencil : program.stencils) {
    out += "stencil " + stencil.name.name + " {\n";
    for (const Item& item : stencil.items) {
      out += "  ";
      std::visit([&](const auto& node) { print_item(out, node); }, item.node);
      out += ";\n";
    }
    out += "}\n";
  }
  return out;
}

}  // namespace stencilc::ast
