// The CUDA runtime that host code finds in the executor.
#include <gtest/gtest.h>

#include <thread>

#include "executor/fixture.h"

namespace stencilc::check {
namespace {

// The value of `int call()`, whose body this is, beside an empty kernel and a kernel that uses much
// shared memory.
int host(const std::string& body) {
  const Loaded loaded = load_text("test.cu", R"(
__constant__ float table[4];
__global__ void __launch_bounds__(256) empty() {}
__global__ void dynamic(float* v) {
  extern __shared__ float s[];
  s[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  v[threadIdx.x] = s[3 - threadIdx.x];
}
)",
                                  "extern \"C\" int call() {\n" + body + "\n}\n");
  if (!loaded.executor) return -1;
  const int value = reinterpret_cast<int (*)()>(symbol(*loaded.executor, "call"))();
  for (const auto& fault : take_faults(*loaded.executor)) ADD_FAILURE() << fault;
  return value;
}

TEST(check_cuda, illegal_launches_fail) {
  const std::string last = " return cudaGetLastError();";
  EXPECT_EQ(host("empty<<<1, 256>>>();" + last), 0);
  EXPECT_EQ(host("empty<<<0, 32>>>();" + last), 9);
  EXPECT_EQ(host("empty<<<1, 0>>>();" + last), 9);
  EXPECT_EQ(host("empty<<<1, 1025>>>();" + last), 9);
  EXPECT_EQ(host("empty<<<1, dim3(1, 1, 65)>>>();" + last), 9);
  EXPECT_EQ(host("empty<<<dim3(1, 65536), 32>>>();" + last), 9);
  EXPECT_EQ(host("empty<<<dim3(1, 1, 65536), 32>>>();" + last), 9);
  EXPECT_EQ(host("empty<<<dim3(1, 65535), 1>>>();" + last), 0);
  EXPECT_EQ(host("empty<<<1, 257>>>();" + last), 701);
}

TEST(check_cuda, errors_stay_until_they_are_read) {
  EXPECT_EQ(host("empty<<<0, 1>>>(); cudaDeviceSynchronize(); return cudaPeekAtLastError() * 100 + "
                 "cudaGetLastError();"),
            909);
  EXPECT_EQ(host("empty<<<0, 1>>>(); cudaGetLastError(); return cudaGetLastError();"), 0);
  EXPECT_EQ(host("return cudaGetErrorName(cudaErrorInvalidConfiguration)[9];"), 'I');
  EXPECT_EQ(host("return cudaGetErrorString(cudaErrorMemoryAllocation)[0];"), 'o');
}

TEST(check_cuda, much_dynamic_shared_memory_has_to_be_asked_for) {
  const std::string start = "float* v; cudaMalloc(&v, 16); int first = 0;";
  const std::string end =
      " dynamic<<<1, 4, 100000>>>(v); return first * 1000 + cudaGetLastError();";
  EXPECT_EQ(host(start + end), 1);
  const std::string ask =
      "first = cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, ";
  EXPECT_EQ(host(start + ask + "100000);" + end), 0);
  EXPECT_EQ(host(start + ask + "300000); cudaGetLastError();" + end), 1001);
}

TEST(check_cuda, constant_memory_is_written_by_the_host) {
  EXPECT_EQ(host(R"(
    const float values[4] = {1, 2, 3, 4};
    float out[4] = {}, *v = nullptr;
    cudaMalloc(&v, sizeof(out));
    cudaMemcpyToSymbol(table, values, sizeof(values));
    cudaMemcpyToSymbolAsync(table, values + 3, sizeof(float), sizeof(float), cudaMemcpyHostToDevice);
    dynamic<<<1, 4, 16>>>(v);
    cudaMemcpy(out, v, sizeof(out), cudaMemcpyDeviceToHost);
    cudaFree(v);
    return static_cast<int>(out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]);)"),
            4341);
  EXPECT_EQ(
      host("const float values[5] = {}; return cudaMemcpyToSymbol(table, values, sizeof(values));"),
      1);
}

TEST(check_cuda, copies_and_fills_that_leave_an_allocation_fail) {
  const std::string start = "char h[64] = {}, *d = nullptr; cudaMalloc(&d, 32);";
  EXPECT_EQ(host(start + "return cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);"), 0);
  EXPECT_EQ(host(start + "return cudaMemcpy(d, h, 33, cudaMemcpyHostToDevice);"), 1);
  EXPECT_EQ(host(start + "return cudaMemcpy(h, d + 1, 32, cudaMemcpyDeviceToHost);"), 1);
  EXPECT_EQ(host(start + "return cudaMemset(d, 0, 33);"), 1);
  EXPECT_EQ(host(start + "return cudaMemcpy2D(d, 8, h, 8, 8, 4, cudaMemcpyHostToDevice);"), 0);
  EXPECT_EQ(host(start + "return cudaMemcpy2D(d, 8, h, 8, 8, 5, cudaMemcpyHostToDevice);"), 1);
  EXPECT_EQ(host(start + "return cudaMemset2DAsync(d, 10, 1, 2, 4, nullptr);"), 0);
  EXPECT_EQ(host(start + "return cudaMemset2DAsync(d, 10, 1, 3, 4, nullptr);"), 1);
}

TEST(check_cuda, memory_is_counted_and_freed_once) {
  EXPECT_EQ(host(R"(
    size_t before = 0, during = 0, after = 0, total = 0;
    void* p = nullptr;
    cudaMemGetInfo(&before, &total);
    cudaMallocAsync(&p, 1000, nullptr);
    cudaMemGetInfo(&during, &total);
    cudaFreeAsync(p, nullptr);
    cudaMemGetInfo(&after, &total);
    return before - during == 1000 && after == before;)"),
            1);
  EXPECT_EQ(host("void* p = nullptr; cudaMalloc(&p, 8); cudaFree(p); return cudaFree(p);"), 1);
  EXPECT_EQ(host("void* p = &p; const int e = cudaMalloc(&p, size_t{1} << 40); return e * 10 + (p "
                 "== nullptr);"),
            21);
  EXPECT_EQ(host("return cudaFree(nullptr);"), 0);
}

TEST(check_cuda, the_device_describes_itself) {
  EXPECT_EQ(
      host(
          "int v = 0; cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0); return v;"),
      9);
  EXPECT_EQ(
      host("int v = 0; cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0); return v;"),
      132);
  EXPECT_EQ(host("int v = 7; cudaGetDevice(&v); return v;"), 0);
  EXPECT_EQ(host(R"(
    char h = 0, *d = nullptr;
    cudaMalloc(&d, 8);
    cudaPointerAttributes of_device, of_host;
    cudaPointerGetAttributes(&of_device, d + 7);
    cudaPointerGetAttributes(&of_host, &h);
    return of_device.type * 10 + of_host.type;)"),
            20);
}

TEST(check_cuda, events_measure_time) {
  EXPECT_EQ(host(R"(
    cudaEvent_t a, b;
    float ms = -1;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a);
    empty<<<100, 256>>>();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    return ms > 0 && ms < 10000;)"),
            1);
}

