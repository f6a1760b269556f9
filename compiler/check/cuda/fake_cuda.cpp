// Implements memory, errors, streams and events of the CUDA runtime. Every call finishes before it
// returns, so streams and events are only names.
#include "check/cuda/fake_cuda.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "check/memory/device_memory.h"

namespace stencilc::check {
namespace {

// ---- errors ----

thread_local cudaError_t last_error = cudaSuccess;

const char* name_of(cudaError_t error) {
  switch (error) {
#define STENCILC_ERROR(name, number) \
  case name:                         \
    return #name;
    STENCILC_CUDA_ERRORS(STENCILC_ERROR)
#undef STENCILC_ERROR
  }
  return "unrecognized error code";
}

namespace fake {

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorName(cudaError_t error) { return name_of(error); }

// The messages of the real runtime for errors that this one reports; otherwise the name.
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorLaunchOutOfResources:
      return "too many resources requested for launch";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    default:
      return name_of(error);
  }
}

// ---- captures ----

thread_local cudaStream_t captured = nullptr;
thread_local bool broken = false;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr) return result(cudaErrorStreamCaptureUnsupported);
  if (captured != nullptr) return result(cudaErrorIllegalState);
  captured = stream;
  broken = false;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  if (stream != captured || captured == nullptr) return result(cudaErrorIllegalState);
  captured = nullptr;
  return result_of(!broken, cudaErrorStreamCaptureInvalidated);
}

// ---- memory ----

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  if (breaks_capture(stream)) return last_error;
  *pointer = bytes == 0 ? nullptr : device_memory::allocate(bytes);
  return result_of(bytes == 0 || *pointer != nullptr, cudaErrorMemoryAllocation);
}
cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return breaks_capture() ? last_error : fake::cudaMallocAsync(pointer, bytes, nullptr);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t*, const cudaMemPoolProps*) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaMallocFromPoolAsync(void**, size_t, cudaMemPool_t, cudaStream_t) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  if (breaks_capture()) return last_error;
  *pointer = std::malloc(bytes);
  return result_of(*pointer != nullptr, cudaErrorMemoryAllocation);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (breaks_capture(stream)) return last_error;
  return result_of(pointer == nullptr || device_memory::release(pointer), cudaErrorInvalidValue);
}
cudaError_t cudaFree(void* pointer) {
  return breaks_capture() ? last_error : fake::cudaFreeAsync(pointer, nullptr);
}
cudaError_t cudaFreeHost(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}

bool reads_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}
bool writes_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (breaks_capture(stream)) return last_error;
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > to_pitch || width > from_pitch) return result(cudaErrorInvalidValue);
  const bool good =
      (!writes_device(kind) || device_memory::contains(to, to_pitch * (height - 1) + width)) &&
      (!reads_device(kind) || device_memory::contains(from, from_pitch * (height - 1) + width));
  if (!good) return result(cudaErrorInvalidValue);
  for (size_t row = 0; row < height; ++row) {
    std::memmove(static_cast<char*>(to) + row * to_pitch,
                 static_cast<const char*>(from) + row * from_pitch, width);
  }
  return cudaSuccess;
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  if (breaks_capture()) return last_error;
  return fake::cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return fake::cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return fake::cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return result(cudaErrorInvalidDevice);
  return fake::cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (breaks_capture(stream)) return last_error;
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > pitch || !device_memory::contains(to, pitch * (height - 1) + width))
    return result(cudaErrorInvalidValue);
  for (size_t row = 0; row < height; ++row)
    std::memset(static_cast<char*>(to) + row * pitch, value, width);
  return cudaSuccess;
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  if (breaks_capture()) return last_error;
  return fake::cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return fake::cudaMemset2D(to, bytes, value, bytes, 1);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return fake::cudaMemset2DAsync(to, bytes, value, bytes, 1, stream);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const bool device = device_memory::contains(pointer, 1);
  void* plain = const_cast<void*>(pointer);
  *attributes = {device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, device ? 0 : -2,
                 device ? plain : nullptr, device ? nullptr : plain};
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = device_memory::capacity;
  *free = *total - device_memory::bytes_in_use();
  return cudaSuccess;
}

// ---- streams, events, devices ----

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = reinterpret_cast<cudaStream_t>(new char);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return fake::cudaStreamCreate(stream);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  return fake::cudaStreamCreate(stream);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<char*>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return breaks_capture() ? last_error : cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = captured != nullptr && stream == captured ? cudaStreamCaptureStatusActive
                                                      : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned) { return result(cudaErrorNotSupported); }
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams*) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                     const cudaGraphEdgeData*, size_t) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t, unsigned long long) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return result(cudaErrorNotSupported); }
cudaError_t cudaGraphDestroy(cudaGraph_t) { return result(cudaErrorNotSupported); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return result(cudaErrorNotSupported); }
cudaError_t cudaDeviceSynchronize() { return breaks_capture() ? last_error : cudaSuccess; }

