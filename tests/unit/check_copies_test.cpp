// Copies of boxes: element types, and what kernels and hosts must not do with them.
#include <gtest/gtest.h>

#include "executor/fixture.h"

namespace stencilc::check {
namespace {

// A program with `kernel`, whose parameters are a map of an array of 10 x 6 `type`s in rows of 32,
// numbered from 1 row by row with 11 between rows, and a place for a number. Boxes have 16 x 4
// elements.
struct Ran {
  int status = -1;  // of box_map
  long long number = 0;
  std::vector<std::string> faults;
};

Ran run_kernel(const std::string& type, const std::string& body, RunMode mode = {},
               const std::string& before_launch = "") {
  const std::string text =
      "#include <stencil/cuda_map.h>\n#include <stencil/device.h>\nusing T = " + type + R"(;
__global__ void test(const __grid_constant__ st::Map map, long long* number) {
  __shared__ __align__(128) T box[4][16];
  __shared__ st::Barrier full;
)" + body +
      "\n}\n";
  const std::string adapter = R"(
extern "C" int call(long long* number) {
  T host[6][32] = {}, *data = nullptr;
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 10; ++x) host[y][x] = static_cast<T>(y * 11 + x + 1);
  long long* device = nullptr;
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&device, sizeof *device);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  st::Map map;
  const auto status =
      stencil::box_map("test", &map, data, stencil::shape({10, 6}, 32), {16, 4});
)" + before_launch + R"(
  if (status.ok() && stencil::copies_boxes(test)) test<<<1, 32>>>(map, device);
  cudaGetLastError();
  cudaMemcpy(number, device, sizeof *number, cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(device);
  return static_cast<int>(status.code());
})";
  Ran ran;
  const Loaded loaded = load_text("test.cu", text, adapter);
  if (!loaded.executor) return ran;
  set_mode(*loaded.executor, mode);
  const auto call = reinterpret_cast<int (*)(long long*)>(symbol(*loaded.executor, "call"));
  ran.status = call(&ran.number);
  ran.faults = take_faults(*loaded.executor);
  return ran;
}

// Copies the box at (-first, 4), 16 bytes to the left of the grid, so that its left and upper parts
// are zeros, and adds up its elements by place. (Of elements of one byte that would be all of it.)
const std::string copy_and_add = R"(
  const int first = sizeof(T) == 1 ? 0 : 16 / static_cast<int>(sizeof(T));
  if (threadIdx.x == 0) {
    full.init(1);
    st::fence_init();
    full.expect(sizeof box);
    st::copy_box(box, map, -first, 4, full);
  }
  st::sync();
  full.await(0);
  if (threadIdx.x != 0) return;
  long long sum = 0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 16; ++x) sum += static_cast<long long>(box[y][x]) * (y * 16 + x);
  *number = sum;)";

long long expected_sum(int first) {
  long long sum = 0;
  for (int y = 4; y < 6; ++y) {
    for (int x = 0; x < 10 && x + first < 16; ++x)
      sum += (y * 11 + x + 1) * ((y - 4) * 16 + x + first);
  }
  return sum;
}

TEST(check_copies, boxes_of_every_size_of_element) {
  const std::pair<const char*, int> types[] = {{"unsigned char", 0}, {"short", 8},
                                               {"int", 4},           {"float", 4},
                                               {"double", 2},        {"long long", 2}};
  for (const auto& [type, first] : types) {
    for (const RunMode mode : all_modes()) {
      const Ran ran = run_kernel(type, copy_and_add, mode);
      EXPECT_EQ(ran.faults, std::vector<std::string>{}) << type;
      EXPECT_EQ(ran.number, expected_sum(first)) << type << " " << mode_name(mode);
    }
  }
}

// What the executor says of a kernel with these lines between the initialisation of `full` and its
// end.
std::string fault_of(const std::string& lines) {
  const Ran ran = run_kernel("float",
                             "  if (threadIdx.x == 0) full.init(1), st::fence_init();\n"
                             "  st::sync();\n  if (threadIdx.x != 0) return;\n" +
                                 lines);
  return ran.faults.size() == 1 ? ran.faults[0] : std::to_string(ran.faults.size()) + " faults";
}

TEST(check_copies, faults_are_told) {
  const std::string here = "test: block (0,0,0) thread (0,0,0): ";
  EXPECT_EQ(fault_of("full.expect(256); st::copy_box(box, map, 0, 0, full); full.await(0);"),
            "0 faults");
  EXPECT_EQ(fault_of("full.expect(256); st::copy_box(box, map, 0, 0, 0, full);"),
            here + "a box at 3 coordinates of a grid with 2 axes");
  EXPECT_EQ(fault_of("st::Map other{}; full.expect(256); st::copy_box(box, other, 0, 0, full);"),
            here + "a copy of a box by something that is no map");
  EXPECT_EQ(fault_of("full.expect(256); st::copy_box(&box[0][4], map, 0, 0, full);"),
            here + "a box that lands at no multiple of 128");
  EXPECT_EQ(fault_of("full.expect(256); st::copy_box(box, map, -2, 0, full);"),
            here + "a box whose rows begin at cell -2, which is no multiple of 16 bytes");
  EXPECT_EQ(fault_of("full.expect(256); st::copy_box(number, map, 0, 0, full);"),
            here + "a box that does not fit into shared memory");
  EXPECT_EQ(fault_of("full.state = 0; full.arrive();"), here + "a barrier that was overwritten");
  EXPECT_EQ(fault_of("full.await(2);"), here + "a parity that is neither 0 nor 1");
  EXPECT_EQ(fault_of("full.expect(1 << 20);"),
            here + "a phase that expects more than 1048575 bytes");
  EXPECT_EQ(fault_of("full.init(0);"), here + "a barrier of no arrivals, or of too many");
  EXPECT_EQ(fault_of("full.expect(256); st::copy_box(box, map, 0, 0, full); full.init(1);"),
            here + "a barrier that is in use is initialised again");
  EXPECT_EQ(fault_of("st::Barrier own; own.init(1);"),
            here + "a barrier that does not lie in shared memory");
  EXPECT_EQ(fault_of("full.await(0);"),
            "test: block (0,0,0) thread (31,0,0): all threads wait: 1 for a phase that misses 1 "
            "arrival");
  EXPECT_EQ(fault_of("st::copy_async<8>(number, number);"),
            here + "an asynchronous copy that does not go from global to shared memory");
  EXPECT_EQ(fault_of("st::copy_async<4>(&box[0][0], &box[1][0]);"),
            here + "an asynchronous copy that does not go from global to shared memory");
}

