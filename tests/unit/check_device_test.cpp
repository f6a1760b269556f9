// What device code may call, and what it must not do, through small programs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/kernels.h"

namespace stencilc::check {
namespace {

// Kernels `test(float* v)`, called with one block of `threads`, and what they left in v[0..63].
struct Ran {
  std::vector<std::string> faults;
  std::vector<float> v;
};

class Kernels {
 public:
  explicit Kernels(const std::vector<std::string>& bodies)
      : loaded_(load_text("test.cu",
                          "#include <stencil/device.h>\n" + kernels_of(bodies, "float* v"),
                          "extern \"C\" void call(float* out, int threads, int which) {\n"
                          "  float* v = nullptr;\n  cudaMalloc(&v, 65 * sizeof(float));\n" +
                              for_kernel(bodies, "K<<<1, threads>>>(v);") +
                              "  cudaMemcpy(out, v, 64 * sizeof(float), cudaMemcpyDeviceToHost);\n"
                              "  cudaFree(v);\n}")) {}

  Ran run(int threads, RunMode mode = {}, size_t which = 0) const {
    Ran ran = {{}, std::vector<float>(64)};
    if (!loaded_.executor) return ran;
    set_mode(*loaded_.executor, mode);
    reinterpret_cast<void (*)(float*, int, int)>(symbol(*loaded_.executor, "call"))(
        ran.v.data(), threads, static_cast<int>(which));
    ran.faults = faults_of(loaded_);
    return ran;
  }

 private:
  Loaded loaded_;
};

Ran run_kernel(const std::string& body, int threads, RunMode mode = {}) {
  return Kernels({body}).run(threads, mode);
}

// Rows of bodies and of what is said of each.
void expect_faults(int threads, std::string_view text) {
  const std::vector<testing::Cells> table = testing::rows(text);
  const Kernels kernels(bodies_of(table));
  for (size_t n = 0; n < table.size(); ++n)
    EXPECT_EQ(only_of(kernels.run(threads, {}, n).faults), fault_in(table[n])) << table[n][0];
}

// A program whose `call` takes a number; there is none where the test fails.
int (*call_of(const Loaded& loaded))(int) {
  EXPECT_TRUE(loaded.executor);
  return reinterpret_cast<int (*)(int)>(symbol(*loaded.executor, "call"));
}

TEST(check_device, min_and_max_let_a_number_win_and_order_zeros) {
  const Ran ran = run_kernel(R"(
    const float nan = __int_as_float(0x7fc00000);
    v[0] = fminf(nan, v[0] = 1.0f);  v[1] = fmaxf(2.0f, nan);
    v[2] = fminf(0.0f, -0.0f);       v[3] = fmaxf(-0.0f, 0.0f);
    v[4] = static_cast<float>(fmin(static_cast<double>(nan), 3.0));
    v[5] = static_cast<float>(fmax(-0.0, 0.0));
    v[6] = fminf(nan, nan);)",
                             1);
  EXPECT_EQ(ran.v[0], 1.0f);
  EXPECT_EQ(ran.v[1], 2.0f);
  EXPECT_TRUE(std::signbit(ran.v[2]));
  EXPECT_FALSE(std::signbit(ran.v[3]));
  EXPECT_EQ(ran.v[4], 3.0f);
  EXPECT_FALSE(std::signbit(ran.v[5]));
  EXPECT_TRUE(std::isnan(ran.v[6]));
}

TEST(check_device, the_c_library_computes_what_it_computes_on_the_host) {
  const Ran ran = run_kernel(R"(
    v[0] = expf(0.7f);   v[1] = logf(0.7f);  v[2] = sinf(0.7f);  v[3] = cosf(0.7f);  v[4] = tanf(0.7f);
    v[5] = tanhf(0.7f);  v[6] = powf(0.7f, 1.3f);  v[7] = floorf(-0.7f);  v[8] = ceilf(0.7f);  v[9] = fabsf(-0.7f);
    v[10] = static_cast<float>(exp(0.7));  v[11] = static_cast<float>(pow(0.7, 1.3));  v[12] = sqrtf(0.7f);)",
                             1);
  const volatile float x = 0.7f, y = 1.3f;
  const volatile double dx = 0.7, dy = 1.3;
  const std::vector<float> expected = {expf(x),
                                       logf(x),
                                       sinf(x),
                                       cosf(x),
                                       tanf(x),
                                       tanhf(x),
                                       powf(x, y),
                                       -1.0f,
                                       1.0f,
                                       0.7f,
                                       static_cast<float>(exp(dx)),
                                       static_cast<float>(pow(dx, dy)),
                                       sqrtf(x)};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(ran.v[i], expected[i]) << i;
}

