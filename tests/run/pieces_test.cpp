// Programs for pieces of a grid: legs of all pieces, with an exchange of planes between them, give
// the bits that the interpreter gives the whole grid, wherever it is cut. On the executor each
// piece is on a device of its own, and what is asked of the devices runs later, in drawn orders.
#include "kernel/pieces.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "check/plugin/plugin.h"
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

// 1, 2, 3 and 5 pieces: all cases, or in a short run a few, others for the next program. Of two and
// three pieces also with a process for each.
std::vector<driver::Case> some_cases(const driver::Compiled& program, size_t seed) {
  std::vector<driver::Case> some;
  for (const int pieces : {1, 2, 3, 5}) {
    const std::vector<driver::Case> all = driver::cases_in_pieces(program, pieces, seed + 1);
    for (size_t i = 0; i < all.size(); ++i)
      if (kAllTests || i % 8 == (seed + static_cast<size_t>(pieces)) % 8) some.push_back(all[i]);
  }
  const int pieces = 2 + static_cast<int>(seed % 2);
  const std::vector<driver::Case> apart = driver::cases_in_processes(program, pieces, seed + 1);
  for (size_t i = 0; i < apart.size(); ++i)
    if (kAllTests || i % 16 == seed % 16) some.push_back(apart[i]);
  return some;
}

// Fields on some of the axes, values of coordinates and extents, and points.
constexpr const char* kCutParts = R"(
stencil parts {
  axes x, y, z;
  field f32 u  boundary { x: clamp; y: periodic; z: periodic; }
  field f32 a(z)  boundary periodic;
  field f64 b(x, z)  boundary clamp;
  field i32 c(y, z)  boundary periodic;
  field i32 d(x, y)  boundary clamp;
  points p linear;
  series f32 amp(p), out(p), late(p);
  reduce most = max(abs(u));
  u[t+1] = 0.3*u[z-1] + 0.2*u[y+1] + 0.1*f32(nz - z)*a[z+2] + f32(b[x-1, z-1])
           + 0.01*f32(c[y+1, z+1] + d[y-1]);
  inject u[t+1] += amp[t] at p;
  sample out[t] = u at p;
  sample late[t] = u[t+1] at p;
}
)";

// Values in memory with ghost cells on all sides, a stage, and reductions of both levels.
constexpr const char* kCutValues = R"(
stencil values {
  axes x, y;
  field f32 u, v boundary { x: mirror; y.lo: constant 0.5; y.hi: clamp; }
  field f32 k in boundary clamp;
  let g = k * u[x-1, y+1];
  let flux = g[y-1] - g[x+1] + v;
  reduce total = sum(u[y-1]);
  reduce change = norm2(u[t+1, y+1] - u);
  v[t+1] = 0.5*v + 0.1*(flux - flux[y-1]) + 0.1*u[y-2] + 0.001*total;
  u[t+1] = u + 0.2*(v[x+2, t+1] - v[y-1, t+1] * v[y+1, t+1]) + flux[y+1];
  iterate until change < 0.001, check every 3, limit 7;
}
)";

// A grid of one axis, cut at any cell.
constexpr const char* kCutLine = R"(
stencil line {
  axes x;
  field f32 u, v boundary { x.lo: constant 0.5; x.hi: mirror; }
  field f32 k in boundary ghost;
  points p linear;
  series f32 amp(p), out(p), late(p);
  let g = k[x-1] * u[x+1];
  let flux = g[x-1] - g[x+1] + v + 0.01*f32(nx - x);
  v[t+1] = 0.5*v + 0.1*(flux - flux[x-1]) + 0.1*u[x-2];
  u[t+1] = u + 0.2*(v[x+2, t+1] - v[x-1, t+1]) + flux[x+1];
  inject u[t+1] += amp[t] at p;
  sample out[t] = u at p;
  sample late[t] = u[t+1] at p;
}
)";

// Only a value is read beyond the periodic axis.
constexpr const char* kCutRound = R"(
stencil round {
  axes x, y;
  field f32 u boundary { x: clamp; y: periodic; }
  let h = u[x-1] + 0.5*u;
  u[t+1] = 0.3*h[x-1, y-2] + 0.2*h[y+1];
}
)";

