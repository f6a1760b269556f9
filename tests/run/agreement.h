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

// Calls `with` for each row and each column. Where there is not the time for all of them (see
// scripts/test), for every second pair: each row and each column comes up.
template <class Rows, class Columns, class With>
void for_each_pair(const Rows& rows, const Columns& columns, const With& with) {
#ifdef STENCILC_ALL_TESTS
  constexpr size_t every = 1;
#else
  constexpr size_t every = 2;
#endif
  size_t first = 0;
  for (const auto& row : rows) {
    size_t at = first++;
    for (const auto& column : columns)
      if (at++ % every == 0) with(row, column);
  }
}

}  // namespace stencilc::run_test
