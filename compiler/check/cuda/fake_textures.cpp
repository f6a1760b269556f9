// Implements texture objects over linear memory.
#include <cstring>
#include <map>
#include <mutex>

#include "check/block/textures.h"
#include "check/cuda/streams.h"

namespace stencilc::check {
namespace {

struct Texture {
  const char* data;
  size_t bytes;
  uint32_t texel;  // in bytes
};

struct Known {
  std::mutex mutex;
  std::map<uint64_t, Texture> textures;
  uint64_t count = 0;  // textures so far, so that no number is used twice
};
Known& known() {
  static Known the_known;
  return the_known;
}

constexpr size_t alignment = 512;
constexpr size_t most_texels = size_t{1} << 28;

// The bytes of a texel with one, two or four parts of equal size; 0 for other formats.
uint32_t texel_bytes(const cudaChannelFormatDesc& texel) {
  const int parts[] = {texel.x, texel.y, texel.z, texel.w};
  int count = 0;
  while (count < 4 && parts[count] != 0) ++count;
  for (int n = 0; n < 4; ++n)
    if (parts[n] != (n < count ? parts[0] : 0)) return 0;
  const bool good = (parts[0] == 8 || parts[0] == 16 || parts[0] == 32) && count != 0 && count != 3;
  return good ? static_cast<uint32_t>(count * parts[0] / 8) : 0;
}

namespace fake {

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const cudaChannelFormatDesc* texel,
                                                 int device) {
  *texels = most_texels;
  return result_of(machine().has(device) && texel_bytes(*texel) != 0, cudaErrorInvalidValue);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* reading,
                                    const cudaResourceViewDesc* view) {
  const auto& linear = resource->res.linear;
  const uint32_t texel = texel_bytes(linear.desc);
  const bool good = resource->resType == cudaResourceTypeLinear && view == nullptr && texel != 0 &&
                    linear.desc.f == cudaChannelFormatKindUnsigned &&
                    reading->readMode == cudaReadModeElementType &&
                    reinterpret_cast<uintptr_t>(linear.devPtr) % alignment == 0 &&
                    linear.sizeInBytes / texel <= most_texels;
  if (!good) return result(cudaErrorInvalidValue);
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  *texture = ++all.count;
  all.textures[*texture] = {static_cast<const char*>(linear.devPtr), linear.sizeInBytes, texel};
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  return result_of(all.textures.erase(texture) == 1, cudaErrorInvalidValue);
}

}  // namespace fake
}  // namespace

// Other bytes of the texel may be outside of the allocation.
std::string fetch(void* value, uint64_t texture, int64_t at, uint32_t bytes, uint32_t texel) {
  Texture from;
  {
    Known& all = known();
    const std::lock_guard lock(all.mutex);
    const auto found = all.textures.find(texture);
    if (found == all.textures.end()) return "a fetch from something that is not a texture";
    from = found->second;
  }
  const std::string what = "a fetch of " + std::to_string(bytes) + " bytes ";
  if (texel != from.texel || bytes > texel || at % texel + bytes > texel)
    return what + "that are not in one texel";
  if (at < 0 || static_cast<size_t>(at) / texel >= from.bytes / texel)
    return what + "outside a texture of " + std::to_string(from.bytes) + " bytes";
  if (!device_memory::contains(from.data + at, bytes)) {
    const std::string place = device_memory::describe(from.data + at);
    return what + (place.empty() ? "from memory that is not the device's" : "at " + place);
  }
  std::memcpy(value, from.data + at, bytes);
  return "";
}

std::vector<HostFunction> texture_functions() {
  return {
      STENCILC_API(cudaDeviceGetTexture1DLinearMaxWidth),
      STENCILC_API(cudaCreateTextureObject),
      STENCILC_API(cudaDestroyTextureObject),
  };
}

}  // namespace stencilc::check
