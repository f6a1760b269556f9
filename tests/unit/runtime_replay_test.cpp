// Launches that are recorded and replayed, on a CUDA runtime whose graphs are lists of what their
// kernels are called with; what else it needs is that of runtime_cuda_test.cpp, an sm_90.
#include <gtest/gtest.h>
#include <stencil/mesh_cuda.h>

#include <utility>
#include <vector>

// Of the CUDA runtime and of the driver, in the files of their tests.
extern "C" bool stencil_test_has_graphs;
extern std::vector<std::pair<uint64_t, uint32_t>> stencil_test_words;

namespace {

struct Called {
  int to, from, steps;
  bool operator==(const Called&) const = default;
};
struct Device {
  int calls = 0;
  int failing_call = 0;  // from 1; 0 for none
  bool captures = false;
  int graphs = 0, instances = 0;  // that are there
  std::vector<Called> nodes;
  int edges = 0, early_edges = 0;
  std::vector<Called> ran;  // by graphs, or one by one
};
Device device;

cudaError_t call() {
  if (++device.calls != device.failing_call) return cudaSuccess;
  return cudaErrorNotSupported;
}
Called called_with(void** values) {
  return {**static_cast<int**>(values[0]), **static_cast<int**>(values[1]),
          static_cast<int>(*static_cast<long*>(values[2]))};
}

}  // namespace

extern "C" {
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = device.captures ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return call();
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (const cudaError_t error = call(); error != cudaSuccess) return error;
  ++device.graphs;
  device.nodes.clear();
  device.edges = device.early_edges = 0;
  *graph = reinterpret_cast<cudaGraph_t>(&device.nodes);
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t, const cudaGraphNode_t*,
                                   size_t, const cudaKernelNodeParams* params) {
  if (const cudaError_t error = call(); error != cudaSuccess) return error;
  device.nodes.push_back(called_with(params->kernelParams));
  *node = reinterpret_cast<cudaGraphNode_t>(device.nodes.size());
  return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edge,
                                     size_t) {
  if (const cudaError_t error = call(); error != cudaSuccess) return error;
  EXPECT_EQ(reinterpret_cast<size_t>(*from) + 1, reinterpret_cast<size_t>(*to));
  ++device.edges;
  device.early_edges += edge->type == cudaGraphDependencyTypeProgrammatic &&
                        edge->from_port == cudaGraphKernelNodePortProgrammatic;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* instance, cudaGraph_t,
                                          unsigned long long) {
  if (const cudaError_t error = call(); error != cudaSuccess) return error;
  ++device.instances;
  *instance = reinterpret_cast<cudaGraphExec_t>(&device.instances);
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  if (const cudaError_t error = call(); error != cudaSuccess) return error;
  device.ran.insert(device.ran.end(), device.nodes.begin(), device.nodes.end());
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
  --device.graphs;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  --device.instances;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void** values) {
  device.ran.push_back(called_with(values));
  return cudaSuccess;
}
}

