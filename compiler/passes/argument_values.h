// Arguments of functions that are values of their own: equal ones get one number and one name.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "ir/label.h"
#include "ir/node_map.h"

namespace stencilc::passes {

class ArgumentValues {
 public:
  explicit ArgumentValues(const ir::Stencil& stencil);

  // The value that the argument is; `canonical` is its expression at its cell. Values are equal if
  // their expressions are, seen from their cells.
  ir::ExprPtr value(const ir::Named& argument, const ir::ExprPtr& canonical);

 private:
  int number(const ir::ExprPtr& expr, const ir::Offset& cell);
  std::string unused_name(const std::string& wanted);

  const ir::Stencil& stencil_;
  std::map<ir::Offset, ir::NodeMap<int>> known_;  // by cell
  std::unordered_map<std::vector<int64_t>, int, ir::LabelHash> numbers_;
  std::vector<ir::ExprPtr> keep_;                           // what known_ points at stays alive
  std::map<int, std::pair<int, std::string>> values_;       // by number of the expression
  std::map<std::pair<int, ir::Offset>, ir::ExprPtr> made_;  // by value and cell
  std::set<std::string> names_;                             // of fields, lets and values
};

}  // namespace stencilc::passes
