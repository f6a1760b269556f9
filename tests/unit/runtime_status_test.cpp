// Every failure that the CPU can meet, with its whole text.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/cpu_kernels.h"
#include "runtime/expect.h"
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

// An allocation that fails is part of the tests, under ASan too.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

namespace {

using stencil::Code;
using stencil::expect_failure;
using Grid = stencil::Grid<float, 2>;

// Through the C interface: the code is returned, the text is kept.
void expect_code(int result, Code code, const std::string& message) {
  EXPECT_EQ(result, static_cast<int>(code));
  EXPECT_EQ(stencil_last_error(), message);
}

int laplace(float* a, float* b, int64_t nx, int64_t ny, int64_t pitch, int64_t steps = 1) {
  float* u[2] = {a, b};
  return laplace2d_run(u, nx, ny, pitch, 0, steps, {});
}

TEST(RuntimeStatus, SuccessHasNoText) {
  const stencil::Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), Code::ok);
  EXPECT_STREQ(status.message(), "");
  EXPECT_EQ(stencil::code_of(status), STENCIL_OK);
}

TEST(RuntimeStatus, NullPointers) {
  std::vector<float> cells(128);
  expect_code(laplace(cells.data(), nullptr, 8, 8, 8), Code::null_pointer,
              "`laplace2d`: `u[1]` is a null pointer; pass an array of 8 x 8 elements");
  expect_failure(Grid::wrap(nullptr, {3, 2}, 3).status(), Code::null_pointer,
                 "a wrapped grid: the data is a null pointer; pass an array of 3 x 2 elements");
  Grid u({3, 2});
  expect_failure(u.copy_from(nullptr), Code::null_pointer,
                 "the host array of a copy is a null pointer; pass 3 x 2 elements");
}

TEST(RuntimeStatus, BadExtents) {
  std::vector<float> cells(128);
  expect_code(laplace(cells.data(), cells.data() + 64, 8, 0, 8), Code::bad_extents,
              "`laplace2d`: the extents are 8 x 0; each must be at least 1");
  Grid negative({-3, 2});
  expect_failure(negative.status(), Code::bad_extents,
                 "a grid: the extents are -3 x 2; each must be at least 1");
  expect_failure(laplace2d::run({negative}, {}), Code::bad_extents,
                 "`laplace2d`: `u`: a grid: the extents are -3 x 2; each must be at least 1");
  Grid none;
  expect_failure(none.copy_to(cells.data()), Code::bad_extents,
                 "a grid without cells is copied; construct it with extents");
  const int64_t large = int64_t{1} << 31;
  expect_failure(stencil::Grid<float, 3>({large, large, 2}).status(), Code::bad_extents,
                 "a grid: 2147483648 x 2147483648 x 2 elements of 4 bytes are more than 2^63 "
                 "bytes; use smaller extents");
  stencil::Grid<uint8_t, 2> img({4, 5}), dst({5, 5});
  expect_failure(blur::run({img, dst}), Code::bad_extents,
                 "`blur`: `img` is 4 x 5 and `dst` is 5 x 5; the grids of one call have the same "
                 "extents");
}

TEST(RuntimeStatus, BadPitch) {
  std::vector<float> cells(128);
  expect_code(laplace(cells.data(), cells.data() + 64, 8, 8, 7), Code::bad_pitch,
              "`laplace2d`: the pitch is 7, less than a row of 8 elements; count it in elements");
  expect_code(laplace(cells.data(), cells.data() + 64, 8, 8, -8), Code::bad_pitch,
              "`laplace2d`: the pitch is -8, less than a row of 8 elements; count it in elements");
  expect_failure(
      stencil::Grid<float, 3>::wrap(cells.data(), {4, 4, 4}, 5, 19).status(), Code::bad_pitch,
      "a wrapped grid: planes start every 19 elements, less than 4 rows of 5; count in elements");
  std::vector<uint8_t> bytes(64);
  stencil::Grid<uint8_t, 2> img({4, 5});
  auto dst = stencil::Grid<uint8_t, 2>::wrap(bytes.data(), {4, 5}, 6);
  expect_failure(blur::run({img, dst}), Code::bad_pitch,
                 "`blur`: `img` has pitch 64 and plane 320, `dst` has pitch 6 and plane 30; the "
                 "grids of one call have the same");
}

TEST(RuntimeStatus, Misaligned) {
  std::vector<float> cells(256);
  float* const odd = reinterpret_cast<float*>(reinterpret_cast<char*>(cells.data()) + 2);
  expect_code(laplace(odd, cells.data() + 128, 8, 8, 8), Code::misaligned,
              "`laplace2d`: `u[0]` does not start at a multiple of its element size, 4 bytes");
}

TEST(RuntimeStatus, Aliasing) {
  std::vector<float> cells(256);
  const std::string message =
      "`laplace2d`: `u[0]` and `u[1]` share memory and `u[0]` is written; give each its own";
  expect_code(laplace(cells.data(), cells.data(), 8, 8, 8), Code::aliasing, message);
  expect_code(laplace(cells.data(), cells.data() + 63, 8, 8, 8), Code::aliasing, message);
  expect_code(laplace(cells.data() + 63, cells.data(), 8, 8, 8), Code::aliasing, message);
  EXPECT_EQ(laplace(cells.data(), cells.data() + 64, 8, 8, 8), STENCIL_OK);
  // Windows side by side in rows of 16 share nothing until they touch.
  EXPECT_EQ(laplace(cells.data(), cells.data() + 8, 8, 8, 16), STENCIL_OK);
  EXPECT_EQ(laplace(cells.data() + 8, cells.data() + 16, 8, 8, 16), STENCIL_OK);
  expect_code(laplace(cells.data(), cells.data() + 7, 8, 8, 16), Code::aliasing, message);
  expect_code(laplace(cells.data(), cells.data() + 9, 8, 8, 16), Code::aliasing, message);
  stencil::Grid<uint8_t, 2> img({4, 5});
  expect_failure(blur::run({img, img}), Code::aliasing,
                 "`blur`: `img` and `dst` share memory and `dst` is written; give each its own");
  stencil::Grid<double, 3> u({2, 2, 2}), u_prev({2, 2, 2});
  expect_failure(wave3d::run({u, u_prev, u}, {}), Code::aliasing,
                 "`wave3d`: `u[0]` and `c` share memory and `u[0]` is written; give each its own");
}

