// What tests of a form of schedules have in common.
#pragma once

#include <functional>
#include <string>

#include "kernel/module.h"

namespace stencilc::run_test {

// The program under the schedule takes the steps it is asked for in one launch, and gives the bits
// of the interpreter on the executor, on grids of the awkward sizes. `is_meant`: has the module the
// form that the test is about?
void expect_agreement(const std::string& text, const std::string& schedule,
                      const std::function<bool(const kernel::Module&)>& is_meant = nullptr);

}  // namespace stencilc::run_test
