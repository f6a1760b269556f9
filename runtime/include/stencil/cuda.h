// The runtime of kernels for the GPU. The same names for the CPU are in cpu.h; a file includes the
// one of its target.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <tuple>

#include "call.h"
#include "cuda_status.h"
#include "device.h"
#include "device_borders.h"
#include "host_number.h"
#include "points.h"
#include "weights.h"
#include "workspace.h"

#if defined(__CUDACC__) || defined(__CUDA__)
#include "cuda_halo.h"
#include "cuda_map.h"
#include "cuda_points.h"
#include "cuda_prepare.h"
#include "cuda_probe.h"
#include "cuda_reduction.h"
#include "cuda_temporary.h"
#include "cuda_texture.h"
#endif

namespace stencil {
inline namespace cuda {

using Stream = cudaStream_t;

// Memory of the current device.
struct DeviceMemory {
  using Stream = cudaStream_t;

  // `what` tells the message what the memory is for: "4096 x 4096".
  static Status allocate(void** out, int64_t bytes, const char* what) {
    const cudaError_t error = cudaMalloc(out, static_cast<size_t>(bytes));
    if (error != cudaErrorMemoryAllocation) return cuda_status(error, "an allocation");
    (void)cudaGetLastError();  // this failure is reported here and not again by the next launch
    size_t free = 0, total = 0;
    (void)cudaMemGetInfo(&free, &total);
    return failure(Code::out_of_memory,
                   "a grid of %s needs %lld bytes and the device has %lld free; use a smaller grid "
                   "or release memory first",
                   what, static_cast<long long>(bytes), static_cast<long long>(free));
  }
  static void release(void* memory) { (void)cudaFree(memory); }

  static Status upload(void* device, const void* host, const Shape& shape, size_t size) {
    return dense_copy(device, host, shape, size, cudaMemcpyHostToDevice, "a copy from the host");
  }
  static Status download(void* host, const void* device, const Shape& shape, size_t size) {
    return dense_copy(host, device, shape, size, cudaMemcpyDeviceToHost, "a copy to the host");
  }
  // Both arrays have this shape. Asynchronous.
  static Status copy(void* to, const void* from, const Shape& shape, size_t size, Stream stream) {
    for (int64_t z = 0; z < shape.nz; ++z) {
      const Status status = cuda_status(
          copy_rows(at(to, z * shape.plane, size), shape.pitch, at(from, z * shape.plane, size),
                    shape.pitch, shape, size, cudaMemcpyDeviceToDevice, stream),
          "a copy on the device");
      if (!status.ok()) return status;
    }
    return {};
  }

 private:
  static char* at(void* base, int64_t element, size_t size) {
    return static_cast<char*>(base) + element * static_cast<int64_t>(size);
  }
  static const char* at(const void* base, int64_t element, size_t size) {
    return static_cast<const char*>(base) + element * static_cast<int64_t>(size);
  }

  // One plane. A 2-D copy takes no pitch of 2 GiB or more: such rows are copied one by one.
  static cudaError_t copy_rows(char* to, int64_t to_pitch, const char* from, int64_t from_pitch,
                               const Shape& shape, size_t size, cudaMemcpyKind kind,
                               Stream stream) {
    const size_t width = static_cast<size_t>(shape.nx) * size;
    const int64_t wider = to_pitch > from_pitch ? to_pitch : from_pitch;
    if (wider <= INT32_MAX / static_cast<int64_t>(size))
      return cudaMemcpy2DAsync(to, static_cast<size_t>(to_pitch) * size, from,
                               static_cast<size_t>(from_pitch) * size, width,
                               static_cast<size_t>(shape.ny), kind, stream);
    for (int64_t y = 0; y < shape.ny; ++y) {
      const cudaError_t error = cudaMemcpyAsync(
          at(to, y * to_pitch, size), at(from, y * from_pitch, size), width, kind, stream);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }

  // Waits for all streams first, because the newest values may be on their way on one of them.
  static Status dense_copy(void* to, const void* from, const Shape& shape, size_t size,
                           cudaMemcpyKind kind, const char* who) {
    Status status = cuda_status(cudaDeviceSynchronize(), who);
    const bool to_host = kind == cudaMemcpyDeviceToHost;
    const int64_t dense_plane = shape.nx * shape.ny;
    for (int64_t z = 0; z < shape.nz && status.ok(); ++z)
      status = cuda_status(copy_rows(at(to, z * (to_host ? dense_plane : shape.plane), size),
                                     to_host ? shape.nx : shape.pitch,
                                     at(from, z * (to_host ? shape.plane : dense_plane), size),
                                     to_host ? shape.pitch : shape.nx, shape, size, kind, nullptr),
                           who);
    return status.ok() ? cuda_status(cudaStreamSynchronize(nullptr), who) : status;
  }
};

template <typename T, int Rank>
using Grid = BasicGrid<T, Rank, DeviceMemory>;
template <int Rank>
using Call = BasicCall<Rank, DeviceMemory>;

inline Status synchronize(Stream stream) {
  return cuda_status(cudaStreamSynchronize(stream), "waiting for the stream");
}

// The launch grid of so many blocks. What the hardware does not take in y goes on in z (2-D only):
// a kernel finds its row of blocks at blockIdx.y + gridDim.y * blockIdx.z, and those beyond the
// last row have nothing to do. A number of blocks that fits nowhere becomes one that the launch
// refuses.
inline dim3 grid_of(int64_t x, int64_t y = 1) {
  constexpr int64_t limit = 65535;
  const int64_t z = blocks(y, limit);
  const auto fit = [](int64_t count) {
    return static_cast<unsigned>(count < UINT32_MAX ? count : UINT32_MAX);
  };
  return dim3(fit(x), fit(blocks(y, z)), fit(z));
}
inline dim3 grid_of(int64_t x, int64_t y, int64_t z) {
  const auto fit = [](int64_t count) {
    return static_cast<unsigned>(count < UINT32_MAX ? count : UINT32_MAX);
  };
  return dim3(fit(x), fit(y), fit(z));
}

// Blocks of `size` threads for so many values; one where there are none.
inline unsigned blocks_of(int64_t count, int64_t size) {
  return static_cast<unsigned>(count > 0 ? blocks(count, size) : 1);
}

// A row of blocks of `size` threads for each of these numbers of values.
template <typename... Counts>
dim3 rows_of_blocks(int64_t size, Counts... counts) {
  int64_t most = 0;
  for (const int64_t count : {int64_t{counts}...}) most = count > most ? count : most;
  return dim3(blocks_of(most, size), static_cast<unsigned>(sizeof...(counts)));
}

// Of the current device: blocks of a kernel, with so many threads, that run at once.
template <typename... Params>
int64_t resident_blocks(void (*kernel)(Params...), int threads, int shared) {
  int device = 0, multiprocessors = 1, blocks = 1;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                      static_cast<size_t>(shared));
  return int64_t{multiprocessors} * (blocks > 0 ? blocks : 1);
}

// Of the current device: those that give out instructions, four to a multiprocessor.
inline int64_t schedulers() {
  int device = 0, multiprocessors = 1;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  return 4 * int64_t{multiprocessors};
}

// Of a kernel with so many warps a block; with those for border rows.
inline unsigned blocks_of(const st::Partition& chunks, int64_t warps) {
  return blocks_of(chunks.parts(), warps);
}
inline unsigned blocks_of(const st::Partition& chunks, const st::Borders& borders, int64_t warps) {
  return blocks_of(chunks.parts() + borders.parts(st::tiles_of(chunks)), warps);
}
// And of one whose blocks take columns.
inline unsigned blocks_of(const st::Columns& columns, const st::Borders& borders) {
  return blocks_of(columns.blocks() + borders.parts(st::tiles_of(columns)), 1);
}

namespace detail {
// Plans of the last launches of this thread, which take longer to make than a launch: the answer
// for a kernel on the current device and numbers, made if it is not known.
template <typename Plan, int Numbers, typename Make>
const Plan& remembered(const void* kernel, const int64_t (&numbers)[Numbers], const Make& make) {
  struct Known {
    const void* kernel = nullptr;
    int device = -1;
    int64_t numbers[Numbers] = {};
    Plan plan;
  };
  constexpr unsigned most = 16;
  static thread_local Known all[most];
  static thread_local unsigned next = 0;
  int device = 0;
  (void)cudaGetDevice(&device);
  for (const Known& one : all)
    if (one.kernel == kernel && one.device == device &&
        std::memcmp(one.numbers, numbers, sizeof numbers) == 0)
      return one.plan;
  Known& one = all[next++ % most];
  one.kernel = kernel;
  one.device = device;
  std::memcpy(one.numbers, numbers, sizeof numbers);
  one.plan = make();
  return one.plan;
}
}  // namespace detail

// For a leg of a run. `again`: the run has taken one; then what this thread knows of the kernel on
// the current device is enough.
template <typename Kernel>
Status allow_shared(const char* stencil, Kernel* kernel, int bytes, bool again) {
  if (again && detail::remembered<bool>(reinterpret_cast<const void*>(kernel), {bytes},
                                        [&] { return allow_shared(stencil, kernel, bytes).ok(); }))
    return {};
  return allow_shared(stencil, kernel, bytes);
}

// How the warps of a kernel that streams, with so many threads a block, share out tiles of so many
// rows on the current device, where border rows have places first.
template <typename... Params>
st::Partition partition_of(void (*kernel)(Params...), int threads, int shared, int64_t tiles_x,
                           int64_t rows, const st::PartitionCost& cost, const Busy& borders = {}) {
  const int64_t busy = borders.ends * tiles_x;
  return detail::remembered<st::Partition>(
      reinterpret_cast<const void*>(kernel),
      {tiles_x, rows, busy, cost.beside, cost.ends, cost.boundary}, [&] {
        const int64_t warps = resident_blocks(kernel, threads, shared) * (threads / 32);
        return st::partition_of(tiles_x, rows, warps, cost, 4 * busy < warps ? busy : 0,
                                schedulers());
      });
}

// Tiles of `size` cells along an axis of so many, of which those at both ends store `more` cells
// besides; one at least.
inline int64_t tiles(int64_t cells, int64_t size, int64_t more) {
  return cells > more ? blocks(cells - more, size) : 1;
}

// How the blocks of a kernel that streams share out columns of so many planes, likewise.
template <typename... Params>
st::Columns columns_of(void (*kernel)(Params...), int threads, int shared, int64_t tiles_x,
                       int64_t tiles_y, int64_t planes, const st::ColumnCost& cost,
                       const Busy& borders = {}) {
  return detail::remembered<st::Columns>(
      reinterpret_cast<const void*>(kernel),
      {tiles_x, tiles_y, planes, borders.ends, borders.planes, borders.low_first, cost.beside,
       cost.first, cost.last, cost.tile, cost.apart},
      [&] {
        const st::Late late{borders.ends * tiles_x * tiles_y, borders.planes + cost.beside,
                            borders.low_first};
        return st::columns_of(tiles_x, tiles_y, planes, resident_blocks(kernel, threads, shared),
                              cost, late);
      });
}

// Launches a kernel whose blocks may begin before the launch before it on the stream ends: they
// wait for it by st::follow(). On devices before sm_90 it is a launch like any other.
template <typename... Params, typename... Args>
void launch_early(void (*kernel)(Params...), dim3 blocks, dim3 threads, int shared,
                  cudaStream_t stream, Args... args) {
  int device = 0, major = 0;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = static_cast<size_t>(shared);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = major >= 9 ? 1 : 0;
  std::tuple<Params...> values(args...);
  std::apply(
      [&](Params&... value) {
        void* places[] = {&value...};
        (void)cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), places);
      },
      values);
}