namespace {

void kernel(int*, const int*, long) {}

constexpr int kSteps = 12;

// A run of so many steps as emitted code has it, of buffers that say which they are.
void run(int64_t left, int64_t kept = 0, dim3 blocks = dim3(64)) {
  int first = 0, second = 1;
  int* u[2] = {&first, &second};
  const auto launch_on = [&](long steps, auto on) {
    stencil::launch_early(kernel, blocks, dim3(32), 0, on, u[1], u[0], steps);
    stencil::rotate<2>(u);
  };
  const cudaStream_t stream = nullptr;
  stencil::replay(left, kept, kSteps, 2, blocks, stream, launch_on);
  while (left - kept > 1) {
    const long steps = left - kept < kSteps ? static_cast<long>(left - kept) : kSteps;
    launch_on(steps, stream);
    left -= steps;
  }
}

// What it launches if nothing is recorded.
std::vector<Called> one_by_one(int64_t left) {
  std::vector<Called> all;
  for (int turn = 0; left > 1; turn ^= 1) {
    const int steps = left < kSteps ? static_cast<int>(left) : kSteps;
    all.push_back({1 - turn, turn, steps});
    left -= steps;
  }
  return all;
}

TEST(RuntimeReplay, RunsWhatLaunchesOneByOneDo) {
  for (const int64_t steps : {kSteps * 256, kSteps * 257 + 5, kSteps * 1000 + 1, kSteps * 1023}) {
    device = {};
    run(steps);
    EXPECT_EQ(device.ran, one_by_one(steps));
    EXPECT_EQ(device.nodes.size(), 32u);
    EXPECT_EQ(device.edges, 31);
    EXPECT_EQ(device.early_edges, 31);
    EXPECT_EQ(device.graphs + device.instances, 0);
  }
  device = {};
  run(kSteps * 256 + 1, 1);  // the last step is asked about
  EXPECT_EQ(device.ran, one_by_one(kSteps * 256));
}

TEST(RuntimeReplay, RecordsNothingWhereThatGainsNothingOrCannotBe) {
  const auto recorded = [](int64_t steps, dim3 blocks = dim3(64)) {
    run(steps, 0, blocks);
    EXPECT_EQ(device.ran, one_by_one(steps));
    return !device.nodes.empty();
  };
  device = {};
  EXPECT_FALSE(recorded(kSteps * 256 - 1));  // few launches
  device = {};
  EXPECT_FALSE(recorded(kSteps * 300, dim3(64, 65)));  // of many blocks
  device = {.captures = true};                         // the caller records himself
  EXPECT_FALSE(recorded(kSteps * 300));
  device = {};
  EXPECT_TRUE(recorded(kSteps * 300));
}

TEST(RuntimeReplay, WhereACallFailsTheRestIsLaunchedOneByOne) {
  device = {};
  run(kSteps * 300);
  const int calls = device.calls;
  for (int failing = 1; failing <= calls; ++failing) {
    device = {.failing_call = failing};
    run(kSteps * 300);
    EXPECT_EQ(device.ran, one_by_one(kSteps * 300)) << "call " << failing;
    EXPECT_EQ(device.graphs + device.instances, 0) << "call " << failing;
  }
}

// ---- a mesh whose pieces have a graph each ----

constexpr stencil::MeshArray kReplayedArrays[] = {
    stencil::mesh_array<float>("u", "xy", 1, 2, true, 1, 1)};
stencil::MeshLaunch counting_launch(const stencil::Shape&, int64_t) { return {2, true}; }
constexpr stencil::MeshProgram kReplayed = stencil::mesh_program_of(
    "s", 2, kReplayedArrays, 1, 1, false, false, true, true, false, counting_launch);

// Its graphs are made by two calls, and launched by two each time; nothing is computed.
stencil::Status replay_on_mesh(int failing_call) {
  device = {};
  device.failing_call = failing_call;
  stencil_test_words.clear();
  stencil_test_has_graphs = true;
  stencil::cuda::Mesh mesh = stencil::cuda::Mesh::devices(2);
  stencil::cuda::MeshGrid<float> u(mesh, stencil::MeshField<float, 2>{&kReplayed, 0}, {5, 40});
  stencil::cuda::MeshRun<1> run(kReplayed, mesh.handle(), u.handle());
  run.legs(2 * 100, false, [&](const stencil::cuda::MeshRun<1>::Leg& leg) -> stencil::Status {
    (void)leg.window.borders.of(st::Layers{1, leg.window.end - leg.window.first});
    std::swap(leg.at[0][0], leg.at[0][1]);
    return {};
  });
  stencil_test_has_graphs = false;
  return run.status();
}
int64_t releases() {
  int64_t count = 0;
  for (const auto& [at, value] : stencil_test_words) count += value == st::Borders::kReleased;
  return count;
}

TEST(RuntimeReplay, EachPieceOfAMeshHasAGraph) {
  EXPECT_TRUE(replay_on_mesh(0).ok());
  EXPECT_EQ(device.calls, 2 + 2 + 2 * 5);  // graphs of 16 legs, after 1 and 16 without
  EXPECT_EQ(device.graphs, 0);
  EXPECT_EQ(device.instances, 0);
  EXPECT_EQ(releases(), 0);
}

// A kernel that waits for planes of a graph that was not launched would never end.
TEST(RuntimeReplay, WhatWaitsForALostGraphIsReleased) {
  for (int call = 1; call <= 2 + 2 + 2 * 5; ++call) {
    const stencil::Status status = replay_on_mesh(call);
    const bool launches = call > 4, second = call % 2 == 0;
    EXPECT_EQ(status.ok(), !launches) << call;  // legs go on one by one where there is no graph
    EXPECT_EQ(releases(), launches && second ? 1 : 0) << call;
    EXPECT_EQ(device.graphs, 0) << call;
    EXPECT_EQ(device.instances, 0) << call;
  }
}

}  // namespace
