// Prints the stencil IR, close to the .stn notation; fma and sum show every rounding.
#include <algorithm>
#include <set>

#include "ir/ir.h"

namespace stencilc::ir {
namespace {

std::string signed_offset(int offset) {
  return offset == 0 ? "" : offset > 0 ? "+" + std::to_string(offset) : std::to_string(offset);
}

std::string site(const Offset& offset, int level, const Stencil& stencil) {
  std::string text;
  const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : ", ") + piece; };
  for (int a = 0; a < stencil.rank(); ++a)
    if (offset[a] != 0) add(stencil.axes[a] + signed_offset(offset[a]));
  if (level != 0) add("t" + signed_offset(level));
  return text.empty() ? "" : "[" + text + "]";
}

struct Printer {
  const Stencil& stencil;
  std::vector<std::string> lets;  // found while printing, innermost first
  std::set<const Expr*> seen;

  std::string text(const ExprPtr& expr) {
    return std::visit([&](const auto& node) { return one(node, expr); }, expr->node);
  }
  std::string list(const std::vector<ExprPtr>& args) {
    std::string result;
    for (const ExprPtr& arg : args) result += (result.empty() ? "" : ", ") + text(arg);
    return result;
  }
  std::string one(const Constant& node, const ExprPtr&) { return print(node.value); }
  std::string one(const ParamRef& node, const ExprPtr&) { return stencil.params[node.param].name; }
  std::string one(const Coordinate& node, const ExprPtr&) {
    const std::string axis = stencil.axes[node.axis];
    return node.offset == 0 ? axis : "(" + axis + signed_offset(node.offset) + ")";
  }
  std::string one(const Time&, const ExprPtr&) { return "t"; }
  std::string one(const WeightRef& node, const ExprPtr&) {
    return stencil.weights[node.array].name + "{" + std::to_string(node.element) + "}";
  }
  std::string one(const SeriesRef& node, const ExprPtr&) {
    return stencil.series[node.series].name + "[t]";
  }
  std::string one(const ReductionRef& node, const ExprPtr&) {
    return stencil.reductions[node.reduction].name;
  }
  std::string one(const Extent& node, const ExprPtr&) { return "n" + stencil.axes[node.axis]; }
  std::string one(const Read& node, const ExprPtr&) {
    return stencil.fields[node.field].name + site(node.offset, node.level, stencil);
  }
  std::string one(const GhostRef& node, const ExprPtr&) {
    return "ghost_of(" + stencil.fields[node.field].name + ")";
  }
  std::string one(const Apply& node, const ExprPtr&) {
    return std::string(name(node.op)) + "(" + list(node.args) + ")";
  }
  std::string one(const Cast& node, const ExprPtr& expr) {
    return (node.saturate ? "sat_" : "") + std::string(name(expr->type)) + "(" + text(node.value) +
           ")";
  }
  std::string one(const Named& node, const ExprPtr& expr) {
    const std::string reference = node.name + site(node.offset, 0, stencil);
    if (seen.insert(expr.get()).second) {
      std::string value = text(node.value);
      lets.push_back(reference + ": " + std::string(name(expr->type)) + " = " + value);
    }
    return reference;
  }
  std::string one(const Sum& node, const ExprPtr&) {
    std::string result = "sum(";
    if (node.bias) result += text(node.bias);
    for (const Sum::Term& term : node.terms)
      result += (result.back() == '(' ? "" : ", ") + text(term.weight) + " * " + text(term.tap);
    return result + ")";
  }
};

std::string_view role_name(Role role) {
  constexpr std::string_view kNames[] = {"stepped", "in", "out", "in place"};
  return kNames[static_cast<int>(role)];
}

struct Statements {
  const Stencil& stencil;
  Printer printer;
  std::string text;

  explicit Statements(const Stencil& s) : stencil(s), printer{s, {}, {}} {}

  // The lets of a statement are printed before it.
  void statement(const std::string& line) {
    for (const std::string& let : printer.lets) text += "  let " + let + "\n";
    printer.lets.clear();
    text += "  " + line + "\n";
  }

  std::string side(const Side& one) {
    return std::string(name(one.edge)) + (one.value ? " " + printer.text(one.value) : "");
  }
  std::string boundary(const Boundary& boundary) {
    const Side& first = boundary.sides[0][0];
    std::string whole = side(first), parts;
    bool same = first.given;
    for (int a = 0; a < stencil.rank(); ++a)
      for (int end = 0; end < 2; ++end) {
        const Side& one = boundary.sides[a][end];
        same &= one.given && side(one) == whole;
        if (one.given) parts += " " + stencil.axes[a] + (end ? ".hi: " : ".lo: ") + side(one) + ";";
      }
    return same ? whole : "{" + parts + " }";
  }
  void field(const Field& field) {
    std::string line = "field " + std::string(name(field.type)) + " " + field.name + " " +
                       std::string(role_name(field.role));
    for (int a = 0; a < stencil.rank(); ++a)
      if (!field.along[a]) line += ", not along " + stencil.axes[a];
    if (field.compute != arithmetic(field.type) && is_float(field.type))
      line += ", compute " + std::string(name(field.compute));
    if (field.role == Role::stepped)
      line += ", levels t" +
              std::string(field.oldest_level ? "-" + std::to_string(field.oldest_level) : "");
    if (field.boundary.given()) line += ", boundary " + boundary(field.boundary);
    statement(line);
  }