// Launches that become nodes of a graph, one after the other.
struct Recording {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t last = nullptr;
  cudaError_t error = cudaSuccess;
};

// The same launch, as a node; it runs when the graph does.
template <typename... Params, typename... Args>
void launch_early(void (*kernel)(Params...), dim3 blocks, dim3 threads, int shared, Recording* on,
                  Args... args) {
  if (on->error != cudaSuccess) return;
  cudaKernelNodeParams node{};
  node.func = reinterpret_cast<void*>(kernel);
  node.gridDim = blocks;
  node.blockDim = threads;
  node.sharedMemBytes = static_cast<unsigned>(shared);
  std::tuple<Params...> values(args...);
  const cudaGraphNode_t before = on->last;
  std::apply(
      [&](Params&... value) {
        void* places[] = {&value...};  // what they hold is copied
        node.kernelParams = places;
        on->error = cudaGraphAddKernelNode(&on->last, on->graph, nullptr, 0, &node);
      },
      values);
  if (on->error != cudaSuccess || before == nullptr) return;
#if CUDART_VERSION >= 13000
  int device = 0, major = 0;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaGraphEdgeData early{};
  early.from_port = major >= 9 ? cudaGraphKernelNodePortProgrammatic : 0;
  early.type = major >= 9 ? cudaGraphDependencyTypeProgrammatic : cudaGraphDependencyTypeDefault;
  on->error = cudaGraphAddDependencies(on->graph, &before, &on->last, &early, 1);
#else
  on->error = cudaGraphAddDependencies(on->graph, &before, &on->last, 1);
#endif
}

