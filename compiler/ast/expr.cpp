#include <utility>
#include <vector>

#include "ast/ast.h"

namespace stencilc::ast {
namespace {

// A sum of ten thousand terms is ten thousand nodes deep, and destructors that call each other
// would overflow the stack. A node that dies during the destruction of another one is queued, so
// the depth stays constant.
void destroy(const Expr* expr) {
  thread_local std::vector<const Expr*> dying;
  thread_local bool running = false;
  dying.push_back(expr);
  if (running) return;
  running = true;
  while (!dying.empty()) {
    const Expr* next = dying.back();
    dying.pop_back();
    delete next;
  }
  running = false;
}

}  // namespace

ExprPtr make(Range at, decltype(Expr::node) node) {
  return ExprPtr(new Expr{at, std::move(node)}, destroy);
}

}  // namespace stencilc::ast
