#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "driver/verify/compare.h"
#include "run/agreed.h"
#include "run/batch.h"
#include "run/covering.h"
#include "run/trials.h"

namespace stencilc::run_test {
namespace {

constexpr size_t kLibrary = 12;  // stencils of one library

struct Member {
  size_t row = 0;
  driver::Compiled compiled;
  std::vector<driver::Case> cases;
};

class Run {
 public:
  explicit Run(const Settings& settings) : settings_(settings) {}

  Outcome rows(const std::vector<Row>& rows) {
    std::vector<Member> of_cuda, of_cpu;
    for (size_t r = 0; r < rows.size(); ++r) {
      if (static_cast<int>(r) % settings_.parts != settings_.part) continue;
      std::string why;
      auto compiled = compile(rows[r], fmt::format("_{}", r), why);
      if (!compiled) {
        fail(rows[r], "the compiler refuses it: " + why);
        continue;
      }
      std::vector<driver::Case> cases = cases_of(*compiled, r);
      if (agreed_.has(*compiled, cases)) {
        ++known_;
        continue;
      }
      (strategy_of(rows[r]).target == plan::Target::cpu ? of_cpu : of_cuda)
          .push_back({r, std::move(*compiled), std::move(cases)});
    }
    in_batches(rows, of_cuda,
               [](const Stencils& stencils, size_t) { return execute_batch(stencils); });
    in_batches(rows, of_cpu, [&](const Stencils& stencils, size_t first) {
      return build_batch(stencils, settings_.work_folder / fmt::format("covering_{}", first),
                         compiler_, {}, true);
    });
    std::cout << fmt::format("{} rows, {} agreed before, {} runs, {} failures\n", count_, known_,
                             runs_, failures_);
    return failures_ == 0 ? Outcome::good : Outcome::difference;
  }

 private:
  void fail(const Row& row, const std::string& text) {
    ++failures_;
    std::cout << fmt::format("FAILED {}\nunder the schedule `{}`: {}\n{}\n", program_of(row).name,
                             schedule_of(row), text, program_of(row).text);
  }

  using Stencils = std::vector<const driver::Compiled*>;
  template <class Load>
  void in_batches(const std::vector<Row>& rows, const std::vector<Member>& members,
                  const Load& load) {
    for (size_t first = 0; first < members.size(); first += kLibrary) {
      const size_t count = std::min(kLibrary, members.size() - first);
      Stencils stencils;
      for (size_t m = 0; m < count; ++m) stencils.push_back(&members[first + m].compiled);
      const Batch batch = load(stencils, first);
      if (!batch.problem.empty()) {
        fail(rows[members[first].row], batch.problem);
        continue;
      }
      for (size_t m = 0; m < count; ++m) {
        compare(rows[members[first + m].row], members[first + m], batch.machines[m]);
      }
    }
  }

  void compare(const Row& row, const Member& member, const driver::Machine& machine) {
    if (!machine.call) return fail(row, machine.problem);
    ++count_;
    for (const bool late : {true, false}) {
      machine.set_mode(late, late);
      for (const driver::Case& test : member.cases) {
        ++runs_;
        const std::string difference = driver::compare(member.compiled, machine, test, 0);
        if (!difference.empty())
          return fail(row, fmt::format("{}{}: {}", driver::print(test),
                                       late ? "" : " (copies at once)", difference));
        if (!late) break;  // one grid is enough to see copies that come early
      }
    }
    agreed_.add(member.compiled, member.cases);
    if (settings_.verbose)
      std::cout << fmt::format("{}: {} cases\n", program_of(row).name, member.cases.size());
  }

  const Settings& settings_;
  // What runs for a millisecond is not optimized; other tests build what users build.
  const driver::Compiler compiler_ = unoptimized(driver::compiler_for(plan::Target::cpu, {}));
  const Agreed agreed_{fmt::format("covering {}", fmt::join(compiler_.command, " "))};
  int64_t count_ = 0, known_ = 0, runs_ = 0, failures_ = 0;
};

}  // namespace

Outcome run_covering(const std::filesystem::path& list, const Settings& settings) {
  std::ifstream in(list);
  std::ostringstream text;
  text << in.rdbuf();
  return Run(settings).rows(read_covering(text.str()).rows);
}

}  // namespace stencilc::run_test