// Samples of -1, which has the bits that memory has where nothing was stored.
constexpr const char* kCutOnes = R"(
stencil ones {
  axes x, y;
  field i32 u boundary clamp;
  u[t+1] = min(u[y-1], 0) - 1;
  points p linear;
  points q;
  series i32 seen(q);
  series f32 between(p);
  sample seen[t] = u < 0 ? -1 : 0 at q;
  sample between[t] = f32(u) at p;
}
)";

// Blocks go through planes with values in shared memory, in the columns of threads, or in both.
constexpr const char* kCutPlanes = R"(
stencil planes {
  axes x, y, z;
  field f32 u boundary periodic;
  field f32 w in boundary clamp;
  let a = u*u[x+1] + 1;
  let b = u*u[z+1] + w[y-1];
  u[t+1] = 0.1*(a[z-1] - a[y+1]) + 0.2*b[x-1]*b[y+1] + 0.1*u;
}
)";

// One field goes round, and the ends of the grid show in another.
constexpr const char* kCutMixed = R"(
stencil mixed {
  axes x, y;
  field f32 u boundary periodic;
  field f32 k in boundary { x: clamp; y.lo: mirror; y.hi: constant 0.5; }
  u[t+1] = 0.4*u[y-1] + 0.3*k[y-2] + 0.2*k[y+1];
}
)";

class CutRows {
 public:
  explicit CutRows(plan::Target target) : target_(target) {}

  void add(Program program, const std::string& schedule, bool wide) {
    // The headers are read once for a library; with all tests there are too many programs for one.
    constexpr size_t kLibrary = 40;
    program.distributed = true;
    std::string problem;
    auto compiled = compile(program, target_, schedule, fmt::format("_{}", ++count_), problem);
    ASSERT_TRUE(compiled) << problem << program.text << "\n" << schedule;
    fix_index(compiled->source, wide);
    std::vector<driver::Case> cases = some_cases(*compiled, static_cast<size_t>(count_));
    members_.push_back({program.text + "\n" + schedule, std::move(*compiled), std::move(cases)});
    if (members_.size() == kLibrary) run_cut(members_, target_);
  }
  void add_many_legs(Program program, const std::string& schedule) {
    constexpr uint64_t kSeeds = 4;
    std::string problem;
    program.distributed = true;
    auto compiled = compile(program, target_, schedule, fmt::format("_{}", ++count_), problem);
    ASSERT_TRUE(compiled) << problem << program.text;
    std::vector<driver::Case> cases;
    for (const int pieces : {2, 3, 5})
      for (uint64_t seed = 1; seed <= kSeeds; ++seed)
        cases.push_back(driver::case_of_many_legs(*compiled, pieces, seed));
    members_.push_back({program.text + "\n" + schedule, std::move(*compiled), std::move(cases)});
  }
  // In pieces as thick as a tile of resident rows, where fewer planes would be taken step by step,
  // and as a window whose borders are counted.
  void add_thick(Program program, const std::string& schedule,
                 const std::vector<int64_t>& plane = {20}) {
    std::string problem;
    program.distributed = true;
    auto compiled = compile(program, target_, schedule, fmt::format("_{}", ++count_), problem);
    ASSERT_TRUE(compiled) << problem << program.text;
    const int64_t steps = compiled->module.window.steps;
    std::vector<int64_t> extents = plane;
    extents.push_back(69);
    std::vector<driver::Case> cases;
    // So many legs that some are replayed as graphs, and a step that is left: once after the last
    // of a graph, if that was let.
    constexpr int64_t kLegs[] = {9, 9, 33, 43};
    for (uint64_t seed = 1; seed <= 4; ++seed)
      cases.push_back({extents,
                       kLegs[seed - 1] * steps + (seed > 2 ? 1 : 0),
                       "random",
                       seed,
                       {0, 22, 47, 69},
                       steps});
    members_.push_back({program.text + "\n" + schedule, std::move(*compiled), std::move(cases)});
  }
  void run() { run_cut(members_, target_); }

