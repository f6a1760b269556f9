// Hand-written kernels, run unchanged by the executor: their bits are those of plain loops, and
// each planted fault is seen.
#include <gtest/gtest.h>

#include "executor/fixture.h"

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
const Case streaming = {
    "streaming.cu", reference_streaming, {{1, 1, 1}, {32, 4, 5}, {33, 5, 2}, {41, 13, 17}}};
const Case shuffled = {
    "shuffled.cu", reference_shuffled, {{1, 1, 1}, {30, 1, 1}, {120, 1, 1}, {997, 1, 1}}};
const Case prefetched = {
    "prefetched.cu", reference_guarded, {{1, 1, 1}, {120, 8, 1}, {121, 9, 1}, {997, 41, 1}}};
const Case lanes = {"lanes.cu", reference_lanes, {{1, 1, 1}, {64, 1, 1}, {65, 1, 1}, {997, 1, 1}}};
const Case windows = {
    "windows.cu",
    reference_streaming,
    {{1, 1, 1}, {32, 1, 1}, {997, 1, 1}, {33, 5, 1}, {67, 41, 1}, {33, 5, 2}, {41, 13, 17}}};
const Case boxes = {
    "boxes.cu", reference_streaming, {{1, 1, 1}, {32, 6, 4}, {33, 7, 5}, {41, 13, 17}}};
const Case produced = {
    "produced.cu", reference_streaming, {{1, 1, 1}, {32, 6, 4}, {33, 7, 5}, {41, 13, 17}}};

std::ostream& operator<<(std::ostream& out, const Case& test) { return out << test.file; }

class Exact : public ::testing::TestWithParam<Case> {};

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

