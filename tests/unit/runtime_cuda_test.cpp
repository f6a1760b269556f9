// The CUDA side of the runtime on a CUDA runtime made of host memory, whose k-th call fails.
#include <gtest/gtest.h>
#include <stencil/cuda.h>
#include <stencil/mesh_cuda.h>
#include <stencil/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/expect.h"

namespace {

struct Device {
  int calls = 0;
  int failing_call = 0;  // from 1; 0 for none
  cudaError_t failure = cudaErrorIllegalAddress;
  cudaError_t pending = cudaSuccess;
  std::set<void*> live;
  cudaMemoryType memory_type = cudaMemoryTypeDevice;
  int reaches_host = 0;
  bool damages = false;  // what the host copies there
  std::vector<std::string> log;
};
Device device;

cudaError_t call(const char* name) {
  device.log.push_back(name);
  if (++device.calls != device.failing_call) return cudaSuccess;
  return device.pending = device.failure;
}

}  // namespace

extern "C" {
cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  const cudaError_t error = call("malloc");
  if (error != cudaSuccess) return error;
  *pointer = std::malloc(bytes);
  device.live.insert(*pointer);
  return cudaSuccess;
}
cudaError_t cudaFree(void* pointer) {
  if (pointer != nullptr && device.live.erase(pointer) != 1) std::abort();
  std::free(pointer);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  const cudaError_t error = call("copy");
  if (error == cudaSuccess) std::memcpy(to, from, bytes);
  return error;
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind, cudaStream_t stream) {
  const cudaError_t error = call(stream == nullptr ? "copy2d" : "copy2d on the stream");
  for (size_t y = 0; error == cudaSuccess && y < height; ++y)
    std::memcpy(static_cast<char*>(to) + y * to_pitch,
                static_cast<const char*>(from) + y * from_pitch, width);
  return error;
}
cudaError_t cudaDeviceSynchronize() { return call("synchronize"); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return call("synchronize"); }
cudaError_t cudaGetLastError() { return std::exchange(device.pending, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return device.pending; }
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorName"; }
const char* cudaGetErrorString(cudaError_t) { return "its description"; }
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *free = 1000;
  *total = 2000;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* number) {
  *number = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9
           : attribute == cudaDevAttrPageableMemoryAccess ? device.reaches_host
                                                          : 0;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void*) {
  attributes->type = device.memory_type;
  return call("attributes");
}
// Streams run at once, and two devices reach each other.
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 2;
  return call("count");
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* most) {
  *least = *most = 0;
  return call("priorities");
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  return cudaMalloc(reinterpret_cast<void**>(stream), 1);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return cudaFree(stream); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaMalloc(reinterpret_cast<void**>(event), 1);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return cudaFree(event); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return call("record"); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return call("wait"); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return call("synchronize"); }
cudaError_t cudaEventQuery(cudaEvent_t) { return call("query"); }
cudaError_t cudaStreamQuery(cudaStream_t) { return call("query"); }
cudaError_t cudaDeviceCanAccessPeer(int* reaches, int, int) {
  *reaches = 1;
  return call("reaches");
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return call("peer"); }
cudaError_t cudaDeviceGetPCIBusId(char*, int, int) { return call("bus"); }
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  const cudaError_t error = call("set");
  if (error == cudaSuccess) std::memset(to, value, bytes);
  return error;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(to, value, bytes);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  if (device.damages && kind == cudaMemcpyHostToDevice) ++*static_cast<char*>(to);
  return error;
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) { return cudaMalloc(pointer, bytes); }
cudaError_t cudaFreeHost(void* pointer) { return cudaFree(pointer); }
// Nothing is recorded; another test asks for graphs, and makes them itself.
bool stencil_test_has_graphs = false;
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return stencil_test_has_graphs ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  return stencil_test_has_graphs ? cudaGraphCreate(graph, 0) : cudaErrorInvalidValue;
}
}

