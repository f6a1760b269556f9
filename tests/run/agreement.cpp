#include "run/agreement.h"

#include <gtest/gtest.h>

#include "driver/compare.h"
#include "run/programs.h"

namespace stencilc::run_test {

void expect_agreement(const std::string& text, const std::string& schedule,
                      const std::function<bool(const kernel::Module&)>& is_meant) {
  std::string problem;
  const auto program = compile({"program", "", text}, plan::Target::cuda, schedule, "", problem);
  ASSERT_TRUE(program) << problem;
  ASSERT_EQ(program->module.why_one, "") << text;
  ASSERT_TRUE(!is_meant || is_meant(program->module)) << text;
  const driver::Machine machine = driver::execute(*program, true, true);
  ASSERT_TRUE(machine.call) << machine.problem;
  for (const driver::Case& test : driver::awkward_cases(*program, 1))
    EXPECT_EQ(driver::compare(*program, machine, test, 0), "")
        << text << "\n"
        << schedule << ", " << driver::print(test);
}

}  // namespace stencilc::run_test
