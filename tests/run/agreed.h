// Which runs have agreed with the interpreter, remembered in the build folder: as long as nothing
// that decides about it changes, nobody runs them again.
//
// That is the stencil's IR, all emitted texts and the grids; the executor, the interpreter, the
// comparison and the runtime headers, of which the program stencilc-judges holds all that is
// called; and what the tests themselves do with them. A change of the compiler that gives a program
// another text runs this program again, and one that gives all the same text runs none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/verify/cases.h"

namespace stencilc::run_test {

class Agreed {
 public:
  // `how`: what else the run depends on, as the command of a compiler. Where STENCILC_AGREED is not
  // in the environment, nothing is remembered.
  explicit Agreed(const std::string& how);
  bool has(const driver::Compiled& compiled, const std::vector<driver::Case>& cases) const;
  void add(const driver::Compiled& compiled, const std::vector<driver::Case>& cases) const;

 private:
  std::filesystem::path file_of(const driver::Compiled& compiled,
                                const std::vector<driver::Case>& cases) const;
  std::filesystem::path folder_;  // empty: there is none
  std::string surroundings_;
};

}  // namespace stencilc::run_test
