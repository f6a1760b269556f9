// What is remembered of runs that agreed, and what makes them run again.
#include "run/agreed.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "run/programs.h"

namespace stencilc::run_test {
namespace {

namespace fs = std::filesystem;

driver::Compiled one_cell(const std::string& value) {
  std::string problem;
  auto result = compile(
      {"agreed", "", "stencil s { axes x; field f32 u boundary clamp; u[t+1] = " + value + "; }"},
      plan::Target::cuda, "naive", "", problem);
  if (!result) throw std::runtime_error(problem);
  return std::move(*result);
}

// The variable as it is for so long.
class InFolder {
 public:
  explicit InFolder(const char* folder) {
    if (const char* old = std::getenv(kName)) old_ = old;
    setenv(kName, folder, 1);
  }
  ~InFolder() { old_.empty() ? unsetenv(kName) : setenv(kName, old_.c_str(), 1); }

 private:
  static constexpr const char* kName = "STENCILC_AGREED";
  std::string old_;
};

TEST(Agreed, IsKnownUntilAnythingOfItChanges) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/run/agreed_test";
  fs::remove_all(folder);
  const InFolder here(folder.c_str());
  const std::vector<driver::Case> cases = {{{13}, 2, "random", 1}};
  const driver::Compiled program = one_cell("0.5*u[x-1]");
  const Agreed agreed("late");
  EXPECT_FALSE(agreed.has(program, cases));
  agreed.add(program, cases);
  EXPECT_TRUE(agreed.has(program, cases));
  EXPECT_TRUE(Agreed("late").has(program, cases));

  EXPECT_FALSE(Agreed("at once").has(program, cases));
  EXPECT_FALSE(agreed.has(one_cell("0.5*u[x+1]"), cases));
  EXPECT_FALSE(agreed.has(program, {{{13}, 3, "random", 1}}));
  EXPECT_FALSE(agreed.has(program, {{{13}, 2, "random", 2}}));
  EXPECT_FALSE(agreed.has(program, {}));
  // Either side of the comparison alone.
  driver::Compiled other = program;
  other.source += '\n';
  EXPECT_FALSE(agreed.has(other, cases));
  other = program;
  other.host_call += '\n';
  EXPECT_FALSE(agreed.has(other, cases));
  other = program;
  other.stencil.fields[0].boundary.sides[0][1].edge = ir::Edge::reflect;
  EXPECT_FALSE(agreed.has(other, cases));
}

TEST(Agreed, NothingIsRememberedWithoutAFolder) {
  const InFolder none("");
  const Agreed agreed("late");
  agreed.add(one_cell("u"), {});
  EXPECT_FALSE(agreed.has(one_cell("u"), {}));
}

}  // namespace
}  // namespace stencilc::run_test
