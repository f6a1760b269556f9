// What the compiler prints of generated programs is laid out as Clang's formatter lays it out, and
// Clang has nothing to say about it.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/plugin/plugin.h"
#include "driver/execute/library.h"
#include "run/all_tests.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

class Layout : public testing::TestWithParam<plan::Target> {};

TEST_P(Layout, OfGeneratedProgramsIsClangs) {
  std::string why_not;
  const check::CheckApi* api = check::load_check_api(why_not);
  ASSERT_NE(api, nullptr) << why_not;
  const bool cpu = GetParam() == plan::Target::cpu;
  constexpr uint64_t last = kAllTests ? 60 : 24;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    const Program program = seeded_program(seed, false);
    std::string problem;
    const auto compiled = compile(program, GetParam(), "", "", problem);
    ASSERT_TRUE(compiled) << problem;
    check::Source source{compiled->module.file + (cpu ? ".cpp" : ".cu"), compiled->source, {}, {}};
    source.files.push_back({compiled->module.header, compiled->header});
    driver::add_runtime_files(source.files);
    source.prelude = cpu ? "#include <stencil/cpu.h>\n" : "#include <stencil/cuda.h>\n";
    for (const std::string& finding : api->format_findings(compiled->source))
      ADD_FAILURE() << program.name << ": " << finding << "\n" << program.text;
    // A program that compares a value with itself, or a bool with 3, says so itself.
    const std::vector<std::string> findings = api->syntax_findings(source);
    const bool tautology = std::any_of(findings.begin(), findings.end(), [](const auto& finding) {
      return finding.find("always evaluate") != std::string::npos ||
             finding.find("is always") != std::string::npos;
    });
    for (const std::string& finding : tautology ? std::vector<std::string>() : findings)
      ADD_FAILURE() << program.name << ": " << finding << "\n" << program.text;
  }
}

INSTANTIATE_TEST_SUITE_P(targets, Layout, testing::Values(plan::Target::cuda, plan::Target::cpu));

}  // namespace
}  // namespace stencilc::run_test
