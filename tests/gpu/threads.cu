// Threads of the host call the same emitted entries at once, each on a stream of its own, and,
// where there are several GPUs, on one after the other. Every run must give the bits of one that
// was alone. Prints a line for each program and grid, and returns 1 where one differs:
//
//   nvcc -std=c++17 -arch=sm_90 -Iruntime/include -I. -Xcompiler -pthread -o threads tests/gpu/threads.cu
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "tests/golden/stream_3d/out.cu"
#include "tests/golden/relax/out.cu"

namespace {

constexpr int kThreads = 4, kRepeats = 10;

using Cells = std::vector<float>;

Cells made(size_t count, unsigned seed) {
  Cells cells(count);
  for (float& cell : cells) {
    seed = seed * 1664525 + 1013904223;
    cell = static_cast<float>(seed >> 8) / (1 << 24);
  }
  return cells;
}

// The cells after a run, with the reductions of its last step after them; empty: it failed.
Cells relaxed(const Cells& from, int64_t nx, int64_t ny, int steps, cudaStream_t stream) {
  stencil::Grid<float, 2> u({nx, ny});
  float res = 0, energy = 0;
  laplace2d::Args args{u};
  args.res = &res;
  args.energy = &energy;
  stencil::Status status = u.copy_from(from.data());
  if (status.ok()) status = laplace2d::run(args, stencil::Steps{steps}, stream);
  if (status.ok()) status = stencil::synchronize(stream);
  Cells to(from.size());
  if (status.ok()) status = u.copy_to(to.data());
  if (!status.ok()) std::printf("%s\n", status.message());
  to.push_back(res);
  to.push_back(energy);
  return status.ok() ? to : Cells();
}

Cells diffused(const Cells& from, int64_t n, int steps, cudaStream_t stream) {
  stencil::Grid<float, 3> T({n, n, n});
  stencil::Status status = T.copy_from(from.data());
  if (status.ok()) status = diffusion3d::run({T}, stencil::Steps{steps}, stream);
  if (status.ok()) status = stencil::synchronize(stream);
  Cells to(from.size());
  if (status.ok()) status = T.copy_to(to.data());
  if (!status.ok()) std::printf("%s\n", status.message());
  return status.ok() ? to : Cells();
}

bool same(const Cells& a, const Cells& b) {
  return !a.empty() && a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// run(cells, steps, stream), alone and then from all threads at once.
bool agree(const char* what, size_t cells, int devices,
           const std::function<Cells(const Cells&, int, cudaStream_t)>& run) {
  std::vector<Cells> from, expected;
  for (int n = 0; n < kThreads; ++n) {
    from.push_back(made(cells, 1 + n));
    expected.push_back(run(from[n], 50 + n, nullptr));
  }
  std::vector<int> good(kThreads);
  std::vector<std::thread> threads;
  for (int n = 0; n < kThreads; ++n)
    threads.emplace_back([&, n] {
      cudaStream_t stream = nullptr;
      if (cudaSetDevice(n % devices) != cudaSuccess ||
          cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return;
      for (int again = 0; again < kRepeats; ++again)
        good[n] += same(run(from[n], 50 + n, stream), expected[n]);
      (void)cudaStreamDestroy(stream);
    });
  int all = 0;
  for (int n = 0; n < kThreads; ++n) {
    threads[n].join();
    all += good[n];
  }
  std::printf("%s, %d threads on %d GPUs: %d of %d runs give the bits of those alone\n", what,
              kThreads, devices, all, kThreads * kRepeats);
  return all == kThreads * kRepeats;
}

}  // namespace

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("there is no GPU\n");
    return 1;
  }
  bool good = true;
  for (int devices = 1; devices <= count; ++devices) {
    good &=
        agree("2-D, 3000x2000", 3000 * 2000, devices, [](const Cells& cells, int steps, auto on) {
          return relaxed(cells, 3000, 2000, steps, on);
        });
    good &= agree("2-D, 200x150", 200 * 150, devices, [](const Cells& cells, int steps, auto on) {
      return relaxed(cells, 200, 150, steps, on);
    });
    good &= agree(
        "3-D, 200x200x200", 200 * 200 * 200, devices,
        [](const Cells& cells, int steps, auto on) { return diffused(cells, 200, steps, on); });
  }
  return good ? 0 : 1;
}
