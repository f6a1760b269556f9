// Runs are captured into graphs of CUDA, in the strictest mode and as the first runs of the
// process: NAME_prepare() has done before what may not be captured. Each graph is launched several
// times and must leave the bits of runs on a stream. Prints a line for each program, and returns 1
// where one fails:
//
//   nvcc -std=c++17 -arch=sm_90 -Iruntime/include -I. -o graph tests/gpu/graph.cu
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include "tests/golden/laplace/out.cu"
#include "tests/golden/stream_3d/out.cu"
#include "tests/golden/values/out.cu"

namespace {

constexpr int kLaunches = 3, kMostRuns = 6;

// Memory of the device that is never freed.
template <typename T>
T* memory(size_t count) {
  void* made = nullptr;
  if (cudaMalloc(&made, count * sizeof(T)) != cudaSuccess) std::printf("no memory\n");
  return static_cast<T*>(made);
}

template <typename T>
std::vector<T> cells(size_t count, unsigned seed) {
  std::vector<T> made(count);
  for (T& cell : made) {
    seed = seed * 1664525 + 1013904223;
    cell = static_cast<T>(seed >> 8) / (1 << 24);
  }
  return made;
}

// Two buffers that a run rotates, or one.
struct Field {
  size_t count;
  std::vector<float> start;
  float* first;
  float* second;
  float* at[2];

  explicit Field(size_t cells_of_it)
      : count(cells_of_it),
        start(cells<float>(count, 7)),
        first(memory<float>(count)),
        second(memory<float>(count)) {
    begin();
  }
  void begin() {
    at[0] = first;
    at[1] = second;
    (void)cudaMemcpy(first, start.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    (void)cudaMemset(second, 0, count * sizeof(float));
  }
  std::vector<float> newest() const {
    std::vector<float> result(count);
    (void)cudaMemcpy(result.data(), at[0], count * sizeof(float), cudaMemcpyDeviceToHost);
    return result;
  }
};

bool failed(const char* what, const char* where, const char* why) {
  std::printf("%s: %s: %s\n", what, where, why);
  return false;
}
bool failed(const char* what, const char* where, cudaError_t error) {
  return failed(what, where, cudaGetErrorName(error));
}

using Run = std::function<int(cudaStream_t)>;

// As many runs as bring the buffers back to where they were; 0: it failed.
int capture(const char* what, Field& field, const Run& run, cudaStream_t stream,
            cudaGraph_t* graph) {
  cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  if (error != cudaSuccess) return failed(what, "the capture", error);
  int code = 0, runs = 0;
  do code = run(stream);
  while (code == 0 && ++runs < kMostRuns && field.at[0] != field.first);
  error = cudaStreamEndCapture(stream, graph);
  if (code != 0) return failed(what, "the run", stencil_last_error());
  if (error != cudaSuccess) return failed(what, "the end of the capture", error);
  return field.at[0] == field.first ? runs : failed(what, "the buffers", "do not come back");
}

bool agrees(const char* what, Field& field, const Run& run) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  const int runs = capture(what, field, run, stream, &graph);
  if (runs == 0) return false;
  size_t nodes = 0;
  (void)cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaError_t error = cudaGraphInstantiateWithFlags(&made, graph, 0);
  for (int n = 0; n < kLaunches && error == cudaSuccess; ++n) error = cudaGraphLaunch(made, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (error != cudaSuccess) return failed(what, "the graph", error);
  const std::vector<float> replayed = field.newest();
  field.begin();
  for (int n = 0; n < kLaunches * runs; ++n)
    if (run(stream) != 0) return failed(what, "a run without a graph", stencil_last_error());
  (void)cudaStreamSynchronize(stream);
  const std::vector<float> expected = field.newest();
  const bool same =
      std::memcmp(replayed.data(), expected.data(), expected.size() * sizeof(float)) == 0;
  const bool moved =
      std::memcmp(expected.data(), field.start.data(), expected.size() * sizeof(float)) != 0;
  std::printf("%s: %d launches of a graph of %zu nodes, %d runs: %s\n", what, kLaunches, nodes,
              runs,
              !moved ? "NOTHING WAS COMPUTED"
              : same ? "the bits of runs on a stream"
                     : "OTHER BITS");
  (void)cudaGraphExecDestroy(made);
  (void)cudaGraphDestroy(graph);
  (void)cudaStreamDestroy(stream);
  return same && moved;
}

bool prepared(const char* what, int code) {
  return code == 0 || failed(what, "to prepare", stencil_last_error());
}

}  // namespace

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("there is no GPU\n");
    return 1;
  }
  bool good = prepared("laplace", laplace2d_prepare()) &&
              prepared("diffusion", diffusion3d_prepare()) && prepared("values", values_prepare());
  for (const int64_t n : {3000, 300}) {
    Field u(n * n);
    good &= agrees(n == 3000 ? "laplace, 3000x3000" : "laplace, 300x300", u,
                   [&](cudaStream_t on) { return laplace2d_run(u.at, n, n, n, 25, on); });
  }
  {
    const int64_t n = 200;
    Field T(n * n * n);
    good &= agrees("diffusion, 200x200x200", T, [&](cudaStream_t on) {
      return diffusion3d_run(T.at, n, n, n, n, n * n, 0.4f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 9,
                             on);
    });
  }
  const int64_t nx = 1000, ny = 700, pitch = 1024;
  double* const w = memory<double>(pitch * ny);
  const std::vector<double> weights = cells<double>(pitch * ny, 3);
  (void)cudaMemcpy(w, weights.data(), weights.size() * sizeof(double), cudaMemcpyHostToDevice);
  const size_t bytes = values_workspace(nx, ny, pitch);
  char* const workspace = memory<char>(bytes);
  for (const bool given : {true, false}) {
    Field u(pitch * ny);
    good &= agrees(given ? "values, in a workspace" : "values, in memory of a pool", u,
                   [&](cudaStream_t on) {
                     return values_run(u.at[0], w, nx, ny, pitch, 5, given ? workspace : nullptr,
                                       given ? bytes : 0, on);
                   });
  }
  return good ? 0 : 1;
}
