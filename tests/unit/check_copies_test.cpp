// Copies of boxes: element types, and what kernels and hosts must not do with them.
#include <gtest/gtest.h>

#include "support/kernels.h"

namespace stencilc::check {
namespace {

// A program with kernels whose parameters are a map of an array of 10 x 6 `type`s in rows of 32,
// numbered from 1 row by row with 11 between rows, and a place for a number. Boxes have 16 x 4
// elements.
struct Ran {
  int status = -1;  // of box_map
  long long number = 0;
  std::vector<std::string> faults;
};

class Boxes {
 public:
  Boxes(const std::string& type, const std::vector<std::string>& bodies,
        const std::string& before_launch = "")
      : loaded_(load_text(
            "test.cu",
            "#include <stencil/cuda_map.h>\n#include <stencil/device.h>\nusing T = " + type +
                ";\n" +
                kernels_of(bodies, "const __grid_constant__ st::Map map, long long* number",
                           "  __shared__ __align__(128) T box[4][16];\n"
                           "  __shared__ st::Barrier full;\n"),
            R"(
extern "C" int call(long long* number, int which) {
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
)" + before_launch +
                for_kernel(
                    bodies,
                    "if (status.ok() && stencil::copies_boxes(K)) K<<<1, 32>>>(map, device);") +
                R"(
  cudaGetLastError();
  cudaMemcpy(number, device, sizeof *number, cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(device);
  return static_cast<int>(status.code());
})")) {}

  Ran run(size_t which = 0, RunMode mode = {}) const {
    Ran ran;
    if (!loaded_.executor) return ran;
    set_mode(*loaded_.executor, mode);
    const auto call = reinterpret_cast<int (*)(long long*, int)>(symbol(*loaded_.executor, "call"));
    ran.status = call(&ran.number, static_cast<int>(which));
    ran.faults = faults_of(loaded_);
    return ran;
  }

 private:
  Loaded loaded_;
};

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
    const Boxes boxes(type, {copy_and_add});
    for (const RunMode mode : all_modes()) {
      const Ran ran = boxes.run(0, mode);
      EXPECT_EQ(ran.faults, std::vector<std::string>{}) << type;
      EXPECT_EQ(ran.number, expected_sum(first)) << type << " " << mode_name(mode);
    }
  }
}

// Lines between the initialisation of `full` and its end, and what the executor says of them.
TEST(check_copies, faults_are_told) {
  const std::vector<testing::Cells> table = testing::rows(R"(
    full.expect(256); st::copy_box(box, map, 0, 0, full); full.await(0); => 0 faults
    full.expect(256); st::copy_box(box, map, 0, 0, 0, full); => HERE a box at 3 coordinates of a grid with 2 axes
    st::Map other{}; full.expect(256); st::copy_box(box, other, 0, 0, full);
      => HERE a copy of a box by something that is not a map
    full.expect(256); st::copy_box(&box[0][4], map, 0, 0, full); => HERE a box whose destination is not a multiple of 128
    full.expect(256); st::copy_box(box, map, -2, 0, full);
      => HERE a box whose rows begin at cell -2, which is not a multiple of 16 bytes
    full.expect(256); st::copy_box(number, map, 0, 0, full); => HERE a box that does not fit into shared memory
    full.state = 0; full.arrive(); => HERE a barrier that was overwritten
    full.await(2);                 => HERE a parity that is neither 0 nor 1
    full.expect(1 << 20);          => HERE a phase that expects more than 1048575 bytes
    full.init(0);                  => HERE a barrier with no arrivals, or with too many
    full.expect(256); st::copy_box(box, map, 0, 0, full); full.init(1);
      => HERE a barrier that is in use is initialised again
    st::Barrier own; own.init(1);  => HERE a barrier that does not lie in shared memory
    full.await(0);
      => test: block (0,0,0) thread (31,0,0): all threads wait: 1 for a phase that misses 1 arrival
    st::copy_async<8>(number, number);
      => HERE an asynchronous copy that does not go from global to shared memory
    st::copy_async<4>(&box[0][0], &box[1][0]);
      => HERE an asynchronous copy that does not go from global to shared memory
  )");
  std::vector<std::string> bodies = bodies_of(table);
  for (std::string& body : bodies)
    body =
        "  if (threadIdx.x == 0) full.init(1), st::fence_init();\n"
        "  st::sync();\n  if (threadIdx.x != 0) return;\n" +
        body;
  const Boxes boxes("float", bodies);
  for (size_t n = 0; n < table.size(); ++n)
    EXPECT_EQ(only_of(boxes.run(n).faults), fault_in(table[n])) << table[n][0];
}

TEST(check_copies, a_thread_arrives_when_its_copies_have_landed) {
  const auto body = [](const std::string& arrival) {
    return R"(  if (threadIdx.x == 0) full.init(1), st::fence_init();
  st::sync();
  if (threadIdx.x == 1) {
    *number = 5;
    st::copy_async<8>(&box[0][0], number);
    )" + arrival +
           R"(
  }
  if (threadIdx.x != 0) return;
  full.await(0);
  *number = box[0][0] + 2;)";
  };
  const Boxes boxes("long long", {body("full.arrive_landed();"), body("full.arrive();")});
  bool differs = false;
  for (const RunMode mode : all_modes()) {
    EXPECT_EQ(boxes.run(0, mode).number, 7) << mode_name(mode);
    differs |= boxes.run(1, mode).number != 7;
  }
  EXPECT_TRUE(differs);
}

