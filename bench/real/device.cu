// What scripts/gpu-real needs of a device besides the kernels of a program: memory, inputs, checksums, a clock, and a copy to
// compare with. nvcc compiles it for the GPU, and g++ (as C++) for dry runs on the CPU. bench/real/device.py calls it.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define REAL_BOTH __host__ __device__
#else
#include <stdlib.h>

#include <chrono>
#define REAL_BOTH
#endif

namespace {

// Values have these types; whole numbers are stored by their low bytes.
enum Type { kReal64, kReal32, kReal16, kBrain16, kWhole };
enum Kind { kConstant, kRandom, kGauss };

// Memory of rows of `pitch` elements and planes of `plane` elements; the cells begin behind the halo.
struct Layout {
  int64_t nx, ny, nz, pitch, plane;
};

char problem[512];

REAL_BOTH uint64_t mixed(uint64_t seed, uint64_t index) {
  uint64_t z = (seed + 1) * 0xd1342543de82ef95u + index * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

REAL_BOTH uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// To the nearest half; what is too small for one becomes 0.
REAL_BOTH uint16_t half_of(float value) {
  const uint32_t bits = bits_of(value) + 0x1000;
  const uint32_t sign = bits >> 16 & 0x8000;
  const int exponent = static_cast<int>(bits >> 23 & 255) - 127;
  if (exponent < -14) return static_cast<uint16_t>(sign);
  if (exponent > 15) return static_cast<uint16_t>(sign | 0x7bff);
  return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent + 15) << 10 | (bits >> 13 & 0x3ff));
}

REAL_BOTH void store(void* memory, int type, int bytes, int64_t index, double value) {
  uint64_t bits = static_cast<uint64_t>(static_cast<int64_t>(floor(value)));
  if (type == kReal64) memcpy(&bits, &value, sizeof bits);
  if (type == kReal32) bits = bits_of(static_cast<float>(value));
  if (type == kReal16) bits = half_of(static_cast<float>(value));
  if (type == kBrain16) bits = (bits_of(static_cast<float>(value)) + 0x8000) >> 16;
  if (bytes == 1) static_cast<uint8_t*>(memory)[index] = static_cast<uint8_t>(bits);
  if (bytes == 2) static_cast<uint16_t*>(memory)[index] = static_cast<uint16_t>(bits);
  if (bytes == 4) static_cast<uint32_t*>(memory)[index] = static_cast<uint32_t>(bits);
  if (bytes == 8) static_cast<uint64_t*>(memory)[index] = bits;
}

REAL_BOTH uint64_t load(const void* memory, int bytes, int64_t index) {
  if (bytes == 1) return static_cast<const uint8_t*>(memory)[index];
  if (bytes == 2) return static_cast<const uint16_t*>(memory)[index];
  if (bytes == 4) return static_cast<const uint32_t*>(memory)[index];
  return static_cast<const uint64_t*>(memory)[index];
}

// All elements of a buffer, and what lies between rows: inputs depend on the place alone.
struct Fill {
  void* memory;
  int type, bytes, kind;
  double low, high;
  uint64_t seed;
  Layout at;

  REAL_BOTH void operator()(int64_t i) const {
    double value = low;
    if (kind == kRandom) value += (high - low) * static_cast<double>(mixed(seed, static_cast<uint64_t>(i)) >> 40) * 0x1p-24;
    if (kind == kGauss) {
      const int64_t place[] = {i % at.plane % at.pitch, i % at.plane / at.pitch, i / at.plane};
      const int64_t extent[] = {at.nx, at.ny, at.nz};
      double exponent = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double width = extent[axis] > 4 ? static_cast<double>(extent[axis]) / 8 : 0.5;
        const double offset = static_cast<double>(place[axis]) - static_cast<double>(extent[axis] - 1) / 2;
        exponent += offset * offset / (2 * width * width);
      }
      value = exp(-exponent);
    }
    store(memory, type, bytes, i, value);
  }
};

