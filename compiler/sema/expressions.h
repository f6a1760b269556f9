// Evaluates expressions of the syntax tree to IR.
//
// Evaluation happens at a displacement: `lap[x+1]` evaluates the expression of the let with every
// read shifted by one cell. The bodies of operators and functions are displaced in the same way.
// Window variables and function arguments are in a Frame.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "sema/differences.h"
#include "sema/scope.h"

namespace stencilc::sema {

struct Frame {
  struct Binding {
    std::string name;
    bool is_number = false;
    int64_t number = 0;     // a window variable
    ast::ExprPtr argument;  // or a function argument, evaluated in the frame of the caller
    const Frame* caller = nullptr;
  };
  ir::Offset shift = {};
  std::vector<Binding> bindings;
  const Frame* outer = nullptr;   // variables of enclosing windows; null in a function body
  const Frame* caller = nullptr;  // of the function with this body
  const ast::Function* function = nullptr;  // null outside functions
  int depth = 0;                            // of function calls
};

class Expressions {
 public:
  // `broken`: functions with a reported error, so that it is reported once and not for each call.
  Expressions(Scope& scope, std::set<const ast::Function*>& broken, diag::Engine& engine)
      : scope_(scope), broken_(broken), engine_(engine) {}

  // If both arms of ?: are literals, the operand stays a literal and takes the type `want`.
  Operand evaluate(const ast::ExprPtr& expr, const Frame& frame, std::optional<ir::Type> want = {});

  // A bool for every cell; null after an error.
  ir::ExprPtr condition(const ast::ExprPtr& expr);

  // The operand as a value of the declared type of a field, param or const. Reports narrowing and
  // literals out of range.
  ir::ExprPtr assign(const Operand& operand, ir::Type type, const ast::Range& at,
                     const std::string& target);

  // Compile-time values; nothing, after an error, if the expression is not constant. `what`
  // completes "... is not constant".
  std::optional<int64_t> constant_integer(const ast::ExprPtr& expr, const Frame& frame,
                                          const std::string& what);
  std::optional<Literal> constant_number(const ast::ExprPtr& expr, const Frame& frame,
                                         const std::string& what);

  // A literal as a constant of `type`; reports if it does not fit.
  std::optional<ir::Constant> adopt(const Literal& literal, ir::Type type, const ast::Range& at);

  // u[x-1, t+1]: the displacement and the time index; nothing after an error. `field`: the field
  // that is read, which may lack axes.
  struct Site {
    ir::Offset offset = {};
    int time = 0;
  };
  std::optional<Site> site(const std::vector<ast::ExprPtr>& args, const ast::Range& at,
                           const Frame& frame, const ir::Field* field = nullptr);

  // `changed`: the field that this statement updates in place, after earlier statements assigned
  // it; reads of it at the cell see their result. -1: none.
  void start_statement(int changed = -1) {
    built_ = work_ = 0;
    told_.clear();
    walked_.clear();
    results_.clear();
    changed_ = changed;
  }

 private:
  struct SiteArg {
    enum Kind { number, axis, time, failed } kind = failed;
    int axis_index = 0;
    int64_t offset = 0;
  };

  Operand node(const ast::Number& number, const ast::Expr& expr, const Frame&,
               std::optional<ir::Type>);
  Operand node(const ast::Bool& value, const ast::Expr&, const Frame&, std::optional<ir::Type>);
  Operand node(const ast::Name& name, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Access& access, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Unary& unary, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Binary& binary, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Ternary& ternary, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Call& call, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);
  Operand node(const ast::Window& window, const ast::Expr& expr, const Frame& frame,
               std::optional<ir::Type>);

  // reads, in reads.cpp
  SiteArg site_arg(const ast::ExprPtr& arg, const Frame& frame);
  bool check_offset(int64_t offset, const ast::Range& at);
  bool check_axis(const ir::Field* field, int axis, const ast::Range& at);
  std::optional<int> level(int field, int time, const ast::Range& at);
  bool check_boundary(int field, const ir::Offset& offset, const ast::Range& at);
  Operand read_series(int series, const std::vector<ast::ExprPtr>& args, const ast::Range& at,
                      const Frame& frame);
  Operand read_reduction(int reduction, const ast::Range& at);
  Operand read_field(int field, const Site& site, const ast::Range& at, const Frame& frame);
  Operand read_let(int let, const Site& site, const ast::Range& at, const Frame& frame);
  Operand read_weights(int weights, const std::vector<ast::ExprPtr>& args, const ast::Range& at,
                       const Frame& frame);
  Operand read_argument(const Frame::Binding& binding, const ir::Offset& offset,
                        const Frame& frame);
  const Frame::Binding* find_binding(const std::string& name, const Frame& frame) const;
  Symbol* find_symbol(const ast::Ident& ident, const char* declared, const Frame& frame);
  bool check_declared(const ast::Ident& ident);  // of a name in an offset

