// Holds what stencilc makes of every golden case against what lies beside it, and lets the
// compilers judge that.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>

#include "golden/golden_case.h"
#include "golden/golden_cases.h"  // made by CMake: the names of the folders
#include "golden/golden_unit.h"
#include "ptxas/compiled.h"
#include "support/process.h"
#ifdef STENCILC_HAS_CHECK
#include "check/front_end/format.h"
#include "check/front_end/syntax.h"
#endif

namespace stencilc::test {
namespace {

namespace fs = std::filesystem;

// A reader takes the file in at one sitting: one step per launch, at most 150 lines.
TEST(golden_budget, diffusion3d_keeps_to_150_lines) {
  const std::string text = read(golden_folder("diffusion3d") / "out.cu");
  EXPECT_GT(text.size(), 1000u);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 150);
}

// The same with several steps per launch, and with what takes the rest of them one by one, is
// longer than the 250 lines that it should have. It gets no longer.
TEST(golden_budget, diffusion3d_in_several_steps_keeps_to_420_lines) {
  const std::string text = read(golden_folder("stream_3d") / "out.cu");
  EXPECT_NE(text.find("steps=5"), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 420);
}

class golden : public testing::TestWithParam<const char*> {};

TEST_P(golden, output_is_as_expected) {
  const Outcome outcome = golden_outcome(GetParam());
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr) {
    rewrite_golden(GetParam(), outcome.files);
    FAIL() << "rewrote " << golden_folder(GetParam())
           << "; look at the change, then test without STENCILC_UPDATE_GOLDEN";
  }
  const auto files = golden_expectation(GetParam());
  for (const auto& [name, text] : outcome.files) {
    const auto found = files.find(name);
    if (found == files.end())
      ADD_FAILURE() << name << " is not expected:\n" << text;
    else if (found->second != text)
      ADD_FAILURE() << name << " differs:\n" << diff(found->second, text);
  }
  for (const auto& [name, text] : files)
    EXPECT_EQ(outcome.files.count(name), 1u) << name << " was not made";
  EXPECT_FALSE(files.empty()) << "the case expects nothing";
  const bool refused = files.size() == 1 && files.count("diag.txt") != 0;
  EXPECT_EQ(outcome.status, refused ? 1 : 0);
}

using Cases = std::vector<std::string>;
const Cases cuda(cuda_cases.begin(), cuda_cases.end());
const Cases cpu(cpu_cases.begin(), cpu_cases.end());

// With all tests each case is a text by itself.
std::vector<GoldenUnit> units_of(const Cases& cases) {
#ifdef STENCILC_ALL_TESTS
  std::vector<GoldenUnit> units;
  for (const std::string& name : cases) units.push_back({name});
  return units;
#else
  return golden_units(cases);
#endif
}

// So that a case that lacks an #include is seen where it stands after another.
TEST(golden_units, have_cases_that_include_the_same) {
  const auto expect = [](const std::string& name, const char* source,
                         std::set<std::string> by_header) {
    by_header.insert({"<stdbool.h>", "<stdint.h>", "<stencil/codes.h>"});  // for C
    const fs::path folder = golden_folder(name);
    if (read(folder / "out.h").find("_leg(") != std::string::npos)
      by_header.insert({"<stencil/mesh_cuda.h>", "<stencil/mesh_c.h>"});
    EXPECT_EQ(includes_of(read(folder / source)), std::set<std::string>{"\"out.h\""}) << name;
    EXPECT_EQ(includes_of(read(folder / "out.h")), by_header) << name;
  };
  EXPECT_FALSE(cuda.empty() || cpu.empty());
  for (const std::string& name : cuda)
    expect(name, "out.cu", {"<stencil/cuda.h>", "<cuda_runtime.h>"});
  for (const std::string& name : cpu) expect(name, "out.cpp", {"<stencil/cpu.h>"});
}

void expect_clang_finds_nothing(const std::vector<GoldenUnit>& units, const std::string& source) {
#ifdef STENCILC_HAS_CHECK
  for (const GoldenUnit& unit : units) {
    std::vector<check::MemoryFile> headers;
    for (const std::string& name : unit) {
      headers.push_back({name + "/out.h", read(golden_folder(name) / "out.h")});
      for (const std::string& file : {source, std::string("out.h")})
        for (const std::string& finding : check::format_findings(read(golden_folder(name) / file)))
          ADD_FAILURE() << name << "/" << file << ": " << finding;
    }
    for (const std::string& file : {source, std::string("out.h")}) {
      const check::Source all{
          file, text_of(unit, file, Names::lines), headers, {runtime_include()}};
      for (const std::string& finding : check::syntax_findings(all)) ADD_FAILURE() << finding;
    }
  }
#else
  GTEST_SKIP() << "stencilc was built without Clang, which would judge every " << source << " of "
               << units.size() << " units";
#endif
}

