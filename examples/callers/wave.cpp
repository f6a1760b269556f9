// Calls a stencil from C++17, through its function for C and through grids. Build and run it in
// this folder:
//
//   stencilc ../wave2d.stn --target=cpu --emit=so -o libwave2d.so -H wave2d.h
//   g++ -std=c++17 wave.cpp -L. -lwave2d -Wl,-rpath,. -o wave
//   ./wave
#include <cstdio>
#include <utility>
#include <vector>

#include "wave2d.h"

namespace {

constexpr int64_t nx = 64, ny = 48;

std::vector<float> bump() {
  std::vector<float> cells(nx * ny);
  cells[20 * nx + 30] = 1.0f;
  return cells;
}

// Grids check what pointers cannot tell, and rows are aligned for vectors.
stencil::Status run_on_grids(std::vector<float>& result) {
  stencil::Grid<float, 2> u({nx, ny}), before({nx, ny});
  const std::vector<float> start = bump();
  stencil::Status status = u.copy_from(start.data());
  if (status.ok()) status = before.copy_from(start.data());
  if (status.ok()) status = wave2d::run({u, before}, stencil::Steps{100});
  result.resize(start.size());
  return status.ok() ? u.copy_to(result.data()) : status;
}

}  // namespace

int main() {
  std::vector<float> newest = bump(), before = bump(), on_grids;
  float* u[] = {newest.data(), before.data()};  // level t, and level t-1; a run swaps the pointers
  if (wave2d_run(u, nx, ny, nx, 0.25f, 100) != STENCIL_OK) {
    std::fprintf(stderr, "%s\n", stencil_last_error());
    return 1;
  }
  std::printf("u(30,20) = %.6f, u(0,0) = %.6f\n", u[0][20 * nx + 30], u[0][0]);

  // A call with a mistake changes nothing.
  const int code = wave2d_run(u, nx, ny, nx, 0.25f, -1);
  std::printf("code %d%s: %s\n", code, code == STENCIL_NEGATIVE_STEPS ? ", as expected" : "",
              stencil_last_error());

  if (const stencil::Status status = run_on_grids(on_grids); !status.ok()) {
    std::fprintf(stderr, "%s\n", status.message());
    return 1;
  }
  const std::vector<float> by_pointers(u[0], u[0] + nx * ny);
  return on_grids == by_pointers ? 0 : 1;
}