TEST(check_copies, the_grid_of_a_map_is_memory_of_the_device) {
  const Boxes boxes(
      "float", {copy_and_add},
      "(void)stencil::box_map(\"test\", &map, data, stencil::shape({10, 7}, 32), {16, 4});");
  EXPECT_EQ(only_of(boxes.run().faults),
            "test: block (0,0,0) thread (0,0,0): a box of a grid that is not memory "
            "of the device");
}

TEST(check_copies, a_place_that_is_being_copied_to_holds_poison_in_late_mode) {
  const Boxes boxes("float", {R"(
  box[0][threadIdx.x % 16] = 7.0f;
  if (threadIdx.x == 0) full.init(1), st::fence_init();
  st::sync();
  if (threadIdx.x == 0) {
    full.expect(sizeof box);
    st::copy_box(box, map, 0, 0, full);
    *number = box[0][0] == 7.0f ? 1 : box[0][0] == 1.0f ? 2 : 3;
  }
  full.await(0);)"});
  EXPECT_EQ(boxes.run(0, {CopyMode::eager, ThreadOrder::ascending}).number, 2);
  EXPECT_EQ(boxes.run(0, {CopyMode::late, ThreadOrder::ascending}).number, 3);
}

// A grid, its pitches, a box and where the grid is: the code of box_map, and a 1 after it where
// can_map says that it can.
TEST(check_copies, grids_that_cannot_be_mapped) {
  const std::vector<testing::Cells> table = testing::rows(R"(
    {100, 20}, 100 => {36, 8} => data => 1
    // Bad pitch, bad plane; no rows.
    {100, 20}, 101 => {36, 8} => data => 50
    {100, 5, 4}, 100, 501 => {36, 8, 1} => data => 50
    {100}, 101 => {36} => data => 1
    // Misaligned; bad extents; in pairs; boxes too large, or with rows of 136 bytes.
    {100, 20}, 100 => {36, 8} => (data + 1) => 30
    {100, 20}, 100 => {36, 8} => (data + 4) => 1
    {int64_t{1} << 31, 2}, int64_t{1} << 31 => {4, 1} => data => 40
    {100, 20}, 100 => {260, 8} => data => 1
    {100, 20}, 100 => {516, 8} => data => 121
    {100, 20}, 100 => {36, 0} => data => 121
    {100, 20}, 100 => {34, 8} => data => 121
  )");
  std::string text = "extern \"C\" int call(int which) {\n  float* data = nullptr;\n";
  text += "  int result = -1;\n  cudaMalloc(&data, 65536);\n  st::Map map;\n";
  for (size_t n = 0; n < table.size(); ++n)
    text += "  if (which == " + std::to_string(n) + ") {\n    const auto shape = stencil::shape(" +
            table[n][0] + ");\n    const auto status = stencil::box_map(\"test\", &map, " +
            table[n][2] + ", shape, " + table[n][1] +
            ");\n    result = static_cast<int>(status.code()) * 10 + (stencil::can_map(" +
            table[n][2] + ", shape) ? 1 : 0);\n  }\n";
  const Loaded loaded = load_text("test.cu", "#include <stencil/cuda_map.h>\n",
                                  text + "  cudaFree(data);\n  return result;\n}\n");
  ASSERT_TRUE(loaded.executor);
  const auto call = reinterpret_cast<int (*)(int)>(symbol(*loaded.executor, "call"));
  for (size_t n = 0; n < table.size(); ++n)
    EXPECT_EQ(std::to_string(call(static_cast<int>(n))), table[n][3])
        << table[n][0] << ", " << table[n][1] << ", " << table[n][2];
}

}  // namespace
}  // namespace stencilc::check
