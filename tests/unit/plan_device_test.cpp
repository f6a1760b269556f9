// The table of devices, and the blocks that a multiprocessor holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "plan/device.h"
#include "plan/occupancy.h"
#include "plan/schedule.h"
#include "support/analysed.h"

// The calculator of CUDA, where it is installed: plain C++ that needs no GPU.
#if __has_include(<cuda_occupancy.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#endif

namespace stencilc::plan {
namespace {

const Device& of(const char* name) { return *find_device(name); }

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
  const std::pair<const char*, const char*> nearest[] = {
      {"sm_70", "sm_75"},   {"sm_90a", "sm_90"},
      {"sm90", "sm_90"},    {"9.0", "sm_90"},
      {"sm_91", "sm_90"},   {"compute_80", "sm_80"},
      {"sm_101", "sm_100"}, {"sm_102", "sm_103"},
      {"sm_130", "sm_121"}, {"sm_99999999999999999999", "sm_121"}};
  for (const auto& [text, arch] : nearest) {
    ASSERT_NE(nearest_device(text), nullptr) << text;
    EXPECT_EQ(name(*nearest_device(text)), arch) << text;
  }
  EXPECT_EQ(nearest_device("hopper"), nullptr);
}

TEST(PlanDevice, WhatCameWithAmpereAndWithHopper) {
  for (const Device& device : devices()) {
    EXPECT_EQ(device.async_copies, device.arch >= 80) << device.arch;
    EXPECT_EQ(device.barriers, device.arch >= 80) << device.arch;
    EXPECT_EQ(device.box_copies, device.arch >= 90) << device.arch;
    EXPECT_EQ(device.clusters, device.arch >= 90) << device.arch;
  }
  EXPECT_EQ(of("sm_75").block_shared, 64 * 1024);
  EXPECT_EQ(of("sm_80").block_shared, 163 * 1024);
  EXPECT_EQ(of("sm_86").block_shared, 99 * 1024);
  EXPECT_EQ(of("sm_90").block_shared, 227 * 1024);
  EXPECT_EQ(of("sm_120").block_shared, 99 * 1024);
}

// By hand: 65536 registers are 16384 in each of four partitions, and a warp of n registers a thread
// takes 32n, rounded up to 256.
TEST(PlanOccupancy, RegistersLimitWarps) {
  const Device& hopper = of("sm_90");
  EXPECT_EQ(occupancy(hopper, 256, 32, 0), 8);   // 1024 a warp, 16 warps a partition
  EXPECT_EQ(occupancy(hopper, 256, 33, 0), 6);   // 1280 a warp: 12 warps a partition, 48 together
  EXPECT_EQ(occupancy(hopper, 256, 40, 0), 6);   // 33 were rounded up to 40
  EXPECT_EQ(occupancy(hopper, 256, 41, 0), 5);   // 1536: 10 warps, 40 together
  EXPECT_EQ(occupancy(hopper, 128, 255, 0), 2);  // 8192: 2 warps, 8 together
  EXPECT_EQ(occupancy(hopper, 128, 256, 0), 0);  // no thread has so many
  EXPECT_EQ(occupancy(hopper, 1024, 64, 0), 1);
  EXPECT_EQ(occupancy(hopper, 1024, 65, 0), 0);  // 32 warps of 2304 are more than there are
  // 9 warps of 6144 would fit into 65536, but no partition holds 3 of them.
  EXPECT_EQ(occupancy(hopper, 288, 192, 0), 0);
  EXPECT_EQ(occupancy(hopper, 256, 192, 0), 1);
}

TEST(PlanOccupancy, WarpsAndBlocksAreLimited) {
  EXPECT_EQ(occupancy(of("sm_90"), 32, 0, 0), 32);  // blocks
  EXPECT_EQ(occupancy(of("sm_90"), 96, 0, 0), 21);  // 64 / 3 warps
  EXPECT_EQ(occupancy(of("sm_90"), 1024, 0, 0), 2);
  EXPECT_EQ(occupancy(of("sm_75"), 32, 0, 0), 16);
  EXPECT_EQ(occupancy(of("sm_75"), 1024, 0, 0), 1);
  EXPECT_EQ(occupancy(of("sm_86"), 1024, 0, 0), 1);  // 48 / 32 warps
  EXPECT_EQ(occupancy(of("sm_89"), 33, 0, 0), 24);   // two warps a block
  EXPECT_EQ(occupancy(of("sm_90"), 1025, 0, 0), 0);
  EXPECT_EQ(occupancy(of("sm_90"), 0, 0, 0), 0);
  EXPECT_EQ(warps_of(32), 1);
  EXPECT_EQ(warps_of(33), 2);
}

TEST(PlanOccupancy, SharedMemoryIsRoundedUpWithWhatEachBlockTakesBesides) {
  const Device& hopper = of("sm_90");  // 233472 bytes, 1024 besides, multiples of 128
  EXPECT_EQ(occupancy(hopper, 128, 0, 227 * 1024), 1);
  EXPECT_EQ(occupancy(hopper, 128, 0, 227 * 1024 + 1), 0);
  EXPECT_EQ(occupancy(hopper, 128, 0, 113 * 1024), 2);      // 114 KiB each, 228 together
  EXPECT_EQ(occupancy(hopper, 128, 0, 113 * 1024 + 1), 1);  // 114.125 KiB each
  EXPECT_EQ(occupancy(hopper, 128, 0, 48 * 1024), 4);       // 49 KiB each
  const Device& turing = of("sm_75");  // 65536 bytes, nothing besides, multiples of 256
  EXPECT_EQ(occupancy(turing, 128, 0, 64 * 1024), 1);
  EXPECT_EQ(occupancy(turing, 128, 0, 16 * 1024), 4);
  EXPECT_EQ(occupancy(turing, 128, 0, 16 * 1024 + 1), 3);
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
  const Device both = common(std::vector<Device>{of("sm_90"), of("sm_80"), of("sm_120")});
  EXPECT_EQ(both.arch, 80);
  EXPECT_EQ(both.warps, 48);
  EXPECT_EQ(both.blocks, 24);
  EXPECT_EQ(both.block_shared, 99 * 1024);
  EXPECT_TRUE(both.async_copies);
  EXPECT_FALSE(both.box_copies);
  EXPECT_EQ(both.f32_lanes, 64);
  EXPECT_EQ(both.f64_lanes, 2);
  EXPECT_EQ(common(std::vector<Device>{of("sm_90"), of("sm_88")}).f32_lanes, std::nullopt);
  const Device newer = common(std::vector<Device>{of("sm_100"), of("sm_90")});
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

TEST(PlanDevice, BlocksThatAreAskedForFitTheDevice) {
  const ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = 0.5*laplacian(u); }");
  const auto problem = [&](const std::string& text, const Device& device) {
    return parse(text, stencil, Target::cuda, device).problem;
  };
  EXPECT_EQ(problem("naive,threads=32x8,resident=8", of("sm_90")), "");
  EXPECT_EQ(problem("naive,threads=32x8,resident=9", of("sm_90")),
            "`resident=9` with blocks of 256 threads, of which a multiprocessor holds 8");
  EXPECT_EQ(problem("naive,resident=32,threads=32", of("sm_90")), "");
  EXPECT_EQ(problem("naive,threads=32,resident=17", any_device()),
            "`resident=17` with blocks of 32 threads, of which a multiprocessor holds 16");
  EXPECT_EQ(problem("naive,threads=1024", any_device()), "");
  EXPECT_TRUE(parse("naive,resident=9", stencil, Target::cuda, of("sm_90")).of_device);
  EXPECT_FALSE(parse("naive,resident=8", stencil, Target::cuda, of("sm_90")).of_device);
  EXPECT_FALSE(parse("naive,resident=99", stencil, Target::cuda, of("sm_90")).of_device);
}

}  // namespace
}  // namespace stencilc::plan
