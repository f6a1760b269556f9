#include <charconv>
#include <string_view>

#include "ast/print.h"

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

// Prints an expression from a list of pending pieces instead of by recursion, because a sum can be
// ten thousand nodes deep.
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
    std::string_view text;  // a literal or part of the tree, which outlives the printer
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

}  // namespace

void print(std::string& out, const ExprPtr& expr) { ExprPrinter(out).print(expr); }

}  // namespace stencilc::ast