TEST(check_device, rounded_arithmetic_is_not_contracted) {
  const Ran ran = run_kernel(R"(
    const float a = 1.0f + 0x1p-12f;
    v[0] = __fadd_rn(__fmul_rn(a, a), -1.0f);  v[1] = __fmaf_rn(a, a, -1.0f);  v[2] = a * a - 1.0f;
    v[3] = __fdiv_rn(1.0f, 3.0f);              v[4] = __fsqrt_rn(2.0f);        v[5] = __fmul_rn(0x1p-140f, 0.5f);)",
                             1);
  EXPECT_EQ(ran.v[0], 0x1p-11f);
  EXPECT_EQ(ran.v[1], 0x1p-11f + 0x1p-24f);
  EXPECT_EQ(ran.v[2], 0x1p-11f);
  EXPECT_EQ(ran.v[3], 1.0f / 3.0f);
  EXPECT_EQ(ran.v[4], std::sqrt(2.0f));
  EXPECT_EQ(ran.v[5], 0x1p-141f);
}

TEST(check_device, shuffles_reach_the_lanes_that_cuda_says) {
  const Kernels kernels({R"(
      const unsigned all = 0xffffffffu;
      const int lane = threadIdx.x;
      const int from = __shfl_sync(all, lane, 5);
      const long long up = __shfl_up_sync(all, 1000000000000ll + lane, 3);
      const double down = __shfl_down_sync(all, 0.5 + lane, 2, 8);
      const unsigned swap = __shfl_xor_sync(all, static_cast<unsigned>(lane), 6);
      v[lane] = from + 100.0f * (up - 1000000000000ll) + 10000.0f * static_cast<float>(down - 0.5);
      v[32 + lane] = static_cast<float>(swap);)"});
  for (const RunMode mode : all_modes()) {
    const Ran ran = kernels.run(32, mode);
    ASSERT_TRUE(ran.faults.empty()) << ran.faults[0];
    for (int lane = 0; lane < 32; ++lane) {
      const int up = lane < 3 ? lane : lane - 3;
      const int down = lane % 8 < 6 ? lane + 2 : lane;
      EXPECT_EQ(ran.v[static_cast<size_t>(lane)], static_cast<float>(5 + 100 * up + 10000 * down))
          << lane;
      EXPECT_EQ(ran.v[static_cast<size_t>(32 + lane)], static_cast<float>(lane ^ 6)) << lane;
    }
  }
}

TEST(check_device, votes_and_a_warp_that_is_not_full) {
  const Ran ran = run_kernel(R"(
    const int x = threadIdx.x;
    v[x] = static_cast<float>(__ballot_sync(0xffffffffu, x % 2)) + (__any_sync(0xffffffffu, x == 3) ? 0.25f : 0.0f) +
           (__all_sync(0xffffffffu, x < 6) ? 0.5f : 0.0f);
    __syncwarp();)",
                             6);
  ASSERT_TRUE(ran.faults.empty()) << ran.faults[0];
  for (size_t x = 0; x < 6; ++x) EXPECT_EQ(ran.v[x], 0b101010 + 0.75f);
}

