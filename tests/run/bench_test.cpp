// The adapter of `stencilc bench`, on the CPU and by the executor: what its grids hold, and which
// rounds it runs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <thread>

#include "check/plugin/plugin.h"
#include "driver/execute/arguments.h"
#include "driver/inputs/params.h"
#include "emit/emit.h"
#include "run/batch.h"
#include "run/programs.h"
#include "runtime/include/stencil/bench_call.h"

namespace stencilc::run_test {
namespace {

using Function = decltype(&stencilc_bench_call);

// The library of the CPU, or the executor, which lives as long as its function.
struct Bench {
  driver::Compiled compiled;
  std::shared_ptr<check::Executor> executor;
  Function function = nullptr;
  std::string problem;
};

// What is built there is loaded: the folder is nobody else's.
std::filesystem::path fresh_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "stencilc-bench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

Bench bench_of(const std::string& text, plan::Target target, const std::string& schedule = "",
               bool pieces = false) {
  Bench bench;
  Program source{"bench", "", text};
  source.distributed = pieces;
  auto compiled = compile(source, target, schedule, "", bench.problem);
  if (!compiled) return bench;
  bench.compiled = std::move(*compiled);
  if (target == plan::Target::cpu) {  // it runs for milliseconds
    const std::filesystem::path folder = fresh_folder();
    const Batch batch =
        build_batch({&bench.compiled}, folder,
                    unoptimized(driver::compiler_for(plan::Target::cpu, {})), {false, true}, true);
    bench.problem = batch.problem;
    if (bench.problem.empty()) bench.function = batch.benches[0];
    std::filesystem::remove_all(folder);
    return bench;
  }
  const std::string adapter =
      emit::bench_call(bench.compiled.module, {emit::Dialect::cuda, false, "", ""});
  const check::CheckApi* api = check::load_check_api(bench.problem);
  if (!api) return bench;
  check::Program program;
  program.source.name = bench.compiled.module.file + ".cu";
  program.source.text = bench.compiled.source;
  program.source.files.push_back({bench.compiled.module.header, bench.compiled.header});
  driver::add_runtime_files(program.source.files);
  program.adapter = adapter;
  check::Loaded loaded = api->load(program);
  bench.executor = loaded.executor;
  if (!bench.executor)
    bench.problem = loaded.diagnostics.empty() ? "not loaded" : loaded.diagnostics.front();
  else
    bench.function =
        reinterpret_cast<Function>(api->symbol(*bench.executor, "stencilc_bench_call"));
  return bench;
}

using RoundList = std::vector<stencil_round>;

int32_t next_of(void* rounds, double seconds, stencil_round* round) {
  auto& list = *static_cast<RoundList*>(rounds);
  EXPECT_GE(seconds, 0);
  if (list.empty()) return 0;
  *round = list.front();
  list.erase(list.begin());
  return 1;
}

// The reductions after the last step of these rounds.
std::vector<double> results(const Bench& bench, const data::Extents& extents, RoundList rounds,
                            uint64_t seed = 7, const std::vector<int>& devices = {}) {
  driver::HostData host;
  host.extents = extents;
  host.devices = devices;
  diag::Engine engine;
  const ir::Stencil& stencil = bench.compiled.stencil;
  EXPECT_TRUE(driver::set_params({}, stencil, driver::Missing::made_up, host, engine));
  const driver::Arguments arguments = driver::packed(host);
  stencil_host_call call = driver::call_of(host, arguments);
  const stencil_bench how{seed, &rounds, next_of, 0, nullptr};
  EXPECT_EQ(bench.function(&call, &how), 0) << call.message;
  EXPECT_TRUE(rounds.empty());
  std::vector<double> values;
  for (size_t r = 0; r < stencil.reductions.size(); ++r) {
    const ir::Scalar value =
        driver::take(stencil.reductions[r].type, arguments.reductions.bytes[r].data());
    values.push_back(ir::is_float(value.type) ? value.real : static_cast<double>(value.integer));
  }
  return values;
}

// A cache for the test alone.
struct Cache {
  std::filesystem::path path = fresh_folder();
  Cache() { setenv("XDG_CACHE_HOME", path.c_str(), 1); }
  ~Cache() { std::filesystem::remove_all(path); }
};

// One of them puts its folder in the place, and all find it there.
TEST(bench, the_same_is_built_by_several_threads_at_once) {
  const Cache cache;
  std::vector<std::string> problems(4);
  std::vector<std::thread> threads;
  for (std::string& problem : problems)
    threads.emplace_back([&problem] {
      const auto compiled = compile(
          {"bench", "", "stencil s { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }"},
          plan::Target::cpu, "", "", problem);
      if (!compiled) return;
      const std::string adapter =
          emit::bench_call(compiled->module, {emit::Dialect::cpu, false, "", ""});
      const driver::Library library =
          driver::build_library(*compiled, adapter, plan::Target::cpu, {});
      problem = library.problem;
      if (problem.empty()) driver::find_function(library, "stencilc_bench_call", problem);
    });
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(problems, std::vector<std::string>(4));
}

const std::string kFields =
    "stencil s { axes x, y; field f32 a boundary ghost; field f64 b; field f16 c; field bf16 d; "
    "field u8 e; field bool f; a[t+1] = a; b[t+1] = b; c[t+1] = c; d[t+1] = d; e[t+1] = e; f[t+1] "
    "= f; reduce beyond = min(a[x-2] + a[y+1]); ";

TEST(bench, grids_hold_values_in_the_range_of_their_type_and_the_same_on_every_target) {
  std::string text = kFields;
  for (const char* field : {"a", "b", "c", "d", "e", "f"}) {
    const std::string name = field, value = name == "f" ? "(f ? 1 : 0)" : name;
    for (const char* kind : {"min", "max", "sum"})
      text += std::string("reduce ") + kind + "_" + name + " = " + kind + "(" + value + "); ";
  }
  text += "}";
  const Bench cpu = bench_of(text, plan::Target::cpu);
  ASSERT_NE(cpu.function, nullptr) << cpu.problem;
  const data::Extents extents = {70, 50};
  const std::vector<double> values = results(cpu, extents, {{1, 1, 0}});
  EXPECT_GE(values[0], 0);
  EXPECT_LT(values[0], 2);
  const double cells = 70 * 50;
  for (size_t field = 0; field < 6; ++field) {
    const double least = values[1 + 3 * field], most = values[2 + 3 * field],
                 mean = values[3 + 3 * field] / cells;
    const double highest = field == 4 ? 15 : 1;
    EXPECT_GE(least, 0);
    EXPECT_LE(least, 0.01 * highest);
    EXPECT_LE(most, highest);
    EXPECT_GE(most, 0.98 * highest);
    EXPECT_NEAR(mean, highest / 2, 0.03 * highest) << field;
  }
  EXPECT_NE(values, results(cpu, extents, {{1, 1, 0}}, 8));
  const Bench executor = bench_of(text, plan::Target::cuda);
  ASSERT_NE(executor.function, nullptr) << executor.problem;
  EXPECT_EQ(results(executor, extents, {{1, 1, 0}}), values);
}

TEST(bench, rounds_go_on_from_each_other_or_begin_again) {
  const std::string text =
      "stencil s { axes x; field i64 u; u[t+1] = u + 1; reduce r = sum(u[t+1]); }";
  for (const plan::Target target : {plan::Target::cpu, plan::Target::cuda}) {
    const Bench bench = bench_of(text, target);
    ASSERT_NE(bench.function, nullptr) << bench.problem;
    const auto sum = [&](const RoundList& rounds) { return results(bench, {100}, rounds)[0]; };
    const double first = sum({{1, 1, 0}});
    EXPECT_EQ(sum({{1, 5, 0}}), first + 400);
    EXPECT_EQ(sum({{3, 5, 0}}), first + 1400);
    EXPECT_EQ(sum({{3, 5, 0}, {1, 2, 0}}), first + 1600);
    EXPECT_EQ(sum({{3, 5, 0}, {1, 2, 1}}), first + 100);
  }
}

// A grid that is cut, too: all its pieces begin again. Cells hold 0 to 15, and all levels others.
TEST(bench, rounds_on_several_devices_do_likewise) {
  const std::string text =
      "stencil s { axes x, y; field i64 u boundary clamp; "
      "u[t+1] = u + 1 + 0*(u[y-1] + u[t-1]); reduce r = sum(u[t+1]); reduce old = sum(u[t-1]); }";
  std::string problem;
  const check::CheckApi* api = check::load_check_api(problem);
  ASSERT_NE(api, nullptr) << problem;
  api->set_devices({3, check::StreamMode::later, 1});
  for (const plan::Target target : {plan::Target::cpu, plan::Target::cuda}) {
    const Bench bench = bench_of(text, target, "", true);
    ASSERT_NE(bench.function, nullptr) << bench.problem;
    const auto sums = [&](const RoundList& rounds) {
      return results(bench, {20, 50}, rounds, 7, {0, 1, 2});
    };
    const std::vector<double> first = sums({{1, 1, 0}});
    EXPECT_NEAR(first[0], 1000 * 8.5, 600);
    EXPECT_NEAR(first[1], 1000 * 7.5, 600);
    EXPECT_NE(first[0] - 1000, first[1]);
    EXPECT_EQ(sums({{3, 5, 0}})[0], first[0] + 14000);
    EXPECT_EQ(sums({{3, 5, 0}, {1, 2, 1}})[0], first[0] + 1000);
  }
  api->set_devices({});
}

TEST(bench, one_pass_is_run_as_often_as_a_round_says) {
  const Bench bench =
      bench_of("stencil s { axes x; field f32 u in; field f32 v out; v = 2*u; reduce r = max(v); }",
               plan::Target::cuda);
  ASSERT_NE(bench.function, nullptr) << bench.problem;
  const double most = results(bench, {64}, {{4, 1, 0}, {2, 1, 1}})[0];
  EXPECT_GT(most, 1);
  EXPECT_LT(most, 2);
}

// What so many steps make of the cells.
uint64_t checksum(const Bench& bench, int64_t steps, uint64_t seed = 7) {
  if (!bench.function) return 0;
  driver::HostData host;
  host.extents = {70, 50};
  const driver::Arguments arguments = driver::packed(host);
  stencil_host_call call = driver::call_of(host, arguments);
  RoundList rounds = {{1, 1, 0}};
  uint64_t sum = 0;
  const stencil_bench how{seed, &rounds, next_of, steps, &sum};
  EXPECT_EQ(bench.function(&call, &how), 0) << call.message;
  EXPECT_TRUE(rounds.empty());
  return sum;
}

TEST(bench, the_checksum_is_that_of_the_bits) {
  const std::string fields = "stencil s { axes x, y; field f32 u boundary clamp; field f16 v; ";
  const auto built = [&](const std::string& text, plan::Target target, const char* schedule) {
    Bench bench = bench_of(fields + text, target, schedule);
    EXPECT_NE(bench.function, nullptr) << bench.problem;
    return bench;
  };
  const std::string chain = "u[t+1] = u[x-1]*0.5 + u; v[t+1] = f16(v + u[y-1, t+1]); }";
  const Bench cpu = built(chain, plan::Target::cpu, "");
  const uint64_t sum = checksum(cpu, 3);
  EXPECT_EQ(checksum(cpu, 3), sum);
  EXPECT_NE(checksum(cpu, 4), sum);
  EXPECT_NE(checksum(cpu, 3, 8), sum);
  EXPECT_EQ(checksum(cpu, 0), 0u);
  EXPECT_EQ(checksum(built(chain, plan::Target::cpu, "loops,stages=split"), 3), sum);
  for (const char* schedule : {"naive", "coarsened,stages=split"})
    EXPECT_EQ(checksum(built(chain, plan::Target::cuda, schedule), 3), sum) << schedule;
  // One cell, by one bit.
  const std::string other =
      "u[t+1] = u[x-1]*0.5 + u; v[t+1] = f16(v + u[y-1, t+1]); u[t+1] = u + (x == 3 && y == 4 ? "
      "0.0000001 : 0); }";
  EXPECT_NE(checksum(built(other, plan::Target::cpu, ""), 3), sum);
}

TEST(bench, a_grid_without_memory_is_a_status) {
  const Bench bench = bench_of("stencil s { axes x; field f64 u; u[t+1] = u; }", plan::Target::cpu);
  ASSERT_NE(bench.function, nullptr) << bench.problem;
  driver::HostData host;
  host.extents = {int64_t{1} << 50};
  const driver::Arguments arguments = driver::packed(host);
  stencil_host_call call = driver::call_of(host, arguments);
  RoundList rounds = {{1, 1, 0}};
  const stencil_bench how{1, &rounds, next_of, 0, nullptr};
  EXPECT_NE(bench.function(&call, &how), 0);
  EXPECT_NE(std::string(call.message).find("needs 9007199254740"), std::string::npos)
      << call.message;
  EXPECT_EQ(rounds.size(), 1u);
}

}  // namespace
}  // namespace stencilc::run_test
