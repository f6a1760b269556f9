// Implements errors, memory and copies of the CUDA runtime.
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "check/cuda/streams.h"

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

// ---- memory ----

// In a capture it belongs to the graph: a launch finds it as it was never written.
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  Stream& on = stream_of(stream);
  if (breaks_capture(on)) return last_error;
  *pointer = bytes == 0 ? nullptr : device_memory::allocate(bytes, machine().space(on.device));
  if (bytes != 0 && *pointer == nullptr) return result(cudaErrorMemoryAllocation);
  if (on.capture == nullptr || bytes == 0) return cudaSuccess;
  on.capture->graph.memory.emplace_back(*pointer, device_memory::release);
  return enqueue(on, [memory = *pointer, bytes] {
    std::memset(memory, 0xFF, bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  if (breaks_capture()) return last_error;
  *pointer =
      bytes == 0 ? nullptr : device_memory::allocate(bytes, machine().space(machine().current));
  return result_of(bytes == 0 || *pointer != nullptr, cudaErrorMemoryAllocation);
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
cudaError_t release(void* pointer) {
  return pointer == nullptr || device_memory::release(pointer) ? cudaSuccess
                                                               : cudaErrorInvalidValue;
}
// What a graph allocated stays until the graph goes.
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  Stream& from = stream_of(stream);
  if (breaks_capture(from)) return last_error;
  if (from.capture != nullptr)
    for (const auto& memory : from.capture->graph.memory)
      if (memory.get() == pointer) return cudaSuccess;
  return enqueue(from, [pointer] { return release(pointer); });
}
// Waits for the device.
cudaError_t cudaFree(void* pointer) {
  if (breaks_capture()) return last_error;
  const int device = device_of(pointer);
  const cudaError_t error = device < 0 ? cudaSuccess : finish(device);
  return error != cudaSuccess ? error : result(release(pointer));
}
cudaError_t cudaFreeHost(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}
// Memory of the host that is pinned, by where it begins. Copies do not wait for it.
std::map<const char*, size_t>& pinned() {
  thread_local std::map<const char*, size_t> ranges;  // as the machine
  return ranges;
}
bool is_pinned(const void* pointer, size_t bytes) {
  const char* const place = static_cast<const char*>(pointer);
  const auto behind = pinned().upper_bound(place);
  if (behind == pinned().begin()) return false;
  const auto& [begin, size] = *std::prev(behind);
  return place + bytes <= begin + size;
}
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  if (breaks_capture()) return last_error;
  const char* const place = static_cast<const char*>(pointer);
  if (pointer == nullptr || bytes == 0) return result(cudaErrorInvalidValue);
  const auto behind = pinned().lower_bound(place + bytes);
  if (behind != pinned().begin()) {
    const auto& [begin, size] = *std::prev(behind);
    if (begin + size > place) return result(cudaErrorInvalidValue);
  }
  pinned()[place] = bytes;
  return cudaSuccess;
}
// What is copied there may be on its way.
cudaError_t cudaHostUnregister(void* pointer) {
  const int device = machine().current;
  if (breaks_capture_by_waiting(device)) return cudaErrorStreamCaptureUnsupported;
  if (pinned().erase(static_cast<const char*>(pointer)) == 0) return result(cudaErrorInvalidValue);
  return finish(device);
}

// ---- copies ----

// Rows of bytes, here and there.
struct Rows {
  size_t width, height;

  size_t span(size_t pitch) const { return pitch * (height - 1) + width; }
  void copy(void* to, size_t to_pitch, const void* from, size_t from_pitch) const {
    for (size_t row = 0; row < height; ++row)
      std::memmove(static_cast<char*>(to) + row * to_pitch,
                   static_cast<const char*>(from) + row * from_pitch, width);
  }
};

bool reads_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}
bool writes_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

