// Kernels that do what the rules forbid, through nvcc: each rule sees what it is for, and only
// that.
#include <gtest/gtest.h>

#include "ptxas/nvcc.h"
#include "ptxas/rules.h"

namespace stencilc::ptxas {
namespace {

const char* const source = R"cu(
#include <cstdint>
namespace planted {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) clean(float* u, const float* __restrict__ v, Index n) {
  const Index i = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x;
  if (i < n) u[i] = 0.1f * v[i] / 16.0f;
}

template <typename Index>
__global__ void __launch_bounds__(256) silent_double(float* u, const float* __restrict__ v, Index n) {
  const Index i = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x;
  if (i < n) u[i] = 0.1 * v[i];
}

template <typename Index>
__global__ void __launch_bounds__(256) indexed_array(float* u, const float* __restrict__ v, Index n) {
  float row[16];
  for (int k = 0; k < 16; ++k) row[k] = v[threadIdx.x * 16 + k];
  for (Index i = 0; i < n; ++i) u[i * 2] = row[static_cast<int>(u[i]) & 15];
}

template <typename Index>
__global__ void __launch_bounds__(1024, 2) crowded(float* u, const float* __restrict__ v, Index n) {
  float row[100];
#pragma unroll
  for (int k = 0; k < 100; ++k) row[k] = v[threadIdx.x + k * n];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 100; ++k) u[threadIdx.x + k * n] = row[k] * row[99 - k];
}

template <typename Index>
__global__ void __launch_bounds__(256) wide_index(float* u, const float* __restrict__ v, Index n) {
  const Index i = threadIdx.x;
  u[i] = v[static_cast<int64_t>(n) * n * i % 1000];
}

template <typename Index>
__global__ void unbounded(float* u, Index n) {
  const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) u[i] = 1;
}

template <typename Index>
__global__ void __launch_bounds__(256) divided(float* u, const float* __restrict__ v, float h, Index n) {
  const Index i = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x;
  if (i < n) u[i] = __fdiv_rn(v[i], __fmul_rn(h, h));
}

template <typename Index>
__global__ void __launch_bounds__(256) marched(float* u, float dt, float h, Index n) {
  for (Index i = threadIdx.x; i < n; i += 256) {
    float ratio;
    asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(ratio) : "f"(dt), "f"(h));
    u[i] *= ratio;
  }
}

// A neighbour that lies in the vector too.
template <typename Index>
__global__ void __launch_bounds__(256) loaded_twice(float* u, const float* __restrict__ v, Index n) {
  const Index i = static_cast<Index>(threadIdx.x) * 4 + n;
  const float4 row = __ldg(reinterpret_cast<const float4*>(&v[i]));
  u[threadIdx.x] = row.x + row.y + row.z + row.w + __ldg(&v[i + 3]) + __ldg(&v[i + 4]);
}

template <typename Index>
__global__ void __launch_bounds__(256) stored_apart(float* u, float v, Index n) {
  const Index i = static_cast<Index>(threadIdx.x) * 4 + n;
#pragma unroll
  for (int k = 0; k < 4; ++k) u[i + k] = v;
}

template <typename Index>
__global__ void __launch_bounds__(256) by_column(float* u, const float* __restrict__ v, Index n) {
  const Index i = static_cast<Index>(threadIdx.x) * 100 + threadIdx.y;
  u[i] = v[i];
}

// Every other lane goes another way, to a place that all of them pass.
template <typename Index>
__global__ void __launch_bounds__(256) parted(float* u, const float* __restrict__ v, Index n) {
  const Index i = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x;
  float sum = v[i];
  if (threadIdx.x % 2 == 0)
    for (Index k = 0; k < n; ++k) sum = __fsqrt_rn(sum);
  u[i] = sum;
}

template <typename Index>
__global__ void __launch_bounds__(256) asked_again(float* u, float* v, int kind, Index n) {
  for (Index i = threadIdx.x; i < n; i += 256) {
    u[i] = 1;
    if (kind == 0) __syncthreads();
    v[i] = u[n - i];
  }
}

}  // namespace