// A host asks for launches of few blocks more slowly than they end. Where there are many of `steps`
// time steps in `left` but the last `kept` ones, some are recorded as a graph, by
// `launch(steps, Recording*)`, and replayed; `period` of them leave what they are called with as it
// was. What is left then, maybe all, is for the caller.
template <typename Launch>
void replay(int64_t& left, int64_t kept, int steps, int period, dim3 blocks, cudaStream_t stream,
            const Launch& launch) {
  constexpr int64_t few = 4096, most = 32, worth = 8 * most;
  const int64_t recorded = most / period * period, count = (left - kept) / steps;
  if (recorded == 0 || count < worth || int64_t{blocks.x} * blocks.y * blocks.z > few) return;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  Recording recording;
  cudaGraphExec_t graph = nullptr;
  int64_t made = 0;
  if (cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
      status == cudaStreamCaptureStatusNone &&
      cudaGraphCreate(&recording.graph, 0) == cudaSuccess) {
    for (int64_t n = 0; n < recorded; ++n) launch(steps, &recording);
    if (recording.error == cudaSuccess &&
        cudaGraphInstantiateWithFlags(&graph, recording.graph, 0) == cudaSuccess)
      while (made + recorded <= count && cudaGraphLaunch(graph, stream) == cudaSuccess)
        made += recorded;
  }
  if (made == 0) (void)cudaGetLastError();  // the caller's launches say what is wrong
  if (graph != nullptr) (void)cudaGraphExecDestroy(graph);
  if (recording.graph != nullptr) (void)cudaGraphDestroy(recording.graph);
  left -= made * steps;
}

