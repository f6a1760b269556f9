#include "sema/symbols/scope.h"

namespace stencilc::sema {

std::vector<std::string> Scope::names() const {
  std::vector<std::string> result;
  for (const auto& [name, symbol] : symbols) result.push_back(name);
  return result;
}

}  // namespace stencilc::sema