  // operators, in operators.cpp and conversions.cpp
  Operand arithmetic(ir::Op op, const Operand& a, const Operand& b, const ast::Range& at);
  Operand literal_arithmetic(ir::Op op, const Literal& a, const Literal& b, const ast::Range& at);
  Operand power(const Operand& base, const ast::ExprPtr& exponent, const ast::Range& at,
                const Frame& frame);
  Operand compare(ir::Op op, const Operand& a, const Operand& b, const ast::Range& at);
  Operand logic(ir::Op op, const std::vector<Operand>& args, const std::vector<ast::Range>& at);
  Operand extremum(ir::Op op, const Operand& a, const Operand& b, const ast::Range& at,
                   std::optional<ir::Type> want);
  ir::Type chosen_type(const Operand& a, const Operand& b, std::optional<ir::Type> want) const;
  ir::ExprPtr in_type(const Operand& operand, ir::Type type, const ast::Range& at);
  ir::Type common_type(const Operand& a, const Operand& b) const;

  // calls, in calls.cpp
  // A function, a field that is changed, the displacement of its body, and the numbers that are its
  // arguments.
  using FunctionCall = std::tuple<const ast::Function*, int, ir::Offset,
                                  std::vector<std::tuple<bool, int64_t, double>>>;
  std::optional<FunctionCall> known_call(const ast::Function& function, const ast::Call& call,
                                         const Frame& frame) const;
  std::optional<Literal> known_number(const ast::ExprPtr& expr, const Frame& frame,
                                      int depth) const;
  Operand call_function(const ast::Function& function, const ast::Call& call, const ast::Range& at,
                        const Frame& frame);
  Operand call_cast(ir::Type type, bool saturate, const ast::Call& call, const Frame& frame);
  Operand call_math(ir::Op op, const ast::Call& call, const Frame& frame,
                    std::optional<ir::Type> want);
  bool check_arity(const ast::Call& call, size_t count, const std::string& shape);
  bool check_count(const ast::Call& call, size_t count, const std::string& shape);

  // finite differences, in operator_calls.cpp
  struct WeightedOffset;
  std::vector<int> difference_axes(const std::string& name) const;  // for dx, dxy; otherwise empty
  std::vector<std::string> difference_names() const;
  Operand laplacian(const ast::Call& call, const ast::Range& at, const Frame& frame);
  Operand derivative(const std::vector<int>& axes, const ast::Call& call, const ast::Range& at,
                     const Frame& frame);
  Operand upwind_difference(const ast::NamedArg& upwind, int order, int axis,
                            const ast::ExprPtr& value, const ast::Range& at, const Frame& frame);
  Operand along_axis(const Difference& difference, int axis, const ast::ExprPtr& value,
                     const ast::Range& at, const Frame& frame);
  Operand weighted_sum(const std::vector<WeightedOffset>& terms, const ast::ExprPtr& value,
                       const ast::Range& at, const Frame& frame);
  bool check_named(const ast::Call& call, std::initializer_list<std::string_view> known,
                   const std::string& shape);
  bool check_form(const ast::Call& call, const std::vector<int>& axes);
  std::optional<int> difference_order(const ast::Call& call, bool sided, const Frame& frame);
  std::optional<int> difference_side(const ast::NamedArg& arg, double unit, const std::string& help,
                                     const Frame& frame);

  // False after an error: the statement is too large, or too much was evaluated for it.
  bool check_size(const Operand& operand, const ast::Range& at, int64_t size = 1);
  bool check_work(const ast::Range& at);
  bool check_limit(int64_t& count, int64_t more, int64_t limit, const char* text,
                   const ast::Range& at);
  // The operations of a value when it is written out, with shared parts counted each time.
  static int64_t size_of(const Operand& operand);
  bool check_height(const Operand& operand, const ast::Range& at);
  // Whether this is the first report with this code and name in the statement.
  bool first(diag::Code code, const std::string& name) {
    return told_.emplace(code.number, name).second;
  }

  // Reports further undeclared names in an expression after the first one. `bound`: the variables
  // of windows around it. In unknown_names.cpp.
  void report_unknown_names(const ast::ExprPtr& expr, const Frame& frame,
                            std::vector<std::string> bound = {});
  void report_unknown_names_in_index(const ast::ExprPtr& expr, const Frame& frame,
                                     const std::vector<std::string>& bound);
  Operand unknown_function(const ast::Ident& function);

  Operand fail() const { return {}; }

  Scope& scope_;
  std::set<const ast::Function*>& broken_;
  diag::Engine& engine_;
  int changed_ = -1;                       // see start_statement()
  int64_t built_ = 0;                      // nodes built for the current statement
  int64_t work_ = 0;                       // calls of evaluate() for it
  std::set<const ast::Function*> walked_;  // see report_unknown_names()
  // Results of functions of numbers in this statement, which a window calls often.
  std::map<FunctionCall, std::pair<Operand, int64_t>> results_;  // with the size of each
  int depth_ = 0;                                                // nested calls of evaluate()
  std::set<std::pair<uint16_t, std::string>> told_;  // code and name of what was reported for it
};

bool is_zero(const Operand& operand);  // a literal or constant 0
Operand literal_integer(int64_t value);
Operand literal_real(double value, std::optional<ir::Fraction> exact);
Operand typed(ir::ExprPtr expr);

}  // namespace stencilc::sema