  // As the compiler chooses, or by one of the schedules of the run tests.
  void add_random(Program program, size_t seed) {
    std::string problem;
    program.distributed = true;
    const auto chosen = compile(program, target_, "", "", problem);
    if (problem.find("[STN0605]") != std::string::npos) return;  // it cannot be cut
    ASSERT_TRUE(chosen) << problem << program.text;
    const std::vector<std::string> all = schedules(target_, chosen->stencil);
    const std::string& schedule = all[seed / 2 % all.size()];
    const bool fits = seed % 2 == 1 && compile(program, target_, schedule, "", problem);
    add(std::move(program), fits ? schedule : "", seed % 5 == 0);
  }

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
      if (strategy.target != target_ || (strategy.rank == 1 && !has_pieces(row))) continue;
      if (!known.insert(row.strategy).second && !kAllTests) continue;
      add(program_of(row), schedule_of(row), row.wide);
    }
    run();
  }

 private:
  // Of grids of one axis not all programs and schedules have pieces.
  bool has_pieces(const Row& row) const {
    Program program = program_of(row);
    program.distributed = true;
    std::string problem;
    const bool compiles = compile(program, target_, schedule_of(row), "", problem).has_value();
    const bool whole = problem.find("a piece of a grid of one axis") != std::string::npos ||
                       problem.find("[STN0605]") != std::string::npos;
    EXPECT_EQ(compiles, !whole) << problem;
    return compiles;
  }

  const plan::Target target_;
  std::vector<Cut> members_;
  static inline int count_ = 0;  // of all: a library that is loaded is never another one
};

TEST(Pieces, OfEveryStrategyAgreeOnTheExecutor) { CutRows(plan::Target::cuda).of_covering(); }
TEST(Pieces, OfEveryStrategyAgreeOnTheCpu) { CutRows(plan::Target::cpu).of_covering(); }

// Generated programs, which have all of the language.
void cut_random_programs(plan::Target target) {
  CutRows rows(target);
  const bool gpu = target == plan::Target::cuda;
  const uint64_t last = kAllTests ? 200 : gpu ? 16 : 10;
  for (uint64_t seed = gpu ? 1 : 2; seed <= last; seed += 2) {
    rows.add_random(seeded_program(seed, false), seed);
    if (kAllTests || !gpu) rows.add_random(real_seeded_program(seed, false), seed);
  }
  rows.run();
}
TEST(Pieces, OfRandomProgramsAgreeOnTheExecutor) { cut_random_programs(plan::Target::cuda); }
TEST(Pieces, OfRandomProgramsAgreeOnTheCpu) { cut_random_programs(plan::Target::cpu); }

TEST(Pieces, OfPartsAndValuesAgree) {
  CutRows gpu(plan::Target::cuda), cpu(plan::Target::cpu);
  for (const char* const schedule :
       {"naive", "coarsened,threads=8x3,vector=2,rows=2,coarsen=z5,shared=none"})
    gpu.add({"parts", "", kCutParts}, schedule, false);
  for (const std::string values : {"global=all", "global=g", "stages=split,global=flux"}) {
    gpu.add({"values", "", kCutValues}, "naive,threads=16x4," + values, false);
    cpu.add({"values", "", kCutValues}, "loops," + values, false);
  }
  gpu.add({"values", "", kCutValues}, "coarsened,threads=8x4,vector=1,coarsen=y2,tile=all", false);
  for (const std::string vector : {"1", "2"})
    gpu.add({"values", "", kCutValues},
            "coarsened,threads=32x2,vector=" + vector + ",coarsen=y2,stream=all", false);
  cpu.add({"parts", "", kCutParts}, "loops", false);
  for (const char* const schedule : {"naive,threads=16x4", "coarsened,steps=2"})
    gpu.add({"mixed", "", kCutMixed}, schedule, false);
  cpu.add({"mixed", "", kCutMixed}, "loops", false);
  gpu.add({"round", "", kCutRound}, "naive,threads=16x4,global=all", false);
  gpu.add({"ones", "", kCutOnes}, "naive,threads=16x4", false);
  cpu.add({"ones", "", kCutOnes}, "loops", false);
  gpu.add({"planes", "", kCutPlanes},
          "coarsened,threads=8x4x1,vector=1,coarsen=z4,shared=async,tile=all", false);
  cpu.add({"round", "", kCutRound}, "loops,global=all", false);
  for (const std::string schedule :
       {"naive", "naive,threads=32,stages=split", "coarsened,threads=48,vector=1,coarsen=x3",
        "naive,threads=32,loads=texture", "naive,threads=32,global=all",
        "naive,threads=32,tile=all", "coarsened,threads=32,vector=1,stream=all"})
    gpu.add({"line", "", kCutLine}, schedule, false);
  for (const std::string schedule : {"loops", "loops,stages=split", "loops,global=all"})
    cpu.add({"line", "", kCutLine}, schedule, false);
  gpu.run();
  cpu.run();
}