// Of cell i: what it adds to the checksum, and whether it is NaN or infinite. All NaNs count as the same.
struct Check {
  const void* cells;
  int type, bytes;
  Layout at;

  REAL_BOTH uint64_t operator()(int64_t i, bool& finite) const {
    const int64_t x = i % at.nx, row = i / at.nx;
    uint64_t bits = load(cells, bytes, row / at.ny * at.plane + row % at.ny * at.pitch + x);
    const uint64_t exponents[] = {uint64_t{0x7ff} << 52, 0xffu << 23, 0x1fu << 10, 0xffu << 7};
    const uint64_t signs[] = {uint64_t{1} << 63, uint64_t{1} << 31, 1u << 15, 1u << 15};
    finite = type == kWhole || (bits & exponents[type]) != exponents[type];
    if (!finite && (bits & ~signs[type]) != exponents[type]) bits = ~uint64_t{0};
    return mixed(bits, static_cast<uint64_t>(i));
  }
};

#ifdef __CUDACC__

cudaEvent_t begun, ended;
unsigned long long* sums;  // of bits, and of cells that are not finite

int failed(cudaError_t error) {
  if (error == cudaSuccess) return 0;
  snprintf(problem, sizeof problem, "%s: %s", cudaGetErrorName(error), cudaGetErrorString(error));
  return 1;
}

template <typename F>
__global__ void __launch_bounds__(256) each(F f, int64_t count) {
  const int64_t all = static_cast<int64_t>(gridDim.x) * 256;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x; i < count; i += all) f(i);
}

__global__ void __launch_bounds__(256) sum_up(Check f, int64_t count, unsigned long long* to) {
  const int64_t all = static_cast<int64_t>(gridDim.x) * 256;
  unsigned long long sum = 0, bad = 0;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x; i < count; i += all) {
    bool finite = true;
    sum += f(i, finite);
    bad += !finite;
  }
  atomicAdd(&to[0], sum);
  if (bad) atomicAdd(&to[1], bad);
}

__global__ void __launch_bounds__(256) copy_vectors(float4* __restrict__ to, const float4* __restrict__ from) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  to[i] = from[i];
}

unsigned blocks_of(int64_t count) {
  const int64_t wanted = (count + 255) / 256;
  return static_cast<unsigned>(wanted < 4096 ? wanted : 4096);
}

#else

std::chrono::steady_clock::time_point begun;

#endif

}  // namespace

