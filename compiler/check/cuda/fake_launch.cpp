// Implements the loading of programs: registration, device variables, launches.
#include <algorithm>
#include <cstring>
#include <mutex>

#include "check/cuda/streams.h"

namespace stencilc::check {
namespace {

// ---- loaded programs ----

std::mutex images_mutex;
std::vector<Image*> images;
thread_local Image* image_being_added = nullptr;

Image* image_of_stub(const void* stub) {
  const std::lock_guard lock(images_mutex);
  const auto found =
      std::find_if(images.begin(), images.end(), [&](Image* i) { return i->stubs.contains(stub); });
  return found == images.end() ? nullptr : *found;
}

DeviceVariable* variable_of(const void* shadow) {
  const std::lock_guard lock(images_mutex);
  for (Image* image : images) {
    if (const auto found = image->shadows.find(shadow); found != image->shadows.end())
      return found->second;
  }
  return nullptr;
}

namespace fake {

// There is one variable for all devices.
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind, cudaStream_t handle) {
  Stream& stream = stream_of(handle);
  if (breaks_capture(stream)) return cudaErrorStreamCaptureUnsupported;
  const DeviceVariable* variable = variable_of(symbol);
  if (variable == nullptr) return result(cudaErrorInvalidSymbol);
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return result(cudaErrorInvalidValue);
  const char* begin = static_cast<const char*>(from);
  return enqueue(stream,
                 [to = variable->address + offset, taken = std::vector(begin, begin + bytes)] {
                   std::memcpy(to, taken.data(), taken.size());
                   return cudaSuccess;
                 });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  if (breaks_capture()) return cudaErrorStreamCaptureUnsupported;
  const cudaError_t error =
      fake::cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr);
  return error != cudaSuccess ? error : finish(stream_of(nullptr));
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  const DeviceVariable* variable = variable_of(symbol);
  if (variable != nullptr) *pointer = variable->address;
  return result_of(variable != nullptr, cudaErrorInvalidSymbol);
}
// ---- launches ----

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  Image* image = image_of_stub(function);
  if (image == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
  Kernel& kernel = *image->stubs.at(function);
  if (value < 0 || kernel.static_bytes + static_cast<size_t>(value) > 227 * 1024)
    return result(cudaErrorInvalidValue);
  kernel.dynamic_limit = static_cast<size_t>(value);
  return cudaSuccess;
}

// As if registers allowed two.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int,
                                                          size_t) {
  if (image_of_stub(function) == nullptr) return result(cudaErrorInvalidDeviceFunction);
  *blocks = 2;
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  Image* image = image_of_stub(function);
  if (image == nullptr) return result(cudaErrorInvalidDeviceFunction);
  const Kernel& kernel = *image->stubs.at(function);
  *attributes = {};
  attributes->sharedSizeBytes = kernel.static_bytes;
  attributes->maxThreadsPerBlock = static_cast<int>(kernel.max_threads);
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel.dynamic_limit);
  return cudaSuccess;
}

bool legal(const dim3& grid, const dim3& block) {
  return grid.x >= 1 && grid.x <= 0x7FFF'FFFF && grid.y >= 1 && grid.y <= 65535 && grid.z >= 1 &&
         grid.z <= 65535 && block.x >= 1 && block.x <= 1024 && block.y >= 1 && block.y <= 1024 &&
         block.z >= 1 && block.z <= 64 && uint64_t{block.x} * block.y * block.z <= 1024;
}

// The values of a kernel's arguments, for later.
class Arguments {
 public:
  Arguments(const Kernel& kernel, void** values) {
    for (size_t n = 0; n < kernel.argument_bytes.size(); ++n) {
      const size_t bytes = kernel.argument_bytes[n];
      copies_.emplace_back(static_cast<char*>(values[n]), static_cast<char*>(values[n]) + bytes);
      places_.push_back(copies_.back().data());
    }
  }
  void** places() { return places_.data(); }

 private:
  std::vector<std::vector<char>> copies_;
  std::vector<void*> places_;
};

// While it lives, a kernel of this device cannot access what it must not access.
class OtherDevicesClosed {
 public:
  explicit OtherDevicesClosed(int device) {
    for (int other = 0; other < machine().settings.count; ++other) {
      if (reaches(device, other)) continue;
      closed_.push_back(machine().space(other));
    }
    close();
  }
  OtherDevicesClosed(const OtherDevicesClosed&) = delete;
  OtherDevicesClosed& operator=(const OtherDevicesClosed&) = delete;
  ~OtherDevicesClosed() { open(); }

  void close() const {
    for (const device_memory::Space space : closed_) device_memory::close(space);
  }
  void open() const {
    for (const device_memory::Space space : closed_) device_memory::open(space);
  }

 private:
  std::vector<device_memory::Space> closed_;
};

