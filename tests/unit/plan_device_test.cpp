// The table of devices, the blocks that a multiprocessor holds, and how fast a step can be at most.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "plan/machine/device.h"
#include "plan/machine/occupancy.h"
#include "plan/machine/roofline.h"
#include "support/planned.h"
#include "support/rows.h"

// The calculator of CUDA, where it is installed: plain C++ that needs no GPU.
#if __has_include(<cuda_occupancy.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#endif

namespace stencilc::plan {
namespace {

using testing::gpu;

TEST(PlanDevice, EveryArchitectureOfNvccIsKnownByItsName) {
  std::vector<std::string> names;
  for (const Device& device : devices()) {
    names.push_back(name(device));
    EXPECT_EQ(find_device(names.back()), &device);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90",
                                      "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"}));
  for (const char* other : {"", "sm_", "sm_7", "sm_70", "sm_90a", "SM_90", "90", "native"})
    EXPECT_EQ(find_device(other), nullptr) << other;
}

TEST(PlanDevice, TheNearestHasTheNearestNumber) {
  const auto nearest = [](const std::string& text) {
    const Device* device = nearest_device(text);
    return device ? name(*device) : "none";
  };
  testing::expect_rows(nearest, R"(
    sm_70      => sm_75
    sm_90a     => sm_90
    sm90       => sm_90
    9.0        => sm_90
    sm_91      => sm_90
    compute_80 => sm_80
    sm_101     => sm_100
    sm_102     => sm_103
    sm_130     => sm_121
    sm_99999999999999999999 => sm_121
    hopper     => none
  )");
}

TEST(PlanDevice, WhatCameWithAmpereAndWithHopper) {
  for (const Device& device : devices()) {
    EXPECT_EQ(device.async_copies, device.arch >= 80) << device.arch;
    EXPECT_EQ(device.barriers, device.arch >= 80) << device.arch;
    EXPECT_EQ(device.box_copies, device.arch >= 90) << device.arch;
    EXPECT_EQ(device.clusters, device.arch >= 90) << device.arch;
  }
  for (const auto& [arch, kilobytes] :
       {std::pair{"sm_75", 64}, {"sm_80", 163}, {"sm_86", 99}, {"sm_90", 227}, {"sm_120", 99}})
    EXPECT_EQ(gpu(arch).block_shared, kilobytes * 1024) << arch;
}

// By hand. 65536 registers are 16384 in each of four partitions, and a warp of n registers a thread
// takes 32n, rounded up to 256. Hopper has 233472 bytes of shared memory, of which each block takes
// 1024 besides, in multiples of 128; Turing 65536, nothing besides, in multiples of 256.
TEST(PlanOccupancy, BlocksAreLimitedByRegistersWarpsAndSharedMemory) {
  struct {
    const char* arch;
    int threads, registers, shared, blocks;
  } const rows[] = {
      {"sm_90", 256, 32, 0, 8},   // 1024 a warp, 16 warps a partition
      {"sm_90", 256, 33, 0, 6},   // 1280 a warp: 12 warps a partition, 48 together
      {"sm_90", 256, 40, 0, 6},   // 33 were rounded up to 40
      {"sm_90", 256, 41, 0, 5},   // 1536: 10 warps, 40 together
      {"sm_90", 128, 255, 0, 2},  // 8192: 2 warps, 8 together
      {"sm_90", 128, 256, 0, 0},  // no thread has so many
      {"sm_90", 1024, 64, 0, 1},
      {"sm_90", 1024, 65, 0, 0},  // 32 warps of 2304 are more than there are
      {"sm_90", 288, 192, 0, 0},  // 9 warps of 6144 fit into 65536, but not 3 into a partition
      {"sm_90", 256, 192, 0, 1},
      {"sm_90", 32, 0, 0, 32},  // blocks
      {"sm_90", 96, 0, 0, 21},  // 64 / 3 warps
      {"sm_90", 1024, 0, 0, 2},
      {"sm_75", 32, 0, 0, 16},
      {"sm_75", 1024, 0, 0, 1},
      {"sm_86", 1024, 0, 0, 1},  // 48 / 32 warps
      {"sm_89", 33, 0, 0, 24},   // two warps a block
      {"sm_90", 1025, 0, 0, 0},
      {"sm_90", 0, 0, 0, 0},
      {"sm_90", 128, 0, 227 * 1024, 1},
      {"sm_90", 128, 0, 227 * 1024 + 1, 0},
      {"sm_90", 128, 0, 113 * 1024, 2},      // 114 KiB each, 228 together
      {"sm_90", 128, 0, 113 * 1024 + 1, 1},  // 114.125 KiB each
      {"sm_90", 128, 0, 48 * 1024, 4},       // 49 KiB each
      {"sm_75", 128, 0, 64 * 1024, 1},
      {"sm_75", 128, 0, 16 * 1024, 4},
      {"sm_75", 128, 0, 16 * 1024 + 1, 3},
  };
  for (const auto& row : rows)
    EXPECT_EQ(occupancy(gpu(row.arch), row.threads, row.registers, row.shared), row.blocks)
        << row.arch << ": " << row.threads << " threads, " << row.registers << " registers, "
        << row.shared << " bytes";
  EXPECT_EQ(warps_of(32), 1);
  EXPECT_EQ(warps_of(33), 2);
}

