// Maps of grids, on a driver that writes down what it is asked for.
#include <gtest/gtest.h>
#include <stencil/cuda_map.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/expect.h"

namespace {

struct Driver {
  bool has_function = true;
  int error = 0;
  int type = -1, promotion = -1, others = -1;
  void* data = nullptr;
  std::vector<uint64_t> extents, strides, box;
};
Driver driver;

int encode(void* map, int type, uint32_t rank, void* data, const uint64_t* extents,
           const uint64_t* strides, const uint32_t* box, const uint32_t* steps, int interleave,
           int swizzle, int promotion, int fill) {
  driver.type = type;
  driver.promotion = promotion;
  driver.others = interleave + swizzle + fill;
  driver.data = data;
  driver.extents.assign(extents, extents + rank);
  driver.strides.assign(strides, strides + rank - 1);
  driver.box.assign(box, box + rank);
  for (uint32_t axis = 0; axis < rank; ++axis) EXPECT_EQ(steps[axis], 1u);
  std::memset(map, 7, sizeof(st::Map));
  return driver.error;
}

// At a multiple of 128.
template <typename T>
T* cells() {
  alignas(128) static char bytes[1 << 16];
  return reinterpret_cast<T*>(bytes);
}

}  // namespace

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function,
                                                        unsigned version, unsigned long long,
                                                        cudaDriverEntryPointQueryResult* found) {
  const bool maps = std::strcmp(name, "cuTensorMapEncodeTiled") == 0;
  if (maps) {
    EXPECT_EQ(version, 12000u);
  }
  const bool has = maps && driver.has_function;
  *function = has ? reinterpret_cast<void*>(&encode) : nullptr;
  *found = has ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

namespace stencil {
namespace {

// What the driver gives is kept, so that one without the function has to come before all others.
class RuntimeMap : public ::testing::Test {
 protected:
  static const Status& without_function() {
    static const Status status = [] {
      driver.has_function = false;
      st::Map map;
      return box_map("`heat`", &map, cells<float>(), shape({100, 20}, 128), {32, 8});
    }();
    return status;
  }
  void SetUp() override {
    without_function();
    driver = {};
  }
};

TEST_F(RuntimeMap, ADriverWithoutTheFunctionIsNamed) {
  expect_failure(without_function(), Code::insufficient_driver,
                 "`heat`: the driver has no `cuTensorMapEncodeTiled`, by which kernels copy boxes; "
                 "update it to one of CUDA 12 or later, or use another schedule");
}

TEST_F(RuntimeMap, TheDriverGetsExtentsStridesInBytesAndTheBox) {
  st::Map map;
  ASSERT_TRUE(
      box_map("`heat`", &map, cells<double>(), shape({100, 20, 7}, 128, 3000), {32, 8, 1}).ok());
  EXPECT_EQ(map.opaque[15], 0x0707070707070707u);
  EXPECT_EQ(driver.type, 4);  // CU_TENSOR_MAP_DATA_TYPE_UINT64
  EXPECT_EQ(driver.promotion, 3);
  EXPECT_EQ(driver.others, 0);
  EXPECT_EQ(driver.data, cells<double>());
  EXPECT_EQ(driver.extents, (std::vector<uint64_t>{100, 20, 7}));
  EXPECT_EQ(driver.strides, (std::vector<uint64_t>{1024, 24000}));
  EXPECT_EQ(driver.box, (std::vector<uint64_t>{32, 8, 1}));

  ASSERT_TRUE(box_map("`heat`", &map, cells<uint8_t>(), shape({100}, 101), {256}).ok());
  EXPECT_EQ(driver.type, 0);
  EXPECT_EQ(driver.extents, std::vector<uint64_t>{100});
  EXPECT_EQ(driver.box, std::vector<uint64_t>{256});
  ASSERT_TRUE(box_map("`heat`", &map, cells<uint16_t>(), shape({100}, 101), {8}).ok());
  EXPECT_EQ(driver.type, 1);
  ASSERT_TRUE(box_map("`heat`", &map, cells<float>(), shape({100}, 101), {8}).ok());
  EXPECT_EQ(driver.type, 2);
}

TEST_F(RuntimeMap, AHaloIsMappedByItsFirstCell) {
  st::Map map;
  const Shape with_halo = shape({100, 20}, 128, Halo<2>{4, 2});
  const float* const first = cells<float>();
  ASSERT_TRUE(box_map("`heat`", &map, first, with_halo.box(), {32, 8}).ok());
  EXPECT_EQ(driver.extents, (std::vector<uint64_t>{108, 24}));
  EXPECT_TRUE(can_map(first + with_halo.front() + 2 * 128 - 4, with_halo));
}

TEST_F(RuntimeMap, CellsOfWideRowsAreGroupedIntoElements) {
  st::Map map;
  ASSERT_TRUE(box_map("`heat`", &map, cells<float>(), shape({1001, 20}, 1024), {264, 8}).ok());
  EXPECT_EQ(driver.type, 4);
  EXPECT_EQ(driver.extents, (std::vector<uint64_t>{501, 20}));
  EXPECT_EQ(driver.strides, (std::vector<uint64_t>{4096}));
  EXPECT_EQ(driver.box, (std::vector<uint64_t>{132, 8}));
  ASSERT_TRUE(box_map("`heat`", &map, cells<uint8_t>(), shape({4097, 20}, 5008), {2048, 8}).ok());
  EXPECT_EQ(driver.type, 4);
  EXPECT_EQ(driver.extents, (std::vector<uint64_t>{513, 20}));
  EXPECT_EQ(driver.box, (std::vector<uint64_t>{256, 8}));
}

TEST_F(RuntimeMap, WhatCannotBeMappedHasAReason) {
  st::Map map;
  const auto message = [&](const float* data, const Shape& shape, const int(&box)[2]) {
    const Status status = box_map("`heat`", &map, data, shape, box);
    const Code code = status.code();
    EXPECT_EQ(can_map(data, shape),
              code != Code::misaligned && code != Code::bad_extents && code != Code::bad_pitch);
    return std::string(status.message());
  };
  const float* const data = cells<float>();
  EXPECT_EQ(message(data + 2, shape({100, 20}, 128), {32, 8}),
            "`heat`: a grid whose boxes are copied does not start at a multiple of 16 bytes; "
            "allocate it with `cudaMalloc` or `stencil::Grid`, or use another schedule");
  EXPECT_EQ(message(data, shape({100, 20}, 102), {32, 8}),
            "`heat`: rows start every 102 elements of 4 bytes; where boxes are copied that is a "
            "multiple of 16 bytes below 2^40: pad them, or use another schedule");
  EXPECT_EQ(message(data, shape({100, 20}, int64_t{1} << 38), {32, 8}),
            "`heat`: rows start every 274877906944 elements of 4 bytes; where boxes are copied "
            "that is a multiple of 16 bytes below 2^40: pad them, or use another schedule");
  EXPECT_EQ(message(data, shape({100, int64_t{1} << 31}, 128), {32, 8}),
            "`heat`: an extent of 2147483648 is too large for copies of boxes; use at most "
            "2147483647 cells along each axis, or another schedule");
  EXPECT_EQ(message(data, shape({100, 20}, 128), {32, 257}),
            "`heat`: a box of 257 cells along axis 1 is copied; an extent is 1 to 256");
  EXPECT_EQ(message(data, shape({100, 20}, 128), {34, 8}),
            "`heat`: boxes with rows of 34 elements of 4 bytes are copied; a row is a multiple of "
            "16 bytes");
  driver.error = 801;
  EXPECT_EQ(message(data, shape({100, 20}, 128), {32, 8}),
            "`heat`: the driver makes no map of a grid of 100 x 20 (error 801 of "
            "`cuTensorMapEncodeTiled`); use a device of compute capability 9.0 or another "
            "schedule");
}

TEST(RuntimeNvcc, TakesTheHeadersWithoutAWarning) {
  if (find_nvcc().empty()) GTEST_SKIP() << "nvcc is neither in PATH nor in /usr/local/cuda/bin";
#ifdef STENCILC_ALL_TESTS
  for (const char* file : {"unit/runtime/kernels.cu", "unit/runtime/device.cu"})
    expect_nvcc_takes(file, {80, 90});
  for (const char* file : {"gpu/copy_async.cu", "gpu/fast_division.cu"})
    expect_nvcc_takes(file, {75, 80, 90, 100, 120});
#else
  for (const char* file :
       {"unit/runtime/kernels.cu", "unit/runtime/device.cu", "gpu/fast_division.cu"})
    expect_nvcc_takes(file, {90});
  // Below 8.0 copies are loads and stores, below 9.0 kernels that copy boxes trap.
  expect_nvcc_takes("gpu/copy_async.cu", {75, 80, 90});
#endif
}

}  // namespace
}  // namespace stencil