namespace {

using stencil::Code;
using stencil::expect_failure;

// A run as emitted code has it, with three turns of the buffers in place of three launches.
stencil::Status use_everything(std::vector<float>& cells) {
  std::vector<float> memory(64 * 2 * 2), older(64 * 2 * 2);
  auto u = stencil::Grid<float, 3>::wrap(memory.data(), {3, 2, 2}, 64);
  auto u_prev = stencil::Grid<float, 3>::wrap(older.data(), {3, 2, 2}, 64);
  stencil::Grid<float, 3> c({3, 2, 2});
  if (!c.status().ok()) return c.status();
  for (auto* grid : {&u, &u_prev, &c}) {
    const stencil::Status status = grid->copy_from(cells.data());
    if (!status.ok()) return status;
  }
  int stream = 0;
  const auto on_stream = reinterpret_cast<cudaStream_t>(&stream);
  stencil::Call<3> run("use", on_stream);
  auto levels = run.levels<2>("u", u, u_prev);
  auto output = run.levels<2>("c", c);
  if (!run.ok()) return run.status();
  for (int step = 0; step < 3; ++step) {
    stencil::rotate(levels.at);
    stencil::rotate(output.at);
  }
  const stencil::Status ready = stencil::check_device(
      "`use`", {stencil::written("u", u.data()), stencil::read("c", c.data())});
  const stencil::Status done = run.finish(stencil::code_of(ready), levels, output);
  return done.ok() ? u.copy_to(cells.data()) : done;
}

TEST(RuntimeCudaFaults, EveryFailedCallIsReportedAndLeaksNothing) {
  std::vector<float> cells(12, 1.5f);
  device = {};
  ASSERT_TRUE(use_everything(cells).ok());
  EXPECT_TRUE(device.live.empty());
  const int calls = device.calls;
  EXPECT_GT(calls, 20);
  int on_stream = 0;
  for (const std::string& name : device.log) on_stream += name == "copy2d on the stream";
  EXPECT_EQ(on_stream, 3 * 2);  // two wrapped levels change places: three copies of two planes
  for (int k = 1; k <= calls; ++k) {
    device = {.failing_call = k};
    const stencil::Status status = use_everything(cells);
    EXPECT_EQ(status.code(), Code::sticky_error) << k << ' ' << device.log.back();
    EXPECT_EQ(device.calls, k) << "went on after " << device.log[static_cast<size_t>(k) - 1];
    EXPECT_TRUE(device.live.empty()) << k;
  }
}

// ---- a mesh of two devices ----

constexpr int64_t kX = 5, kY = 40;
constexpr stencil::MeshArray kMeshArrays[] = {
    stencil::mesh_array<float>("u", "xy", 1, 2, true, 1, 1)};
stencil::MeshLaunch launch_on(const stencil::Shape&, int64_t) { return {1, false}; }
constexpr stencil::MeshProgram kMeshProgram =
    stencil::mesh_program_of("s", 2, kMeshArrays, 1, 1, true, true, false, false, false, launch_on);
constexpr stencil::MeshField<float, 2> kMeshField{&kMeshProgram, 0};

// u[t+1] = u[y-1] - u[y+1] / 2, around a periodic axis.
stencil::Status run_on_mesh(std::vector<float>& cells, int devices, stencil::MeshForm form) {
  stencil::Mesh mesh = stencil::Mesh::devices(devices);
  mesh.in_form(form);
  stencil::MeshGrid<float> u(mesh, kMeshField, {kX, kY});
  const stencil::Status filled = u.copy_from(cells.data());
  if (!filled.ok()) return filled;
  stencil::MeshRun<1> run(kMeshProgram, mesh.handle(), u.handle());
  run.legs(7, false, [&](const stencil::MeshRun<1>::Leg& leg) -> stencil::Status {
    const cudaError_t launched = call("launch");
    if (launched != cudaSuccess) return stencil::cuda_status(launched, "`s`");
    float** const levels = leg.levels<float>(0);
    const int64_t pitch = run.pitch(0);
    for (int64_t left = leg.steps - 1; left >= 0; --left) {
      for (int64_t y = leg.window.first - left; y < leg.window.end + left; ++y)
        for (int64_t x = 0; x < kX; ++x) {
          const float* const from = levels[0] + (y - leg.window.piece.first) * pitch + x;
          levels[1][from - levels[0]] = from[-pitch] - from[pitch] / 2;
        }
      std::swap(levels[0], levels[1]);
    }
    return {};
  });
  return run.ok() ? u.copy_to(cells.data()) : run.status();
}

TEST(RuntimeCudaFaults, EveryFailedCallOfAMeshIsReportedAndLeaksNothing) {
  std::vector<float> start(static_cast<size_t>(kX * kY));
  for (size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>(i * 37 % 101) / 16;
  std::vector<float> whole = start;
  device = {};
  ASSERT_TRUE(run_on_mesh(whole, 1, stencil::MeshForm::whole).ok());
  for (const stencil::MeshForm form : {stencil::MeshForm::whole, stencil::MeshForm::borders}) {
    std::vector<float> cells = start;
    device = {};
    ASSERT_TRUE(run_on_mesh(cells, 2, form).ok());
    EXPECT_EQ(cells, whole);
    EXPECT_TRUE(device.live.empty());
    const int calls = device.calls;
    EXPECT_GT(calls, 100);
    for (int k = 1; k <= calls; ++k) {
      device = {.failing_call = k};
      cells = start;
      const stencil::Status status = run_on_mesh(cells, 2, form);
      const std::string name = device.log[static_cast<size_t>(k) - 1];
      EXPECT_EQ(status.code(), Code::sticky_error) << k << ' ' << name;
      EXPECT_TRUE(device.live.empty()) << k << ' ' << name;
    }
  }
}

// ---- an MPI that says that it takes memory of GPUs ----

class Claims final : public stencil::Tcp {
 public:
  explicit Claims(stencil::Tcp made) : Tcp(std::move(made)) {}
  bool takes_device_memory() const override { return true; }
};

// How planes go from one of two processes to the other, or why they do not. `damages`: what the
// other one sends of its device.
std::string link_of_two(stencil::MeshLink wanted, bool damages) {
  int sockets[2], said[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  EXPECT_EQ(pipe(said), 0);
  const pid_t other = fork();
  const int rank = other == 0 ? 1 : 0;
  close(sockets[1 - rank]);
  std::string text;
  {
    device = {};
    device.damages = damages && rank == 1;
    Claims processes(stencil::Tcp::of_sockets(
        rank, rank == 0 ? std::vector<int>{-1, sockets[0]} : std::vector<int>{sockets[1], -1}));
    const stencil::cuda::Mesh mesh = stencil::cuda::Mesh::across(processes, {rank}, wanted);
    text = !mesh.status().ok()                        ? mesh.status().message()
           : mesh.link() == stencil::MeshLink::direct ? "direct"
           : mesh.link() == stencil::MeshLink::staged ? "staged"
                                                      : "?";
  }
  if (other == 0) _exit(write(said[1], text.data(), text.size()) < 0 ? 1 : 0);
  close(said[1]);
  char bytes[512];
  const ssize_t count = read(said[0], bytes, sizeof bytes);
  close(said[0]);
  waitpid(other, nullptr, 0);
  return text + " | " + std::string(bytes, count > 0 ? static_cast<size_t>(count) : 0);
}

// A first message proves it, or planes go through the host.
TEST(RuntimeCudaFaults, AnMpiThatDamagesMemoryOfGpusIsNotGivenIt) {
  using stencil::MeshLink;
  setenv("STENCIL_NCCL", "none", 1);
  EXPECT_EQ(link_of_two(MeshLink::automatic, false), "direct | direct");
  EXPECT_EQ(link_of_two(MeshLink::automatic, true), "staged | staged");
  const std::string refused = link_of_two(MeshLink::direct, true);
  EXPECT_NE(refused.find("a message came damaged"), refused.npos) << refused;
  unsetenv("STENCIL_NCCL");
}

TEST(RuntimeCudaFaults, OutOfMemoryNamesTheNumbersAndIsNotLeftPending) {
  device = {.failing_call = 1, .failure = cudaErrorMemoryAllocation};
  const stencil::Grid<double, 2> u({100, 3});
  expect_failure(u.status(), Code::out_of_memory,
                 "a grid of 100 x 3 needs 3072 bytes and the device has 1000 free; use a smaller "
                 "grid or release memory first");
  EXPECT_TRUE(stencil::launched("next").ok());
}

TEST(RuntimeCudaFaults, AFailedSpareNamesItsStencil) {
  device = {};
  stencil::Grid<float, 1> u({5});
  device.failing_call = device.calls + 1;
  device.failure = cudaErrorMemoryAllocation;
  stencil::Call<1> run("heat", nullptr);
  auto levels = run.levels<2>("u", u);
  EXPECT_EQ(levels.at[1], nullptr);
  expect_failure(run.status(), Code::out_of_memory,
                 "`heat`: `u`: a grid of 5 needs 256 bytes and the device has 1000 free; use a "
                 "smaller grid or release memory first");
}

TEST(RuntimeCudaFaults, PointersThatTheDeviceCannotReach) {
  device = {};
  float cell = 0;
  device.memory_type = cudaMemoryTypeUnregistered;
  const std::initializer_list<stencil::Buffer> buffers = {stencil::read("c", &cell)};
  expect_failure(
      stencil::check_device("`heat`", buffers), Code::host_pointer,
      "`heat`: `c` is host memory, which the device cannot reach; use `stencil::Grid` or "
      "`cudaMalloc`, and copy");
  device.reaches_host = 1;
  EXPECT_TRUE(stencil::check_device("`heat`", buffers).ok());
}

TEST(RuntimeCudaFaults, ErrorsOfEarlierCallsAreNotTakenForOurs) {
  device = {.pending = cudaErrorInvalidValue};
  expect_failure(stencil::check_device("`heat`", {}), Code::cuda_error,
                 "`heat`: an earlier CUDA call failed with cudaErrorName and nobody looked; check "
                 "that call (`cudaGetLastError` clears it)");
  device.pending = cudaErrorLaunchFailure;
  EXPECT_EQ(stencil::check_device("`heat`", {}).code(), Code::sticky_error);
}

TEST(RuntimeCudaFaults, EveryErrorHasACodeAndARemedy) {
  device = {};
  const auto status = [](cudaError_t error) { return stencil::cuda_status(error, "`heat`"); };
  EXPECT_TRUE(status(cudaSuccess).ok());
  for (const cudaError_t error :
       {cudaErrorIllegalAddress, cudaErrorMisalignedAddress, cudaErrorInvalidAddressSpace,
        cudaErrorInvalidPc, cudaErrorIllegalInstruction, cudaErrorHardwareStackError,
        cudaErrorLaunchFailure, cudaErrorLaunchTimeout, cudaErrorAssert, cudaErrorECCUncorrectable,
        cudaErrorNvlinkUncorrectable})
    expect_failure(
        status(error), Code::sticky_error,
        "`heat`: a kernel failed with cudaErrorName and the CUDA context is lost; restart "
        "the process, and run it under `compute-sanitizer` to find the kernel");
  expect_failure(status(cudaErrorNoDevice), Code::no_device,
                 "`heat`: no CUDA device is visible; check `nvidia-smi` and the variable "
                 "`CUDA_VISIBLE_DEVICES`, or compile with `--target=cpu`");
  for (const cudaError_t error : {cudaErrorNoKernelImageForDevice, cudaErrorUnsupportedPtxVersion,
                                  cudaErrorInvalidDeviceFunction})
    expect_failure(status(error), Code::no_kernel_image,
                   "`heat`: the program has no kernel for this device, sm_90 (cudaErrorName); "
                   "compile with `-arch=sm_90`");
  EXPECT_EQ(status(cudaErrorInsufficientDriver).code(), Code::insufficient_driver);
  EXPECT_EQ(std::string(status(cudaErrorInsufficientDriver).message())
                .find("`heat`: there is no NVIDIA driver, or it is older than the CUDA runtime "),
            0u);
  for (const cudaError_t error : {cudaErrorInvalidConfiguration, cudaErrorLaunchOutOfResources})
    expect_failure(status(error), Code::launch_configuration,
                   "`heat`: the device refuses the launch (cudaErrorName): too many blocks or "
                   "threads, or too much shared memory; use a smaller grid or another schedule");
  expect_failure(status(cudaErrorMemoryAllocation), Code::out_of_memory,
                 "`heat`: the device is out of memory; use a smaller grid or release memory first");
  expect_failure(status(cudaErrorInvalidValue), Code::cuda_error,
                 "`heat`: CUDA reports cudaErrorName: its description");
}

TEST(RuntimeCuda, RowsOfBlocksGoOnInZ) {
  for (const int64_t rows : {int64_t{1}, int64_t{65535}, int64_t{65536}, int64_t{131070},
                             int64_t{131071}, int64_t{1} << 31}) {
    const dim3 grid = stencil::grid_of(7, rows);
    EXPECT_EQ(grid.x, 7u);
    EXPECT_LE(grid.y, 65535u);
    EXPECT_LE(grid.z, 65535u);
    EXPECT_GE(static_cast<int64_t>(grid.y) * grid.z, rows);
    EXPECT_LT(static_cast<int64_t>(grid.y) * grid.z, rows + grid.z);  // the last row is begun
  }
  const dim3 huge = stencil::grid_of(int64_t{1} << 32, 1, (int64_t{1} << 32) + 1);
  EXPECT_EQ(huge.x, UINT32_MAX);  // refused, where the low 32 bits would be launched
  EXPECT_EQ(huge.z, UINT32_MAX);
  const dim3 line = stencil::grid_of(9);
  EXPECT_EQ(line.y * line.z, 1u);
}

TEST(RuntimeCuda, RowsOfTwoGigabytesAreCopiedOneByOne) {
  device = {};
  // A pitch of 2^31 bytes; only the first row exists, so that one is copied.
  std::vector<double> row = {1, 2, 3}, result(3);
  auto u = stencil::Grid<double, 2>::wrap(row.data(), {3, 1}, int64_t{1} << 28);
  ASSERT_TRUE(u.copy_to(result.data()).ok());
  EXPECT_EQ(result, row);
  EXPECT_EQ(device.log, (std::vector<std::string>{"synchronize", "copy", "synchronize"}));
}

}  // namespace
