// The kernels of tests/executor on a GPU: their bits must be those of plain loops, as they are in
// the executor. Prints a line for each and returns 1 where one fails. Needs compute capability 9.0:
//
//   nvcc -std=c++17 -arch=sm_90 -Iruntime/include -Itests -o copy_async tests/gpu/copy_async.cu
#include <stencil/cuda.h>
#include <stencil/cuda_half.h>

#include <cstdio>
#include <cstring>

#include "executor/reference.h"

// Each fixture has a namespace of its own, and a name of its own for its function `run`. What they
// include has been included above.
#define run run_lanes
namespace lanes_test {
#include "executor/lanes.cu"
}
#undef run
#define run run_streaming
namespace streaming_test {
#include "executor/streaming.cu"
}
#undef run
#define run run_prefetched
namespace prefetched_test {
#include "executor/prefetched.cu"
}
#undef run
#define run run_windows
namespace windows_test {
#include "executor/windows.cu"
}
#undef run
#define run run_boxes
namespace boxes_test {
#include "executor/boxes.cu"
}
#undef run
#define run run_produced
namespace produced_test {
#include "executor/produced.cu"
}
#undef run

namespace {

using stencilc::check::Size;

struct Test {
  const char* name;
  int (*run)(const float* in, float* out, int nx, int ny, int nz, int wide);
  std::vector<float> (*reference)(const std::vector<float>& u, Size size);
  std::vector<Size> sizes;
};

// Repeated, because a race shows now and then.
bool passes(const Test& test, Size size, int wide) {
  const std::vector<float> in = stencilc::check::random_cells(size);
  const std::vector<float> expected = test.reference(in, size);
  for (int round = 0; round < 20; ++round) {
    std::vector<float> out(size.cells(), 12345.0f);
    const int error = test.run(in.data(), out.data(), size.nx, size.ny, size.nz, wide);
    if (error != 0) {
      std::printf("error %d: %s\n", error,
                  cudaGetErrorString(static_cast<cudaError_t>(error % 1000)));
      return false;
    }
    for (size_t i = 0; i < out.size(); ++i) {
      if (std::memcmp(&out[i], &expected[i], sizeof out[i]) == 0) continue;
      std::printf("round %d: cell %zu is %.9g, not %.9g\n", round, i, out[i], expected[i]);
      return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  using namespace stencilc::check;
  const std::vector<Size> lines = {{1, 1, 1}, {33, 1, 1}, {100'003, 1, 1}};
  const std::vector<Size> planes = {{1, 1, 1}, {121, 9, 1}, {4099, 1021, 1}};
  const std::vector<Size> cubes = {{1, 1, 1}, {33, 7, 5}, {41, 13, 17}, {509, 251, 127}};
  std::vector<Size> all = lines;
  all.insert(all.end(), planes.begin() + 1, planes.end());
  all.insert(all.end(), cubes.begin() + 1, cubes.end());
  const Test tests[] = {
      {"shuffles of every type", lanes_test::run_lanes, reference_lanes, lines},
      {"copies of 4 bytes, ring of planes", streaming_test::run_streaming, reference_streaming, cubes},
      {"copies of 16 bytes, rows ahead of each lane", prefetched_test::run_prefetched,
       reference_guarded, planes},
      {"boxes of 1 to 3 axes", windows_test::run_windows, reference_streaming, all},
      {"boxes, one thread copies", boxes_test::run_boxes, reference_streaming, cubes},
      {"boxes, a warp produces", produced_test::run_produced, reference_streaming, cubes},
  };
  bool good = stencil::copies_boxes(boxes_test::boxes);
  std::printf("%s kernels that copy boxes are known as such\n", good ? "PASS" : "FAIL");
  for (const Test& test : tests) {
    bool passed = true;
    for (const Size size : test.sizes) {
      for (const int wide : {0, 1}) passed = passed && passes(test, size, wide);
    }
    std::printf("%s %s\n", passed ? "PASS" : "FAIL", test.name);
    good = good && passed;
  }
  return good ? 0 : 1;
}
