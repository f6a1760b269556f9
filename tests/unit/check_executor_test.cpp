// Hand-written kernels, run unchanged by the executor: their bits are those of plain loops, and
// each planted fault is seen.
#include <gtest/gtest.h>

#include "executor/fixture.h"
#include "executor/reference.h"

namespace stencilc::check {
namespace {

using Reference = std::vector<float> (*)(const std::vector<float>&, Size);

struct Case {
  std::string file;
  Reference reference;
  std::vector<Size> sizes;
};

const Case guarded = {
    "guarded.cu", reference_guarded, {{1, 1, 1}, {32, 4, 1}, {33, 5, 1}, {67, 41, 1}}};
const Case tiled = {"tiled.cu", reference_tiled, {{1, 1, 1}, {16, 8, 1}, {17, 9, 1}, {61, 37, 1}}};
const Case marching = {
    "marching.cu", reference_marching, {{1, 1, 1}, {32, 4, 5}, {33, 5, 2}, {41, 13, 17}}};
const Case shuffled = {
    "shuffled.cu", reference_shuffled, {{1, 1, 1}, {30, 1, 1}, {120, 1, 1}, {997, 1, 1}}};

std::ostream& operator<<(std::ostream& out, const Case& test) { return out << test.file; }

class Exact : public testing::TestWithParam<Case> {};

TEST_P(Exact, in_every_mode_at_every_size) {
  const Case& test = GetParam();
  const Loaded loaded = load_text(test.file, fixture_text(test.file));
  ASSERT_TRUE(loaded.executor);
  for (const Size size : test.sizes) {
    const auto in = random_cells(size);
    const auto expected = test.reference(in, size);
    for (const RunMode mode : all_modes()) {
      for (const bool wide : {false, true}) {
        EXPECT_EQ(verdict(loaded, mode, size, wide, in, expected), "")
            << mode_name(mode) << " " << size.nx << " wide " << wide;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(executor, Exact, testing::Values(guarded, tiled, marching, shuffled),
                         [](const auto& info) {
                           return info.param.file.substr(0, info.param.file.find('.'));
                         });

struct Fault {
  std::string name;
  Case test;
  std::string from, to;
  std::string seen;  // part of what at least one mode says
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.from << " -> " << fault.to;
}

const Fault faults[] = {
    {"lost_barrier", tiled, "  __syncthreads();\n", "", "cell "},
    {"halo_too_small", tiled, "halo = 1", "halo = 0", "cell "},
    {"half_the_tile_left_unfilled", tiled, "i += width * height", "i += 2 * width * height",
     "cell "},
    {"barrier_behind_a_return", tiled, "  __syncthreads();\n",
     "  if (threadIdx.x == 3) return;\n  __syncthreads();\n", "divergent barrier"},
    {"barrier_in_a_branch", tiled, "  __syncthreads();\n",
     "  if (threadIdx.x == 3) {\n    __syncthreads();\n  } else {\n    __syncthreads();\n  }\n",
     "divergent barrier"},
    {"wrong_guard_in_y", tiled, "y >= ny)", "y > ny)", "behind the end of an allocation"},
    {"write_behind_shared", tiled,
     "    tile[ty][tx] =", "    tile[ty + 3][tx] =", "outside of the shared variables"},
    {"wrong_guard", guarded, "x < nx && y < ny", "x <= nx && y < ny",
     "behind the end of an allocation"},
    {"wrong_guard_of_rows", guarded, "y < ny)", "y <= ny)", "an allocation of"},
    {"swapped_offset", guarded, "u[at - nx]", "u[at + nx]", ""},
    {"missing_wait", marching, "    st::wait<1>();\n", "", "cell "},
    {"drain_off_by_one", marching, "wait<1>", "wait<2>", "cell "},
    {"ring_too_shallow", marching, "depth = ahead + 2", "depth = ahead + 1", "cell "},
    {"lost_barrier_in_the_march", marching, "    __syncthreads();\n", "", "cell "},
    {"halo_of_a_plane_lost", marching, "(height + 2)", "(height + 1)", ""},
    {"a_warp_that_owns_too_much", shuffled, "owned = lanes - 2 * halo", "owned = lanes - halo",
     "cell "},
    {"a_lane_that_leaves", shuffled, "  const double left",
     "  if (lane == 7) return;\n  const double left", "divergent warp operation"},
    {"an_unclamped_load", shuffled, "u[inside]", "u[x - 600000]", "illegal access"},
};

class Planted : public testing::TestWithParam<Fault> {};

TEST_P(Planted, is_seen_in_some_mode) {
  const Fault& fault = GetParam();
  const Loaded loaded =
      load_text(fault.test.file, plant(fixture_text(fault.test.file), fault.from, fault.to));
  ASSERT_TRUE(loaded.executor);
  const Size size = fault.test.sizes.back();
  const auto in = random_cells(size);
  const auto expected = fault.test.reference(in, size);
  for (const bool wide : {false, true}) {
    std::string verdicts;
    for (const RunMode mode : all_modes()) {
      const std::string text = verdict(loaded, mode, size, wide, in, expected);
      if (!text.empty()) verdicts += mode_name(mode) + ": " + text + "\n";
    }
    EXPECT_NE(verdicts, "");
    EXPECT_NE(verdicts.find(fault.seen), verdicts.npos) << verdicts;
  }
}

INSTANTIATE_TEST_SUITE_P(executor, Planted, testing::ValuesIn(faults),
                         [](const auto& info) { return info.param.name; });

TEST(check_executor, a_fault_names_the_kernel_the_block_and_the_thread) {
  const Loaded loaded =
      load_text("shuffled.cu", plant(fixture_text("shuffled.cu"), "u[inside]", "u[x - 100000]"));
  ASSERT_TRUE(loaded.executor);
  const Size size = {997, 1, 1};
  const auto in = random_cells(size);
  EXPECT_EQ(verdict(loaded, {}, size, false, in, in),
            "shuffled<int>: block (0,0,0) thread (0,0,0): an illegal access 400004 bytes before an "
            "allocation of 3988 bytes");
  EXPECT_EQ(verdict(loaded, {CopyMode::eager, ThreadOrder::descending}, size, true, in, in),
            "shuffled<long>: block (8,0,0) thread (127,0,0): an illegal access 395680 bytes before "
            "an allocation of 3988 bytes");
}

}  // namespace
}  // namespace stencilc::check
