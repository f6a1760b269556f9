// The CUDA runtime that host code finds in the executor.
#include <gtest/gtest.h>

#include <thread>

#include "support/kernels.h"

namespace stencilc::check {
namespace {

// The values of functions with these bodies, beside an empty kernel and a kernel that uses much
// shared memory; as the table says. Errors of one are not seen by the next.
void expect_hosts(std::string_view text) {
  const std::vector<testing::Cells> table = testing::rows(text);
  std::string adapter;
  for (size_t n = 0; n < table.size(); ++n)
    adapter += "static int host" + std::to_string(n) + "() {\n" + table[n][0] + "\n}\n";
  adapter += "extern \"C\" int call(int which) {\n  cudaGetLastError();\n";
  for (size_t n = 0; n < table.size(); ++n)
    adapter +=
        "  if (which == " + std::to_string(n) + ") return host" + std::to_string(n) + "();\n";
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
                                  adapter + "  return -1;\n}\n");
  ASSERT_TRUE(loaded.executor);
  const auto call = reinterpret_cast<int (*)(int)>(symbol(*loaded.executor, "call"));
  for (size_t n = 0; n < table.size(); ++n) {
    EXPECT_EQ(std::to_string(call(static_cast<int>(n))), table[n][1]) << table[n][0];
    for (const auto& fault : take_faults(*loaded.executor)) ADD_FAILURE() << fault;
  }
}

TEST(check_cuda, illegal_launches_fail_and_errors_last_until_they_are_read) {
  expect_hosts(R"(
    empty<<<1, 256>>>(); return cudaGetLastError(); => 0
    empty<<<0, 32>>>(); return cudaGetLastError(); => 9
    empty<<<1, 0>>>(); return cudaGetLastError(); => 9
    empty<<<1, 1025>>>(); return cudaGetLastError(); => 9
    empty<<<1, dim3(1, 1, 65)>>>(); return cudaGetLastError(); => 9
    empty<<<dim3(1, 65536), 32>>>(); return cudaGetLastError(); => 9
    empty<<<dim3(1, 1, 65536), 32>>>(); return cudaGetLastError(); => 9
    empty<<<dim3(1, 65535), 1>>>(); return cudaGetLastError(); => 0
    empty<<<1, 257>>>(); return cudaGetLastError(); => 701
    empty<<<0, 1>>>(); cudaDeviceSynchronize(); return cudaPeekAtLastError() * 100 + cudaGetLastError(); => 909
    empty<<<0, 1>>>(); cudaGetLastError(); return cudaGetLastError(); => 0
    return cudaGetErrorName(cudaErrorInvalidConfiguration)[9] == 'I'; => 1
    return cudaGetErrorString(cudaErrorMemoryAllocation)[0] == 'o'; => 1
  )");
}

// What is asked for stays with the kernel.
TEST(check_cuda, much_dynamic_shared_memory_needs_an_attribute) {
  const std::string launch =
      "dynamic<<<1, 4, 100000>>>(v); return first * 1000 + cudaGetLastError(); => ";
  const std::string start = "float* v; cudaMalloc(&v, 16); int first = 0; ";
  const std::string opt_in =
      "first = cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, ";
  expect_hosts(start + launch + "1\n" + start + opt_in + "100000); " + launch + "0\n");
  expect_hosts(start + opt_in + "300000); cudaGetLastError(); " + launch + "1001\n");
}

TEST(check_cuda, constant_memory_is_written_by_the_host) {
  expect_hosts(R"(
    const float values[4] = {1, 2, 3, 4};
      float out[4] = {}, *v = nullptr;
      cudaMalloc(&v, sizeof(out));
      cudaMemcpyToSymbol(table, values, sizeof(values));
      cudaMemcpyToSymbolAsync(table, values + 3, sizeof(float), sizeof(float), cudaMemcpyHostToDevice);
      dynamic<<<1, 4, 16>>>(v);
      cudaMemcpy(out, v, sizeof(out), cudaMemcpyDeviceToHost);
      cudaFree(v);
      return static_cast<int>(out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]); => 4341
    const float values[5] = {}; return cudaMemcpyToSymbol(table, values, sizeof(values)); => 1
  )");
}

TEST(check_cuda, copies_and_fills_that_leave_an_allocation_fail) {
  const auto on_memory = [](const std::string& calls) {
    std::string table;
    for (const testing::Cells& row : testing::rows(calls))
      table += "char h[64] = {}, *d = nullptr; cudaMalloc(&d, 32); return " + row[0] + "; => " +
               row[1] + "\n";
    expect_hosts(table);
  };
  on_memory(R"(
    cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice)            => 0
    cudaMemcpy(d, h, 33, cudaMemcpyHostToDevice)            => 1
    cudaMemcpy(h, d + 1, 32, cudaMemcpyDeviceToHost)        => 1
    cudaMemset(d, 0, 33)                                    => 1
    cudaMemcpy2D(d, 8, h, 8, 8, 4, cudaMemcpyHostToDevice)  => 0
    cudaMemcpy2D(d, 8, h, 8, 8, 5, cudaMemcpyHostToDevice)  => 1
    cudaMemset2DAsync(d, 10, 1, 2, 4, nullptr)              => 0
    cudaMemset2DAsync(d, 10, 1, 3, 4, nullptr)              => 1
  )");
}

TEST(check_cuda, memory_is_counted_and_freed_once) {
  expect_hosts(R"(
    size_t before = 0, during = 0, after = 0, total = 0;
      void* p = nullptr;
      cudaMemGetInfo(&before, &total);
      cudaMallocAsync(&p, 1000, nullptr);
      cudaMemGetInfo(&during, &total);
      cudaFreeAsync(p, nullptr);
      cudaMemGetInfo(&after, &total);
      return before - during == 1000 && after == before; => 1
    void* p = nullptr; cudaMalloc(&p, 8); cudaFree(p); return cudaFree(p); => 1
    void* p = &p; const int e = cudaMalloc(&p, size_t{1} << 40); return e * 10 + (p == nullptr); => 21
    return cudaFree(nullptr); => 0
  )");
}

TEST(check_cuda, the_device_describes_itself_and_events_measure_time) {
  expect_hosts(R"(
    int v = 0; cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0); return v; => 9
    int v = 0; cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0); return v; => 132
    int v = 7; cudaGetDevice(&v); return v; => 0
    char h = 0, *d = nullptr;
      cudaMalloc(&d, 8);
      cudaPointerAttributes of_device, of_host;
      cudaPointerGetAttributes(&of_device, d + 7);
      cudaPointerGetAttributes(&of_host, &h);
      return of_device.type * 10 + of_host.type; => 20
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
      return ms > 0 && ms < 10000; => 1
  )");
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
