// What kernels need by their machine code: the log of ptxas, what is held against it, and what
// `run`, `bench` and `tune` do before a kernel runs, with an nvcc that is made up.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driver/measure/resources.h"
#include "driver/measure/spills.h"
#include "driver/run/run_build.h"
#include "plan/syntax/print_schedule.h"
#include "support/lowered.h"
#include "support/made_up_gpu.h"

namespace stencilc::driver {
namespace {

using test::ended;
using test::expect_begins;
using test::expect_has;
using test::expect_lacks;
using test::Finished;

// A kernel in the log, and what a function that it calls spills.
std::string compiled(const std::string& name, int registers, int stores, int loads) {
  const std::string figures = "\n    0 bytes stack frame, " + std::to_string(stores) +
                              " bytes spill stores, " + std::to_string(loads) +
                              " bytes spill loads\n";
  return "ptxas info    : Compiling entry function '" + name + "' for 'sm_90'\n" +
         "ptxas info    : Function properties for " + name + figures + "ptxas info    : Used " +
         std::to_string(registers) + " registers, used 0 barriers\n" +
         "ptxas info    : Compile time = 9.1 ms\n";
}
std::string called(const std::string& flags, int stores, int loads) {
  return "ptxas info    : Function properties for void _INTERNAL_7cb_4_s_cu_07::heat::(anonymous "
         "namespace)::advance_rows<int, 11, " +
         flags + ">(float*)\n    0 bytes stack frame, " + std::to_string(stores) +
         " bytes spill stores, " + std::to_string(loads) + " bytes spill loads\n";
}

// "step 40+12, ghosts 77+0": registers, and bytes that are stored.
std::string kernels(const std::string& log, const std::string& name_space, bool wide = false) {
  std::string text;
  for (const KernelResources& one : read_resources(log, name_space, wide))
    text += (text.empty() ? "" : ", ") + one.name + " " + std::to_string(one.registers) + "+" +
            std::to_string(one.spilled);
  return text;
}

TEST(Resources, AreReadForEachKernelOfTheStencil) {
  const std::string log = "ptxas info    : 0 bytes gmem\n" +
                          compiled("_ZN4heat4stepIlEEvPf", 77, 0, 0) +
                          compiled("_ZN4heat4stepIiEEvPf", 40, 12, 8) +
                          compiled("void heat::(anonymous namespace)::ghosts<int>(int)", 24, 0, 0) +
                          compiled("_ZN7stencil4cuda5bench4fillIfEEvPT_", 99, 64, 64);
  EXPECT_EQ(kernels(log, "heat"), "step 40+12, ghosts 24+0");
  EXPECT_EQ(kernels(log, "heat", true), "step 77+0");
  EXPECT_EQ(kernels(log, "eat"), "");
  EXPECT_EQ(kernels("", "heat"), "");
  // Two architectures, or several numbers of steps, are one kernel.
  EXPECT_EQ(kernels(compiled("void heat::step<int, 4>()", 30, 4, 0) +
                        compiled("void heat::step<int, 8>()", 20, 8, 8),
                    "heat"),
            "step 30+8");
}

// Few warps call what is for those near the boundary.
TEST(Resources, CountFunctionsForWarpsInsideAlone) {
  const std::string log = compiled("void heat::advance_steps<int, 11>(float*)", 255, 8, 0);
  EXPECT_EQ(kernels(log + called("false, false, true", 90, 90), "heat"), "advance_steps 255+8");
  EXPECT_EQ(kernels(log + called("false, false, false", 10, 20), "heat"), "advance_steps 255+10");
  EXPECT_EQ(kernels(log + called("true, true, true", 90, 90) + called("false", 14, 8), "heat"),
            "advance_steps 255+14");
  EXPECT_EQ(kernels(compiled("void other::step<int>()", 9, 0, 0) + called("false", 10, 20), "heat"),
            "");
}

// The kernel of a module, as the log may name it: its registers, spilled bytes and warps.
std::string needs(const kernel::Module& module, const std::string& log, const data::Extents& size) {
  const auto found = resources_of(log, module, size, &testing::gpu());
  if (!found) return "nothing";
  return std::to_string(found->registers) + " registers, " + std::to_string(found->spilled) +
         " spilled, " + (found->warps ? std::to_string(*found->warps) : "no") + " warps" +
         (found->unheld.empty() ? "" : ", not " + found->unheld);
}

TEST(Resources, TellWhatAMultiprocessorHolds) {
  const std::string heat = "field f32 u boundary clamp; u[t+1] = u + 0.1*laplacian(u);";
  const kernel::Module one = testing::lowered("x, y", heat, "naive,threads=32x8");
  const auto of = [&](int registers) {
    return needs(one, compiled("void s::step<int>()", registers, 4, 4), {100, 100});
  };
  EXPECT_EQ(of(32), "32 registers, 4 spilled, 64 warps");
  EXPECT_EQ(of(128), "128 registers, 4 spilled, 16 warps");
  EXPECT_EQ(of(255), "255 registers, 4 spilled, 8 warps");
  EXPECT_EQ(needs(one, "", {100, 100}), "nothing");
  const kernel::Module large = testing::lowered("x, y", heat, "naive,threads=32x32");
  EXPECT_EQ(needs(large, compiled("void s::step<int>()", 72, 0, 0), {100, 100}),
            "72 registers, 0 spilled, 0 warps, not step");
  // Without a device nothing is known of it; grids of 2^30 cells and more have other kernels.
  const auto alone =
      resources_of(compiled("void s::step<int>()", 72, 0, 0), large, {9, 9}, nullptr);
  ASSERT_TRUE(alone);
  EXPECT_FALSE(alone->warps);
  EXPECT_EQ(alone->unheld, "");
  EXPECT_EQ(needs(one, compiled("void s::step<int>()", 72, 0, 0), {65536, 32768}), "nothing");
}

TEST(Resources, AreThoseOfTheLaunchesThatTheGridHas) {
  const kernel::Module module = testing::lowered(
      "x, y", "field f32 u boundary clamp; u[t+1] = 0.25*(u[x-1]+u[x+1]+u[y-1]+u[y+1]);",
      "coarsened,threads=32x8,vector=4,rows=4,steps=3");
  ASSERT_EQ(module.launches.size(), 2u);
  const int rows = module.launches[0].least[1];
  ASSERT_GT(rows, 1);
  const std::string log =
      compiled("void s::" + module.launches[0].kernel.name + "<int>()", 128, 80, 0) +
      compiled("void s::step<int>()", 40, 0, 0);
  EXPECT_EQ(needs(module, log, {500, rows}), "128 registers, 80 spilled, 16 warps");
  EXPECT_EQ(needs(module, log, {500, rows - 1}).substr(0, 24), "40 registers, 0 spilled,");
}

// "?" is not known.
std::vector<std::optional<Resources>> spilling(const std::string& list) {
  std::vector<std::optional<Resources>> all;
  for (const std::string& one : testing::parts_of(list, ","))
    all.push_back(one == "?" ? std::nullopt : std::optional(Resources{99, std::stoi(one)}));
  return all;
}

TEST(Spills, WhatSpillsMuchIsLeftOutWhereSomethingDoesNot) {
  const auto timed = [](const std::string& list, bool before) {
    bool seen = before;
    std::string text;
    for (const bool out : left_out(spilling(list), seen)) text += out ? "-" : "+";
    return text + (seen ? " seen" : "");
  };
  testing::expect_rows([&](const std::string& list) { return timed(list, false); }, R"(
    0               => + seen
    64              => + seen
    65              => +
    65, 1000        => ++
    65, 64, 308, 0  => -+-+ seen
    ?, 308          => +- seen
  )");
  EXPECT_EQ(timed("65, 308", true), "-- seen");
}

TEST(Spills, TheLeastIsTheFirstOfThese) {
  testing::expect_rows(
      [](const std::string& list) { return std::to_string(least_spilling(spilling(list))); }, R"(
    308            => 0
    308, 80, 72    => 2
    308, 72, 72    => 1
    72, 72         => 0
    308, ?, 0      => 1
  )");
}

// ---- stencilc run, bench and tune with compilers that are made up ----

const std::string kPhaseField = STENCILC_SOURCE_DIR "/examples/phase_field.stn";

// A GPU that is made up. Kernels spill what the file `spills` says: lines of a pattern of
// schedules, bytes that are stored and bytes that are loaded, of which the first that fits counts.
// What `run` calls does nothing.
class Spilling : public test::Workplace {
 public:
  explicit Spilling(const std::string& spills) {
    own_cache = true;
    write("spills", spills);
    test::make_up_gpu(*this);
    shell("mv nvcc bench-nvcc");
    program("nvcc", R"sh(if [ "$1" = --version ]; then echo "made up, release 13.0"; exit 0; fi
"$MADE_UP/bench-nvcc" "$@" || exit 1
while [ "$1" != -o ]; do shift; done
schedule=$(sed -n 's|^// Schedule: ||p' "$3")
while read -r pattern stores loads; do
  case $schedule in $pattern)
    [ "$stores" != fails ] || exit 1
    sed -n 's/^__global__ .* \([a-z_0-9]*\)($/\1/p' "$3" | while read -r kernel; do
      echo "ptxas info : Compiling entry function 'void phase_field::$kernel<int>()' for 'sm_90'"
      echo "    8 bytes stack frame, $stores bytes spill stores, $loads bytes spill loads"
      echo "ptxas info : Used ${registers:-128} registers"
    done
    break ;;
  esac
done <"$MADE_UP/spills"
[ -e "$MADE_UP/run.so" ] || gcc -shared -fPIC -I "$(dirname "$3")" -o "$MADE_UP/run.so" -x c - <<'END'
#include "stencil/host_call.h"
int stencilc_host_call(struct stencil_host_call* call) {
  call->message[0] = 0;
  return 0;
}
END
grep -q stencilc_host_call "$4" && cp "$MADE_UP/run.so" "$2"
exit 0
)sh");
  }
  Finished with(const std::string& words) const {
    return test::beside_made_up_gpu(*this, "exec '" STENCILC_BINARY "' " + words);
  }
  Finished run(const std::string& words = "") const {
    return with("run '" + kPhaseField + "' --size 64x64 --in phase=gauss --in temp=gauss " + words);
  }
  // The schedules that were built, in order.
  test::Names built() const { return testing::lines_of(read("built")); }
};

// The schedules that were built, in order, and how the chosen one ends.
const std::string kLimited = "naive,threads=32x4,edges=cells,registers=128,launches=early",
                  kUnlimited = "naive,threads=32x4,edges=cells,launches=early",
                  kNaive = "naive,threads=32x8";

// The schedules to build if the choice for an example on sm_90 spills, below each other.
std::string instead(const std::string& example, data::Extents size) {
  CompileOptions options;
  options.devices = {testing::gpu()};
  options.size = std::move(size);
  diag::Engine engine;
  const auto chosen =
      compile({{"a.stn", testing::content("examples/" + example + ".stn")}}, options, engine);
  if (!chosen) return "it does not compile";
  std::string text = plan::print(chosen->plan.schedule, chosen->stencil);
  for (const std::string& other : schedules_instead(*chosen, options)) text += "\n" + other;
  return text;
}

TEST(RunSpills, OthersAreTriedFromTheNearestToTheSimplest) {
  EXPECT_EQ(instead("phase_field", {64, 64}),
            kLimited + "\n" + kUnlimited +
                "\ncoarsened,threads=32x8,vector=2,rows=2,coarsen=y1,steps=3\n" + kNaive);
  const std::string lattice = instead("apps/lbm_d3q19", {256, 256, 256});
  expect_begins(lattice, "naive,threads=32x4x1,registers=128\nnaive,threads=32x4x1\n");
  EXPECT_TRUE(lattice.ends_with("\nnaive,threads=32x8x1")) << lattice;
  // `naive` is not built twice.
  const std::string plain = instead("gauss_seidel", {256, 256, 256});
  expect_begins(plain, "naive,threads=32x8x1\n");
  EXPECT_EQ(testing::count(plain, "naive"), 1) << plain;
  // A choice of several steps per launch has no such limit.
  const std::string laplace = instead("laplace", {16384, 16384});
  expect_begins(laplace, "coarsened,threads=32x1,vector=8,chunks=full,");
  EXPECT_TRUE(laplace.ends_with("\n" + kNaive)) << laplace;
  EXPECT_EQ(testing::count(laplace, "\n"), 3) << laplace;
}

TEST(RunSpills, WhatHardlySpillsRunsAsTheCompilerChose) {
  const Spilling here("*registers=* 64 80\n");
  const Finished ran = ended(here.run());
  EXPECT_EQ(ran.err, "");
  expect_has(ran.out, {"phase_field: 64 x 64 on GPU, schedule " + kLimited + "\n"});
  EXPECT_EQ(here.built(), test::Names{kLimited});
}

TEST(RunSpills, ALimitOfRegistersGoesFirst) {
  const Spilling here("*registers=* 140 168\n* 0 0\n");
  for (int n = 0; n < 2; ++n) {  // the second time nothing is built
    const Finished ran = ended(here.run());
    EXPECT_EQ(ran.err,
              "stencilc: note: with `registers=128` the kernels would spill 140 bytes of registers "
              "per thread; they run without it, and spill nothing\n");
    expect_has(ran.out, {"schedule " + kUnlimited + "\n"});
    EXPECT_EQ(here.built(), (test::Names{kLimited, kUnlimited}));
  }
}

TEST(RunSpills, OtherKindsAndNaiveFollowUntilOneHardlySpills) {
  const Spilling here("*edges=cells* 108 8\ncoarsened* 65 0\nnaive* 64 99\n");
  const Finished ran = ended(here.run());
  const test::Names built = here.built();
  ASSERT_EQ(built.size(), 4u);
  expect_begins(built[2], "coarsened,");
  EXPECT_EQ(built[3], kNaive);
  EXPECT_EQ(ran.err, "stencilc: note: `" + kLimited +
                         "` would spill 108 bytes of registers per thread; `" + kNaive +
                         "` runs instead, and spills 64 bytes of registers per thread\n");
  expect_has(ran.out, {"schedule " + kNaive + "\n"});
}

TEST(RunSpills, WhereAllSpillTheLeastIsTaken) {
  const Spilling here("*registers=* 108 8\ncoarsened* 80 200\n* 100 0\n");
  expect_has(ended(here.run()).err, {"; `coarsened,", "` runs instead, and spills 80 bytes of"});
  here.shell("rm -r cache; echo '* 100 50' >spills");
  const Finished equal = ended(here.run());
  EXPECT_EQ(equal.err, "stencilc: note: `" + kLimited +
                           "` spills 100 bytes of registers per thread, and the other schedules "
                           "that were built spill no less\n");
  expect_has(equal.out, {"schedule " + kLimited + "\n"});
}

TEST(RunSpills, WhatDoesNotBuildIsNotTaken) {
  const Spilling here("*registers=* 100 8\n*edges=cells* fails\n* 0 0\n");
  expect_has(ended(here.run()).out, {"schedule coarsened,"});
}

TEST(RunSpills, AScheduleThatIsAskedForRuns) {
  const Spilling here("* 200 100\n");
  const Finished ran = ended(here.run("--schedule " + kLimited));
  EXPECT_EQ(ran.err,
            "stencilc: note: `" + kLimited + "` spills 200 bytes of registers per thread\n");
  EXPECT_EQ(here.built(), test::Names{kLimited});
  here.shell("rm built");
  expect_has(ended(here.run("-O0")).err, {"note: `naive,threads=32x8` spills 200"});
  EXPECT_EQ(here.built(), test::Names{kNaive});
}

TEST(BenchSpills, WhatSpillsIsSaidBeforeItIsTimed) {
  const Spilling here("naive,threads=32x8 0 0\n*registers=* 140 168\n");
  const Finished timed = ended(
      here.with("bench '" + kPhaseField + "' --size 64x64 --repeats 1 --sustained 0 --json out"));
  EXPECT_EQ(timed.err,
            "stencilc: warning: `" + kLimited + "` spills 140 bytes of registers per thread\n");
  expect_has(timed.out, {"  registers  spilled  warps\n", "        128        0     16\n",
                         "        128      140     16\n"});
  const auto json = nlohmann::json::parse(here.read("out"));
  const auto& last = json["benchmarks"].back();
  EXPECT_EQ(last["spilled_bytes"], 140);
  EXPECT_EQ(last["warps_per_multiprocessor"], 16);
}

TEST(BenchSpills, WhatNoMultiprocessorHoldsIsNotTimed) {
  const Spilling here("*32x32* 0 0\n");
  const Finished timed =
      ended(here.with("bench '" + kPhaseField +
                      "' --size 64x64 --repeats 1 --sustained 0 --schedule naive,threads=32x32"),
            1);
  EXPECT_EQ(timed.err,
            "stencilc: error: naive,threads=32x32: a multiprocessor holds no block of `step`: its "
            "threads take 128 registers [STN0706]\n");
  expect_has(timed.out, {"\nnaive,threads=32x8 "});
  expect_lacks(timed.out, {"32x32"});
}

// Of two schedules, the compiler's choice and a promising one.
TEST(TuneSpills, TheChoiceIsTimedAndWhatHardlySpills) {
  const auto tuned = [](const std::string& spills) {
    const Spilling here(spills);
    const Finished found = ended(
        here.with("tune '" + kPhaseField + "' --size 64x64 --trials 2 --jobs 2 -o file.json"));
    const auto json = nlohmann::json::parse(here.read("file.json"));
    EXPECT_EQ(json["stencils"][0]["entries"][0]["chosen"]["schedule"], kLimited);
    const size_t end = found.out.find(" of them did not run");
    return end == std::string::npos ? found.out : found.out.substr(end - 1, 1);
  };
  EXPECT_EQ(tuned("* 80 0\n"), "0") << "all spill more than 64 bytes";
  EXPECT_EQ(tuned("*registers=* 0 0\n* 65 0\n"), "1") << "the choice does not";
  EXPECT_EQ(tuned("*registers=* 0 0\n* 64 64\n"), "0");
  EXPECT_EQ(tuned("*registers=* 140 168\n* 0 0\n"), "0") << "the choice is timed in any case";
}
}  // namespace
}  // namespace stencilc::driver