// Whether the launches since the last check were accepted.
inline Status launched(const char* stencil) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return {};
  char who[80];
  std::snprintf(who, sizeof who, "`%s`", stencil);
  return cuda_status(error, who);
}

inline Status check_pointer(const char* who, const Buffer& buffer) {
  cudaPointerAttributes attributes{};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, buffer.data);
  if (error != cudaSuccess) return cuda_status(error, who);
  if (attributes.type != cudaMemoryTypeUnregistered) return {};
  int device = 0, reaches_host = 0;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&reaches_host, cudaDevAttrPageableMemoryAccess, device);
  if (reaches_host != 0) return {};
  return failure(Code::host_pointer,
                 "%s: `%s` is host memory, which the device cannot reach; use `stencil::Grid` or "
                 "`cudaMalloc`, and copy",
                 who, buffer.name);
}

inline Status check_device(const char* who, BufferList buffers) {
  const cudaError_t earlier = cudaPeekAtLastError();
  if (earlier != cudaSuccess && !is_sticky(earlier))
    return failure(Code::cuda_error,
                   "%s: an earlier CUDA call failed with %s and nobody looked; check that call "
                   "(`cudaGetLastError` clears it)",
                   who, cudaGetErrorName(earlier));
  if (earlier != cudaSuccess) return cuda_status(earlier, who);
  for (const Buffer& buffer : buffers) {
    const Status status = check_pointer(who, buffer);
    if (!status.ok()) return status;
  }
  return {};
}

#if defined(__CUDACC__) || defined(__CUDA__)
// Everything that can be told before the first launch. Not inline: it speaks for the flags that
// this file is compiled with.
[[maybe_unused]] static Status check(const char* stencil, const Shape& shape, Steps steps,
                                     BufferList buffers) {
  char who[80];
  std::snprintf(who, sizeof who, "`%s`", stencil);
  Status status = check_arguments(who, shape, steps, buffers);
  if (status.ok()) status = check_device(who, buffers);
  return status.ok() ? probe::check_rounding(who) : status;
}
#endif

}  // namespace cuda
}  // namespace stencil