// Reads in front and behind, of different widths; two levels in two buffers and in three; fields
// that read each other; planes in 3-D.
constexpr const char* kManyLegs[] = {
    "stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = 0.3*u[y-1] + 0.5*u[y+1] - "
    "0.1*u[x-1]; }",
    "stencil s { axes x, y; field f32 u boundary periodic; u[t+1] = 0.3*u[y-2] + 0.5*u[y+1] - "
    "0.1*u[x-1]; }",
    "stencil s { axes x, y; field f32 u boundary { x: clamp; y: mirror; } "
    "u[t+1] = 1.5*u - u[t-1] + 0.1*u[y+1] + 0.2*u[y-1]; }",
    "stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = 0.6*u[y+1] + 0.3*u[t-1, y-1]; }",
    "stencil s { axes x, y; field f32 u, v boundary { x: clamp; y: periodic; } "
    "v[t+1] = 0.5*v + 0.1*(u[y+1] - u); u[t+1] = u - 0.2*(v[y-1, t+1] - v[t+1]); }",
    "stencil s { axes x, y, z; field f32 u boundary clamp; u[t+1] = 0.3*u[z-1] + 0.5*u[z+1] - "
    "0.1*u[y-1]; }",
    "stencil s { axes x, y, z; field f32 u boundary periodic; u[t+1] = 0.4*u[z+1] + 0.4*u[x-1]; }",
};

// Legs follow each other with nothing but events between them, until they are replayed as a graph.
// And border planes that are thinner than a tile are computed side by side with others, by the same
// launch: another one, of single steps, would write planes of these.
TEST(Pieces, AgreeAfterManyLegsAndWithThinBorders) {
  CutRows rows(plan::Target::cuda);
  for (const char* const boundary : {"periodic", "clamp"})
    rows.add_thick({"s", "",
                    std::string("stencil s { axes x, y; field f32 u boundary ") + boundary +
                        "; u[t+1] = 0.3*(u[x-1] + u[y-1] + u[y+1]); }"},
                   "coarsened,threads=32x2,vector=2,rows=6,coarsen=y1,steps=2");
  // Streams count their low end, maybe while the rest of the launch goes on; a copy then goes at
  // once. So do the first blocks of a single step.
  for (const char* const text : kManyLegs) {
    const bool planes = std::string(text).find("x, y, z") != std::string::npos;
    if (planes)
      for (const char* const schedule :
           {"coarsened,threads=32x4x1,vector=2,rows=2,chunks=full,shared=none,steps=2",
            "coarsened,threads=32x2x1,vector=2,rows=2,coarsen=z5,shared=none"})
        rows.add_thick({"s", "", text}, schedule, {68, 12});
    else
      rows.add_thick({"s", "", text}, "coarsened,threads=32x1,vector=2,chunks=full,steps=3");
  }
  for (const char* const text : kManyLegs)
    for (const char* const schedule : {"naive,threads=32x1", "coarsened,steps=2"})
      rows.add_many_legs({"s", "", text}, schedule);
  rows.run();
}

