// The texts that stencilc makes of every example by several options, as digests in emitted.txt: a
// change of code that is to keep every emitted byte does keep it, and one that changes texts shows
// of which programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "diag/fnv.h"
#include "golden/golden_case.h"
#include "support/process.h"

namespace stencilc::test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
const std::vector<Words> kOptions = {{},
                                     {"--arch=sm_90"},
                                     {"--arch=sm_90", "--size=96x96x96"},
                                     {"--schedule=naive,stages=split"},
                                     {"--target=cpu"},
                                     {"--emit=manifest", "--arch=sm_90"}};

// What stencilc makes of the file, or says where it refuses it.
std::string digest_of(const fs::path& program, const Words& options) {
  const fs::path made = fs::path(STENCILC_BINARY_DIR) / "tests/golden-texts";
  fs::remove_all(made);
  fs::create_directories(made);
  Words words = {STENCILC_BINARY, program.filename(), "--no-tune"};
  if (!options.empty() && options[0] == "--emit=manifest")
    words.insert(words.end(), {"-o", made / "out.json"});
  else
    words.insert(words.end(), {"-o", made / "out"});
  words.insert(words.end(), options.begin(), options.end());
  Finished finished = run(program.parent_path(), words);
  // As many extents as there are axes.
  for (size_t at; finished.status != 0 && (at = words.back().rfind("x96")) != std::string::npos;) {
    words.back().erase(at);
    finished = run(program.parent_path(), words);
  }
  std::string all = fmt::format("{}\n", finished.status);
  if (finished.status != 0) all += finished.err;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(made))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) all += file.filename().string() + "\n" + read(file);
  return fmt::format("{:016x}", diag::fnv1a(all));
}

TEST(golden_emitted, of_examples_are_those_that_are_known) {
  const fs::path root = STENCILC_SOURCE_DIR;
  std::string text;
  for (const Words& options : kOptions)
    text += fmt::format("# {}\n",
                        options.empty() ? "no option" : fmt::format("{}", fmt::join(options, " ")));
  std::vector<fs::path> programs;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "examples"))
    if (entry.path().extension() == ".stn") programs.push_back(entry.path());
  std::sort(programs.begin(), programs.end());
  ASSERT_GT(programs.size(), 40u);
  for (const fs::path& program : programs) {
    text += program.stem().string();
    for (const Words& options : kOptions) text += " " + digest_of(program, options);
    text += "\n";
  }
  const fs::path known = root / "tests/golden/emitted.txt";
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(known, std::ios::binary) << text;
    FAIL() << "wrote " << known << "; look at the change, then test without STENCILC_UPDATE_GOLDEN";
  }
  EXPECT_EQ(text, read(known)) << "where that is meant, STENCILC_UPDATE_GOLDEN=1 rewrites the file";
}

}  // namespace
}  // namespace stencilc::test
