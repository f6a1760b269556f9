// The printed form is the language itself with every operation in parentheses: it shows how the
// text was understood, and parsing it gives the same tree again.
#include <charconv>
#include <string_view>

#include "ast/ast.h"

namespace stencilc::ast {
namespace {

std::string_view spelling(Binary::Op op) {
  switch (op) {
    case Binary::add:
      return " + ";
    case Binary::sub:
      return " - ";
    case Binary::mul:
      return " * ";
    case Binary::div:
      return " / ";
    case Binary::mod:
      return " % ";
    case Binary::pow:
      return " ^ ";
    case Binary::lt:
      return " < ";
    case Binary::le:
      return " <= ";
    case Binary::gt:
      return " > ";
    case Binary::ge:
      return " >= ";
    case Binary::eq:
      return " == ";
    case Binary::ne:
      return " != ";
    case Binary::and_:
      return " && ";
    case Binary::or_:
      return " || ";
  }
  return "";
}

std::string_view spelling(Window::Kind kind) {
  switch (kind) {
    case Window::sum:
      return "sum(";
    case Window::prod:
      return "prod(";
    case Window::min:
      return "min(";
    case Window::max:
      return "max(";
  }
  return "";
}

std::string spelling(const Number& number) {
  if (number.integral) return std::to_string(number.integer);
  char buffer[32];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, number.value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Prints an expression from a list of work instead of by recursion: a sum may be ten thousand nodes
// deep.
class ExprPrinter {
 public:
  explicit ExprPrinter(std::string& out) : out_(out) {}

  void print(const ExprPtr& expr) {
    plan({expr.get()});
    while (!work_.empty()) {
      Piece piece = std::move(work_.back());
      work_.pop_back();
      if (piece.expr == nullptr) {
        out_ += piece.text;
      } else {
        std::visit([this](const auto& node) { expand(node); }, piece.expr->node);
      }
    }
  }

 private:
  struct Piece {
    Piece(const Expr* e) : expr(e) {}
    Piece(std::string_view t) : text(t) {}
    Piece(const char* t) : text(t) {}
    Piece(const std::string& t) : text(t) {}
    const Expr* expr = nullptr;
    std::string_view text;  // of the tree or a literal: outlives the work
  };

  void plan(std::vector<Piece> pieces) {
    work_.insert(work_.end(), pieces.rbegin(), pieces.rend());
  }

  void expand(const Number& number) { out_ += spelling(number); }
  void expand(const Bool& literal) { out_ += literal.value ? "true" : "false"; }
  void expand(const Name& name) { out_ += name.name; }
  void expand(const Access& access) {
    std::vector<Piece> pieces = {access.base.name, "["};
    list(pieces, access.args);
    pieces.push_back("]");
    plan(std::move(pieces));
  }
  void expand(const Unary& unary) {
    plan({unary.op == Unary::neg ? "(-" : "(!", unary.operand.get(), ")"});
  }
  void expand(const Binary& binary) {
    plan({"(", binary.left.get(), spelling(binary.op), binary.right.get(), ")"});
  }
  void expand(const Ternary& ternary) {
    plan({"(", ternary.condition.get(), " ? ", ternary.yes.get(), " : ", ternary.no.get(), ")"});
  }
  void expand(const Call& call) {
    std::vector<Piece> pieces = {call.function.name, "("};
    list(pieces, call.args);
    for (size_t i = 0; i < call.named.size(); ++i) {
      if (i > 0 || !call.args.empty()) pieces.push_back(", ");
      pieces.insert(pieces.end(), {call.named[i].name.name, " = ", call.named[i].value.get()});
    }
    pieces.push_back(")");
    plan(std::move(pieces));
  }
  void expand(const Window& window) {
    std::vector<Piece> pieces = {spelling(window.kind)};
    for (size_t i = 0; i < window.ranges.size(); ++i) {
      const WindowRange& range = window.ranges[i];
      if (i > 0) pieces.push_back(", ");
      pieces.insert(pieces.end(),
                    {range.variable.name, " in ", range.first.get(), "..", range.last.get()});
    }
    pieces.insert(pieces.end(), {" : ", window.body.get(), ")"});
    plan(std::move(pieces));
  }

  static void list(std::vector<Piece>& pieces, const std::vector<ExprPtr>& exprs) {
    for (size_t i = 0; i < exprs.size(); ++i) {
      if (i > 0) pieces.push_back(", ");
      pieces.push_back(exprs[i].get());
    }
  }

  std::string& out_;
  std::vector<Piece> work_;  // the next piece last
};

void print_exprs(std::string& out, const std::vector<ExprPtr>& exprs) {
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (i > 0) out += ", ";
    ExprPrinter(out).print(exprs[i]);
  }
}

void print_names(std::string& out, const std::vector<Ident>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ", ";
    out += names[i].name;
  }
}

void print_item(std::string& out, const Axes& axes) {
  out += "axes ";
  print_names(out, axes.names);
}

void print_item(std::string& out, const Params& params) {
  out += "param " + params.type.name;
  for (size_t i = 0; i < params.decls.size(); ++i) {
    out += (i > 0 ? ", " : " ") + params.decls[i].name.name;
    if (params.decls[i].init == nullptr) continue;
    out += " = ";
    ExprPrinter(out).print(params.decls[i].init);
  }
}

void print_item(std::string& out, const Const& constant) {
  out += "const " + constant.type.name + " " + constant.name.name;
  if (constant.extents.empty()) {
    out += " = ";
    print_exprs(out, constant.values);
    return;
  }
  for (size_t i = 0; i < constant.extents.size(); ++i) {
    out += i > 0 ? ", " : "[";
    ExprPrinter(out).print(constant.extents[i].first);
    out += "..";
    ExprPrinter(out).print(constant.extents[i].last);
  }
  out += "] = { ";
  print_exprs(out, constant.values);
  out += " }";
  if (constant.divisor == nullptr) return;
  out += " / ";
  ExprPrinter(out).print(constant.divisor);
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
  if (!fields.has_boundary) return;
  out += " boundary " + fields.boundary.kind.name;
  if (fields.boundary.value == nullptr) return;
  out += " ";
  ExprPrinter(out).print(fields.boundary.value);
}

void print_item(std::string& out, const Let& let) {
  out += "let " + let.name.name + " = ";
  ExprPrinter(out).print(let.value);
}

void print_item(std::string& out, const Update& update) {
  out += update.target.name;
  if (update.has_args) {
    out += "[";
    print_exprs(out, update.args);
    out += "]";
  }
  out += " = ";
  ExprPrinter(out).print(update.value);
}

void print_item(std::string& out, const Function& function) {
  out += "fn " + function.name.name + "(";
  print_names(out, function.params);
  out += ") = ";
  ExprPrinter(out).print(function.value);
}

}  // namespace

std::string print(const Program& program) {
  std::string out;
  for (const Function& function : program.functions) {
    print_item(out, function);
    out += ";\n";
  }
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
