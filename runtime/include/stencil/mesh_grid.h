// The grids of a mesh, for every target.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "mesh_base.h"
#include "mesh_plan.h"

namespace stencil {

// One array on the pieces of a mesh: all its levels, and scratch. `Mesh` is that of the target.
template <typename Mesh>
class BasicMeshGrid : public stencil_mesh_grid {
 public:
  using Memory = typename Mesh::Memory;
  static constexpr int kMostBuffers = MeshProgram::kMostBuffers;

  // A failed allocation shows in status(), and in every later call. The mesh outlives the grid.
  BasicMeshGrid(Mesh& mesh, const MeshProgram& program, int array, const int64_t* extents)
      : stencil_mesh_grid(&mesh), mesh_(&mesh), array_(array) {
    status_ = mesh.status();
    if (status_.ok())
      status_ = MeshPlan::make(&plan_, program, extents, mesh.pieces(), mesh.cuts(), mesh.steps());
    if (!status_.ok()) return;
    layout_ = MeshLayout(plan_, array);
    for (int p = 0; p < plan_.pieces(); ++p) {
      Held one;
      one.planes = layout_.is_cut() ? plan_.held(p) : Piece{0, 1};
      held_.push_back(one);
    }
    for (int p = share().first(); p < share().end(); ++p)
      for (int b = 0; b < layout_.array().buffers && status_.ok(); ++b) allocate(p, b);
  }
  ~BasicMeshGrid() override {
    if (held_.empty() || !mesh_->can_release()) return;
    for (int p = share().first(); p < share().end(); ++p) {
      const typename Mesh::On on(*mesh_, p);
      for (void* memory : held_[static_cast<size_t>(p)].memory) Memory::release(memory);
    }
  }

  const Status& status() const { return status_; }
  const MeshPlan& plan() const { return plan_; }
  const MeshLayout& layout() const { return layout_; }
  int array() const { return array_; }
  Mesh& mesh() const { return *mesh_; }
  const MeshShare& share() const { return mesh_->share(); }
  stencil_mesh_grid* handle() { return this; }
  // The planes of this process; also of a grid that does not have the axis that is cut.
  Piece here() const {
    if (!status_.ok()) return {0, 0};
    if (!layout_.is_cut()) return {0, 1};
    const int64_t first = plan_.first(share().first());
    return {first, plan_.end(share().end() - 1) - first};
  }

  // The planes of a piece in memory, and where a buffer of it begins: at the first cell of the
  // first plane.
  const Piece& held(int p) const { return held_[static_cast<size_t>(p)].planes; }
  void** buffers(int p) { return held_[static_cast<size_t>(p)].at; }
  // A plane with its halo.
  char* plane_at(int p, int b, int64_t z) const {
    const Held& one = held_[static_cast<size_t>(p)];
    return static_cast<char*>(one.at[b]) - layout_.front() * layout_.array().size +
           (layout_.is_cut() ? z - one.planes.first : 0) * layout_.plane_bytes();
  }

  // Do pieces have the values of their neighbours' planes?
  bool is_exchanged() const { return exchanged_; }
  void set_exchanged(bool exchanged) {
    exchanged_ = exchanged;
    is_new_ = is_new_ && !exchanged;
  }
  // Was it filled since planes were exchanged? Then other processes lack what no step stores: all
  // values of an input, and ghost cells.
  bool is_new() const {
    const MeshArray& array = layout_.array();
    return is_new_ && is_cut() && (!array.changes || array.has_halo());
  }
  bool is_cut() const { return layout_.is_cut(); }

  void planes_here(int64_t* first, int64_t* planes) const override {
    *first = here().first;
    *planes = here().planes;
  }
  void part_of_whole(const int64_t* halo, size_t* first, size_t* bytes) const override {
    *first = *bytes = 0;
    if (!status_.ok()) return;
    const Halo<3> cells = halo_of(halo);
    *first = static_cast<size_t>(bytes_before(cells));
    *bytes = static_cast<size_t>(given_by(cells).planes * dense_bytes(cells));
  }
  Status from_host(const void* host, size_t bytes, int level, const int64_t* halo) override {
    const Halo<3> cells = halo_of(halo);
    const Status status = check_bytes(bytes, cells);
    return status.ok() ? copy_from(host, level, cells) : status;
  }
  Status to_host(void* host, size_t bytes, int level, const int64_t* halo) override {
    const Halo<3> cells = halo_of(halo);
    const Status status = check_bytes(bytes, cells);
    return status.ok() ? copy_to(host, level, cells) : status;
  }

