// Programs for pieces of a grid: legs of one piece after the other, with an exchange of planes
// between them, give the bits that the interpreter gives the whole grid, wherever it is cut.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "driver/system/files.h"
#include "driver/verify/compare.h"
#include "run/all_tests.h"
#include "run/batch.h"
#include "run/covering.h"

namespace stencilc::run_test {
namespace {

struct Cut {
  std::string what;
  driver::Compiled program;
  std::vector<driver::Case> cases;
};

void run_cut(std::vector<Cut>& members, plan::Target target) {
  if (members.empty()) return;
  std::vector<const driver::Compiled*> programs;
  for (const Cut& one : members) programs.push_back(&one.program);
  const Batch batch =
      target == plan::Target::cuda
          ? execute_batch(programs)
          : build_batch(programs,
                        std::filesystem::path(STENCILC_BINARY_DIR) / "tests/run/pieces" /
                            programs[0]->module.file,
                        unoptimized(driver::compiler_for(plan::Target::cpu, {})), {}, true);
  ASSERT_EQ(batch.problem, "");
  for (size_t m = 0; m < members.size(); ++m) {
    if (target == plan::Target::cuda) batch.machines[m].set_mode(true, true);
    for (const driver::Case& test : members[m].cases)
      EXPECT_EQ(driver::compare(members[m].program, batch.machines[m], test, 0), "")
          << members[m].what << ", " << driver::print(test);
  }
  members.clear();
}

// 1, 2, 3 and 5 pieces: all cases, or in a short run a few, others for the next program.
std::vector<driver::Case> some_cases(const driver::Compiled& program, size_t seed) {
  std::vector<driver::Case> some;
  for (const int pieces : {1, 2, 3, 5}) {
    const std::vector<driver::Case> all = driver::cases_in_pieces(program, pieces, seed + 1);
    for (size_t i = 0; i < all.size(); ++i)
      if (kAllTests || i % 8 == (seed + static_cast<size_t>(pieces)) % 8) some.push_back(all[i]);
  }
  return some;
}

class CutRows {
 public:
  explicit CutRows(plan::Target target) : target_(target) {}

  void add(Program program, const std::string& schedule, bool wide) {
    constexpr size_t kLibrary = 12;
    program.distributed = true;
    std::string problem;
    auto compiled = compile(program, target_, schedule, fmt::format("_{}", ++count_), problem);
    ASSERT_TRUE(compiled) << problem << program.text << "\n" << schedule;
    fix_index(compiled->source, wide);
    std::vector<driver::Case> cases = some_cases(*compiled, static_cast<size_t>(count_));
    members_.push_back(
        {program.text + "\n" + schedule, std::move(*compiled), std::move(cases)});
    if (members_.size() == kLibrary) run_cut(members_, target_);
  }
  void run() { run_cut(members_, target_); }

  // Rows of the covering design: in a short run one of each strategy.
  void of_covering() {
    constexpr size_t kMost = 1u << 20;
    const std::vector<Row> rows =
        read_covering(
            driver::read_text(std::string(STENCILC_SOURCE_DIR) + "/tests/run/covering.txt", kMost)
                .text)
            .rows;
    std::set<std::string> known;
    for (const Row& row : rows) {
      const Strategy& strategy = strategy_of(row);
      if (strategy.target != target_ || strategy.rank == 1) continue;
      if (!known.insert(row.strategy).second && !kAllTests) continue;
      add(program_of(row), schedule_of(row), row.wide);
    }
    run();
  }

 private:
  const plan::Target target_;
  std::vector<Cut> members_;
  int count_ = 0;
};

TEST(Pieces, OfEveryStrategyAgreeOnTheExecutor) { CutRows(plan::Target::cuda).of_covering(); }
TEST(Pieces, OfEveryStrategyAgreeOnTheCpu) { CutRows(plan::Target::cpu).of_covering(); }

}  // namespace
}  // namespace stencilc::run_test
