// What a shared library for a GPU has for callers that know it by its manifest (cuda_callers.h), in
// the executor: copies of arrays, and streams that are captured.
#include <gtest/gtest.h>

#include "support/kernels.h"

namespace stencilc::check {
namespace {

// Brings arrays home whose first byte lies `shift` bytes after a multiple of 256, and cell (0, 0)
// `front` bytes later: wrong(list) is how many bytes of the memory are not as they should be
// afterwards, in what is copied and around it, and a million more for each pointer.
constexpr const char* kCallers = R"(
#include <cstring>
#include <vector>

struct Job {
  int64_t row_bytes, rows, row_pitch, planes, plane_pitch, shift = 0, front = 0;
  bool home = false;
};

static int64_t wrong(const std::vector<Job>& jobs) {
  std::vector<stencil_level> levels;
  std::vector<std::vector<char>> sources, targets;
  std::vector<std::vector<void*>> buffers, expected;
  std::vector<char*> memory;
  for (const Job& job : jobs) {
    const size_t bytes = static_cast<size_t>(job.planes * job.plane_pitch + job.row_pitch + job.row_bytes + 64);
    sources.emplace_back(bytes);
    for (size_t n = 0; n < bytes; ++n)
      sources.back()[n] = static_cast<char>(n * 37 + n / 251 + memory.size());
    targets.emplace_back(bytes, '\x55');
    char *from = nullptr, *to = nullptr;
    cudaMalloc(&from, bytes);
    cudaMalloc(&to, bytes);
    cudaMemcpy(from, sources.back().data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(to, targets.back().data(), bytes, cudaMemcpyHostToDevice);
    memory.push_back(from);
    memory.push_back(to);
    void* const level = from + job.shift + job.front;
    void* const home = to + job.shift + job.front;
    void* const other = nullptr;
    // The third of three buffers; one that is at home; and one that is none of the buffers.
    if (job.home) buffers.push_back({home, level}), expected.push_back({home, level});
    else if (job.front > 0) buffers.push_back({level}), expected.push_back({home});
    else buffers.push_back({level, other, home}), expected.push_back({home, other, level});
  }
  for (size_t k = 0; k < jobs.size(); ++k) {
    const Job& job = jobs[k];
    levels.push_back({buffers[k].data(), static_cast<int64_t>(buffers[k].size()),
                      memory[2 * k + 1] + job.shift + job.front, job.front, job.row_bytes, job.rows,
                      job.row_pitch, job.planes, job.plane_pitch});
  }
  int64_t result = 0;
  if (stencil_bring_home(levels.data(), static_cast<int64_t>(levels.size()), nullptr) != 0) result = 10000000;
  for (size_t k = 0; k < jobs.size(); ++k) {
    const Job& job = jobs[k];
    for (int64_t z = 0; z < job.planes && !job.home; ++z)
      for (int64_t y = 0; y < job.rows; ++y) {
        const size_t at = static_cast<size_t>(job.shift + z * job.plane_pitch + y * job.row_pitch);
        std::memcpy(&targets[k][at], &sources[k][at], static_cast<size_t>(job.row_bytes));
      }
    std::vector<char> found(targets[k].size());
    cudaMemcpy(found.data(), memory[2 * k + 1], found.size(), cudaMemcpyDeviceToHost);
    for (size_t n = 0; n < found.size(); ++n) result += found[n] != targets[k][n];
    if (buffers[k] != expected[k]) result += 1000000;
  }
  for (char* one : memory) cudaFree(one);
  return result;
}

// In a graph: nothing is copied before it is launched, and then what is there at that time.
static int64_t in_a_graph() {
  int *from = nullptr, *to = nullptr, found = 0;
  int64_t result = stencil_bring_home(nullptr, 0, nullptr);
  cudaMalloc(&from, sizeof(int));
  cudaMalloc(&to, sizeof(int));
  const auto put = [](int* where, int value) { cudaMemcpy(where, &value, sizeof(int), cudaMemcpyHostToDevice); };
  const auto expect = [&](int value) {
    cudaDeviceSynchronize();
    cudaMemcpy(&found, to, sizeof(int), cudaMemcpyDeviceToHost);
    result += found != value;
  };
  put(from, 5);
  put(to, 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  void* buffers[] = {from, to};
  const stencil_level level = {buffers, 2, to, 0, 4, 1, 4, 1, 4};
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  result += stencil_bring_home(&level, 1, stream);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t recording = nullptr;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiateWithFlags(&recording, graph, 0);
  expect(1);
  cudaGraphLaunch(recording, stream);
  expect(5);
  put(from, 6);
  cudaGraphLaunch(recording, stream);
  expect(6);
  result += buffers[0] != to || buffers[1] != from;
  cudaGraphExecDestroy(recording);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(from);
  cudaFree(to);
  return result;
}

static int captured() {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  int said = stencil_is_captured(a);
  cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed);
  said = 10 * said + stencil_is_captured(a);
  said = 10 * said + stencil_is_captured(b);
  said = 10 * said + stencil_is_captured(nullptr);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(a, &graph);
  said = 10 * said + stencil_is_captured(a);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  return said;
}

// What run_packed() calls: adds what it is given, puts the sum where `to` points, and fails if it is
// 0. `to` then comes home.
static int runs = 0;
static int sum_run(int** to, float a, bool b, int16_t c, double d, int64_t e, cudaStream_t stream) {
  ++runs;
  const int sum = static_cast<int>(a + (b ? 10 : 0) + c + d + static_cast<double>(e));
  cudaMemcpyAsync(*to, &sum, sizeof sum, cudaMemcpyHostToDevice, stream);
  return sum == 0 ? stencil::code_of(stencil::Status(static_cast<stencil::Code>(STENCIL_NEGATIVE_STEPS), "of the run")) : 0;
}

static int64_t packed() {
  using stencil::callers::run_packed;
  int *level = nullptr, *home = nullptr, found = 0;
  cudaMalloc(&level, sizeof(int));
  cudaMalloc(&home, sizeof(int));
  void* buffers[] = {level, home};
  const stencil_level levels[] = {{buffers, 2, home, 0, 4, 1, 4, 1, 4}};
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int64_t words[] = {0, -1, -256, -1, 0, -4000000000, 0};
  const auto put = [&](int n, const auto& value) { std::memcpy(&words[n], &value, sizeof value); };
  put(0, &buffers[0]);
  put(1, 0.5f);
  put(2, true);
  put(3, static_cast<int16_t>(-7));
  put(4, 4000000000.5);
  put(6, stream);
  const auto expect = [&](int value) {
    cudaDeviceSynchronize();
    cudaMemcpy(&found, home, sizeof(int), cudaMemcpyDeviceToHost);
    return found == value && buffers[0] == home && buffers[1] == level ? 0 : 1;
  };
  int64_t wrong = run_packed(sum_run, {levels, 1, words, 1});
  wrong += 10 * expect(4);
  // After an error the levels come home too, and the error is that of the run.
  buffers[0] = level, buffers[1] = home;
  put(3, static_cast<int16_t>(-11));
  wrong += 100 * (run_packed(sum_run, {levels, 1, words, 1}) != STENCIL_NEGATIVE_STEPS) + 1000 * expect(0);
  wrong += 10000 * (std::strcmp(stencil_last_error(), "of the run") != 0);
  // Without levels none is moved.
  buffers[0] = level, buffers[1] = home;
  put(5, static_cast<int64_t>(-3999999990));
  wrong += run_packed(sum_run, {levels, 0, words, 0}) + 100000 * (buffers[0] != level);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  wrong += 1000000 * (run_packed(sum_run, {levels, 1, words, 1}) != stencil_captured || runs != 3);
  wrong += run_packed(sum_run, {levels, 1, words, 0}) + 10000000 * (runs != 4);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(level);
  cudaFree(home);
  return wrong;
}
)";

TEST(check_callers, bring_levels_home_and_know_captures) {
  const std::vector<std::string> calls = {
      "wrong({{4096, 1, 4096, 1, 4096}})",                      // one row
      "wrong({{80, 9, 80, 4, 720}})",                           // no gaps, as many words
      "wrong({{80, 9, 96, 4, 960}, {48, 9, 96, 4, 960, 32}})",  // rows and planes apart
      "wrong({{80, 9, 80, 4, 960}})",                           // only planes apart
      "wrong({{80, 1, 80, 4, 112}})",                           // one row in a plane
      "wrong({{36, 7, 44, 3, 400, 4}})",                        // words of 4 bytes
      "wrong({{64, 7, 64, 1, 448}, {35, 7, 41, 3, 300, 1}})",   // bytes
      "wrong({{64, 3, 64, 1, 192}, {64, 3, 64, 1, 192, 4}})",   // of different alignment
      "wrong({{70000, 5, 70000, 3, 350000}})",                  // more than one word for a thread
      "wrong({})",
      "wrong({{16, 1, 16, 1, 16}, {32, 1, 32, 1, 32}, {16, 2, 16, 1, 32}, {4, 1, 4, 1, 4}, {5, 1, "
      "5, 1, 5}, {16, 1, 16, 1, 16}, "
      "{16, 1, 16, 1, 16}, {16, 1, 16, 1, 16}, {48, 1, 48, 1, 48}, {7, 1, 7, 1, 7}})",  // two
                                                                                        // launches
      "wrong({{4100, 2050, 4100, 2, 8405000}, {16, 3, 32, 1, 96}, {16, 3, 20, 2, 96}})",  // large
      "wrong({{64, 7, 80, 3, 800, 0, 96}, {64, 7, 80, 3, 800, 0, 0, true}, {64, 7, 64, 3, 448}})",
      "in_a_graph()",
      "captured() - 1000",
      "packed()",
  };
  std::string adapter = kCallers;
  adapter += "extern \"C\" int64_t call(int which) {\n";
  for (size_t n = 0; n < calls.size(); ++n)
    adapter += "  if (which == " + std::to_string(n) + ") return " + calls[n] + ";\n";
  const Loaded loaded =
      load_text("test.cu", "#include <stencil/cuda.h>\n#include <stencil/cuda_callers.h>\n",
                adapter + "  return -1;\n}\n");
  ASSERT_TRUE(loaded.executor);
  const auto call = reinterpret_cast<int64_t (*)(int)>(symbol(*loaded.executor, "call"));
  for (size_t n = 0; n < calls.size(); ++n) {
    EXPECT_EQ(call(static_cast<int>(n)), 0) << calls[n];
    for (const std::string& fault : take_faults(*loaded.executor)) ADD_FAILURE() << fault;
  }
}

}  // namespace
}  // namespace stencilc::check
