// What statements do, as far as it says whether they may run twice: fast_division.cpp asks.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace stencilc::passes {

// In f32 or f64. Divisions by powers of two, which are products, are none.
bool is_division(const kernel::Expr& expr);
bool is_root(const kernel::Expr& expr);

struct Effects {
  bool repeats = true;  // nothing that has to run once, or in all lanes of a warp at once
  int operations = 0;   // divisions and roots
  std::set<std::string> declared, assigned, read;
  std::set<std::string>
      divided;  // variables and arrays whose values divisions or roots take part in
  std::vector<kernel::Store> stores;
  std::vector<kernel::Load> loads;
  std::set<const kernel::Expr*> compared_to_zero;

  void see(const kernel::ExprPtr& expr);
  void see(const kernel::Body& body);
  void see(const kernel::Stmt& stmt);

  // A variable from outside that is both assigned and read; empty: none.
  std::string updated() const;
  // May a store change what is read?
  bool overwrites() const;
  bool may_run_twice() const { return repeats && updated().empty() && !overwrites(); }
  // Registers that hold what is read of arrays and stored to them.
  int held() const;
  // Are these never the same row?
  bool apart(const kernel::ExprPtr& a, const kernel::ExprPtr& b) const;

 private:
  bool divides(const kernel::ExprPtr& expr) const;
  void see_writes(const std::string& name, bool divided_value);

  int under_divided_ = 0;  // conditions around that divisions or roots take part in
};

// May all passes of a loop over `v` do what `first` is of, and then all what `second` is of? Where
// both touch an array it is at a place that is another one in each pass, or in other rows.
bool may_part(const Effects& first, const Effects& second, const std::string& v);

}  // namespace stencilc::passes
