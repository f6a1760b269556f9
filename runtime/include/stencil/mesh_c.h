/* Meshes and their grids for callers in C, Fortran and Python: what NAME_run_on() takes. In C++
 * they are stencil::Mesh and stencil::MeshGrid (mesh.h).
 *
 * Every function returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then
 * says what is wrong. What makes a handle stores a null pointer where it fails. */
#ifndef STENCIL_MESH_C_H
#define STENCIL_MESH_C_H

#include <stdint.h>

#include "codes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stencil_mesh stencil_mesh;
typedef struct stencil_mesh_grid stencil_mesh_grid;

/* For programs of the target CUDA: a piece on each of these devices, on each of the first `count`
 * devices, or so many pieces on the current device, which is for tests. */
int stencil_cuda_mesh_of(const int* devices, int count, stencil_mesh** mesh);
int stencil_cuda_mesh_of_first(int count, stencil_mesh** mesh);
int stencil_cuda_mesh_in_pieces(int count, stencil_mesh** mesh);
/* For programs of the target CPU: so many pieces in the memory of this process. */
int stencil_cpu_mesh_in_pieces(int count, stencil_mesh** mesh);
/* Waits for all runs. */
int stencil_mesh_synchronize(stencil_mesh* mesh);
/* Waits, and releases the mesh, whose grids are closed before. A null pointer is no mistake. */
int stencil_mesh_close(stencil_mesh* mesh);

/* Grids are made by NAME_grid(), which the header of a program declares. Copies are from and to a
 * dense array of the whole grid, x first, and wait for the mesh. `bytes` is the size of that array.
 * Level 0 is the newest. `halo` is null, or has a number for each axis of the program: the cells
 * that the array has beyond either end, which are at most those of the grid. */
int stencil_mesh_grid_copy_from(stencil_mesh_grid* grid, const void* host, size_t bytes, int level,
                                const int64_t* halo);
int stencil_mesh_grid_copy_to(stencil_mesh_grid* grid, void* host, size_t bytes, int level,
                              const int64_t* halo);
/* A null pointer is no mistake. */
int stencil_mesh_grid_close(stencil_mesh_grid* grid);

#ifdef __cplusplus
}
#endif
#endif