#if __has_include(<cuda_occupancy.h>)
TEST(PlanOccupancy, AgreesWithTheCalculatorOfCuda) {
  int compared = 0;
  for (const Device& device : devices()) {
    cudaOccDeviceProp properties;
    properties.computeMajor = device.arch / 10;
    properties.computeMinor = device.arch % 10;
    properties.maxThreadsPerBlock = device.block_threads;
    properties.maxThreadsPerMultiprocessor = device.warps * kWarp;
    properties.regsPerBlock = device.block_registers;
    properties.regsPerMultiprocessor = device.registers;
    properties.warpSize = kWarp;
    properties.numSms = 1;
    properties.sharedMemPerBlock = 48 * 1024;
    properties.sharedMemPerMultiprocessor = static_cast<size_t>(device.shared);
    properties.sharedMemPerBlockOptin = static_cast<size_t>(device.block_shared);
    properties.reservedSharedMemPerBlock = static_cast<size_t>(device.reserved_shared);
    for (const int threads : {1, 32, 33, 96, 128, 224, 256, 288, 512, 1000, 1024})
      for (int registers = 0; registers <= 255; ++registers)
        for (const int shared : {0, 1, 1000, 12289, 16384, 49152, 50000, 65536, 65537, 101376,
                                 101377, 166912, 166913, 232448, 232449}) {
          cudaOccFuncAttributes kernel;
          kernel.maxThreadsPerBlock = 1024;
          kernel.numRegs = registers;
          kernel.numBlockBarriers = 1;
          kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          kernel.maxDynamicSharedSizeBytes = static_cast<size_t>(shared);
          cudaOccResult result;
          const cudaOccDeviceState state;
          ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &kernel, &state,
                                                            threads, static_cast<size_t>(shared)),
                    CUDA_OCC_SUCCESS);
          ASSERT_EQ(occupancy(device, threads, registers, shared),
                    result.activeBlocksPerMultiprocessor)
              << name(device) << ": " << threads << " threads, " << registers << " registers, "
              << shared << " bytes";
          ++compared;
        }
  }
  EXPECT_EQ(compared, 12 * 11 * 256 * 15);
}
#endif

TEST(PlanDevice, WhatIsCommonIsTheLeastOfEach) {
  const Device both = common(std::vector<Device>{gpu("sm_90"), gpu("sm_80"), gpu("sm_120")});
  EXPECT_EQ(both.arch, 80);
  EXPECT_EQ(both.warps, 48);
  EXPECT_EQ(both.blocks, 24);
  EXPECT_EQ(both.block_shared, 99 * 1024);
  EXPECT_TRUE(both.async_copies);
  EXPECT_FALSE(both.box_copies);
  EXPECT_EQ(both.f32_lanes, 64);
  EXPECT_EQ(both.f64_lanes, 2);
  EXPECT_EQ(common(std::vector<Device>{gpu("sm_90"), gpu("sm_88")}).f32_lanes, std::nullopt);
  const Device newer = common(std::vector<Device>{gpu("sm_100"), gpu("sm_90")});
  EXPECT_TRUE(newer.box_copies && newer.clusters);
  EXPECT_EQ(newer.block_shared, 227 * 1024);
}

TEST(PlanDevice, WhatIsCommonHoldsNoMoreBlocksThanAnyOfThem) {
  for (const Device& a : devices())
    for (const Device& b : devices()) {
      const Device both = common(std::vector<Device>{a, b});
      for (const int threads : {32, 96, 256, 1024})
        for (const int registers : {0, 32, 64, 128, 255})
          for (const int shared : {0, 5000, 30000, 65536, 100000}) {
            const int least = std::min(occupancy(a, threads, registers, shared),
                                       occupancy(b, threads, registers, shared));
            EXPECT_LE(occupancy(both, threads, registers, shared), least);
            if (a.arch == b.arch) {
              EXPECT_EQ(occupancy(both, threads, registers, shared), least);
            }
          }
    }
}

// So nothing that it can run is beyond another: what is legal on it is legal on all.
TEST(PlanDevice, WithoutAWordTheWeakestIsMeant) {
  for (const Device& device : devices()) {
    EXPECT_LE(any_device().warps, device.warps);
    EXPECT_LE(any_device().blocks, device.blocks);
    EXPECT_LE(any_device().registers, device.registers);
    EXPECT_LE(any_device().block_shared, device.block_shared);
    EXPECT_LE(any_device().block_threads, device.block_threads);
    EXPECT_LE(any_device().async_copies, device.async_copies);
    EXPECT_LE(any_device().barriers, device.barriers);
    EXPECT_LE(any_device().box_copies, device.box_copies);
    EXPECT_LE(any_device().clusters, device.clusters);
  }
}

