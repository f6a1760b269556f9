// Builds expression trees from operands and operators in the order of the text; it knows the
// precedence of operators.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"

namespace stencilc::parse {

inline constexpr int max_nesting = 256;         // of brackets, prefix operators, `^` and `?:`
inline constexpr size_t max_nodes = 2'000'000;  // of all expressions of a file
inline constexpr uint32_t max_height = 10'000;  // of an expression tree: the terms of one sum

// An expression under construction. `at` includes the parentheses around it, `expr->at` does not.
struct Operand {
  ast::ExprPtr expr;
  diag::Range at;
  uint32_t height = 1;
  enum { no_comparison, comparison, refused_comparison } kind = no_comparison;  // unparenthesised
  uint32_t right_begin = 0;  // of a comparison: where its right side starts
};

// An open bracket, with the name before it and the number of operands before it.
struct Bracket {
  char spelling = '(';
  diag::Range at;
  ast::Ident before;  // u of u[...], sqrt of sqrt(...); or nothing
  size_t operands = 0;
  std::vector<ast::NamedArg> named;
  std::vector<ast::WindowRange> ranges;
};

// Functions that return bool do nothing and return false when a limit is reached.
class Expressions {
 public:
  Expressions(std::string_view text, diag::Engine& engine) : text_(text), engine_(engine) {}

  void begin_chain();
  void end_chain();  // leaves one operand for everything since begin_chain
  [[nodiscard]] bool prefix(std::string_view spelling, diag::Range at);
  [[nodiscard]] bool infix(std::string_view spelling, diag::Range at);
  [[nodiscard]] bool begin_choice();
  void end_choice();  // condition, yes, no

  [[nodiscard]] bool open(char spelling, diag::Range at, ast::Ident before);
  Bracket close();
  const std::vector<Bracket>& open_brackets() const { return brackets_; }
  Bracket& innermost() { return brackets_.back(); }

  // Replaces the operands from index `from` on by a new operand.
  void push(diag::Range at, decltype(ast::Expr::node) node, size_t from);
  void push(diag::Range at, decltype(ast::Expr::node) node) { push(at, std::move(node), count()); }
  void parenthesise(diag::Range at);  // the last operand
  size_t count() const { return operands_.size(); }
  ast::ExprPtr pop();
  std::vector<ast::ExprPtr> list(size_t from) const;
  std::vector<ast::ExprPtr> take(size_t from);  // and removes them from the list

  bool too_high() const { return too_high_; }
  bool too_many() const { return nodes_ > max_nodes; }
  bool refused() const { return refused_; }  // an error makes the statement unusable
  void reset();                              // forgets the statement after its end or an error

 private:
  struct Operator {
    enum Kind { chain, minus, plus, not_, infix } kind;
    ast::Binary::Op op = ast::Binary::add;
    diag::Range at;
  };

  void reduce();
  void reduce_infix(const Operator& op);
  void refuse_chained_comparison(const Operator& op, const Operand& left, const Operand& right);
  [[nodiscard]] bool descend();

  std::string_view text_;
  diag::Engine& engine_;
  std::vector<Operand> operands_;
  std::vector<Operator> operators_;
  std::vector<Bracket> brackets_;
  int nesting_ = 0;
  size_t nodes_ = 0;
  bool too_high_ = false;
  bool refused_ = false;
};

}  // namespace stencilc::parse
