// Runs of programs on a grid that is cut along its last axis into pieces, each with memory of its
// own: code that is emitted with --distributed. What is the same for every target; mesh_devices.h
// and mesh_cpu.h have the meshes.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "mesh_grid.h"

namespace stencil {

// A call for a window, or a part of one.
template <typename Mesh, int Arrays>
struct MeshLeg {
  int piece;
  int64_t steps;
  Window window;
  typename Mesh::Memory::Stream stream;
  bool reduces;
  // Those of each array, which the call rotates.
  void** at[Arrays];

  template <typename T>
  T** levels(int array) const {
    return reinterpret_cast<T**>(at[array]);
  }
  template <typename T>
  T* only(int array) const {
    return static_cast<T*>(at[array][0]);
  }
};

// A run of a program on the pieces of a mesh: legs, and between them exchanges. `Arrays`: of the
// program. The mesh of the target says how legs follow each other.
template <typename Mesh, int Arrays>
class BasicMeshRun {
 public:
  using Grid = BasicMeshGrid<Mesh>;
  using Leg = MeshLeg<Mesh, Arrays>;
  static constexpr int kMostBuffers = MeshProgram::kMostBuffers;

  template <typename... Given>
  BasicMeshRun(const MeshProgram& program, stencil_mesh* mesh, Given*... given)
      : program_(program) {
    static_assert(sizeof...(Given) == Arrays, "a grid for each array");
    stencil_mesh_grid* const grids[] = {given...};
    status_ = mesh_of(mesh, program.name, &mesh_);
    if (status_.ok()) status_ = mesh_->status();
    for (int a = 0; a < Arrays && status_.ok(); ++a) take(a, grids[a]);
  }
  BasicMeshRun(const BasicMeshRun&) = delete;
  BasicMeshRun& operator=(const BasicMeshRun&) = delete;
  // Other processes wait for this one, also where it never came to a leg.
  ~BasicMeshRun() { agree(); }

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  // Keeps the first failure.
  void take(const Status& status) {
    if (!status_.ok() || status.ok()) return;
    status_ = status;
    if (agreed_ && communicator() != nullptr) communicator()->fail(status);
  }
  // Before the first leg: all processes begin the same run, and none has failed.
  void agree() {
    if (agreed_ || mesh_ == nullptr || communicator() == nullptr) return;
    char what[Status::text_size];
    std::snprintf(what, sizeof what, "`%s`", program_.name);
    if (ok())
      std::snprintf(what, sizeof what,
                    "`%s` of %lld steps, grid %lldx%lldx%lld, legs of %lld, cuts %08x, inputs "
                    "%llx",
                    program_.name, static_cast<long long>(steps_),
                    static_cast<long long>(extent(0)), static_cast<long long>(extent(1)),
                    static_cast<long long>(extent(2)), static_cast<long long>(plan().steps),
                    folded(plan().cuts_hash()), static_cast<unsigned long long>(new_inputs()));
    const Status all = communicator()->agree(status_, what, compared_);
    take(all);
    agreed_ = true;
  }

  void check_steps(int64_t steps) {
    steps_ = steps;
    if (steps < 0)
      take(failure(Code::negative_steps, "`%s`: the step count is %lld; it must be at least 0",
                   program_.name, static_cast<long long>(steps)));
  }

  // What all processes have to be given alike: a number, or a list of so many.
  template <typename T>
  void compare(const char* name, const T& value) {
    compare(name, &value, 1);
  }
  template <typename T>
  void compare(const char* name, const T* values, int64_t count) {
    if (mesh_ == nullptr || communicator() == nullptr) return;
    const int64_t bytes = values == nullptr || count < 0 ? 0 : count * int64_t{sizeof(T)};
    const char* const from = reinterpret_cast<const char*>(values);
    uint64_t hash = Communicator::mixed(1, static_cast<uint64_t>(count));
    for (int64_t at = 0; at < bytes; at += int64_t{sizeof hash}) {
      uint64_t word = 0;
      const int64_t left = bytes - at;
      std::memcpy(&word, from + at, left < int64_t{sizeof word} ? left : sizeof word);
      hash = Communicator::mixed(hash, word);
    }
    compared_.push_back({name, hash});
  }
  // Only how many: for lists that the run fills.
  void compare_count(const char* name, int64_t count) { compare<char>(name, nullptr, count); }

  // Where all buffers are; and back to there, without the failures since.
  using Places = std::vector<void*>;
  Places places() const {
    Places all;
    each_buffer([&](void*& at) { all.push_back(at); });
    return all;
  }
  void forgive(const Places& places) {
    size_t n = 0;
    each_buffer([&](void*& at) { at = places[n++]; });
    status_ = {};
  }

