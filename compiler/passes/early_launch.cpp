#include "passes/early_launch.h"

#include <algorithm>
#include <variant>

namespace stencilc::passes {
namespace {

bool waits(const kernel::Body& body) {
  return std::ranges::any_of(body, [](const kernel::Stmt& stmt) {
    return std::holds_alternative<kernel::Follow>(stmt.node);
  });
}

}  // namespace

void wait_for_previous_launch(kernel::Module& module) {
  for (kernel::Launch& launch : module.launches) {
    kernel::Body& body = launch.kernel.body;
    if (launch.kernel.early && !waits(body)) body.insert(body.begin(), {kernel::Follow{}});
  }
}

}  // namespace stencilc::passes