using Clock = std::chrono::steady_clock;
Clock::time_point& time_of(cudaEvent_t event) {
  return *reinterpret_cast<Clock::time_point*>(event);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new Clock::time_point(Clock::now()));
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return fake::cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  time_of(event) = Clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return breaks_capture() ? last_error : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(time_of(end) - time_of(start)).count();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete &time_of(event);
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return result_of(device == 0, cudaErrorInvalidDevice); }
cudaError_t cudaDeviceCanAccessPeer(int* reaches, int, int) {
  *reaches = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return result(cudaErrorInvalidDevice); }

// The properties of an H200.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return result(cudaErrorInvalidDevice);
  static const std::map<cudaDeviceAttr, int> values = {
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxBlockDimX, 1024},
      {cudaDevAttrMaxBlockDimY, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, 0x7FFF'FFFF},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrMaxSharedMemoryPerBlock, 48 * 1024},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxRegistersPerBlock, 65536},
      {cudaDevAttrMultiProcessorCount, 132},
      {cudaDevAttrL2CacheSize, 50 << 20},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 * 1024},
      {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
      {cudaDevAttrPageableMemoryAccess, 0},
      {cudaDevAttrConcurrentManagedAccess, 0},
      {cudaDevAttrCooperativeLaunch, 0},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 * 1024},
      {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
  };
  const auto found = values.find(attribute);
  if (found == values.end()) return result(cudaErrorInvalidValue);
  *value = found->second;
  return cudaSuccess;
}

}  // namespace fake
}  // namespace

cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

bool breaks_capture() {
  if (fake::captured == nullptr) return false;
  fake::broken = true;
  result(cudaErrorStreamCaptureUnsupported);
  return true;
}
bool breaks_capture(cudaStream_t of) { return of != fake::captured && breaks_capture(); }

std::vector<HostFunction> memory_functions() {
  return {
      STENCILC_API(cudaGetLastError),
      STENCILC_API(cudaPeekAtLastError),
      STENCILC_API(cudaGetErrorString),
      STENCILC_API(cudaGetErrorName),
      STENCILC_API(cudaMalloc),
      STENCILC_API(cudaMallocAsync),
      STENCILC_API(cudaMemPoolCreate),
      STENCILC_API(cudaMemPoolSetAttribute),
      STENCILC_API(cudaMallocFromPoolAsync),
      STENCILC_API(cudaMallocHost),
      STENCILC_API(cudaFree),
      STENCILC_API(cudaFreeAsync),
      STENCILC_API(cudaFreeHost),
      STENCILC_API(cudaMemcpy2D),
      STENCILC_API(cudaMemcpy2DAsync),
      STENCILC_API(cudaMemcpy),
      STENCILC_API(cudaMemcpyAsync),
      STENCILC_API(cudaMemcpyPeerAsync),
      STENCILC_API(cudaMemset2D),
      STENCILC_API(cudaMemset2DAsync),
      STENCILC_API(cudaMemset),
      STENCILC_API(cudaMemsetAsync),
      STENCILC_API(cudaPointerGetAttributes),
      STENCILC_API(cudaMemGetInfo),
      STENCILC_API(cudaStreamCreate),
      STENCILC_API(cudaStreamCreateWithFlags),
      STENCILC_API(cudaStreamCreateWithPriority),
      STENCILC_API(cudaDeviceGetStreamPriorityRange),
      STENCILC_API(cudaStreamWaitEvent),
      STENCILC_API(cudaStreamDestroy),
      STENCILC_API(cudaStreamSynchronize),
      STENCILC_API(cudaStreamBeginCapture),
      STENCILC_API(cudaStreamEndCapture),
      STENCILC_API(cudaStreamIsCapturing),
      STENCILC_API(cudaGraphCreate),
      STENCILC_API(cudaGraphAddKernelNode),
      STENCILC_API(cudaGraphAddDependencies),
      STENCILC_API(cudaGraphInstantiateWithFlags),
      STENCILC_API(cudaGraphLaunch),
      STENCILC_API(cudaGraphDestroy),
      STENCILC_API(cudaGraphExecDestroy),
      STENCILC_API(cudaDeviceSynchronize),
      STENCILC_API(cudaEventCreateWithFlags),
      STENCILC_API(cudaEventCreate),
      STENCILC_API(cudaEventRecord),
      STENCILC_API(cudaEventSynchronize),
      STENCILC_API(cudaEventElapsedTime),
      STENCILC_API(cudaEventDestroy),
      STENCILC_API(cudaGetDevice),
      STENCILC_API(cudaGetDeviceCount),
      STENCILC_API(cudaSetDevice),
      STENCILC_API(cudaDeviceCanAccessPeer),
      STENCILC_API(cudaDeviceEnablePeerAccess),
      STENCILC_API(cudaDeviceGetAttribute),
  };
}

}  // namespace stencilc::check