// Compiles what is not known to be accepted: by this command, or by another that asks for more.
void expect_compiles(const Cases& cases, const std::string& source,
                     std::vector<std::string> command, const std::vector<std::string>& stronger,
                     Names names) {
  const auto code = [&](const std::string& name) {
    return code_of(read(golden_folder(name) / source), read(golden_folder(name) / "out.h"));
  };
  const Accepted accepted(command), elsewhere(stronger);
  Cases open;
  for (const std::string& name : cases)
    if (!accepted.has(code(name)) && !elsewhere.has(code(name))) open.push_back(name);

  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/golden-units" / source;
  fs::remove_all(folder);
  fs::create_directories(folder);
  const bool device = std::find(command.begin(), command.end(), "-fatbin") != command.end();
  if (!device) command.push_back("-c");
  command.insert(command.end(),
                 {"-I", runtime_include(), "-I", golden_folder(""), "-o", "/dev/null"});
  for (const GoldenUnit& unit : units_of(open)) {
    const fs::path file = folder / (unit[0] + fs::path(source).extension().string());
    std::ofstream(file, std::ios::binary) << text_of(unit, source, names);
    command.push_back(file);
    const Finished finished = run(folder, command);
    command.pop_back();
    EXPECT_EQ(finished.status, 0) << file << ":\n" << finished.out << finished.err;
    EXPECT_EQ(finished.err, "");
    if (finished.status == 0 && finished.err.empty())
      for (const std::string& name : unit) accepted.add(code(name));
  }
}

TEST(golden_cuda, clang_finds_nothing) { expect_clang_finds_nothing(units_of(cuda), "out.cu"); }

TEST(golden_cpu, clang_finds_nothing) { expect_clang_finds_nothing(units_of(cpu), "out.cpp"); }

// Programs for pieces of a grid, whose lines are longer, with each way to break them.
TEST(golden_pieces, clang_finds_nothing_in_examples) {
#ifdef STENCILC_HAS_CHECK
  const fs::path made = fs::path(STENCILC_BINARY_DIR) / "tests/golden-texts";
  fs::create_directories(made);
  using Words = std::vector<std::string>;
  for (Words words :
       {Words{"half_storage.stn"}, Words{"phase_field.stn"}, Words{"apps/canny.stn"},
        Words{"wave_sponge.stn", "--schedule=naive"}, Words{"apps/cavity.stn", "--target=cpu"},
        Words{"apps/elastic_cartesian.stn", "--target=cpu"}}) {
    words.insert(words.begin(), STENCILC_BINARY);
    words.insert(words.end(), {"--no-tune", "--distributed", "--check", "-o", made / "pieces"});
    const Finished finished = run(fs::path(STENCILC_SOURCE_DIR) / "examples", words);
    EXPECT_EQ(finished.status, 0) << words[1] << ":\n" << finished.err;
  }
#else
  GTEST_SKIP() << "stencilc was built without Clang, which would judge them";
#endif
}

TEST(golden_cpu, the_host_compiler_finds_nothing) {
  const std::vector<std::string> command = {STENCILC_CXX, "-std=c++17",       "-O2",
                                            "-Wall",      "-Wextra",          "-Werror",
                                            "-fopenmp",   "-ffp-contract=off"};
  expect_compiles(cpu, "out.cpp", command, command, Names::lines);
}

#ifdef STENCILC_NVCC
#ifdef STENCILC_ALL_TESTS
const std::vector<std::string> archs = {"sm_80", "sm_90"};

std::vector<std::string> quick_options() { return {}; }
#else
const std::vector<std::string> archs = {"sm_90"};

// By these nvcc takes a third of the time. What its parsers, ptxas and the host compiler say stays
// the same, but for what optimization finds: that is left to tests/ptxas and to all tests.
std::vector<std::string> quick_options() {
  const bool known = run(".", {STENCILC_NVCC, "--help"}).out.find("-Ofc") != std::string::npos;
  return known ? std::vector<std::string>{"-Ofc=max"} : std::vector<std::string>{};
}
#endif
#endif

TEST(golden_nvcc, finds_nothing) {
#ifdef STENCILC_NVCC
  for (const std::string& arch : archs) {
    std::vector<std::string> command = nvcc_command(arch);
    for (const std::string& option : quick_options()) command.push_back(option);
    expect_compiles(cuda, "out.cu", command, nvcc_command(arch), Names::remarks);
  }
#else
  GTEST_SKIP() << "no nvcc on this machine, which would compile every out.cu";
#endif
}

#ifdef STENCILC_NVCC
// For GPUs after Hopper, in one call: machine code of each, whatever nvcc makes of it. The host's
// side is that of the test above.
std::vector<std::string> for_later_gpus() {
  std::vector<std::string> command = nvcc_command("sm_90");
  command.back() = "-fatbin";
  for (const std::string number : {"100", "120"})
    command.insert(command.end(), {"-gencode", "arch=compute_" + number + ",code=sm_" + number});
  for (const std::string& option : quick_options()) command.push_back(option);
  return command;
}
#endif

// One of each way to move data and to take steps; all cases in a long run.
TEST(golden_nvcc, finds_nothing_for_later_gpus) {
#ifdef STENCILC_NVCC
#ifdef STENCILC_ALL_TESTS
  const Cases cases = cuda;
#else
  const Cases cases = {"advection", "boxes",          "stream_3d", "conv_tile", "gsrb",
                       "lanes",     "stream_2d_bits", "producers", "shots",     "texture"};
#endif
  expect_compiles(cases, "out.cu", for_later_gpus(), for_later_gpus(), Names::remarks);
#else
  GTEST_SKIP() << "no nvcc on this machine, which would compile every out.cu";
#endif
}

// A suite without a case fails by itself.
std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(all, golden, testing::ValuesIn(all_cases), name_of);

}  // namespace
}  // namespace stencilc::test
