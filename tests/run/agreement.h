// What tests of a form of schedules have in common.
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "driver/verify/cases.h"
#include "kernel/module.h"
#include "run/all_tests.h"

namespace stencilc::run_test {

// The program under the schedule takes the steps it is asked for in one launch, and gives the bits
// of the interpreter on the executor, on grids of the awkward sizes; in a short run on those of
// cases_of(). `is_meant`: has the module the
// form that the test is about?
void expect_agreement(const std::string& text, const std::string& schedule,
                      const std::function<bool(const kernel::Module&)>& is_meant = nullptr);

// What is compiled already, on these grids; `what` goes with a difference.
void expect_agreement(const driver::Compiled& program, const std::vector<driver::Case>& cases,
                      const std::string& what);

// Of the boundaries those that a short run takes. tests/run/covering.txt has every boundary with
// every strategy; what the other tests add is the shape of their programs, and to that a boundary
// is one of a few ways of making what lies outside the grid: an index that stands for another, one
// that goes round, a given value, cells that stay as they are, a value computed from the boundary.
// One of each way is taken, another one at another line of the tests. ./scripts/test --all takes
// all of them.
std::vector<std::string> some(const std::vector<std::string>& boundaries,
                              std::source_location from = std::source_location::current());

// Calls `with` for each of some() of the boundaries and each of the values; in a short run for
// every second pair of them, so that each boundary and each value comes up.
template <class Values, class With>
void for_each_pair(const std::vector<std::string>& boundaries, const Values& values,
                   const With& with, std::source_location from = std::source_location::current()) {
  constexpr size_t every = kAllTests ? 1 : 2;
  size_t first = from.line();
  for (const std::string& boundary : some(boundaries, from)) {
    size_t at = first++;
    for (const auto& value : values)
      if (at++ % every == 0) with(boundary, value);
  }
}

}  // namespace stencilc::run_test
