#include "run/agreement.h"

#include <gtest/gtest.h>

#include <map>

#include "diag/fnv.h"
#include "driver/verify/compare.h"
#include "run/agreed.h"
#include "run/covering.h"
#include "run/programs.h"

namespace stencilc::run_test {

void expect_agreement(const driver::Compiled& program, const std::vector<driver::Case>& cases,
                      const std::string& what) {
  const Agreed agreed("late");
  if (agreed.has(program, cases)) return;
  const driver::Machine machine = driver::execute(program, true, true);
  ASSERT_TRUE(machine.call) << machine.problem << "\n" << what;
  bool good = true;
  for (const driver::Case& test : cases) {
    const std::string difference = driver::compare(program, machine, test, 0);
    good &= difference.empty();
    EXPECT_EQ(difference, "") << what << ", " << driver::print(test);
  }
  if (good) agreed.add(program, cases);
}

void expect_agreement(const std::string& text, const std::string& schedule,
                      const std::function<bool(const kernel::Module&)>& is_meant) {
  std::string problem;
  auto program = compile({"program", "", text}, plan::Target::cuda, schedule, "", problem);
  ASSERT_TRUE(program) << problem;
  // One width of indices takes half the time to compile; of four programs one has 64 bits.
  fix_index(program->source, diag::fnv1a(schedule + text) % 4 == 0);
  ASSERT_EQ(program->module.why_one, "") << text;
  ASSERT_TRUE(!is_meant || is_meant(program->module)) << text;
  const std::vector<driver::Case> cases =
      kAllTests ? driver::awkward_cases(*program, 1)
                : cases_of(*program, diag::fnv1a(text + schedule) % 64);
  expect_agreement(*program, cases, text + "\n" + schedule);
}

std::vector<std::string> some(const std::vector<std::string>& boundaries,
                              std::source_location from) {
  if (kAllTests) return boundaries;
  const auto way_of = [](const std::string& boundary) {
    const std::string kind = boundary.substr(0, boundary.find(' '));
    if (kind == "clamp" || kind == "reflect" || kind == "mirror") return std::string("index");
    if (kind == "zero" || kind == "constant" || kind == "expr") return std::string("value");
    if (kind == "fixed" || kind == "none") return std::string("stays");
    if (kind == "antireflect" || kind == "neumann") return std::string("computed");
    return kind;
  };
  std::map<std::string, std::vector<std::string> > ways;
  for (const std::string& boundary : boundaries) ways[way_of(boundary)].push_back(boundary);
  std::vector<std::string> list;
  for (const auto& [way, kinds] : ways) list.push_back(kinds[from.line() % kinds.size()]);
  return list;
}

}  // namespace stencilc::run_test
