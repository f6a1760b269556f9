// What is behind the handles of mesh_c.h: the meshes and grids of every target.
#pragma once

#include <cstring>

#include "communicator.h"

struct stencil_mesh {
  virtual ~stencil_mesh() = default;
  virtual const char* target() const = 0;
  virtual stencil::Status synchronize() const = 0;

  int grids = 0;  // that are on it

 protected:
  stencil_mesh() = default;
  stencil_mesh(const stencil_mesh&) = default;
  stencil_mesh& operator=(const stencil_mesh&) = default;
};

struct stencil_mesh_grid {
  virtual ~stencil_mesh_grid() { --owner->grids; }
  virtual stencil::Status from_host(const void* host, size_t bytes, int level,
                                    const int64_t* halo) = 0;
  virtual stencil::Status to_host(void* host, size_t bytes, int level, const int64_t* halo) = 0;
  virtual void planes_here(int64_t* first, int64_t* planes) const = 0;
  // Where the planes of this process are in a dense array of the whole grid, in bytes.
  virtual void part_of_whole(const int64_t* halo, size_t* first, size_t* bytes) const = 0;

  stencil_mesh* const owner;

 protected:
  explicit stencil_mesh_grid(stencil_mesh* mesh) : owner(mesh) { ++owner->grids; }
  stencil_mesh_grid(const stencil_mesh_grid&) = delete;
  stencil_mesh_grid& operator=(const stencil_mesh_grid&) = delete;
};

namespace stencil {

// A mesh as that of the target of a program, for which it may not be.
template <typename Mesh>
Status mesh_of(stencil_mesh* handle, const char* program, Mesh** mesh) {
  if (handle == nullptr)
    return failure(Code::null_pointer, "`%s`: the mesh is a null pointer", program);
  if (std::strcmp(handle->target(), Mesh::kTarget) != 0)
    return failure(Code::bad_extents,
                   "`%s`: the mesh is for programs of the target %s, and this one's is %s", program,
                   handle->target(), Mesh::kTarget);
  *mesh = static_cast<Mesh*>(handle);
  return {};
}

// Makes a mesh for a caller in C.
template <typename Make>
int open_mesh(stencil_mesh** handle, const Make& make) {
  if (handle == nullptr) return code_of(null_handle("the place for a mesh"));
  *handle = nullptr;
  auto* const mesh = new auto(make());
  const Status status = mesh->status();
  if (status.ok())
    *handle = mesh;
  else
    delete mesh;
  return code_of(status);
}

// Copies of which the host array is that of the whole grid, also where this process has only some
// planes of it; or has those planes alone.
inline int copy_from_array(stencil_mesh_grid* grid, const void* array, bool whole, int level,
                           const int64_t* halo) {
  size_t first = 0, bytes = 0;
  grid->part_of_whole(halo, &first, &bytes);
  const char* const at = static_cast<const char*>(array) + (whole ? first : 0);
  return code_of(grid->from_host(at, bytes, level, halo));
}
inline int copy_to_array(stencil_mesh_grid* grid, void* array, bool whole, int level,
                         const int64_t* halo) {
  size_t first = 0, bytes = 0;
  grid->part_of_whole(halo, &first, &bytes);
  char* const at = static_cast<char*>(array) + (whole ? first : 0);
  return code_of(grid->to_host(at, bytes, level, halo));
}

// Makes a mesh of several processes for a caller in C.
template <typename Make>
int open_mesh_across(stencil_communicator* processes, stencil_mesh** handle, const Make& make) {
  if (processes == nullptr) return code_of(null_handle("the communicator of a mesh"));
  return open_mesh(handle, [&] { return make(*static_cast<Communicator*>(processes)); });
}

}  // namespace stencil

// As stencil_last_error(): for callers that cannot instantiate them.
extern "C" {

__attribute__((used)) inline int stencil_mesh_synchronize(stencil_mesh* mesh) {
  return stencil::code_of(mesh == nullptr ? stencil::null_handle("the mesh") : mesh->synchronize());
}

__attribute__((used)) inline int stencil_mesh_close(stencil_mesh* mesh) {
  if (mesh == nullptr) return STENCIL_OK;
  if (mesh->grids != 0)
    return stencil::code_of(stencil::failure(
        stencil::Code::aliasing, "a mesh is closed that has %d open grids; close these before",
        mesh->grids));
  const stencil::Status status = mesh->synchronize();
  delete mesh;
  return stencil::code_of(status);
}

__attribute__((used)) inline int stencil_mesh_grid_copy_from(stencil_mesh_grid* grid,
                                                             const void* host, size_t bytes,
                                                             int level, const int64_t* halo) {
  return stencil::code_of(grid == nullptr ? stencil::null_handle("the grid of a copy")
                                          : grid->from_host(host, bytes, level, halo));
}

__attribute__((used)) inline int stencil_mesh_grid_copy_to(stencil_mesh_grid* grid, void* host,
                                                           size_t bytes, int level,
                                                           const int64_t* halo) {
  return stencil::code_of(grid == nullptr ? stencil::null_handle("the grid of a copy")
                                          : grid->to_host(host, bytes, level, halo));
}

__attribute__((used)) inline int stencil_mesh_grid_here(const stencil_mesh_grid* grid,
                                                        int64_t* first, int64_t* planes) {
  if (grid == nullptr || first == nullptr || planes == nullptr)
    return stencil::code_of(stencil::null_handle("the grid, or a place for its planes,"));
  grid->planes_here(first, planes);
  return STENCIL_OK;
}

__attribute__((used)) inline int stencil_mesh_grid_close(stencil_mesh_grid* grid) {
  if (grid == nullptr) return STENCIL_OK;
  const stencil::Status status = grid->owner->synchronize();
  delete grid;
  return stencil::code_of(status);
}

}  // extern "C"