// `grid` is kept while it waits for a word, and the operation will run again.
cudaError_t run(Image& image, const Launch& launch, int device, std::unique_ptr<GridRun>& grid) {
  const OtherDevicesClosed closed(device);
  cudaError_t early = cudaSuccess;
  when_counted() = [&] {
    closed.open();
    if (const cudaError_t error = machine().tasks.run_early(); early == cudaSuccess) early = error;
    closed.close();
  };
  if (grid == nullptr) grid = std::make_unique<GridRun>(launch);
  bool ended = grid->go();
  if (!ended && !machine().later()) ended = grid->go();  // nothing else will run
  when_counted() = nullptr;
  if (!ended) {
    machine().tasks.suspend(
        [device, awaited = grid->awaited()] { return machine().is_lost(device) || awaited(); });
    return early;
  }
  const std::string fault = grid->fault();
  grid = nullptr;
  if (fault.empty()) return early;
  image.faults.push_back(fault);
  return cudaErrorLaunchFailure;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t handle) {
  Stream& stream = stream_of(handle);
  if (breaks_capture(stream)) return cudaErrorStreamCaptureUnsupported;
  if (stream.device != machine().current) return result(cudaErrorInvalidResourceHandle);
  Image* image = image_of_stub(function);
  if (image == nullptr) return result(cudaErrorInvalidDeviceFunction);
  Kernel& kernel = *image->stubs.at(function);
  if (!legal(grid, block)) return result(cudaErrorInvalidConfiguration);
  if (shared > kernel.dynamic_limit) return result(cudaErrorInvalidValue);
  if (size_t{block.x} * block.y * block.z > kernel.max_threads)
    return result(cudaErrorLaunchOutOfResources);
  if (std::string fault = kernel.entry == nullptr ? kernel.compile() : ""; !fault.empty()) {
    image->faults.push_back(std::move(fault));
    return result(cudaErrorLaunchFailure);
  }
  const Launch launch = {
      &kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, nullptr, shared, image->mode};
  const auto values = std::make_shared<Arguments>(kernel, arguments);
  const auto running = std::make_shared<std::unique_ptr<GridRun>>();
  return enqueue(stream, [image, launch, values, running, device = stream.device] {
    Launch now = launch;
    now.arguments = values->places();
    return run(*image, now, device, *running);
  });
}

// A launch begins when all earlier ones of its stream have ended.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return fake::cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments,
                                config->dynamicSmemBytes, config->stream);
}

struct Configuration {
  dim3 grid, block;
  size_t shared;
  void* stream;
};
thread_local std::vector<Configuration> configurations;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  const Configuration& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<void**>(stream) = last.stream;
  configurations.pop_back();
  return cudaSuccess;
}

// ---- registration, called by the static initialisers that Clang emits ----

void** __cudaRegisterFatBinary(void*) { return reinterpret_cast<void**>(image_being_added); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
int __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*,
                           void*, void*, void*, int*) {
  Image& image = *reinterpret_cast<Image*>(handle);
  if (const auto found = image.kernels.find(name); found != image.kernels.end())
    image.stubs[stub] = &found->second;
  return 0;
}
void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, size_t, int,
                       int) {
  Image& image = *reinterpret_cast<Image*>(handle);
  if (const auto found = image.variables.find(name); found != image.variables.end())
    image.shadows[shadow] = &found->second;
}

}  // namespace fake
}  // namespace

void add_image(Image& image, const std::function<void()>& initialise) {
  image_being_added = &image;
  initialise();
  image_being_added = nullptr;
  const std::lock_guard lock(images_mutex);
  images.push_back(&image);
}

void remove_image(Image& image) {
  run_what_is_left();
  const std::lock_guard lock(images_mutex);
  std::erase(images, &image);
}

std::vector<HostFunction> launch_functions() {
  return {
      STENCILC_API(cudaMemcpyToSymbol),
      STENCILC_API(cudaMemcpyToSymbolAsync),
      STENCILC_API(cudaGetSymbolAddress),
      STENCILC_API(cudaFuncSetAttribute),
      STENCILC_API(cudaOccupancyMaxActiveBlocksPerMultiprocessor),
      STENCILC_API(cudaFuncGetAttributes),
      STENCILC_API(cudaLaunchKernel),
      STENCILC_API(cudaLaunchKernelExC),
      STENCILC_INTERNAL(__cudaPushCallConfiguration),
      STENCILC_INTERNAL(__cudaPopCallConfiguration),
      STENCILC_INTERNAL(__cudaRegisterFatBinary),
      STENCILC_INTERNAL(__cudaRegisterFatBinaryEnd),
      STENCILC_INTERNAL(__cudaUnregisterFatBinary),
      STENCILC_INTERNAL(__cudaRegisterFunction),
      STENCILC_INTERNAL(__cudaRegisterVar),
  };
}

std::vector<HostFunction> host_functions() {
  std::vector<HostFunction> all = memory_functions();
  for (const auto& more : {stream_functions(), graph_functions(), launch_functions(),
                           driver_functions(), texture_functions()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace stencilc::check