TEST(check_device, copies_land_at_once_or_at_the_wait) {
  const Kernels kernels({R"(
    __shared__ float a[8];
    v[40] = 7.0f;  v[41] = 8.0f;
    st::copy_async<4>(&a[0], v + 40);  st::commit();
    st::copy_async<4>(&a[1], v + 41);  st::copy_async<4>(&a[2], v + 41, false);  st::commit();
    v[0] = a[0];
    st::wait<1>();
    v[1] = a[0];  v[2] = a[1];
    st::wait<0>();
    v[3] = a[1];  v[4] = a[2];)"});
  const Ran eager = kernels.run(1, {CopyMode::eager, ThreadOrder::ascending});
  const Ran late = kernels.run(1, {CopyMode::late, ThreadOrder::ascending});
  EXPECT_EQ(eager.v[0], 7.0f);
  EXPECT_TRUE(std::isnan(late.v[0]));
  EXPECT_EQ(eager.v[2], 8.0f);
  EXPECT_TRUE(std::isnan(late.v[2]));
  for (const Ran& ran : {eager, late}) {
    EXPECT_EQ(ran.v[1], 7.0f);
    EXPECT_EQ(ran.v[3], 8.0f);
    EXPECT_EQ(ran.v[4], 0.0f);
  }
}

TEST(check_device, shared_and_global_memory_start_as_nan) {
  const Ran ran = run_kernel("__shared__ float a[4]; v[0] = a[2]; v[1] = v[2];", 1);
  EXPECT_TRUE(std::isnan(ran.v[0]));
  EXPECT_TRUE(std::isnan(ran.v[1]));
}

TEST(check_device, a_block_starts_with_fresh_shared_memory) {
  const Loaded loaded = load_text("test.cu", R"(
__global__ void test(float* v) {
  __shared__ float a;
  if (blockIdx.x == 0) a = 1.0f;
  v[blockIdx.x] = a;
})",
                                  R"(
extern "C" void call(float* out) {
  float* v = nullptr;
  cudaMalloc(&v, 8);
  test<<<2, 1>>>(v);
  cudaMemcpy(out, v, 8, cudaMemcpyDeviceToHost);
  cudaFree(v);
})");
  ASSERT_TRUE(loaded.executor);
  float out[2];
  reinterpret_cast<void (*)(float*)>(symbol(*loaded.executor, "call"))(out);
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_TRUE(std::isnan(out[1]));
}

// What a kernel lacks that is not launched is no matter.
TEST(check_device, a_kernel_becomes_machine_code_when_it_is_launched) {
  const Loaded loaded = load_text("test.cu", R"(
__device__ float missing(float);
__device__ int launches;
__global__ void whole(int* v) { v[0] = ++launches; }
__global__ void broken(int* v) { v[0] = static_cast<int>(missing(2.0f)); })",
                                  R"(
extern "C" int call(int broke) {
  int* v = nullptr;
  int result = 0;
  cudaMalloc(&v, 4);
  if (broke) broken<<<1, 1>>>(v); else whole<<<1, 1>>>(v);
  cudaMemcpy(&result, v, 4, cudaMemcpyDeviceToHost);
  cudaFree(v);
  return result;
})");
  const auto call = call_of(loaded);
  EXPECT_EQ(call(0), 1);
  EXPECT_EQ(call(0), 2);
  EXPECT_EQ(take_faults(*loaded.executor), std::vector<std::string>{});
  call(1);
  const std::vector<std::string> faults = take_faults(*loaded.executor);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].substr(0, 8), "broken: ") << faults[0];
  EXPECT_EQ(call(0), 3);
}

