// What statements do, as far as it says whether they may run twice: fast_division.cpp asks.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "kernel/kernel.h"

namespace stencilc::passes {

// In f32 or f64. Divisions by powers of two, which are products, are none.
bool is_division(const kernel::Expr& expr);
bool is_root(const kernel::Expr& expr);

struct Effects {
  using Names = std::unordered_set<std::string>;

  bool repeats = true;  // nothing that has to run once, or in all lanes of a warp at once
  int operations = 0;   // divisions and roots
  Names declared, assigned, read;
  Names divided;  // variables and arrays whose values divisions or roots take part in
  std::vector<const kernel::Store*> stores;  // in the statements seen, which stay where they are
  std::vector<const kernel::Load*> loads;

  // Does a division or root take part in the value?
  bool see(const kernel::ExprPtr& expr);
  void see(const kernel::Body& body);
  void see(const kernel::Stmt& stmt);
  void see(const kernel::For& loop);

  // The first, by name, of the variables from outside that are both assigned and read; empty: none.
  std::string updated() const;
  // May a store change what is read?
  bool overwrites() const;
  bool may_run_twice() const { return repeats && updated().empty() && !overwrites(); }
  // Registers that hold what is read of arrays and stored to them.
  int held() const;
  // Are these never the same row?
  bool apart(const kernel::ExprPtr& a, const kernel::ExprPtr& b) const;

 private:
  void see_writes(const std::string& name, bool divided_value);

  int under_divided_ = 0;  // conditions around that divisions or roots take part in
};

// May all passes of a loop over `v` do what `first` is of, and then all what `second` is of? Where
// both touch an array it is at a place that is another one in each pass, or in other rows.
bool may_part(const Effects& first, const Effects& second, const std::string& v);

}  // namespace stencilc::passes
