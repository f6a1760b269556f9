// The number of the step within a launch of several.
#pragma once

#include <string>

#include "lower/context/context.h"

namespace stencilc::lower {

// While it lives, the number of the step is that of t+k: it is declared where values need it.
class AtStep {
 public:
  AtStep(Context& context, const kernel::ExprPtr& k, Names& names, kernel::Body& body);
  ~AtStep() { context_.time = first_; }
  AtStep(const AtStep&) = delete;
  AtStep& operator=(const AtStep&) = delete;

 private:
  Context& context_;
  const std::string first_;
};

}  // namespace stencilc::lower