TEST(PlanDevice, CardsAreOfKnownArchitectures) {
  for (const Device& device : devices()) {
    const Card* card = find_card(device.arch);
    EXPECT_EQ(card == nullptr, device.arch == 88);
    if (!card) continue;
    EXPECT_GT(card->multiprocessors, 0) << card->name;
    EXPECT_LT(card->copy.value_or(0), card->bandwidth.value_or(1e9)) << card->name;
  }
  const Card& h200 = *find_card(90);
  EXPECT_EQ(h200.multiprocessors, 132);
  EXPECT_EQ(h200.copy, 4240);
  EXPECT_EQ(find_card(70), nullptr);
}

TEST(PlanDevice, BlocksThatAreRequestedFitTheDevice) {
  const ir::Stencil stencil =
      testing::on("x, y", "field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u);");
  const auto choice = [&](const std::string& text, const Device& device = gpu()) {
    return parse(text, stencil, Target::cuda, device);
  };
  EXPECT_EQ(choice("naive,threads=32x8,resident=8").problem, "");
  EXPECT_EQ(choice("naive,threads=32x8,resident=9").problem,
            "`resident=9` is too many: a multiprocessor holds 8 blocks of 256 threads");
  EXPECT_EQ(choice("naive,resident=32,threads=32").problem, "");
  EXPECT_EQ(choice("naive,threads=32,resident=17", any_device()).problem,
            "`resident=17` is too many: a multiprocessor holds 16 blocks of 32 threads");
  EXPECT_EQ(choice("naive,threads=1024", any_device()).problem, "");
  EXPECT_EQ(choice("naive,threads=32x8,registers=248").problem, "");
  EXPECT_EQ(choice("naive,threads=32x16,registers=136").problem,
            "`registers=136` is too many for blocks of 512 threads: a multiprocessor has 65536");
  EXPECT_EQ(choice("naive,threads=32x8,registers=128,resident=2").problem,
            "`registers=128` and `resident=2` both limit registers; leave one out");
  for (const char* text : {"24", "256", "100", "many"})
    EXPECT_EQ(choice("naive,registers=" + std::string(text)).problem,
              "`registers=" + std::string(text) + "`: threads get a multiple of 8 from 32 to 248");
  EXPECT_TRUE(choice("naive,resident=9").of_device);
  EXPECT_FALSE(choice("naive,resident=8").of_device);
  EXPECT_FALSE(choice("naive,resident=99").of_device);
}

std::optional<Roofline> roofline(const std::string& items, const std::string& device) {
  return roofline_of(testing::on("x, y", items), gpu(device));
}
std::string of_three(const std::string& type) {
  return "field " + type + " u boundary zero; u[t+1] = 0.5*u[x-1] + 0.25*u[x+1] + 0.2*u;";
}

TEST(PlanRoofline, TheMeasuredCopyIsTheRoofOfTheMemory) {
  const auto h200 = roofline(of_three("f32"), "sm_90");
  ASSERT_TRUE(h200);
  EXPECT_TRUE(h200->copied);
  EXPECT_DOUBLE_EQ(h200->rate, 4240);
  EXPECT_DOUBLE_EQ(h200->by_memory, 4240e9 / 8);
  const auto a100 = roofline(of_three("f64"), "sm_80");
  ASSERT_TRUE(a100);
  EXPECT_FALSE(a100->copied);
  EXPECT_DOUBLE_EQ(a100->by_memory, 1555e9 / 16);
}

TEST(PlanRoofline, InstructionsBeginOnTheLanesOfTheirType) {
  EXPECT_DOUBLE_EQ(*roofline(of_three("f32"), "sm_90")->by_arithmetic, 132 * 1.98e9 * 128 / 3);
  EXPECT_DOUBLE_EQ(*roofline(of_three("f64"), "sm_90")->by_arithmetic, 132 * 1.98e9 * 64 / 3);
  EXPECT_DOUBLE_EQ(*roofline(of_three("f64"), "sm_75")->by_arithmetic, 40 * 1.59e9 * 2 / 3);
}

TEST(PlanRoofline, WhatIsNotKnownIsNotSaid) {
  EXPECT_FALSE(roofline(of_three("f32"), "sm_88"));                  // no card
  EXPECT_FALSE(roofline(of_three("f32"), "sm_103"));                 // no rate of its memory
  EXPECT_FALSE(roofline(of_three("f32"), "sm_121")->by_arithmetic);  // no clock
  EXPECT_FALSE(roofline("field i32 u; u[t+1] = max(u, 1);", "sm_90")->by_arithmetic);
}

}  // namespace
}  // namespace stencilc::plan
