// The stencil IR as text, close to the .stn notation; fma and sum show every rounding.
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
  std::vector<std::string> lets;  // met while printing, innermost first
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
  std::string one(const Extent& node, const ExprPtr&) { return "n" + stencil.axes[node.axis]; }
  std::string one(const Read& node, const ExprPtr&) {
    return stencil.fields[node.field].name + site(node.offset, node.level, stencil);
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

std::string declaration(const Field& field) {
  std::string text = "  field " + std::string(name(field.type)) + " " + field.name;
  text += field.role == Role::stepped ? " stepped" : field.role == Role::input ? " in" : " out";
  if (field.role == Role::stepped) {
    text += ", levels t" +
            std::string(field.oldest_level ? "-" + std::to_string(field.oldest_level) : "");
    text += ", buffers " + std::to_string(field.buffers());
  }
  if (field.boundary.given) {
    text += ", boundary " + std::string(name(field.boundary.edge));
    if (field.boundary.edge == Edge::constant) text += " " + print(field.boundary.value);
  }
  return text + "\n";
}

std::string domain(const Update& update, const Stencil& stencil) {
  std::string text;
  for (int a = 0; a < stencil.rank(); ++a) {
    if (update.low[a] == 0 && update.high[a] == 0) continue;
    const std::string& axis = stencil.axes[a];
    text += text.empty() ? "  on " : ", ";
    text += std::to_string(update.low[a]) + " <= " + axis + " < n" + axis;
    if (update.high[a] != 0) text += "-" + std::to_string(update.high[a]);
  }
  return text;
}

}  // namespace

std::string print(const ExprPtr& expr, const Stencil& stencil) {
  Printer printer{stencil, {}, {}};
  return printer.text(expr);
}

std::string print(const Stencil& stencil) {
  std::string text = "stencil " + stencil.name + "(";
  for (const std::string& axis : stencil.axes) text += (text.back() == '(' ? "" : ", ") + axis;
  text += ") {\n";
  for (const Param& param : stencil.params) {
    text += "  param " + std::string(name(param.type)) + " " + param.name;
    if (param.has_default) text += " = " + print(param.value);
    text += "\n";
  }
  for (const Field& field : stencil.fields) text += declaration(field);
  Printer printer{stencil, {}, {}};
  for (const Update& update : stencil.updates) {
    const std::string value = printer.text(update.value);
    for (const std::string& let : printer.lets) text += "  let " + let + "\n";
    printer.lets.clear();
    const Field& field = stencil.fields[update.field];
    text += "  " + field.name + (field.role == Role::stepped ? "[t+1]" : "") + " = " + value +
            domain(update, stencil) + "\n";
  }
  return text + "}\n";
}

}  // namespace stencilc::ir