void* all[] = {(void*)clean<int>,        (void*)silent_double<int>, (void*)indexed_array<int>,
               (void*)crowded<int>,      (void*)wide_index<int>,    (void*)unbounded<int>,
               (void*)divided<int>,      (void*)marched<int>,       (void*)loaded_twice<int>,
               (void*)stored_apart<int>, (void*)by_column<int>,     (void*)parted<int>,
               (void*)asked_again<int>};
}  // namespace planted
)cu";

class planted : public testing::Test {
 protected:
  void SetUp() override {
#ifndef STENCILC_NVCC
    GTEST_SKIP() << "no nvcc on this machine, which would compile planted.cu";
#endif
  }
};

const CompiledUnit& compiled() {
  static const CompiledUnit unit = compile_text("planted", "sm_90", source);
  return unit;
}

// The kernels for which it holds, without namespace and width.
template <class Holds>
std::string kernels_with(const Holds& holds) {
  std::string names;
  for (const Kernel& kernel : compiled().kernels)
    if (holds(kernel)) names += " " + kernel.name.substr(9, kernel.name.find('<') - 9);
  return names;
}
template <class Holds>
std::string resources_with(const Holds& holds) {
  std::string names;
  for (const Resources& resources : compiled().resources)
    if (holds(resources)) names += " " + resources.kernel.substr(9, resources.kernel.find('<') - 9);
  return names;
}

std::string breaking(Findings (*rule)(const Kernel&)) {
  return kernels_with([&](const Kernel& kernel) { return !rule(kernel).empty(); });
}

TEST_F(planted, kernels_are_all_read) { EXPECT_EQ(compiled().kernels.size(), 13u); }

TEST_F(planted, doubles_are_found) { EXPECT_EQ(breaking(doubles), " silent_double"); }

TEST_F(planted, local_arrays_are_found) {
  EXPECT_EQ(kernels_with([](const Kernel& kernel) { return kernel.local; }), " indexed_array");
}

TEST_F(planted, stacks_and_spills_are_found) {
  EXPECT_EQ(resources_with([](const Resources& of) { return of.stack > 0 && of.spill_loads == 0; }),
            " indexed_array");
  EXPECT_EQ(resources_with([](const Resources& of) { return of.spill_loads > 0; }), " crowded");
}

TEST_F(planted, wide_products_are_found) { EXPECT_EQ(breaking(wide_products), " wide_index"); }

TEST_F(planted, launch_bounds_are_read) {
  EXPECT_EQ(kernels_with([](const Kernel& kernel) { return kernel.threads == 0; }), " unbounded");
  EXPECT_EQ(kernels_with([](const Kernel& kernel) { return kernel.threads == 1024; }), " crowded");
}

// nvcc itself makes a product of a division by 16.
TEST_F(planted, scalar_divisions_are_found) { EXPECT_EQ(breaking(scalar_divisions), " divided"); }

TEST_F(planted, scalar_quotients_in_loops_are_found) {
  EXPECT_EQ(breaking(scalars_in_loops), " marched");
}

TEST_F(planted, repeated_loads_are_found) { EXPECT_EQ(breaking(repeated_loads), " loaded_twice"); }

TEST_F(planted, split_stores_are_found) { EXPECT_EQ(breaking(split_stores), " stored_apart"); }

TEST_F(planted, scattered_accesses_are_found) {
  EXPECT_EQ(
      kernels_with([](const Kernel& kernel) { return !scattered_accesses(kernel, 32).empty(); }),
      " by_column");
}

// And loops that lanes leave at different times.
TEST_F(planted, diverging_lanes_are_found) {
  EXPECT_EQ(breaking(diverging_lanes), " marched parted asked_again");
}

TEST_F(planted, scalar_branches_in_loops_are_found) {
  EXPECT_EQ(breaking(scalar_branches_in_loops), " asked_again");
}

}  // namespace
}  // namespace stencilc::ptxas