// As `stencilc run --devices` calls it: a piece on each of the devices that are named, in their
// order. A second run begins with what was given, as the first one.
void expect_devices_that_a_call_names(const driver::Compiled& program,
                                      const driver::Machine& machine) {
  const auto run = [&](const std::vector<int>& devices, driver::HostData& data) {
    data = driver::make_data(program.stencil, {{7, 5, 13}, 3, "random", 3});
    data.devices = devices;
    machine.set_devices(3, 5);
    std::vector<double> seconds(2, -1);
    const std::string failed = driver::call(machine, data, 3, seconds);
    for (const double one : seconds) EXPECT_EQ(one >= 0, failed.empty());
    return failed;
  };
  driver::HostData one, others;
  EXPECT_EQ(run({1}, one), "");
  for (const std::vector<int>& devices : {std::vector<int>{2, 0}, {0, 1, 2}}) {
    EXPECT_EQ(run(devices, others), "");
    for (size_t b = 0; b < one.buffers.size(); ++b)
      EXPECT_EQ(others.buffers[b].bytes, one.buffers[b].bytes) << b;
    for (size_t s = 0; s < one.series.size(); ++s)
      for (size_t i = 0; i < one.series[s].size(); ++i)
        EXPECT_TRUE(ir::same_bits(others.series[s][i], one.series[s][i])) << s << ", " << i;
    EXPECT_TRUE(ir::same_bits(others.reductions[0], one.reductions[0]));
    EXPECT_EQ(others.leg_steps, 1);
  }
  EXPECT_EQ(run({0, 3}, others), "a mesh asks for device 3, and the last one is device 2");
  machine.set_devices(0, 0);
}

// What --explain says of legs is what the mesh does, also where pieces are thin.
void expect_legs_that_the_compiler_knows(const driver::Compiled& program,
                                         const driver::Machine& machine) {
  std::set<int64_t> seen;
  for (const int64_t planes : {2, 4, 7, 9, 12, 13, 20, 60})
    for (const std::vector<int>& devices : {std::vector<int>{0, 1}, {0, 1, 2}}) {
      const auto count = static_cast<int>(devices.size());
      driver::HostData data = driver::make_data(program.stencil, {{40, planes}, 0, "random", 1});
      data.devices = devices;
      machine.set_devices(count, 1);
      std::vector<double> seconds(1);
      const std::string failed = driver::call(machine, data, 0, seconds);
      const int64_t steps = kernel::legs_of(program.module, {40, planes, 1}, count).steps;
      EXPECT_EQ(failed.empty(), steps > 0) << failed << planes << " in " << count;
      EXPECT_EQ(data.leg_steps, steps) << planes << " in " << count;
      seen.insert(steps);
    }
  EXPECT_GE(seen.size(), 3u) << program.stencil.name;
  machine.set_devices(0, 0);
}

TEST(Pieces, AreOnTheDevicesThatACallNamesWithLegsThatTheCompilerKnows) {
  const std::pair<const char*, const char*> texts[] = {{kManyLegs[0], "coarsened,steps=3"},
                                                       {kManyLegs[1], "coarsened,steps=3"},
                                                       {kCutParts, "naive"}};
  std::vector<driver::Compiled> programs;
  for (const auto& [text, schedule] : texts) {
    Program program{"s", "", text};
    program.distributed = true;
    std::string problem;
    auto compiled = compile(program, plan::Target::cuda, schedule,
                            fmt::format("_legs{}", programs.size()), problem);
    ASSERT_TRUE(compiled) << problem;
    programs.push_back(std::move(*compiled));
  }
  const Batch batch = execute_batch({&programs[0], &programs[1], &programs[2]});
  ASSERT_EQ(batch.problem, "");
  expect_legs_that_the_compiler_knows(programs[0], batch.machines[0]);
  expect_legs_that_the_compiler_knows(programs[1], batch.machines[1]);
  expect_devices_that_a_call_names(programs[2], batch.machines[2]);
}

// Runs on two devices, one of which is lost, or hangs, at its operation of some number: of a
// program whose kernels wait for planes, and of one whose streams do.
class LostDevice {
 public:
  static constexpr const char* kSchedules[] = {
      "coarsened,threads=32x1,vector=2,chunks=full,steps=3", "naive,threads=32x1"};

