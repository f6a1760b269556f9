// What scripts/gpu-mesh times: a program on one GPU, and the same on the pieces of a mesh. Cells
// get values that depend on their place in the grid alone, and digests of the results can be
// compared.
#pragma once

#include <stencil/mesh_cuda.h>
#include <stencil/tcp.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

struct Case {
  int64_t extents[3];
  int32_t devices, pieces;  // pieces beyond the devices lie on these in turn
  int32_t form, feed;       // stencil::MeshForm, stencil::MeshFeed
  int32_t link;             // stencil::MeshLink, of as many processes as pieces; -1: one process
  int64_t leg_steps;        // 0: those of a launch
  int64_t checked;          // steps before the digest
  int32_t times_host;       // 0: no
};
struct Result {
  uint64_t digest;
  // Seconds in which the host asked for a leg of few, and for a further one.
  double host, further;
  int64_t leg_steps;
  char message[320];
};

namespace harness {

__host__ __device__ inline uint64_t mixed(uint64_t seed, uint64_t index) {
  uint64_t z = (seed + 1) * 0xd1342543de82ef95u + index * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Cells of rows that are `pitch` apart; `first`: the number of the first row in the grid, of `rows`
// in all, as often as they repeat.
template <typename T>
__global__ void fill_rows(T* cells, int64_t nx, int64_t pitch, int64_t count, int64_t first,
                          int64_t rows, uint64_t seed) {
  for (int64_t i = blockIdx.x * int64_t{256} + threadIdx.x; i < nx * count;
       i += int64_t{gridDim.x} * 256) {
    const int64_t row = ((first + i / nx) % rows + rows) % rows;
    cells[i / nx * pitch + i % nx] =
        static_cast<T>(static_cast<double>(mixed(seed, row * nx + i % nx) >> 40) * 0x1p-24);
  }
}
template <typename T>
__global__ void digest_rows(const T* cells, int64_t nx, int64_t pitch, int64_t count, int64_t first,
                            unsigned long long* sum) {
  unsigned long long mine = 0;
  for (int64_t i = blockIdx.x * int64_t{256} + threadIdx.x; i < nx * count;
       i += int64_t{gridDim.x} * 256) {
    uint64_t bits = 0;
    memcpy(&bits, &cells[i / nx * pitch + i % nx], sizeof(T));
    mine += mixed(bits, (first + i / nx) * nx + i % nx);
  }
  atomicAdd(sum, mine);
}

template <typename T>
void fill(T* cells, int64_t nx, int64_t pitch, int64_t count, int64_t first, int64_t rows,
          uint64_t seed) {
  fill_rows<<<1024, 256>>>(cells, nx, pitch, count, first, rows, seed);
}
template <typename T>
uint64_t digest(const T* cells, int64_t nx, int64_t pitch, int64_t count, int64_t first) {
  unsigned long long *sum = nullptr, result = 0;
  (void)cudaMalloc(&sum, sizeof *sum);
  (void)cudaMemset(sum, 0, sizeof *sum);
  digest_rows<<<1024, 256>>>(cells, nx, pitch, count, first, sum);
  (void)cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  (void)cudaFree(sum);
  return result;
}

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline bool failed(const stencil::Status& status, Result* result) {
  if (status.ok()) return false;
  std::snprintf(result->message, sizeof result->message, "%s", status.message());
  return true;
}

// A program with its grids.
struct Held {
  int device = 0;  // of one without a mesh

  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  virtual ~Held() = default;
  virtual stencil::Status status() const = 0;
  virtual int64_t leg_steps() const = 0;
  virtual stencil::Status run(int64_t steps) = 0;  // starts it
  virtual stencil::Status wait() = 0;
  virtual void fill() = 0;
  virtual uint64_t digest() = 0;
};
inline stencil::Status waited() { return stencil::cuda_status(cudaDeviceSynchronize(), "a run"); }
template <typename Run>
stencil::Status each(int64_t steps, const Run& run) {
  stencil::Status status;
  for (int64_t n = 0; n < steps && status.ok(); ++n) status = run();
  return status;
}

// What the host takes for legs that the devices' queues have room for. A run of few also takes
// what comes before its first leg, and where legs are recorded, the time for that.
inline bool time_host(Held& held, Result* result) {
  constexpr int64_t few = 33, more = 16;
  const int64_t leg = result->leg_steps > 0 ? result->leg_steps : 1;
  double least[2] = {};
  for (int turn = 0; turn < 6; ++turn) {
    const int which = turn % 2;
    const double start = now();
    if (failed(held.run((few + which * more) * leg), result)) return false;
    const double taken = now() - start;
    if (failed(held.wait(), result)) return false;
    if (turn < 2 || taken < least[which]) least[which] = taken;
  }
  result->host = least[0] / few;
  result->further = (least[1] - least[0]) / more;
  return true;
}

// ---- one GPU ----

template <typename T, int Rank>
void fill(stencil::Grid<T, Rank>& grid, uint64_t seed) {
  const stencil::Shape& shape = grid.shape();  // planes follow each other without a gap
  fill(grid.data(), shape.nx, shape.pitch, shape.ny * shape.nz, 0, shape.ny * shape.nz, seed);
}
template <typename T, int Rank>
uint64_t digest(stencil::Grid<T, Rank>& grid, uint64_t seed) {
  const stencil::Shape& shape = grid.shape();
  return mixed(seed, digest(grid.data(), shape.nx, shape.pitch, shape.ny * shape.nz, 0));
}

// ---- a mesh ----

inline stencil::Mesh mesh_of(const Case& one) {
  if (one.link >= 0) {
    static stencil::Tcp processes = stencil::Tcp::from_environment();
    return stencil::Mesh::across(processes, {processes.rank() % one.devices},
                                 static_cast<stencil::MeshLink>(one.link));
  }
  int devices[64];
  for (int p = 0; p < one.pieces && p < 64; ++p) devices[p] = p % one.devices;
  return stencil::Mesh::devices(devices, one.pieces);
}

inline stencil::Mesh& set(stencil::Mesh& mesh, const Case& one) {
  return mesh.legs_of(one.leg_steps)
      .in_form(static_cast<stencil::MeshForm>(one.form))
      .fed_by(static_cast<stencil::MeshFeed>(one.feed));
}

template <typename T>
void fill(stencil::MeshGrid<T>& grid, int level, uint64_t seed) {
  const stencil::MeshPlan& plan = grid.plan();
  const int64_t rows = grid.layout().cells(1);
  for (int p = grid.share().first(); p < grid.share().end(); ++p) {
    const stencil::Mesh::On on(grid.mesh(), p);
    const stencil::Piece& held = grid.held(p);
    fill(static_cast<T*>(grid.buffers(p)[level]), grid.layout().cells(0), grid.layout().pitch(),
         rows * held.planes, held.first * rows, rows * plan.planes(), seed);
    (void)cudaDeviceSynchronize();
  }
}
template <typename T>
uint64_t digest(stencil::MeshGrid<T>& grid, int level, uint64_t seed) {
  const stencil::MeshPlan& plan = grid.plan();
  const int64_t rows = grid.layout().cells(1);
  uint64_t sum = 0;
  for (int p = grid.share().first(); p < grid.share().end(); ++p) {
    const stencil::Mesh::On on(grid.mesh(), p);
    sum += digest(static_cast<const T*>(grid.buffers(p)[level]) +
                      (plan.first(p) - grid.held(p).first) * grid.layout().plane(),
                  grid.layout().cells(0), grid.layout().pitch(),
                  rows * (plan.end(p) - plan.first(p)), plan.first(p) * rows);
  }
  if (stencil::Communicator* const processes = grid.share().communicator(); processes != nullptr) {
    std::vector<uint64_t> all(static_cast<size_t>(processes->size()), 0);
    const stencil::Status gathered = processes->gather(
        &sum, all.data(), std::vector<int64_t>(all.size(), int64_t{sizeof sum}));
    sum = 0;
    for (const uint64_t part : all) sum += part;
    if (gathered.ok()) (void)processes->broadcast(&sum, int64_t{sizeof sum}).ok();
  }
  return mixed(seed, sum);
}

}  // namespace harness