TEST(check_cuda, programs_live_side_by_side) {
  const std::string text = "__constant__ int k; __global__ void test(int* v) { *v = k; }";
  const std::string adapter = R"(
extern "C" void set(int value) { cudaMemcpyToSymbol(k, &value, sizeof(value)); }
extern "C" int get() {
  int *v = nullptr, out = 0;
  cudaMalloc(&v, sizeof(int));
  test<<<1, 1>>>(v);
  cudaMemcpy(&out, v, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(v);
  return out;
})";
  const Loaded a = load_text("a.cu", text, adapter), b = load_text("b.cu", text, adapter);
  ASSERT_TRUE(a.executor && b.executor);
  reinterpret_cast<void (*)(int)>(symbol(*a.executor, "set"))(1);
  reinterpret_cast<void (*)(int)>(symbol(*b.executor, "set"))(2);
  EXPECT_EQ(reinterpret_cast<int (*)()>(symbol(*a.executor, "get"))(), 1);
  EXPECT_EQ(reinterpret_cast<int (*)()>(symbol(*b.executor, "get"))(), 2);
  EXPECT_EQ(symbol(*a.executor, "nothing"), nullptr);
}

TEST(check_cuda, programs_run_on_several_cpu_threads) {
  const std::string text = R"(
__global__ void test(int* v, int start) {
  __shared__ int s[64];
  s[threadIdx.x] = start + threadIdx.x;
  __syncthreads();
  v[threadIdx.x] = s[63 - threadIdx.x];
})";
  const std::string adapter = R"(
extern "C" int call(int start) {
  int *v = nullptr, out[64] = {}, good = 0;
  cudaMalloc(&v, sizeof(out));
  test<<<1, 64>>>(v, start);
  cudaMemcpy(out, v, sizeof(out), cudaMemcpyDeviceToHost);
  cudaFree(v);
  for (int i = 0; i < 64; ++i) good += out[i] == start + 63 - i;
  return good;
})";
  int good[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Loaded loaded = load_text("test.cu", text, adapter);
      if (!loaded.executor) return;
      const auto call = reinterpret_cast<int (*)(int)>(symbol(*loaded.executor, "call"));
      for (int round = 0; round < 200; ++round) good[t] += call(1000 * t + round) == 64;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : good) EXPECT_EQ(count, 200);
}

}  // namespace
}  // namespace stencilc::check