  void compile_both() {
    std::string problem;
    for (const char* const schedule : kSchedules) {
      Program program{"s", "", kManyLegs[0]};
      program.distributed = true;
      auto compiled = compile(program, plan::Target::cuda, schedule,
                              fmt::format("_lost{}", programs_.size()), problem);
      ASSERT_TRUE(compiled) << problem;
      programs_.push_back(std::move(*compiled));
    }
    batch_ = execute_batch({&programs_[0], &programs_[1]});
    ASSERT_EQ(batch_.problem, "");
    api_ = check::load_check_api(problem);
    ASSERT_NE(api_, nullptr) << problem;
  }
  // What it says; "": that came too late.
  std::string run(size_t which, int lost, int64_t at, bool hangs, int64_t steps) {
    driver::HostData data =
        driver::make_data(programs_[which].stencil, {{40, 60}, steps, "random", 1});
    data.devices = {0, 1};
    api_->set_devices({2, check::StreamMode::later, static_cast<uint64_t>(at), lost, at, hangs});
    std::vector<double> seconds(1);
    std::string failed = driver::call(batch_.machines[which], data, steps, seconds);
    for (const std::string& fault : batch_.machines[which].faults())
      ADD_FAILURE() << fault << ", operation " << at << " of device " << lost;
    api_->set_devices({});
    return failed;
  }
  static std::string name(int lost) {
    return fmt::format("device {}, which has piece {} of 2: ", lost, lost);
  }

 private:
  std::vector<driver::Compiled> programs_;
  Batch batch_;
  const check::CheckApi* api_ = nullptr;
};

// One device is lost at its first operation, its second one, and so on. Kernels of the other one
// that wait for its planes come to an end, and the run says which device it was. Or it hangs, and
// no call reports that. The host stops to wait at the deadline, and names it: also where so many
// legs are left that a stream has no room for them.
TEST(Pieces, EndWhereADeviceIsLostOrHangs) {
  LostDevice machine;
  ASSERT_NO_FATAL_FAILURE(machine.compile_both());
  int named = 0;
  for (const int lost : {0, 1})
    for (int64_t at = 1;; at += 1 + at / 32) {
      const std::string failed = machine.run(0, lost, at, false, 12);
      if (failed.empty()) break;  // it was lost too late
      EXPECT_NE(failed.find("the CUDA context is lost"), failed.npos) << failed;
      named += failed.find(LostDevice::name(lost)) != failed.npos ? 1 : 0;
      ASSERT_LT(at, 1000);
    }
  EXPECT_GT(named, 8);
  setenv("STENCIL_DEADLINE", "0.1", 1);
  for (const size_t which : {0, 1})
    for (const int lost : {0, 1})
      for (const auto& [at, steps] : {std::pair{86, 30}, {300, 3000}}) {
        const std::string failed = machine.run(which, lost, at, true, steps),
                          expected = LostDevice::name(lost) + "nothing has ended there for 0.1 s";
        EXPECT_EQ(failed.substr(0, expected.size()), expected)
            << failed << ", " << LostDevice::kSchedules[which] << ", operation " << at;
      }
  unsetenv("STENCIL_DEADLINE");
}

// Calls of NCCL wait for others without end; the processes do not.
void expect_nobody_waits(const driver::Compiled& program, const driver::Machine& machine) {
  setenv("STENCIL_DEADLINE", "0.5", 1);
  const std::pair<const char*, const char*> rows[] = {
      {"ends:1:0", "process 1 of 3 has ended"},  // when it comes to the others
      {"ends:2:1", "process 2 of 3 has ended"},  // at the first message
      {"ends:2:3", "process 2 of 3 has ended"},
      {"stays:1:0", "late by more than 0.5 s"},
      {"stays:0:1", "late by more than 0.5 s"},
      {"fails:2:0", "process 2 of 3 failed: NCCL: a mesh: unhandled system error"},
      {"fails:1:1", "process 1 of 3 failed: NCCL: a mesh: unhandled system error"},
      {"fails:1:4", "process 1 of 3 failed: NCCL: around"},
  };
  for (const auto& [fault, text] : rows) {
    setenv("STENCIL_FAKE_NCCL_FAULT", fault, 1);
    driver::Case test{{20, 30}, 9, "random", 0, {0, 10, 20, 30}, 1};
    test.processes = 3;
    const auto began = std::chrono::steady_clock::now();
    const std::string said = driver::compare(program, machine, test, 0);
    EXPECT_NE(said.find(text), said.npos) << fault << ": " << said;
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10)) << fault;
  }
  unsetenv("STENCIL_FAKE_NCCL_FAULT");
  unsetenv("STENCIL_DEADLINE");
}