TEST(check_copies, a_thread_arrives_when_its_copies_have_landed) {
  const auto number = [](const std::string& arrival, RunMode mode) {
    return run_kernel("long long",
                      "  if (threadIdx.x == 0) full.init(1), st::fence_init();\n"
                      "  st::sync();\n"
                      "  if (threadIdx.x == 1) {\n"
                      "    *number = 5;\n"
                      "    st::copy_async<8>(&box[0][0], number);\n"
                      "    " +
                          arrival +
                          "\n"
                          "  }\n"
                          "  if (threadIdx.x != 0) return;\n"
                          "  full.await(0);\n"
                          "  *number = box[0][0] + 2;",
                      mode)
        .number;
  };
  bool differs = false;
  for (const RunMode mode : all_modes()) {
    EXPECT_EQ(number("full.arrive_landed();", mode), 7) << mode_name(mode);
    differs |= number("full.arrive();", mode) != 7;
  }
  EXPECT_TRUE(differs);
}

TEST(check_copies, the_grid_of_a_map_is_memory_of_the_device) {
  const Ran ran = run_kernel(
      "float", copy_and_add, {},
      "(void)stencil::box_map(\"test\", &map, data, stencil::shape({10, 7}, 32), {16, 4});");
  ASSERT_EQ(ran.faults.size(), 1u);
  EXPECT_EQ(ran.faults[0],
            "test: block (0,0,0) thread (0,0,0): a box of a grid that is not memory "
            "of the device");
}

TEST(check_copies, a_place_that_is_being_copied_to_holds_poison_in_late_mode) {
  const std::string body = R"(
  box[0][threadIdx.x % 16] = 7.0f;
  if (threadIdx.x == 0) full.init(1), st::fence_init();
  st::sync();
  if (threadIdx.x == 0) {
    full.expect(sizeof box);
    st::copy_box(box, map, 0, 0, full);
    *number = box[0][0] == 7.0f ? 1 : box[0][0] == 1.0f ? 2 : 3;
  }
  full.await(0);)";
  EXPECT_EQ(run_kernel("float", body, {CopyMode::eager, ThreadOrder::ascending}).number, 2);
  EXPECT_EQ(run_kernel("float", body, {CopyMode::late, ThreadOrder::ascending}).number, 3);
}

// The code of box_map for a grid at `data` with `pitch`, made in `box`es, and what can_map says.
int map_code(const std::string& shape, const std::string& box, const std::string& data = "data") {
  const Loaded loaded =
      load_text("test.cu", "#include <stencil/cuda_map.h>\n",
                "extern \"C\" int call() {\n"
                "  float* data = nullptr;\n  cudaMalloc(&data, 65536);\n  st::Map map;\n"
                "  const auto shape = stencil::shape(" +
                    shape + ");\n  const auto status = stencil::box_map(\"test\", &map, " + data +
                    ", shape, " + box + ");\n  const bool can = stencil::can_map(" + data +
                    ", shape);\n  cudaFree(data);\n"
                    "  return static_cast<int>(status.code()) * 10 + (can ? 1 : 0);\n}\n");
  if (!loaded.executor) return -1;
  return reinterpret_cast<int (*)()>(symbol(*loaded.executor, "call"))();
}

TEST(check_copies, grids_that_cannot_be_mapped) {
  EXPECT_EQ(map_code("{100, 20}, 100", "{36, 8}"), 1);
  EXPECT_EQ(map_code("{100, 20}, 101", "{36, 8}"), 50);                // bad pitch
  EXPECT_EQ(map_code("{100, 5, 4}, 100, 501", "{36, 8, 1}"), 50);      // bad plane
  EXPECT_EQ(map_code("{100}, 101", "{36}"), 1);                        // no rows
  EXPECT_EQ(map_code("{100, 20}, 100", "{36, 8}", "(data + 1)"), 30);  // misaligned
  EXPECT_EQ(map_code("{100, 20}, 100", "{36, 8}", "(data + 4)"), 1);
  EXPECT_EQ(map_code("{int64_t{1} << 31, 2}, int64_t{1} << 31", "{4, 1}"), 40);  // bad extents
  EXPECT_EQ(map_code("{100, 20}, 100", "{260, 8}"), 1);                          // in pairs
  EXPECT_EQ(map_code("{100, 20}, 100", "{516, 8}"), 121);                        // box too large
  EXPECT_EQ(map_code("{100, 20}, 100", "{36, 0}"), 121);
  EXPECT_EQ(map_code("{100, 20}, 100", "{34, 8}"), 121);  // rows of 136 bytes
}

}  // namespace
}  // namespace stencilc::check
