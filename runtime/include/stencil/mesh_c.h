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
typedef struct stencil_communicator stencil_communicator;

/* For programs of the target CUDA: a piece on each of these devices, on each of the first `count`
 * devices, or so many pieces on the current device, which is for tests. */
int stencil_cuda_mesh_of(const int* devices, int count, stencil_mesh** mesh);
int stencil_cuda_mesh_of_first(int count, stencil_mesh** mesh);
int stencil_cuda_mesh_in_pieces(int count, stencil_mesh** mesh);
/* For programs of the target CPU: so many pieces in the memory of this process. */
int stencil_cpu_mesh_in_pieces(int count, stencil_mesh** mesh);
/* Of several processes, each of which calls this: with a piece on each of these devices here, or
 * for `count` 0 on one that is chosen by the number of the process; on the CPU with one piece. */
int stencil_cuda_mesh_across(stencil_communicator* processes, const int* devices, int count,
                             stencil_mesh** mesh);
int stencil_cpu_mesh_across(stencil_communicator* processes, stencil_mesh** mesh);
/* Waits for all runs. */
int stencil_mesh_synchronize(stencil_mesh* mesh);
/* Waits, and releases the mesh, whose grids are closed before. A null pointer is no mistake. */
int stencil_mesh_close(stencil_mesh* mesh);

/* Grids are made by NAME_grid(), which the header of a program declares. Copies are from and to a
 * dense array of the whole grid, x first, and wait for the mesh; of a mesh of several processes,
 * of the planes that are here. `bytes` is the size of that array. Level 0 is the newest. `halo` is null, or has a number for each axis of the program: the cells
 * that the array has beyond either end, which are at most those of the grid. */
int stencil_mesh_grid_copy_from(stencil_mesh_grid* grid, const void* host, size_t bytes, int level,
                                const int64_t* halo);
int stencil_mesh_grid_copy_to(stencil_mesh_grid* grid, void* host, size_t bytes, int level,
                              const int64_t* halo);
/* The planes of the grid that this process has: the first one, and how many they are. */
int stencil_mesh_grid_here(const stencil_mesh_grid* grid, int64_t* first, int64_t* planes);
/* A null pointer is no mistake. */
int stencil_mesh_grid_close(stencil_mesh_grid* grid);

/* The processes of a mesh. The first two are in stencil/tcp.h and the third in stencil/mpi.h, which
 * one file of C++ of the program includes. `comm` is the number of an MPI communicator, as
 * MPI_Comm_c2f() and Fortran have it. Meshes are closed before what they are made of. */
int stencil_tcp_from_environment(stencil_communicator** processes);
int stencil_tcp_open(int rank, int size, const char* address, int port,
                     stencil_communicator** processes);
int stencil_mpi_open(int comm, stencil_communicator** processes);
int stencil_communicator_close(stencil_communicator* processes);

#ifdef __cplusplus
}
#endif
#endif