 protected:
  // A dense host array of the planes of this process, x first: of the whole grid, where it has all
  // pieces. With a halo, which is at most that in memory, it lies around the cells; planes of it
  // are those beyond the ends of the grid, where the first and the last piece are. Waits for the
  // mesh.
  Status copy_from(const void* host, int level, const Halo<3>& halo) {
    Status status = ready(host, level, halo);
    const Piece given = given_by(halo);
    for (int p = share().first(); p < share().end() && status.ok(); ++p) {
      const Piece& held = this->held(p);
      const typename Mesh::On on(*mesh_, p);
      const bool wraps = plan_.program->wraps && layout_.is_cut();
      const int64_t planes = layout_.is_cut() ? plan_.planes() : 1;
      const int64_t behind = given.first + given.planes;
      // Planes that follow each other here and there.
      for (int64_t z = held.first, end = 0; z < held.first + held.planes && status.ok(); z = end) {
        const int64_t at = wraps ? (z % planes + planes) % planes : z;
        end = held.first + held.planes;
        // To the next place where what was given begins, or ends.
        const int64_t stop = at < given.first ? given.first : at < behind ? behind : planes;
        if (wraps || at < behind) end = z + stop - at < end ? z + stop - at : end;
        if (at < given.first || at >= behind) continue;
        status =
            Memory::upload(row_at(plane_at(p, level, z), halo),
                           static_cast<const char*>(host) + (at - given.first) * dense_bytes(halo),
                           planes_of(end - z, halo), element());
      }
    }
    exchanged_ = false;
    is_new_ = true;
    return status;
  }
  // Bytes of a dense array of the whole grid in front of the planes of this process.
  int64_t bytes_before(const Halo<3>& halo) const {
    if (!check_halo(halo).ok()) return 0;
    const int64_t more = plan_.program->wraps ? 0 : layout_.given_planes(halo);
    return (given_by(halo).first + more) * dense_bytes(halo);
  }
  Status copy_to(void* host, int level, const Halo<3>& halo) const {
    Status status = ready(host, level, halo);
    const Piece given = given_by(halo);
    const int first_piece = share().first(),
              last_piece = layout_.is_cut() ? share().end() - 1 : first_piece;
    for (int p = first_piece; p <= last_piece && status.ok(); ++p) {
      const typename Mesh::On on(*mesh_, p);
      const int64_t first = p == first_piece ? given.first : plan_.first(p);
      const int64_t end = p == last_piece ? given.first + given.planes : plan_.end(p);
      status = Memory::download(
          static_cast<char*>(host) + (first - given.first) * dense_bytes(halo),
          row_at(plane_at(p, level, first), halo), planes_of(end - first, halo), element());
    }
    return status;
  }

 private:
  struct Held {
    Piece planes;
    void* memory[kMostBuffers] = {};
    void* at[kMostBuffers] = {};  // rotate
  };

