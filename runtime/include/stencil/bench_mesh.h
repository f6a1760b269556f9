// Filling the grids of a mesh where they are. For the adapter of bench_call.h, after bench_cuda.h
// or bench_cpu.h and the mesh of the target.
#pragma once

#include "bench_values.h"
#include "mesh.h"

namespace stencil {
inline namespace STENCIL_TARGET {
namespace bench {

// A level of a grid on all pieces, with its halo: the values do not depend on the pieces. Planes of
// the neighbours have those, too.
template <typename T, typename Mesh>
Status fill_pieces(stencil_mesh_grid* handle, int level, uint64_t seed) {
  auto& grid = *static_cast<BasicMeshGrid<Mesh>*>(handle);
  Status status = grid.status();
  for (int p = grid.share().first(); p < grid.share().end() && status.ok(); ++p) {
    const typename Mesh::On on(grid.mesh(), p);
    const Piece& held = grid.held(p);
    const int64_t planes = grid.plan().planes(), plane = grid.layout().plane();
    const bool wraps = grid.is_cut() && grid.plan().program->wraps;
    for (int64_t z = held.first, end = 0; z < held.first + held.planes && status.ok(); z = end) {
      const int64_t at = wraps ? (z % planes + planes) % planes : z;
      end = held.first + held.planes;
      if (wraps && planes - at < end - z) end = z + planes - at;
      status = fill_array(reinterpret_cast<T*>(grid.plane_at(p, level, z)), (end - z) * plane, seed,
                          at * plane);
    }
  }
  grid.set_exchanged(false);
  const Status filled = grid.mesh().synchronize();
  return status.ok() ? filled : status;
}

// The checksum of a level; it does not depend on the pieces.
template <typename T, typename Mesh>
Status add_checksum_of_pieces(stencil_mesh_grid* handle, int level, uint64_t& checksum) {
  const auto& grid = *static_cast<BasicMeshGrid<Mesh>*>(handle);
  const MeshLayout& layout = grid.layout();
  Status status = grid.status();
  uint64_t sum = 0;
  const int first = grid.share().first(), end = grid.is_cut() ? grid.share().end() : first + 1;
  for (int p = first; p < end && status.ok(); ++p) {
    const typename Mesh::On on(grid.mesh(), p);
    const int64_t z = grid.is_cut() ? grid.plan().first(p) : 0;
    const int64_t planes = grid.is_cut() ? grid.plan().end(p) - z : 1;
    const T* const cells = reinterpret_cast<const T*>(grid.plane_at(p, level, z)) + layout.front();
    const Shape shape{3, layout.cells(0), layout.cells(1), planes, layout.pitch(), layout.plane()};
    status = add_cells(cells, shape, z * shape.nx * shape.ny, sum);
  }
  checksum = random_bits(checksum, sum);
  return status;
}

}  // namespace bench
}  // namespace STENCIL_TARGET
}  // namespace stencil
