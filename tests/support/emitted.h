// Files that are made of texts, and their judges.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "driver/pipeline/compile.h"
#include "support/cli.h"

namespace stencilc::testing {

inline driver::CompileOptions options_for(plan::Target target, bool standalone = false) {
  driver::CompileOptions options;
  options.target = target;
  options.standalone = standalone;
  return options;
}
inline driver::Compiled emitted(const std::string& text, driver::CompileOptions options = {},
                                const std::string& name = "in.stn") {
  if (options.file.empty()) options.file = "out";
  options.command = "stencilc " + name;
  diag::Engine engine;
  auto compiled = driver::compile({{name, text}}, options, engine);
  EXPECT_TRUE(compiled) << (engine.all().empty() ? "" : engine.all()[0].text);
  return compiled ? std::move(*compiled) : driver::Compiled{};
}

inline void expect_builds(const test::Workplace& here, const std::string& command) {
  const test::Finished built = here.shell(command);
  EXPECT_EQ(built.status, 0) << command << "\n" << built.err.substr(0, 3000);
}
// C++ for the CPU has nothing to be warned of.
inline void expect_parses(const test::Workplace& here, const std::string& file) {
  expect_builds(here, "g++ -std=c++20 -Wall -Wextra -Werror -fopenmp -fsyntax-only " + file);
}

}  // namespace stencilc::testing
