// Filling the grids of a mesh where they are. For the adapter of bench_call.h, after bench_cuda.h
// or bench_cpu.h and the mesh of the target.
#pragma once

#include <type_traits>

#include "bench_values.h"
#include "mesh.h"

namespace stencil {
inline namespace STENCIL_TARGET {
namespace bench {

// A level of a grid on all pieces, with its halo. The planes beside the windows get other values
// than the neighbours have there: a run exchanges those that it changes, and in others only the
// times are looked at.
template <typename T, typename Mesh>
Status fill_pieces(stencil_mesh_grid* handle, int level, uint64_t seed) {
  auto& grid = *static_cast<BasicMeshGrid<Mesh>*>(handle);
  Status status = grid.status();
  for (int p = grid.share().first(); p < grid.share().end() && status.ok(); ++p) {
    const typename Mesh::On on(grid.mesh(), p);
    const Piece& held = grid.held(p);
    T* const to = reinterpret_cast<T*>(grid.plane_at(p, level, held.first));
    const int64_t count = held.planes * grid.layout().plane();
    if constexpr (std::is_void_v<decltype(fill_array(to, count, seed))>)
      fill_array(to, count, seed);
    else
      status = fill_array(to, count, seed);
  }
  grid.set_exchanged(false);
  const Status filled = grid.mesh().synchronize();
  return status.ok() ? filled : status;
}

}  // namespace bench
}  // namespace STENCIL_TARGET
}  // namespace stencil
