// Textures over grids, through which kernels fetch cells (device_texture.h).
#pragma once

#include <cuda_runtime.h>

#include "cuda_status.h"
#include "device_texture.h"
#include "shape.h"

namespace stencil {
inline namespace cuda {

// Textures over N buffers of one shape, halo included. They go when all is done that the stream was
// given until then, because kernels may be using them: a run that has some waits for its launches.
template <typename T, int Cells, typename Index, int N>
class Textures {
 public:
  st::Texture<T, Cells, Index> at[N] = {};  // of the buffers, in their order, if status() is good

  Textures(const char* stencil, const T* const* buffers, const Shape& shape, cudaStream_t stream)
      : stream_(stream) {
    char who[80];
    std::snprintf(who, sizeof who, "`%s`", stencil);
    for (int n = 0; n < N && status_.ok(); ++n) status_ = make(who, buffers[n], shape, at[n]);
  }
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;
  ~Textures() {
    if (at[0].object != 0) (void)cudaStreamSynchronize(stream_);
    for (const auto& texture : at)
      if (texture.object != 0) (void)cudaDestroyTextureObject(texture.object);
  }

  const Status& status() const { return status_; }

 private:
  static constexpr int kBytes = Cells * static_cast<int>(sizeof(T));
  static constexpr uintptr_t kAlignment = 512;  // of the memory under a texture, on every device

  // A texture begins where it may, in front of the grid, and ends with the texel of the last cell.
  static Status make(const char* who, const T* data, const Shape& shape,
                     st::Texture<T, Cells, Index>& out) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(data - shape.front());
    const uintptr_t base = begin / kAlignment * kAlignment;
    const uintptr_t end = begin + static_cast<uintptr_t>(shape.box().span()) * sizeof(T);
    const size_t texels = (end - base + kBytes - 1) / kBytes;
    const auto bits = [](int word) {
      return kBytes >= 4 * (word + 1) ? 32 : word == 0 ? 8 * kBytes : 0;
    };
    const cudaChannelFormatDesc texel = {bits(0), bits(1), bits(2), bits(3),
                                         cudaChannelFormatKindUnsigned};
    int device = 0;
    size_t most = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetTexture1DLinearMaxWidth(&most, &texel, device);
    if (error != cudaSuccess) return cuda_status(error, who);
    if (texels > most)
      return failure(Code::bad_extents,
                     "%s: a grid of %s has %lld texels of %d bytes, and a texture of this device "
                     "at most %lld; use a schedule with wider vectors or with `loads=plain`",
                     who, ShapeText(shape).c_str(), static_cast<long long>(texels), kBytes,
                     static_cast<long long>(most));
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = reinterpret_cast<void*>(base);
    memory.res.linear.desc = texel;
    memory.res.linear.sizeInBytes = texels * kBytes;
    cudaTextureDesc reading = {};
    reading.readMode = cudaReadModeElementType;
    error = cudaCreateTextureObject(&out.object, &memory, &reading, nullptr);
    if (error != cudaSuccess) (void)cudaGetLastError();
    out.first = static_cast<Index>((reinterpret_cast<uintptr_t>(data) - base) / sizeof(T));
    return cuda_status(error, who);
  }

  cudaStream_t stream_;
  Status status_;
};

}  // namespace cuda
}  // namespace stencil
