// Holds what stencilc makes of every golden case against what lies beside it, and lets the
// compilers judge that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "golden/golden_case.h"
#include "golden/golden_cases.h"  // made by CMake: the names of the folders
#include "support/process.h"
#ifdef STENCILC_HAS_CHECK
#include "check/format.h"
#include "check/syntax.h"
#endif

namespace stencilc::test {
namespace {

namespace fs = std::filesystem;

const fs::path include_dir = fs::path(STENCILC_SOURCE_DIR) / "runtime/include";

std::vector<fs::path> headers() {
  std::vector<fs::path> files(fs::directory_iterator(include_dir / "stencil"), {});
  std::sort(files.begin(), files.end());
  return files;
}

// A reader takes the file in at one sitting: one step a launch, at most 150 lines.
TEST(golden_budget, diffusion3d_keeps_to_150_lines) {
  const std::string text = read(golden_folder("diffusion3d") / "out.cu");
  EXPECT_GT(text.size(), 1000u);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 150);
}

// The same with several steps a launch, and with what takes the rest of them one by one, is longer
// than the 250 lines that it should have. It gets no longer.
TEST(golden_budget, diffusion3d_in_several_steps_keeps_to_385_lines) {
  const std::string text = read(golden_folder("climb") / "out.cu");
  EXPECT_NE(text.find("steps=5"), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 385);
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

void expect_clang_finds_nothing(const std::string& name, const std::vector<std::string>& files) {
#ifdef STENCILC_HAS_CHECK
  const auto texts = golden_expectation(name);
  for (const std::string& file : files) {
    const std::string text = texts.at(file);
    for (const std::string& finding : check::format_findings(text))
      ADD_FAILURE() << file << ": " << finding;
    const check::Source source{file, text, {{"out.h", texts.at("out.h")}}, {include_dir}};
    for (const std::string& finding : check::syntax_findings(source)) ADD_FAILURE() << finding;
  }
#else
  GTEST_SKIP() << "stencilc was built without Clang, which would judge " << files[0] << " of "
               << name;
#endif
}

// Compiling is slow: a case is compiled again only when the command, the compiler or a text that it
// reads has changed.
void expect_compiles(const std::string& name, const std::vector<std::string>& command) {
  std::string key;
  for (const std::string& word : command) key += word + "\n";
  key += run(".", {command[0], "--version"}).out;
  for (const auto& [file, text] : golden_expectation(name)) key += file + "\n" + text;
  for (const fs::path& header : headers()) key += read(header);

  const fs::path passed = fs::path(STENCILC_BINARY_DIR) / "tests/golden-compiled" / name;
  if (fs::exists(passed) && read(passed) == key) return;
  const Finished finished = run(golden_folder(name), command);
  ASSERT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.err, "");
  fs::create_directories(passed.parent_path());
  std::ofstream(passed, std::ios::binary) << key;
}

class golden_cuda : public testing::TestWithParam<const char*> {};

TEST_P(golden_cuda, clang_finds_nothing) {
  expect_clang_finds_nothing(GetParam(), {"out.cu", "out.h"});
}

TEST_P(golden_cuda, nvcc_compiles_it_without_a_warning) {
#ifdef STENCILC_NVCC
  expect_compiles(GetParam(), {STENCILC_NVCC, "-std=c++17", "-Werror", "all-warnings",
#ifdef STENCILC_ALL_TESTS
                               "-gencode", "arch=compute_80,code=sm_80",
#endif
                               "-gencode", "arch=compute_90,code=sm_90", "-I", include_dir, "-c",
                               "-o", "/dev/null", "out.cu"});
#else
  GTEST_SKIP() << "no nvcc on this machine, which would compile out.cu of " << GetParam();
#endif
}

class golden_cpu : public testing::TestWithParam<const char*> {};

TEST_P(golden_cpu, clang_finds_nothing) {
  expect_clang_finds_nothing(GetParam(), {"out.cpp", "out.h"});
}

TEST_P(golden_cpu, the_host_compiler_compiles_it_without_a_warning) {
  expect_compiles(GetParam(),
                  {STENCILC_CXX, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fopenmp",
                   "-ffp-contract=off", "-I", include_dir, "-c", "-o", "/dev/null", "out.cpp"});
}

// A suite without a case fails by itself.
std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(all, golden, testing::ValuesIn(all_cases), name_of);
INSTANTIATE_TEST_SUITE_P(all, golden_cuda, testing::ValuesIn(cuda_cases), name_of);
INSTANTIATE_TEST_SUITE_P(all, golden_cpu, testing::ValuesIn(cpu_cases), name_of);

}  // namespace
}  // namespace stencilc::test