  Mesh& mesh() const { return *mesh_; }
  const MeshShare& share() const { return mesh_->share(); }
  Communicator* communicator() const { return share().communicator(); }
  const MeshProgram& program() const { return program_; }
  const MeshPlan& plan() const { return grids_[0]->plan(); }
  Grid& grid(int a) const { return *grids_[a]; }
  int64_t extent(int axis) const { return plan().extents[axis]; }
  int64_t pitch(int a) const { return grid(a).layout().pitch(); }
  int64_t plane(int a) const { return grid(a).layout().plane(); }
  int64_t taken() const { return taken_; }
  void took(int64_t steps) { taken_ += steps; }

  // Where a window, or a part of it, is in memory: planes from `first` to before `end`, with what a
  // leg of so many steps reads beside them.
  Window window(int p, int64_t first, int64_t end, int64_t steps) const {
    const Piece held = plan().held(p);
    // Parts of a window take the same launch as all of it, which may ask for some planes.
    const int64_t deep = program_.anywhere && steps > 1 ? held.planes : program_.beside(steps);
    int64_t low = first - deep, high = end + deep;
    if (low < held.first) low = held.first;
    if (high > held.first + held.planes) high = held.first + held.planes;
    return {first, end, {low, high - low}, taken_, program_.wraps, plan().thinnest, taken_ > 0, {}};
  }

  // Calls `leg` for planes of a piece. Buffers rotate if `last` is true.
  template <typename Call>
  void call(int p, int64_t first, int64_t end, int64_t steps, typename Mesh::Memory::Stream stream,
            bool reduces, bool last, const Call& leg, const BorderPlanes& borders = {}) {
    if (!ok()) return;
    void* at[Arrays][kMostBuffers];
    Leg one{p, steps, window(p, first, end, steps), stream, reduces, {}};
    one.window.borders = borders;
    int64_t offset[Arrays];
    for (int a = 0; a < Arrays; ++a) {
      const bool cut = grid(a).layout().is_cut();
      offset[a] =
          cut ? (one.window.piece.first - grid(a).held(p).first) * grid(a).layout().plane_bytes()
              : 0;
      for (int b = 0; b < grid(a).layout().array().buffers; ++b)
        at[a][b] = static_cast<char*>(grid(a).buffers(p)[b]) + offset[a];
      one.at[a] = at[a];
    }
    take(leg(one));
    for (int a = 0; a < Arrays && last; ++a)
      for (int b = 0; b < grid(a).layout().array().buffers; ++b)
        grid(a).buffers(p)[b] = static_cast<char*>(at[a][b]) - offset[a];
  }

  // What a piece sends to the neighbour on one side before a leg of so many steps, or receives from
  // there: in the same order on both sides. `inputs`: also what no step changes, where that is new.
  std::vector<MeshPlanes> message(int p, int side, bool sends, int64_t steps, bool inputs) const {
    std::vector<MeshPlanes> all;
    if (plan().neighbour(p, side) < 0) return all;
    for (int a = 0; a < Arrays; ++a) {
      const MeshLayout& layout = grid(a).layout();
      const MeshArray& array = layout.array();
      const bool is_new = inputs && grid(a).is_new();
      if (!layout.is_cut() || !(array.changes || is_new)) continue;
      // What lies in front of a window is sent by the neighbour there, from behind its own.
      const bool low = sends == (side == 1);
      const int64_t more = steps > 1 ? steps - 1 : 0;
      const auto add = [&](int b, int64_t count) {
        if (count == 0) return;
        const int64_t first =
            side == 0 ? plan().first(p) - (sends ? 0 : count) : plan().end(p) - (sends ? count : 0);
        all.push_back({grid(a).plane_at(p, b, first), count * layout.plane_bytes()});
      };
      for (int b = 0; b < array.levels; ++b) {
        const int64_t below = b == 0 ? array.low : array.earlier_low,
                      above = b == 0 ? array.high : array.earlier_high;
        // Inputs are sent once, for the longest legs.
        add(b, is_new ? program_.beside(plan().steps)
               : low  ? below + more * program_.step_low
                      : above + more * program_.step_high);
      }
    }
    return all;
  }
  // Tells `copy` of what a piece sends to a neighbour in this process: to where, from where, bytes.
  template <typename Copy>
  void messages(int p, int side, int64_t steps, const Copy& copy) const {
    const int to = plan().neighbour(p, side);
    if (to < 0) return;
    const std::vector<MeshPlanes> from = message(p, side, true, steps, false);
    const std::vector<MeshPlanes> there = message(to, 1 - side, false, steps, false);
    for (size_t n = 0; n < from.size(); ++n) copy(there[n].at, from[n].at, from[n].bytes);
  }
  // The process that has the neighbour on one side; -1: this one has it, or there is none.
  int process_beside(int p, int side) const {
    const int to = plan().neighbour(p, side);
    return to < 0 || share().has(to) ? -1 : share().process_of(to);
  }
  // A parcel for that process, or from it; where its bytes are is left open.
  MeshParcel parcel(int p, int side, bool sends, int64_t steps) const {
    const int to = plan().neighbour(p, side);
    const int tag = (sends ? 2 * p + side : 2 * to + 1 - side) % Communicator::kTags;
    MeshParcel made{p,
                    side,
                    {sends, process_beside(p, side), tag, nullptr, 0},
                    message(p, side, sends, steps, true)};
    made.message.count = MeshParcel::bytes_of(made.planes);
    return made;
  }
  // All that this process sends to others before such a leg, and receives.
  std::vector<MeshParcel> parcels(int64_t steps) const {
    std::vector<MeshParcel> all;
    for (int p = share().first(); p < share().end(); ++p)
      for (const int side : {0, 1})
        if (process_beside(p, side) >= 0)
          for (const bool sends : {true, false}) all.push_back(parcel(p, side, sends, steps));
    return all;
  }
  // Does a leg read planes of this array that steps of a neighbour store?
  bool is_sent(int a) const {
    const MeshArray& array = grid(a).layout().array();
    const int64_t more = (plan().steps - 1) * (program_.step_low + program_.step_high);
    return array.changes && array.low + array.high + more > 0;
  }
  bool any_is_sent() const {
    for (int a = 0; a < Arrays; ++a)
      if (is_sent(a)) return true;
    return false;
  }
  bool is_exchanged() const {
    for (int a = 0; a < Arrays; ++a)
      if (is_sent(a) && !grid(a).is_exchanged()) return false;
    return new_inputs() == 0;
  }
  void set_exchanged() const {
    for (int a = 0; a < Arrays; ++a) grid(a).set_exchanged(true);
  }
  // Fields that steps change have other values.
  void set_changed() const {
    for (int a = 0; a < Arrays; ++a)
      if (grid(a).layout().array().changes) grid(a).set_exchanged(false);
  }

