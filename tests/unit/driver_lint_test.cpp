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

constexpr const char* kSeparable = R"(stencil blur {
  axes x, y;
  field f32 u in boundary clamp;
  field f32 d out;
  d = sum(i in -1..1, j in -1..1 : (2 - i*i) * (2 - j*j) * u[x+i, y+j]) / 16;
}
)";

Finished compiled(const std::vector<std::string>& flags, const char* text = kUnstable) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/driver_lint" /
                          testing::UnitTest::GetInstance()->current_test_info()->name();
  fs::create_directories(folder);
  std::ofstream(folder / "heat.stn") << text;
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

TEST(DriverLint, AdvisesWhereAskedFor) {
  const std::string advice = "the 9 weights of `u` are the product of 3 along x and 3 along y";
  for (const std::string flag : {"-Wunstable", "-Werror", "-Wno-separable-weights"})
    EXPECT_EQ(compiled({flag}, kSeparable).err, "") << flag;
  for (const std::string flag : {"-Wall", "-Wseparable-weights"}) {
    const Finished result = compiled({flag}, kSeparable);
    EXPECT_EQ(result.status, 0) << flag;
    EXPECT_NE(result.err.find("warning: " + advice), result.err.npos) << flag << result.err;
  }
  EXPECT_EQ(compiled({"-Wall", "-Werror"}, kSeparable).status, 0);
  EXPECT_EQ(compiled({"-Wall", "-Wno-separable-weights"}, kSeparable).err, "");
  EXPECT_EQ(compiled({"-Werror=separable-weights"}, kSeparable).status, 1);
}

TEST(DriverLint, AdvisesInTheExplanationOfThePlan) {
  for (const std::string order : {"--fp=canonical", "--fp=source"}) {
    const Finished result = compiled({"--explain", order}, kSeparable);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find(
                  "  the 9 weights of `u` are the product of 3 along x and 3 along y: two updates, "
                  "with a field between them, would do 6 multiplications a cell instead of 9; the "
                  "result rounds differently, so it is not done unasked\n"),
              result.out.npos)
        << result.out;
  }
  EXPECT_EQ(compiled({"--explain"}).out.find("product"), std::string::npos);
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