TEST(RuntimeStatus, ReadersMayShare) {
  std::vector<float> cells(64);
  const stencil::Status status =
      stencil::check("sum", stencil::shape({8, 8}, 8), {},
                     {stencil::read("a", cells.data()), stencil::read("b", cells.data())});
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(RuntimeStatus, NegativeSteps) {
  Grid u({3, 2});
  expect_failure(laplace2d::run({u}, stencil::Steps{-1}), Code::negative_steps,
                 "`laplace2d`: the step count is -1; it must be at least 0");
}

TEST(RuntimeStatus, OutOfMemory) {
  EXPECT_EQ((stencil::Grid<uint8_t, 1>({INT64_MAX}).status().code()), Code::out_of_memory);
  const int64_t side = int64_t{1} << 26;
  const stencil::Grid<double, 2> u({side, side});
  EXPECT_EQ(u.status().code(), Code::out_of_memory);
  std::string message = u.status().message();
  const std::string before =
      "a grid of 67108864 x 67108864 needs 36028797018963968 bytes and the machine has ";
  const std::string after = " free; use a smaller grid or release memory first";
  ASSERT_EQ(message.substr(0, before.size()), before);
  const size_t digits = message.find_first_not_of("0123456789", before.size());
  EXPECT_GT(digits, before.size());
  EXPECT_EQ(message.substr(digits), after);
  // Whole pages are free.
  const std::string bytes = message.substr(before.size(), digits - before.size());
  EXPECT_EQ(std::stoll(bytes) % sysconf(_SC_PAGESIZE), 0);
}

TEST(RuntimeStatus, RoundingMode) {
  Grid u({3, 2});
  const std::vector<float> zeros(6);
  ASSERT_TRUE(u.copy_from(zeros.data()).ok());
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const stencil::Status status = laplace2d::run({u}, {});
    std::fesetround(FE_TONEAREST);
    expect_failure(status, Code::fp_environment,
                   "`laplace2d`: results are not rounded to nearest; call with the rounding mode "
                   "`FE_TONEAREST`");
  }
  EXPECT_TRUE(laplace2d::run({u}, {}).ok());
}

#if defined(__SSE__)
TEST(RuntimeStatus, FlushedDenormals) {
  Grid u({3, 2});
  const std::vector<float> zeros(6);
  ASSERT_TRUE(u.copy_from(zeros.data()).ok());
  const unsigned usual = _mm_getcsr(), flush_results = 0x8000, flush_operands = 0x0040;
  for (const unsigned mode : {flush_results, flush_operands}) {
    _mm_setcsr(usual | mode);
    const stencil::Status status = laplace2d::run({u}, {});
    _mm_setcsr(usual);
    expect_failure(status, Code::fp_environment,
                   "`laplace2d`: denormals are flushed to zero; compile and link without "
                   "`-ffast-math` and leave the modes FTZ and DAZ off");
  }
}
#endif

// What probe.cpp prints, or "" where it does not compile or run.
std::string probed(const std::string& flags) {
  const std::string program = ::testing::TempDir() + "stencilc_probe" + std::to_string(getpid());
  const std::string build = "c++ -std=c++17 -O2 " + flags +
                            " -I'" STENCILC_SOURCE_DIR "/runtime/include' '" STENCILC_SOURCE_DIR
                            "/tests/unit/runtime/probe.cpp' -o '" +
                            program + "'";
  std::string text;
  if (std::system(build.c_str()) != 0) return text;
  if (FILE* output = popen(("'" + program + "'").c_str(), "r")) {
    for (int c = std::getc(output); c != EOF && c != '\n'; c = std::getc(output))
      text += static_cast<char>(c);
    if (pclose(output) == 0) text = "says: " + text;
  }
  std::remove(program.c_str());
  return text;
}

TEST(RuntimeStatus, FlagsOfTheFile) {
  EXPECT_EQ(probed("-ffp-contract=off"), "says: ");
  EXPECT_EQ(probed("-ffast-math"),
            "says: `probe`: the kernels were compiled with `-ffast-math`; compile them without it");
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma")) {
    EXPECT_EQ(probed("-mfma -ffp-contract=fast"),
              "says: `probe`: products and sums are contracted; compile the kernels with "
              "`-ffp-contract=off`");
  }
#endif
}

TEST(RuntimeStatus, LongTextsAreCutNotOverrun) {
  const std::string name(1000, 'x');
  const stencil::Status status = stencil::failure(Code::cuda_error, "%s", name.c_str());
  EXPECT_EQ(std::string(status.message()), name.substr(0, stencil::Status::text_size - 1));
  EXPECT_EQ(stencil::code_of(status), STENCIL_CUDA_ERROR);
  EXPECT_STREQ(stencil_last_error(), status.message());
}

}  // namespace