extern "C" {

const char* real_problem() { return problem; }

#ifdef __CUDACC__

// The name of the device, its architecture as 90, and the bytes of its L2 cache.
int real_open(char* name, int room, int* arch, int64_t* cache) {
  cudaDeviceProp device;
  if (failed(cudaGetDeviceProperties(&device, 0))) return 1;
  snprintf(name, static_cast<size_t>(room), "%s", device.name);
  *arch = device.major * 10 + device.minor;
  *cache = device.l2CacheSize;
  return failed(cudaEventCreate(&begun)) || failed(cudaEventCreate(&ended)) ||
         failed(cudaMalloc(reinterpret_cast<void**>(&sums), 2 * sizeof *sums));
}
int real_allocate(void** memory, int64_t bytes) { return failed(cudaMalloc(memory, static_cast<size_t>(bytes))); }
int real_release(void* memory) { return failed(cudaFree(memory)); }
int real_bytes(void* memory, int value, int64_t bytes) {
  return failed(cudaMemsetAsync(memory, value, static_cast<size_t>(bytes)));
}
int real_send(void* to, const void* from, int64_t bytes) {
  return failed(cudaMemcpy(to, from, static_cast<size_t>(bytes), cudaMemcpyHostToDevice));
}
int real_receive(void* to, const void* from, int64_t bytes) {
  return failed(cudaMemcpy(to, from, static_cast<size_t>(bytes), cudaMemcpyDeviceToHost));
}
int real_fill(void* memory, int64_t count, int type, int bytes, int kind, double low, double high, uint64_t seed, int64_t nx,
              int64_t ny, int64_t nz, int64_t pitch, int64_t plane) {
  const Fill fill = {memory, type, bytes, kind, low, high, seed, {nx, ny, nz, pitch, plane}};
  each<<<blocks_of(count), 256>>>(fill, count);
  return failed(cudaGetLastError());
}
int real_check(const void* cells, int type, int bytes, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
               uint64_t* sum, int64_t* bad) {
  const Check check = {cells, type, bytes, {nx, ny, nz, pitch, plane}};
  unsigned long long both[2] = {};
  if (failed(cudaMemsetAsync(sums, 0, sizeof both))) return 1;
  sum_up<<<blocks_of(nx * ny * nz), 256>>>(check, nx * ny * nz, sums);
  if (failed(cudaGetLastError()) || failed(cudaMemcpy(both, sums, sizeof both, cudaMemcpyDeviceToHost))) return 1;
  *sum = both[0];
  *bad = static_cast<int64_t>(both[1]);
  return 0;
}
int real_start() { return failed(cudaEventRecord(begun)); }
int real_stop(double* seconds) {
  float milliseconds = 0;
  if (failed(cudaEventRecord(ended)) || failed(cudaEventSynchronize(ended)) ||
      failed(cudaEventElapsedTime(&milliseconds, begun, ended)))
    return 1;
  *seconds = milliseconds * 1e-3;
  return 0;
}
int real_wait() { return failed(cudaDeviceSynchronize()); }
// A copy of so many bytes, by one 16-byte vector a thread; the bytes are a multiple of 4096.
int real_copy(void* to, const void* from, int64_t bytes) {
  copy_vectors<<<static_cast<unsigned>(bytes / 4096), 256>>>(static_cast<float4*>(to), static_cast<const float4*>(from));
  return failed(cudaGetLastError());
}

#else

int real_open(char* name, int room, int* arch, int64_t* cache) {
  snprintf(name, static_cast<size_t>(room), "CPU");
  *arch = 0;
  *cache = 0;
  return 0;
}
int real_allocate(void** memory, int64_t bytes) {
  *memory = aligned_alloc(256, static_cast<size_t>((bytes + 255) / 256 * 256));
  return *memory == nullptr;
}
int real_release(void* memory) {
  free(memory);
  return 0;
}
int real_bytes(void* memory, int value, int64_t bytes) {
  memset(memory, value, static_cast<size_t>(bytes));
  return 0;
}
int real_send(void* to, const void* from, int64_t bytes) {
  memcpy(to, from, static_cast<size_t>(bytes));
  return 0;
}
int real_receive(void* to, const void* from, int64_t bytes) { return real_send(to, from, bytes); }
int real_fill(void* memory, int64_t count, int type, int bytes, int kind, double low, double high, uint64_t seed, int64_t nx,
              int64_t ny, int64_t nz, int64_t pitch, int64_t plane) {
  const Fill fill = {memory, type, bytes, kind, low, high, seed, {nx, ny, nz, pitch, plane}};
  for (int64_t i = 0; i < count; ++i) fill(i);
  return 0;
}
int real_check(const void* cells, int type, int bytes, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
               uint64_t* sum, int64_t* bad) {
  const Check check = {cells, type, bytes, {nx, ny, nz, pitch, plane}};
  *sum = 0;
  *bad = 0;
  for (int64_t i = 0; i < nx * ny * nz; ++i) {
    bool finite = true;
    *sum += check(i, finite);
    *bad += !finite;
  }
  return 0;
}
int real_start() {
  begun = std::chrono::steady_clock::now();
  return 0;
}
int real_stop(double* seconds) {
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return 0;
}
int real_wait() { return 0; }
int real_copy(void* to, const void* from, int64_t bytes) { return real_send(to, from, bytes); }

#endif

}  // extern "C"