// NCCL, for which a library of the tests stands. Every strategy of exchange has the same messages.
TEST(Pieces, AgreeOverNcclAndNobodyWaitsForWhoFails) {
  setenv("STENCIL_NCCL", STENCILC_FAKE_NCCL, 1);
  const char* const texts[] = {
      "stencil around { axes x, y; field f32 u, v boundary periodic; "
      "u[t+1] = u[y-1] + v[y+2] * 0.5; v[t+1] = u[y+1] - v[x-1]; }",
      kCutValues};
  std::vector<driver::Compiled> programs;
  for (const char* const text : texts) {
    std::string problem;
    Program program{"nccl", "", text};
    program.distributed = true;
    auto compiled =
        compile(program, plan::Target::cuda, "", fmt::format("_nccl{}", programs.size()), problem);
    ASSERT_TRUE(compiled) << problem << text;
    programs.push_back(std::move(*compiled));
  }
  const Batch batch = execute_batch({&programs[0], &programs[1]});
  ASSERT_EQ(batch.problem, "");
  for (size_t m = 0; m < programs.size(); ++m) {
    batch.machines[m].set_mode(true, true);
    for (const int pieces : {2, 3}) {
      const std::vector<driver::Case> all = driver::cases_in_pieces(programs[m], pieces, 1);
      for (size_t i = 0; i < all.size(); i += 5) {
        driver::Case test = all[i];
        test.processes = pieces;
        test.seed = 0;  // streams run at once, as this NCCL needs it
        EXPECT_EQ(driver::compare(programs[m], batch.machines[m], test, 0), "")
            << texts[m] << ", " << driver::print(test);
      }
    }
  }
  expect_nobody_waits(programs[0], batch.machines[0]);
  unsetenv("STENCIL_NCCL");
}

TEST(Pieces, ThinnerThanWhatIsReadAreRefused) {
  Program program{"thin", "",
                  "stencil thin { axes x, y; field f32 u boundary periodic; "
                  "u[t+1] = 0.5*(u[y-3] + u); }"};
  program.distributed = true;
  std::string problem;
  const auto compiled = compile(program, plan::Target::cpu, "loops", "", problem);
  ASSERT_TRUE(compiled) << problem;
  const Batch batch = build_batch(
      {&*compiled}, std::filesystem::path(STENCILC_BINARY_DIR) / "tests/run/pieces/thin",
      unoptimized(driver::compiler_for(plan::Target::cpu, {})), {}, true);
  ASSERT_EQ(batch.problem, "");
  const auto difference = [&](const std::vector<int64_t>& cuts) {
    return driver::compare(*compiled, batch.machines[0],
                           {{5, cuts.back()}, 4, "random", 1, cuts, 2}, 0);
  };
  EXPECT_EQ(difference({0, 3, 6, 9}), "");
  EXPECT_EQ(
      difference({0, 3, 5, 9}),
      "`thin`: of 9 planes in 3 pieces, the thinnest piece has 2, and its neighbours read 3 of "
      "them; use fewer pieces, or a larger grid");
  const auto refused = [&](const std::vector<int64_t>& cuts) {
    return difference(cuts).find("the thinnest piece") != std::string::npos;
  };
  EXPECT_EQ(difference({0, 6, 12}), "");
  EXPECT_TRUE(refused({0, 5, 12}));  // a piece that is its neighbour on both sides
  EXPECT_EQ(difference({0, 6}), "");
  EXPECT_TRUE(refused({0, 5}));
  EXPECT_TRUE(refused({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

}  // namespace
}  // namespace stencilc::run_test