  Halo<3> halo_of(const int64_t* given) const {
    Halo<3> halo;
    if (!status_.ok()) return halo;
    for (int axis = 0; given != nullptr && axis < plan_.program->rank; ++axis)
      halo.at[axis] = given[axis];
    return halo;
  }
  Status check_bytes(size_t bytes, const Halo<3>& halo) const {
    const Status status = check_halo(halo);
    if (!status.ok()) return status;
    const int64_t all = given_by(halo).planes * dense_bytes(halo);
    if (bytes == static_cast<size_t>(all)) return {};
    return failure(Code::bad_extents,
                   "`%s`: the host array of a copy of `%s` has %llu bytes, and a "
                   "level has %lld",
                   plan_.program->name, layout_.array().name,
                   static_cast<unsigned long long>(bytes), static_cast<long long>(all));
  }
  size_t element() const { return static_cast<size_t>(layout_.array().size); }
  // The planes of a host array.
  Piece given_by(const Halo<3>& halo) const {
    Piece planes = here();
    if (!status_.ok()) return planes;
    const int64_t more = plan_.program->wraps ? 0 : layout_.given_planes(halo);
    if (share().first() == 0) planes = {planes.first - more, planes.planes + more};
    if (share().end() == plan_.pieces()) planes.planes += more;
    return planes;
  }
  void allocate(int p, int b) {
    Held& one = held_[static_cast<size_t>(p)];
    const typename Mesh::On on(*mesh_, p);
    status_ = Memory::allocate(&one.memory[b], layout_.bytes(one.planes.planes), "a piece");
    if (!status_.ok()) return;
    one.at[b] = static_cast<char*>(one.memory[b]) + layout_.rounded_front();
    if (mesh_->forgets())
      status_ = mesh_->forget(p, one.memory[b], layout_.bytes(one.planes.planes));
  }
  // Bytes of a plane of a dense array.
  int64_t dense_bytes(const Halo<3>& halo) const {
    return (layout_.cells(0) + 2 * layout_.given(0, halo)) *
           (layout_.cells(1) + 2 * layout_.given(1, halo)) * layout_.array().size;
  }
  char* row_at(char* plane, const Halo<3>& halo) const {
    return plane +
           (layout_.front() - layout_.given(1, halo) * layout_.pitch() - layout_.given(0, halo)) *
               layout_.array().size;
  }
  Shape planes_of(int64_t count, const Halo<3>& halo) const {
    return {3,
            layout_.cells(0) + 2 * layout_.given(0, halo),
            layout_.cells(1) + 2 * layout_.given(1, halo),
            count,
            layout_.pitch(),
            layout_.plane()};
  }
  Status check_halo(const Halo<3>& halo) const {
    if (!status_.ok()) return status_;
    const MeshArray& array = layout_.array();
    for (int axis = 0; axis < 3; ++axis)
      if (halo[axis] < 0 || halo[axis] > array.around[axis])
        return failure(Code::bad_extents, "`%s`: `%s` has a smaller halo than a copy asks for",
                       plan_.program->name, array.name);
    return {};
  }
  Status ready(const void* host, int level, const Halo<3>& halo) const {
    const Status status = check_halo(halo);
    if (!status.ok()) return status;
    const MeshArray& array = layout_.array();
    if (host == nullptr)
      return failure(Code::null_pointer, "`%s`: the host array of a copy of `%s` is a null pointer",
                     plan_.program->name, array.name);
    if (level < 0 || level >= array.levels)
      return failure(Code::bad_extents, "`%s`: `%s` has %d levels, and a copy asks for t-%d",
                     plan_.program->name, array.name, array.levels, level);
    return mesh_->synchronize();
  }

  Mesh* mesh_;
  MeshPlan plan_;
  MeshLayout layout_;
  int array_;
  std::vector<Held> held_;
  Status status_;
  bool exchanged_ = false, is_new_ = true;
};

// The same with elements of this type.
template <typename T, typename Mesh>
class TypedMeshGrid : public BasicMeshGrid<Mesh> {
  using Base = BasicMeshGrid<Mesh>;

 public:
  template <int Rank>
  TypedMeshGrid(Mesh& mesh, const MeshField<T, Rank>& field, const Extents<Rank>& extents)
      : Base(mesh, *field.program, field.array, extents.at) {}

  // Where the planes of this process begin in a dense array of the whole grid.
  T* part_of(T* whole, const Halo<3>& halo = {}) const {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(whole) + Base::bytes_before(halo));
  }
  // Level 0 is the newest one.
  Status copy_from(const T* host, int level = 0, const Halo<3>& halo = {}) {
    return Base::copy_from(host, level, halo);
  }
  Status copy_to(T* host, int level = 0, const Halo<3>& halo = {}) const {
    return Base::copy_to(host, level, halo);
  }
};

// Makes a grid for a caller in C, for the array of this name.
template <typename Mesh, int Rank>
int open_mesh_grid(const MeshProgram& program, stencil_mesh* handle, const char* name,
                   const int64_t (&extents)[Rank], stencil_mesh_grid** out) {
  if (out == nullptr) return code_of(null_handle("the place for a grid"));
  *out = nullptr;
  Mesh* mesh = nullptr;
  Status status = mesh_of(handle, program.name, &mesh);
  if (!status.ok()) return code_of(status);
  int array = 0;
  char names[160] = "";
  for (; array < program.count; ++array) {
    const char* const one = program.arrays[array].name;
    if (name != nullptr && std::strcmp(one, name) == 0) break;
    const size_t used = std::strlen(names);
    std::snprintf(names + used, sizeof names - used, "%s%s", array == 0 ? "" : ", ", one);
  }
  if (array == program.count)
    return code_of(failure(Code::bad_extents, "`%s` has no array `%s`; it has %s", program.name,
                           name == nullptr ? "" : name, names));
  auto* const grid = new BasicMeshGrid<Mesh>(*mesh, program, array, extents);
  status = grid->status();
  if (status.ok())
    *out = grid;
  else
    delete grid;
  return code_of(status);
}

}  // namespace stencil
