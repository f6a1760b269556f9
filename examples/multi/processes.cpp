// The Gray-Scott reaction on pieces of several processes:
//
//   mpirun -n PROCESSES processes [NX NY [STEPS]]
//
// Each process has one piece and the planes of it alone. Then each takes the same steps on the
// whole grid by itself, and compares the bits. Built without MPI, it finds the other processes by
// the environment that torchrun or Slurm set.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef PROCESSES_BY_MPI
#include <stencil/mpi.h>
#else
#include <stencil/tcp.h>
#endif

#include "gray_scott.h"

namespace {

// The planes from `first` on: a square of the second substance in the middle of the first.
std::vector<float> start(int64_t nx, int64_t ny, const stencil::Piece& planes, float outside,
                         float inside) {
  std::vector<float> cells;
  for (int64_t y = planes.first; y < planes.first + planes.planes; ++y)
    for (int64_t x = 0; x < nx; ++x) {
      const bool square = y >= ny * 2 / 5 && y < ny * 3 / 5 && x >= nx * 2 / 5 && x < nx * 3 / 5;
      cells.push_back(square ? inside : outside);
    }
  return cells;
}

struct Result {
  stencil::Status status;
  stencil::Piece planes;
  std::vector<float> u, v;
};
Result run(stencil::Mesh& mesh, int64_t nx, int64_t ny, int64_t steps) {
  stencil::MeshGrid<float> u(mesh, gray_scott::fields::u, {nx, ny});
  stencil::MeshGrid<float> v(mesh, gray_scott::fields::v, {nx, ny});
  Result result;
  result.planes = u.here();
  result.u = start(nx, ny, result.planes, 1.0f, 0.5f);
  result.v = start(nx, ny, result.planes, 0.0f, 0.25f);
  stencil::Status status = u.copy_from(result.u.data());
  if (status.ok()) status = v.copy_from(result.v.data());
  if (status.ok()) status = gray_scott::run({.u = u, .v = v}, stencil::Steps{steps}, mesh);
  if (status.ok()) status = u.copy_to(result.u.data());
  if (status.ok()) status = v.copy_to(result.v.data());
  result.status = status;
  return result;
}

bool same(const std::vector<float>& part, const std::vector<float>& whole, size_t before) {
  return std::memcmp(part.data(), whole.data() + before, part.size() * sizeof(float)) == 0;
}

int compare(stencil::Communicator& processes, int64_t nx, int64_t ny, int64_t steps) {
  stencil::Status status = processes.status();
  bool agrees = false;
  if (status.ok()) {
    stencil::Mesh mesh = stencil::Mesh::across(processes);
    const Result part = run(mesh, nx, ny, steps);
    stencil::Mesh one = stencil::Mesh::devices(1);
    const Result whole = run(one, nx, ny, steps);
    status = part.status.ok() ? whole.status : part.status;
    const size_t before = static_cast<size_t>(part.planes.first * nx);
    agrees = status.ok() && same(part.u, whole.u, before) && same(part.v, whole.v, before);
    std::printf("process %d of %d has the planes from %lld to %lld: %s\n", processes.rank(),
                processes.size(), static_cast<long long>(part.planes.first),
                static_cast<long long>(part.planes.first + part.planes.planes),
                agrees ? "the bits are the same" : "the bits differ");
  }
  if (!status.ok()) std::fprintf(stderr, "process %d: %s\n", processes.rank(), status.message());
  return agrees ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
#ifdef PROCESSES_BY_MPI
  MPI_Init(&count, &words);
#endif
  const auto number = [&](int n, long standard) {
    return n < count ? std::max(1L, std::atol(words[n])) : standard;
  };
  const int64_t nx = number(1, 512), ny = number(2, nx), steps = number(3, 1000);
  int code = 1;
  {
#ifdef PROCESSES_BY_MPI
    stencil::Mpi processes(MPI_COMM_WORLD);
#else
    stencil::Tcp processes = stencil::Tcp::from_environment();
#endif
    code = compare(processes, nx, ny, steps);
  }
#ifdef PROCESSES_BY_MPI
  // After a failure another process may never come to the end.
  if (code != 0) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
#endif
  return code;
}
