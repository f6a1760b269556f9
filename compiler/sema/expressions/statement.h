// Counts what the evaluation of one statement builds and takes, and holds what was reported for it.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "diag/diagnostic.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

class Statement {
 public:
  explicit Statement(diag::Engine& engine) : engine_(engine) {}

  // The next statement. `changed`: the field that it updates in place, after earlier statements
  // assigned it; reads of it at the cell see their result. -1: none.
  void start(int changed);
  int changed() const { return changed_; }
  int change(int field) { return std::exchange(changed_, field); }  // the one before

  // False after an error: the statement is too large, or too much was evaluated for it.
  bool check_size(const Operand& operand, const ast::Range& at, int64_t size = 1);
  bool check_work(const ast::Range& at);
  bool check_height(const Operand& operand, const ast::Range& at);
  // The operations of a value when it is written out, with shared parts counted each time.
  static int64_t size_of(const Operand& operand);

  // Whether this is the first report with this code and name in the statement.
  bool first(diag::Code code, const std::string& name) {
    return told_.emplace(code.number, name).second;
  }

 private:
  bool check_limit(int64_t& count, int64_t more, int64_t limit, const char* text,
                   const ast::Range& at);

  diag::Engine& engine_;
  int changed_ = -1;
  int64_t built_ = 0;                                // nodes
  int64_t work_ = 0;                                 // evaluated expressions
  std::set<std::pair<uint16_t, std::string>> told_;  // code and name of what was reported
};

}  // namespace stencilc::sema
