// The functions of callers.h, for arrays of the device, and what a caller must know of a stream.
#pragma once

#include "callers.h"

namespace stencil {
namespace callers {

// Small arrays are copied by one launch, because the host needs longer to ask for a copy than the
// device to make it. For large ones the driver has quicker ways.
constexpr double kSmall = 16 << 20;  // bytes of all arrays together
constexpr int kAtOnce = 8;
constexpr int kThreads = 256;

struct Copies {
  Copy at[kAtOnce];
};

template <typename Word>
__global__ void __launch_bounds__(kThreads) copy_words(Copies copies) {
  const Copy& one = copies.at[blockIdx.y];
  const uint32_t words = static_cast<uint32_t>(one.row_bytes / static_cast<int64_t>(sizeof(Word)));
  const uint32_t rows = static_cast<uint32_t>(one.rows);
  const uint32_t count = words * rows * static_cast<uint32_t>(one.planes);
  for (uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    const uint32_t row = i / words;
    const int64_t at = row / rows * one.plane_pitch + row % rows * one.row_pitch +
                       static_cast<int64_t>(i % words) * static_cast<int64_t>(sizeof(Word));
    *reinterpret_cast<Word*>(one.to + at) = *reinterpret_cast<const Word*>(one.from + at);
  }
}

// Whether all addresses and distances are multiples of so many bytes.
inline bool are_multiples(const Copy& one, int64_t bytes) {
  const auto to = reinterpret_cast<uintptr_t>(one.to), from = reinterpret_cast<uintptr_t>(one.from);
  const auto size = static_cast<uintptr_t>(bytes);
  return to % size == 0 && from % size == 0 && one.row_bytes % bytes == 0 &&
         one.row_pitch % bytes == 0 && one.plane_pitch % bytes == 0;
}

// So many copies, all of them small.
inline Status copy_small(const Copies& copies, int count, cudaStream_t stream) {
  int64_t most = 0;
  bool wide = true, narrow = true;
  for (int n = 0; n < count; ++n) {
    const Copy& one = copies.at[n];
    const int64_t bytes = one.row_bytes * one.rows * one.planes;
    if (bytes > most) most = bytes;
    wide = wide && are_multiples(one, 16);
    narrow = narrow && are_multiples(one, 4);
  }
  const int64_t words = most / (wide ? 16 : narrow ? 4 : 1);
  const int64_t wanted = (words + kThreads - 1) / kThreads;
  constexpr int64_t enough = 1024;  // blocks, which a thread leaves for several words
  const dim3 grid(static_cast<unsigned>(wanted < enough ? wanted : enough),
                  static_cast<unsigned>(count));
  if (wide)
    copy_words<uint4><<<grid, kThreads, 0, stream>>>(copies);
  else if (narrow)
    copy_words<uint32_t><<<grid, kThreads, 0, stream>>>(copies);
  else
    copy_words<uint8_t><<<grid, kThreads, 0, stream>>>(copies);
  return cuda_status(cudaGetLastError(), "a copy on the device");
}

inline Status copy_large(const Copy& one, cudaStream_t stream) {
  if (one.rows == 1 && one.planes == 1)
    return cuda_status(cudaMemcpyAsync(one.to, one.from, static_cast<size_t>(one.row_bytes),
                                       cudaMemcpyDeviceToDevice, stream),
                       "a copy on the device");
  return copy_rows<DeviceMemory>(one, stream);
}

inline Status load_kernels() {
  const void* const kernels[] = {reinterpret_cast<const void*>(&copy_words<uint4>),
                                 reinterpret_cast<const void*>(&copy_words<uint32_t>),
                                 reinterpret_cast<const void*>(&copy_words<uint8_t>)};
  Status status;
  for (const void* kernel : kernels) {
    cudaFuncAttributes attributes{};
    if (!status.ok()) break;
    status = cuda_status(cudaFuncGetAttributes(&attributes, kernel), "a copy on the device");
    if (!status.ok()) (void)cudaGetLastError();
  }
  return status;
}

inline Status bring_home(const stencil_level* levels, int64_t count, cudaStream_t stream) {
  if (count == 0) return load_kernels();
  double bytes = 0;
  for (int64_t n = 0; n < count; ++n)
    if (levels[n].buffers[0] != levels[n].home)
      bytes += static_cast<double>(levels[n].row_bytes) * static_cast<double>(levels[n].rows) *
               static_cast<double>(levels[n].planes);
  Status status;
  Copies batch;
  int waiting = 0;
  for (int64_t n = 0; n < count && status.ok(); ++n) {
    if (levels[n].buffers[0] == levels[n].home) continue;
    const Copy one = joined(copy_of(levels[n]));
    put_home_first(levels[n]);
    if (bytes > kSmall) {
      status = copy_large(one, stream);
      continue;
    }
    batch.at[waiting++] = one;
    if (waiting < kAtOnce) continue;
    status = copy_small(batch, waiting, stream);
    waiting = 0;
  }
  return status.ok() && waiting > 0 ? copy_small(batch, waiting, stream) : status;
}

}  // namespace callers
}  // namespace stencil

extern "C" __attribute__((used)) inline int stencil_bring_home(const stencil_level* levels,
                                                               int64_t count, void* stream) {
  return stencil::code_of(
      stencil::callers::bring_home(levels, count, static_cast<cudaStream_t>(stream)));
}

extern "C" __attribute__((used)) inline int stencil_is_captured(void* stream) {
  cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &found) == cudaSuccess)
    return found == cudaStreamCaptureStatusNone ? 0 : 1;
  // The stream 0 gives an error while another stream is captured. It is not captured itself.
  (void)cudaGetLastError();
  return 0;
}

namespace stencil {
namespace callers {

// NAME_run_packed(), for NAME_run(), whose last argument is the stream.
template <typename... Values>
int run_packed(int (*run)(Values...), const stencil_packed& call) {
  const auto stream = from_word<cudaStream_t>(call.arguments + sizeof...(Values) - 1);
  if (call.refuses_capture != 0 && stencil_is_captured(stream) != 0) return stencil_captured;
  const int code = run_with(run, call.arguments);
  if (call.count == 0) return code;
  const Status home = bring_home(call.levels, call.count, stream);
  return code == STENCIL_OK ? code_of(home) : code;
}

}  // namespace callers
}  // namespace stencil