TEST(check_device, faults_are_told_and_end_the_launch) {
  expect_faults(1, R"(
    v[65] = 1.0f; => test: a write landed 0 bytes after the end of an allocation of 260 bytes
    v[-1] = 1.0f; => test: a write landed 4 bytes before an allocation of 260 bytes
    v[1 << 16] = 1.0f; => HERE an illegal access 261884 bytes after the end of an allocation of 260 bytes
    v[0] = v[-(1 << 16)]; => HERE an illegal access 262144 bytes before an allocation of 260 bytes
    *reinterpret_cast<volatile int*>(8ull * blockDim.y - 8) = 1; => HERE an access through a null pointer
    v[0] = 5 / (static_cast<int>(blockDim.x) - 1); => HERE an integer division by zero
    __builtin_trap(); => HERE a trap
    volatile int a[160000]; a[blockDim.x] = 5; v[0] = a[blockDim.y];
      => HERE more local memory than the 512 KB that a thread has here
    v[0] = reinterpret_cast<const float2*>(v + blockDim.x)->x; => HERE a misaligned access
    *reinterpret_cast<uint4*>(v + 2 * blockDim.x) = {};        => HERE a misaligned access
    __shared__ float a[4]; a[blockDim.x + 3] = 1.0f; v[0] = a[0];
      => test: block (0,0,0): a write landed outside of the shared variables
    __shared__ float a[8]; st::copy_async<8>(a + 1, v); => HERE a misaligned asynchronous copy of 8 bytes
  )");
}

TEST(check_device, divergence_is_told) {
  expect_faults(2, R"(
    if (threadIdx.x == 0) __syncthreads(); v[0] = 1.0f;
      => test: block (0,0,0) thread (1,0,0): divergent barrier: this thread has ended while others wait
    if (threadIdx.x == 1) __syncthreads(); v[0] = 1.0f;
      => test: block (0,0,0) thread (1,0,0): divergent barrier: this thread waits while others have ended
    if (threadIdx.x == 1) __syncthreads(); else __syncwarp(); v[0] = 1.0f;
      => test: block (0,0,0) thread (1,0,0): all threads wait, some at a barrier and some at a warp operation
    if (threadIdx.x == 1) v[0] = __shfl_sync(3u, 1.0f, 0); else v[1] = __shfl_sync(3u, 2.0f, 0);
      => test: block (0,0,0) thread (1,0,0): divergent warp operation: this thread waits at another one than the
         other lanes
    if (threadIdx.x == 1) v[0] = __shfl_sync(1u, 1.0f, 0);
      => test: block (0,0,0) thread (1,0,0): a warp operation whose mask leaves out the calling lane
  )");
}

TEST(check_device, the_executor_goes_on_after_a_fault) {
  const Loaded loaded =
      load_text("test.cu", "__global__ void test(float* v, int i) { v[i] = 1.0f; }", R"(
extern "C" int call(int i) {
  float* v = nullptr;
  cudaMalloc(&v, 4096);
  test<<<1, 1>>>(v, i);
  const int error = cudaGetLastError();
  cudaFree(v);
  return error;
})");
  const auto call = call_of(loaded);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(call(1 << 16), 719);
    EXPECT_EQ(take_faults(*loaded.executor).size(), 1u);
    EXPECT_EQ(call(0), 0);
    EXPECT_TRUE(take_faults(*loaded.executor).empty());
  }
}

TEST(check_device, what_cannot_run_is_refused) {
  for (const auto& [value, problem] :
       {std::pair("clock64()", "test.cu:1:66: error: use of undeclared identifier 'clock64'"),
        {"1", "test.cu: the executor cannot run inline assembly in `test`"}}) {
    const Loaded loaded =
        load({{"test.cu",
               "__global__ void test(int* v) { asm volatile(\"bar.sync 0;\"); *v = " +
                   std::string(value) + "; }",
               {},
               {}},
              ""});
    EXPECT_FALSE(loaded.executor);
    EXPECT_EQ(loaded.diagnostics, std::vector<std::string>{problem});
  }
}

}  // namespace
}  // namespace stencilc::check