  std::string domain(const Domain& domain) {
    std::string result;
    const auto add = [&](const std::string& piece) {
      result += (result.empty() ? "  on " : ", ") + piece;
    };
    for (const Limit& limit : domain.limits) {
      const std::string& axis = stencil.axes[limit.axis];
      const std::string bound = !limit.from_end     ? std::to_string(limit.offset)
                                : limit.offset == 0 ? "n" + axis
                                                    : "n" + axis + signed_offset(limit.offset);
      add(axis + (limit.upper ? " < " : " >= ") + bound);
    }
    for (int a = 0; a < stencil.rank(); ++a) {
      if (domain.low[a] == 0 && domain.high[a] == 0) continue;
      const std::string& axis = stencil.axes[a];
      add(std::to_string(domain.low[a]) + " <= " + axis + " < n" + axis +
          (domain.high[a] != 0 ? "-" + std::to_string(domain.high[a]) : ""));
    }
    if (domain.mask) result += "  where " + printer.text(domain.mask);
    return result;
  }
};

}  // namespace

std::string print(const ExprPtr& expr, const Stencil& stencil) {
  Printer printer{stencil, {}, {}};
  return printer.text(expr);
}

std::string print(const Stencil& stencil) {
  Statements out(stencil);
  out.text = "stencil " + stencil.name + "(";
  for (const std::string& axis : stencil.axes)
    out.text += (out.text.back() == '(' ? "" : ", ") + axis;
  out.text += ") {\n";
  for (const Param& param : stencil.params)
    out.statement("param " + std::string(name(param.type)) + " " + param.name +
                  (param.has_default ? " = " + print(param.value) : ""));
  for (const Weights& weights : stencil.weights)
    out.statement("weights " + std::string(name(weights.type)) + " " + weights.name + ", " +
                  std::to_string(weights.count()) + " values");
  for (const Field& field : stencil.fields) out.field(field);
  for (const Points& points : stencil.points)
    out.statement("points " + points.name + (points.linear ? " linear" : ""));
  for (const Series& series : stencil.series)
    out.statement("series " + std::string(name(series.type)) + " " + series.name + " at " +
                  stencil.points[series.points].name + (series.output ? " out" : " in"));
  if (stencil.colors.count() != 0) {
    std::string line = "colors " + std::to_string(stencil.colors.count()) + " by";
    for (int a = 0; a < stencil.rank(); ++a)
      line += " " + std::to_string(stencil.colors.factor[a]) + "*" + stencil.axes[a];
    out.statement(line + " + " + std::to_string(stencil.colors.shift));
  }
  const auto sample = [&](const Sample& one) {
    const std::string value = out.printer.text(one.value);
    out.statement("sample " + stencil.series[one.series].name + "[t] = " + value + " at " +
                  stencil.points[one.points].name);
  };
  for (const Sample& one : stencil.samples)
    if (!one.after) sample(one);
  for (const Update& update : stencil.updates)
    for (const Case& one : update.cases) {
      const Field& field = stencil.fields[update.field];
      const std::string value = out.printer.text(one.value), on = out.domain(one.domain);
      out.statement(field.name + (field.role == Role::stepped ? "[t+1]" : "") + " = " + value + on);
    }
  for (const Injection& one : stencil.injections) {
    const std::string value = out.printer.text(one.value);
    out.statement("inject " + stencil.fields[one.field].name + "[t+1] += " + value + " at " +
                  stencil.points[one.points].name);
  }
  for (const Sample& one : stencil.samples)
    if (one.after) sample(one);
  for (const Reduction& one : stencil.reductions) {
    const std::string value = out.printer.text(one.value), on = out.domain(one.domain);
    out.statement("reduce " + std::string(name(one.type)) + " " + one.name + " = " +
                  std::string(name(one.kind)) + "(" + value + ")" + on);
  }
  const Iterate& iterate = stencil.iterate;
  if (iterate.given && iterate.until)
    out.statement("iterate until " + out.printer.text(iterate.until) + ", check every " +
                  std::to_string(iterate.every) + ", limit " + std::to_string(iterate.limit));
  else if (iterate.given)
    out.statement("iterate " + std::to_string(iterate.limit) + " times");
  return out.text + "}\n";
}

}  // namespace stencilc::ir
