// Warnings on the command line; and that the examples have none.
#include <gtest/gtest.h>

#include <fstream>

#include "support/process.h"

namespace stencilc::test {
namespace {
namespace fs = std::filesystem;

constexpr const char* kUnstable = R"(stencil heat {
  axes x;
  param f32 dt = 1;
  field f32 u boundary clamp;
  u[t+1] = u + dt*laplacian(u);
}
)";

Finished compiled(const std::vector<std::string>& flags) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/driver_lint" /
                          testing::UnitTest::GetInstance()->current_test_info()->name();
  fs::create_directories(folder);
  std::ofstream(folder / "heat.stn") << kUnstable;
  std::vector<std::string> words = {STENCILC_BINARY, "heat.stn", "-o", "heat.cu"};
  words.insert(words.end(), flags.begin(), flags.end());
  return run(folder, words);
}

TEST(DriverLint, WarnsAndCompiles) {
  const Finished result = compiled({});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.err.find("warning: unstable for `dt` > 0.5"), result.err.npos) << result.err;
}

TEST(DriverLint, IsSwitchedOffByName) {
  const Finished result = compiled({"-Wno-unstable"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
}

TEST(DriverLint, IsMadeAnErrorByName) {
  const Finished result = compiled({"-Werror=unstable"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("error: unstable for `dt` > 0.5"), result.err.npos) << result.err;
}

TEST(DriverLint, FindsNothingInTheExamples) {
  int count = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(STENCILC_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() != ".stn") continue;
    ++count;
    const Finished result =
        run(STENCILC_SOURCE_DIR, {STENCILC_BINARY, entry.path(), "--emit=ir", "-o", "-"});
    EXPECT_EQ(result.status, 0) << entry.path();
    EXPECT_EQ(result.err, "") << entry.path();
  }
  EXPECT_GT(count, 8);
}

}  // namespace
}  // namespace stencilc::test