  // Where neighbours have planes, pieces lose their values: nothing may rely on them. Waits for it.
  void forget() {
    for (int p = share().first(); p < share().end(); ++p)
      for (int a = 0; a < Arrays; ++a) {
        const MeshLayout& layout = grid(a).layout();
        if (!layout.array().changes || !layout.is_cut()) continue;
        const Piece& held = grid(a).held(p);
        for (int b = 0; b < layout.array().buffers; ++b)
          for (int64_t z = held.first; z < held.first + held.planes; ++z) {
            const bool own = z >= plan().first(p) && z < plan().end(p);
            if (own || (!program_.wraps && (z < 0 || z >= plan().planes()))) continue;
            char* const cells = grid(a).plane_at(p, b, z) + layout.front() * layout.array().size;
            for (int64_t y = 0; y < layout.cells(1) && ok(); ++y)
              take(mesh_->forget(p, cells + y * layout.pitch() * layout.array().size,
                                 layout.cells(0) * layout.array().size));
          }
      }
    take(mesh_->synchronize());
  }

 private:
  void take(int a, stencil_mesh_grid* handle) {
    const char* const name = program_.arrays[a].name;
    if (handle == nullptr) {
      take(failure(Code::null_pointer, "`%s`: `%s` is a null pointer", program_.name, name));
      return;
    }
    if (handle->owner == mesh_) {
      grids_[a] = static_cast<Grid*>(handle);
      take(grids_[a]->status());
      if (!ok()) return;
    }
    if (grids_[a] == nullptr || grids_[a]->array() != a ||
        std::strcmp(grids_[a]->plan().program->name, program_.name) != 0)
      take(failure(Code::bad_extents,
                   "`%s`: the grid given as `%s` was made for another mesh, array or program",
                   program_.name, name));
    for (int axis = 0; axis < program_.rank && ok(); ++axis)
      if (grids_[a]->plan().extents[axis] != plan().extents[axis])
        take(failure(Code::bad_extents, "`%s`: `%s` and `%s` have different extents", program_.name,
                     program_.arrays[0].name, name));
    if (ok() && grids_[a]->plan().cuts != plan().cuts)
      take(failure(Code::bad_extents, "`%s`: `%s` and `%s` are cut at different planes",
                   program_.name, program_.arrays[0].name, name));
  }

  static unsigned folded(uint64_t hash) { return static_cast<unsigned>(hash ^ hash >> 32); }
  // A bit for each input that other processes need of this one, and do not have.
  uint64_t new_inputs() const {
    uint64_t all = 0;
    for (int a = 0; a < Arrays && communicator() != nullptr; ++a)
      if (grid(a).is_new()) all |= uint64_t{1} << a % 64;
    return all;
  }

  template <typename Visit>
  void each_buffer(const Visit& visit) const {
    for (int a = 0; a < Arrays; ++a)
      for (int p = share().first(); p < share().end(); ++p)
        for (int b = 0; b < grid(a).layout().array().buffers; ++b) visit(grid(a).buffers(p)[b]);
  }

  const MeshProgram& program_;
  Mesh* mesh_ = nullptr;
  Grid* grids_[Arrays] = {};
  int64_t taken_ = 0;
  int64_t steps_ = 1;
  std::vector<Communicator::Compared> compared_;
  bool agreed_ = false;
  Status status_;
};

}  // namespace stencil
