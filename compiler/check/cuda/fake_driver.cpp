// Implements the functions of the CUDA driver that programs request from the runtime.
#include <cstring>
#include <string_view>

#include "check/block/tensor_map.h"
#include "check/cuda/fake_cuda.h"
#include "check/cuda/streams.h"

namespace stencilc::check {
namespace {

constexpr int success = 0;
constexpr int invalid_value = 1;       // CUDA_ERROR_INVALID_VALUE
constexpr int launch_timed_out = 702;  // CUDA_ERROR_LAUNCH_TIMEOUT
constexpr int not_supported = 801;     // CUDA_ERROR_NOT_SUPPORTED

// By the number of a data type; types that are not plain bits are left out.
constexpr uint32_t element_sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};

// Refuses what the driver refuses, and what the copies of this executor do not support.
int encode_map(void* out, int type, uint32_t rank, void* data, const uint64_t* extents,
               const uint64_t* strides, const uint32_t* box, const uint32_t* steps, int interleave,
               int swizzle, int promotion, int fill) {
  if (rank < 1 || rank > 5 || type < 0 || promotion < 0 || promotion > 3) return invalid_value;
  if (rank > 3 || type > 9 || interleave != 0 || swizzle != 0 || fill != 0) return not_supported;
  if (reinterpret_cast<uintptr_t>(out) % 64 != 0 || reinterpret_cast<uintptr_t>(data) % 16 != 0)
    return invalid_value;
  TensorMap map = {TensorMap::genuine,
                   static_cast<const char*>(data),
                   rank,
                   element_sizes[type],
                   {1, 1, 1},
                   {0, 0, 0},
                   {1, 1, 1}};
  map.strides[0] = map.element_size;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    if (extents[axis] < 1 || extents[axis] > uint64_t{1} << 32) return invalid_value;
    if (box[axis] < 1 || box[axis] > 256 || steps[axis] != 1) return invalid_value;
    map.extents[axis] = extents[axis];
    map.box[axis] = box[axis];
    if (axis == 0) continue;
    if (strides[axis - 1] % 16 != 0 || strides[axis - 1] >= uint64_t{1} << 40) return invalid_value;
    map.strides[axis] = strides[axis - 1];
  }
  if (map.box[0] * map.element_size % 16 != 0) return invalid_value;
  std::memcpy(out, &map, sizeof map);
  return success;
}

// A stream waits until a word is at least so great, in cyclic order. It goes on as soon as a kernel
// has made it so, which may still run. If all that the device was asked for so far does not, the
// wait fails.
int wait_value(cudaStream_t handle, unsigned long long address, uint32_t value, unsigned flags) {
  constexpr unsigned greater_or_equal = 0;
  if (flags != greater_or_equal || address % sizeof value != 0) return invalid_value;
  const auto* const word = reinterpret_cast<const uint32_t*>(address);
  if (!device_memory::contains(word, sizeof value)) return invalid_value;
  const auto reached = [word, value] { return static_cast<int32_t>(*word - value) >= 0; };
  const auto wait = [reached] { return result_of(reached(), cudaErrorLaunchTimeout); };
  return wait_for_device(stream_of(handle), wait, reached) == cudaSuccess ? success
                                                                          : launch_timed_out;
}

// Of this device, or of another one whose memory it reaches.
int write_value(cudaStream_t handle, unsigned long long address, uint32_t value, unsigned flags) {
  if (flags != 0 || address % sizeof value != 0) return invalid_value;
  auto* const word = reinterpret_cast<uint32_t*>(address);
  Stream& stream = stream_of(handle);
  if (!device_memory::contains(word, sizeof value) || !reaches(stream.device, device_of(word)))
    return invalid_value;
  const auto write = [word, value] {
    *word = value;
    return cudaSuccess;
  };
  return enqueue(stream, write) == cudaSuccess ? success : invalid_value;
}

struct DriverFunction {
  const char* name;
  unsigned version;  // since which it is known
  void* at;
};
const DriverFunction driver_table[] = {
    {"cuTensorMapEncodeTiled", 12000, reinterpret_cast<void*>(&encode_map)},
    {"cuStreamWaitValue32", 11070, reinterpret_cast<void*>(&wait_value)},
    {"cuStreamWriteValue32", 11070, reinterpret_cast<void*>(&write_value)},
};

namespace fake {

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  const DriverFunction* known = nullptr;
  for (const DriverFunction& one : driver_table)
    if (std::string_view(name) == one.name) known = &one;
  const bool old_enough = known != nullptr && version >= known->version;
  *function = old_enough ? known->at : nullptr;
  if (found != nullptr)
    *found = known == nullptr ? cudaDriverEntryPointSymbolNotFound
             : !old_enough    ? cudaDriverEntryPointVersionNotSufficent
                              : cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

}  // namespace fake
}  // namespace

std::vector<HostFunction> driver_functions() {
  return {STENCILC_API(cudaGetDriverEntryPointByVersion)};
}

}  // namespace stencilc::check