INSTANTIATE_TEST_SUITE_P(executor, Exact,
                         ::testing::Values(guarded, tiled, streaming, shuffled, prefetched, lanes,
                                           windows, boxes, produced),
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
    {"wrong_guard_in_y", tiled, "y >= ny)", "y > ny)", "after the end of an allocation"},
    {"write_behind_shared", tiled,
     "    tile[ty][tx] =", "    tile[ty + 3][tx] =", "outside of the shared variables"},
    {"wrong_guard", guarded, "x < nx && y < ny", "x <= nx && y < ny",
     "after the end of an allocation"},
    {"wrong_guard_of_rows", guarded, "y < ny)", "y <= ny)", "an allocation of"},
    {"swapped_offset", guarded, "u[at - nx]", "u[at + nx]", ""},
    {"missing_wait", streaming, "    st::wait<1>();\n", "", "cell "},
    {"drain_off_by_one", streaming, "wait<1>", "wait<2>", "cell "},
    {"ring_too_shallow", streaming, "depth = ahead + 2", "depth = ahead + 1", "cell "},
    {"lost_barrier_in_the_stream", streaming, "    st::sync();\n", "", "cell "},
    {"halo_of_a_plane_lost", streaming, "(height + 2)", "(height + 1)", ""},
    {"missing_wait_of_a_lane", prefetched, "    st::wait<ahead>();\n", "", "cell "},
    {"one_group_too_many_pending", prefetched, "wait<ahead>", "wait<ahead + 1>", "cell "},
    {"missing_commit", prefetched, "    st::commit();\n", "", "cell "},
    {"ring_of_rows_too_shallow", prefetched, "depth = ahead + 1", "depth = ahead", "cell "},
    {"shuffle_under_divergence", prefetched, "= st::from_right(here.at[0], 1)",
     "= lane < 31 ? st::from_right(here.at[0], 1) : 0.0f", "divergent warp operation"},
    {"missing_await", boxes, "    arrived(z + 2);\n", "", "no thread has waited for"},
    {"missing_await_of_the_first_plane", boxes, "  arrived(0);\n", "",
     "an arrival at a phase that is already complete"},
    {"wrong_parity", boxes, "p / depth % 2", "(p / depth + 1) % 2",
     "an arrival at a phase that is already complete"},
    {"parity_of_another_count", boxes, "p / depth % 2", "(p + 1) / depth % 2", ""},
    {"ring_of_boxes_too_shallow", boxes, "depth = ahead + 2", "depth = ahead + 1", "cell "},
    {"lost_barrier_before_reuse", boxes, "    st::sync();  //", "    //",
     "191 for a phase that misses 1 arrival"},
    {"too_many_bytes_expected", boxes, "expect(sizeof(Plane))", "expect(sizeof(Plane) + 16)",
     "all threads wait: 192 for a phase that misses 16 bytes"},
    {"too_few_bytes_expected", boxes, "expect(sizeof(Plane))", "expect(sizeof(Plane) - 1)",
     "a phase that misses nothing, with 1 byte more than expected"},
    {"no_bytes_expected", boxes, "expect(sizeof(Plane))", "arrive()", "more than expected"},
    {"nobody_arrives", boxes, "    full[p % depth].expect(sizeof(Plane));\n", "",
     "misses 1 arrival, with 1280 bytes more than expected"},
    {"too_many_arrivals_counted", boxes, "init(1)", "init(2)", "misses 1 arrival"},
    {"missing_fence", boxes, "    st::fence_init();\n", "", "initialisation is not fenced"},
    {"barriers_not_yet_initialised", boxes, "  st::sync();\n  arrived(0);", "  arrived(0);",
     "a barrier that is not initialised"},
    {"boxes_behind_the_last_plane", boxes, "    if (p >= nz + 2) return;\n", "",
     "no thread has waited for"},
    {"box_at_an_odd_address", boxes, "(ring[p % depth], map", "(&ring[p % depth][0][4], map",
     "not a multiple of 128"},
    {"ring_with_a_plane_less", boxes, "Plane ring[depth]", "Plane ring[depth - 1]", ""},
    {"box_higher_than_its_plane", boxes, "{box_width, box_height, 1}",
     "{box_width, box_height + 1, 1}", "more than expected"},
    {"box_at_the_wrong_cell", windows, "map, x0 - vector, y0 - 1, z0 - 1",
     "map, x0, y0 - 1, z0 - 1", "cell "},
    {"box_beside_the_variables", windows, "int height = box_of(Axes, 1)", "int height = 2", ""},
    {"missing_wait_for_an_empty_slot", produced,
     "    if (round > 0) ring.empty[slot].await((round - 1) % 2);\n", "",
     "an arrival at a phase that is already complete"},
    {"wrong_parity_of_empty", produced, "await((round - 1) % 2)", "await(round % 2)",
     "an arrival at a phase that is already complete"},
    {"slot_emptied_too_early", produced, "ring.empty[z % depth].arrive()",
     "ring.empty[(z + 1) % depth].arrive()", "all threads wait"},
    {"slot_never_emptied", produced, "    if (threadIdx.x == 0) ring.empty[z % depth].arrive();\n",
     "", "misses 6 arrivals"},
    {"slot_emptied_by_a_warp_too_few", produced, "empty[slot].init(height)",
     "empty[slot].init(height - 1)", ""},
    {"lanes_that_still_read", produced, "    st::sync_warp();\n", "", "cell "},
    {"too_little_dynamic_memory", produced, "sizeof(Ring)>>>", "sizeof(Ring) - 8>>>", ""},
    {"a_warp_that_owns_too_much", shuffled, "owned = lanes - 2 * halo", "owned = lanes - halo",
     "cell "},
    {"a_lane_that_leaves", shuffled, "  const double left",
     "  if (lane == 7) return;\n  const double left", "divergent warp operation"},
    {"an_unclamped_load", shuffled, "u[inside]", "u[x - 600000]", "illegal access"},
};

class Planted : public ::testing::TestWithParam<Fault> {};

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

INSTANTIATE_TEST_SUITE_P(executor, Planted, ::testing::ValuesIn(faults),
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