// What addresses say of a copy.
cudaMemcpyKind kind_of(const void* to, const void* from) {
  if (device_of(to) < 0) return device_of(from) < 0 ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return device_of(from) < 0 ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

// Bytes of the host are taken at once, as from memory that is not pinned; for a graph, when it
// runs. A copy to the host waits for its stream, unless it goes to memory that is registered. By
// default a copy goes through the host where devices cannot access each other's memory.
cudaError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, Rows rows,
                      cudaMemcpyKind asked, Stream& stream) {
  const cudaMemcpyKind kind = asked == cudaMemcpyDefault ? kind_of(to, from) : asked;
  if (breaks_capture(stream)) return last_error;
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;
  if (rows.width > to_pitch || rows.width > from_pitch) return result(cudaErrorInvalidValue);
  const auto good = [=] {  // memory may go before the copy begins
    return (!writes_device(kind) || device_memory::contains(to, rows.span(to_pitch))) &&
           (!reads_device(kind) || device_memory::contains(from, rows.span(from_pitch)));
  };
  if (!good()) return result(cudaErrorInvalidValue);
  for (const void* place : {const_cast<const void*>(to), from})
    if (const int device = device_of(place);
        asked != cudaMemcpyDefault && device >= 0 && !reaches(stream.device, device))
      return result(cudaErrorPeerAccessNotEnabled);
  std::shared_ptr<char[]> taken;
  if (!reads_device(kind) && stream.capture == nullptr && machine().later()) {
    taken.reset(new char[rows.span(rows.width)]);
    rows.copy(taken.get(), rows.width, from, from_pitch);
    from = taken.get();
    from_pitch = rows.width;
  }
  const cudaError_t error = enqueue(stream, [=] {
    if (!good()) return cudaErrorInvalidValue;
    rows.copy(to, to_pitch, from, from_pitch);
    (void)taken;
    return cudaSuccess;
  });
  const bool waits =
      !writes_device(kind) && stream.capture == nullptr && !is_pinned(to, rows.span(to_pitch));
  return error != cudaSuccess || !waits ? error : finish(stream);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_rows(to, to_pitch, from, from_pitch, {width, height}, kind, stream_of(stream));
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  if (breaks_capture()) return last_error;
  Stream& null = stream_of(nullptr);
  const cudaError_t error = copy_rows(to, to_pitch, from, from_pitch, {width, height}, kind, null);
  return error != cudaSuccess ? error : finish(null);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return fake::cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return fake::cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
// Needs no access to the other device.
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t handle) {
  Stream& stream = stream_of(handle);
  if (breaks_capture(stream)) return last_error;
  if (!machine().has(to_device) || !machine().has(from_device))
    return result(cudaErrorInvalidDevice);
  if (bytes == 0) return cudaSuccess;
  const auto good = [=] {
    return device_memory::contains(to, bytes) && device_memory::contains(from, bytes);
  };
  if (!good() || device_of(to) != to_device || device_of(from) != from_device)
    return result(cudaErrorInvalidValue);
  return enqueue(stream, [=] {
    if (!good()) return cudaErrorInvalidValue;
    std::memmove(to, from, bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t handle) {
  Stream& stream = stream_of(handle);
  const Rows rows{width, height};
  if (breaks_capture(stream)) return last_error;
  if (width == 0 || height == 0) return cudaSuccess;
  const auto good = [=] { return device_memory::contains(to, rows.span(pitch)); };
  if (width > pitch || !good()) return result(cudaErrorInvalidValue);
  if (!reaches(stream.device, device_of(to))) return result(cudaErrorPeerAccessNotEnabled);
  return enqueue(stream, [=] {
    if (!good()) return cudaErrorInvalidValue;
    for (size_t row = 0; row < height; ++row)
      std::memset(static_cast<char*>(to) + row * pitch, value, width);
    return cudaSuccess;
  });
}
// The host does not wait for these.
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
  const int device = device_of(pointer);
  void* plain = const_cast<void*>(pointer);
  *attributes = device >= 0 ? cudaPointerAttributes{cudaMemoryTypeDevice, device, plain, nullptr}
                            : cudaPointerAttributes{cudaMemoryTypeUnregistered, -2, nullptr, plain};
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = device_memory::capacity;
  *free = *total - device_memory::bytes_in_use();
  return cudaSuccess;
}

}  // namespace fake
}  // namespace

cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

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
      STENCILC_API(cudaHostRegister),
      STENCILC_API(cudaHostUnregister),
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
  };
}

}  // namespace stencilc::check
