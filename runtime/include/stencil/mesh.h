// A grid that is cut along its last axis into pieces, each with memory of its own, for code that is
// emitted with --distributed. What is the same for every target; mesh_cuda.h and mesh_cpu.h have
// the meshes of devices.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "communicator.h"
#include "mesh_handle.h"
#include "window.h"

namespace stencil {

// An array of a program, as each piece has it in memory.
struct MeshArray {
  const char* name;
  int64_t size;       // bytes of an element
  int levels;         // that a caller gives and receives, newest first
  int buffers;        // levels and scratch
  bool along[3];      // the axes it has, x first
  int64_t around[3];  // cells of its halo in memory
  bool changes;       // do steps change it?
  int64_t low, high;  // planes in front of and behind a window that a step reads of it

  bool has_halo() const { return around[0] != 0 || around[1] != 0 || around[2] != 0; }
};

// A launch on a piece: how many steps it takes, and whether its first blocks can compute and count
// the planes at the borders.
struct MeshLaunch {
  int64_t steps;
  bool counts;
};

// What the runtime has to know of a program to run it on pieces.
struct MeshProgram {
  const char* name;
  int rank;
  const MeshArray* arrays;
  int count;
  int64_t step_low, step_high;  // planes that a leg reads more for each further step
  bool wraps;                   // is the axis that is cut periodic?
  // Is a leg of one step, or of as many as a launch has, made of launches that write nothing but
  // its window, or memory of their own? Then parts of a window can be computed side by side.
  bool one_step_splits, several_steps_split;
  // Do legs differ in nothing but their buffers? Then they can be recorded and replayed.
  bool repeats;
  // Is the memory of a piece taken for a grid of its own, as nothing depends on where it is?
  bool anywhere;
  // The launch that a piece with so many planes gets.
  MeshLaunch (*launch_on)(const Shape& shape, int64_t planes);

  static constexpr int kMostBuffers = 8;

  // The most planes that a leg of so many steps reads beside a window, on either side.
  int64_t beside(int64_t steps) const {
    int64_t most = 0;
    for (int a = 0; a < count; ++a) {
      most = arrays[a].low > most ? arrays[a].low : most;
      most = arrays[a].high > most ? arrays[a].high : most;
    }
    return most + (steps > 1 ? steps - 1 : 0) * (step_low > step_high ? step_low : step_high);
  }
  bool is_cut(int array) const { return arrays[array].along[rank - 1]; }
  // Planes of ghost cells beyond the ends of the grid.
  int64_t ends() const {
    int64_t most = 0;
    for (int a = 0; a < count; ++a)
      if (is_cut(a) && arrays[a].around[rank - 1] > most) most = arrays[a].around[rank - 1];
    return most;
  }
};

// `axes` are those that it has: "xz". The halo in memory is given along x, y and z.
template <typename T>
constexpr MeshArray mesh_array(const char* name, const char* axes, int levels, int buffers,
                               bool changes, int64_t low, int64_t high, int64_t around_x = 0,
                               int64_t around_y = 0, int64_t around_z = 0) {
  MeshArray array{
      name,    sizeof(T), levels, buffers, {false, false, false}, {around_x, around_y, around_z},
      changes, low,       high};
  for (; *axes != 0; ++axes) array.along[*axes - 'x'] = true;
  return array;
}

template <int Count>
constexpr MeshProgram mesh_program_of(const char* name, int rank, const MeshArray (&arrays)[Count],
                                      int64_t step_low, int64_t step_high, bool wraps,
                                      bool one_step_splits, bool several_steps_split, bool repeats,
                                      bool anywhere,
                                      MeshLaunch (*launch_on)(const Shape& shape, int64_t planes)) {
  return {name,
          rank,
          arrays,
          Count,
          step_low,
          step_high,
          wraps,
          one_step_splits,
          several_steps_split,
          repeats,
          anywhere,
          launch_on};
}

// One array of a program with elements of this type: what a MeshGrid is made for.
template <typename T, int Rank>
struct MeshField {
  const MeshProgram* program;
  int array;
};

// Which pieces of a mesh are those of this process: some that follow each other, or all of them.
class MeshShare {
 public:
  explicit MeshShare(int pieces) : first_({0, pieces}) {}
  // Each process has its own number of pieces, in the order of the processes. All call this.
  MeshShare(Communicator& all, int here, Status* status) : communicator_(&all), first_({0}) {
    const size_t count = static_cast<size_t>(all.size());
    std::vector<int> of(count, here);
    *status = all.gather(&here, of.data(), std::vector<int64_t>(count, int64_t{sizeof here}));
    if (status->ok()) *status = all.broadcast(of.data(), static_cast<int64_t>(count * sizeof here));
    for (const int one : of) first_.push_back(first_.back() + (status->ok() ? one : here));
  }

  int pieces() const { return first_.back(); }
  int first() const { return first_[rank()]; }
  int end() const { return first_[rank() + 1]; }
  bool has(int piece) const { return piece >= first() && piece < end(); }
  int process_of(int piece) const {
    int process = 0;
    while (piece >= first_[static_cast<size_t>(process) + 1]) ++process;
    return process;
  }
  // Null where one process has all pieces.
  Communicator* communicator() const { return communicator_; }
  // All processes exchange planes equally often.
  uint64_t count_exchange() { return ++exchanges_; }
  uint64_t exchanges() const { return exchanges_; }
  int processes() const { return static_cast<int>(first_.size()) - 1; }

 private:
  size_t rank() const {
    return communicator_ == nullptr ? 0 : static_cast<size_t>(communicator_->rank());
  }

  Communicator* communicator_ = nullptr;
  uint64_t exchanges_ = 0;
  std::vector<int> first_;  // piece of each process, and the end
};

// Planes that follow each other in the memory of a piece.
struct MeshPlanes {
  char* at;
  int64_t bytes;
};

// What a piece sends to a neighbour in another process, or receives from there: a stamp, then
// planes, in memory of the host.
struct MeshParcel {
  struct Stamp {
    uint64_t exchange;
    int64_t bytes;
  };

  int piece, side;
  Transfer message;  // its bytes are those of the parcel
  std::vector<MeshPlanes> planes;

  static int64_t bytes_of(const std::vector<MeshPlanes>& planes) {
    int64_t all = int64_t{sizeof(Stamp)};
    for (const MeshPlanes& one : planes) all += one.bytes;
    return all;
  }
  // Tells `copy` where planes are in memory and in the parcel, with their bytes.
  template <typename Copy>
  void each(const Copy& copy) const {
    char* at = static_cast<char*>(message.bytes) + sizeof(Stamp);
    for (const MeshPlanes& one : planes) {
      copy(one.at, at, one.bytes);
      at += one.bytes;
    }
  }
  void stamp(uint64_t exchange) const {
    const Stamp made{exchange, message.count};
    std::memcpy(message.bytes, &made, sizeof made);
  }
  Status check(uint64_t exchange) const {
    Stamp found{};
    std::memcpy(&found, message.bytes, sizeof found);
    if (found.exchange == exchange && found.bytes == message.count) return {};
    return failure(Code::lost_process,
                   "process %d sent the planes of exchange %llu, in %lld bytes; expected are those "
                   "of exchange %llu, in %lld bytes",
                   message.process, static_cast<unsigned long long>(found.exchange),
                   static_cast<long long>(found.bytes), static_cast<unsigned long long>(exchange),
                   static_cast<long long>(message.count));
  }
};

// How a grid is cut, and what that means for the legs of a program.
struct MeshPlan {
  const MeshProgram* program = nullptr;
  int64_t extents[3] = {1, 1, 1};
  std::vector<int64_t> cuts;  // the first plane of each piece, and the end of the grid
  int64_t thinnest = 0;       // planes of a piece, the fewest
  MeshLaunch launch{1, false};
  int64_t steps = 0;  // of a leg, the most
  // Planes in memory beyond those that a leg reads. Where memory is a grid of its own to kernels,
  // what they do at the ends of a grid, which takes longer, is then beside the window.
  int64_t margin = 0;

  int pieces() const { return static_cast<int>(cuts.size()) - 1; }
  int64_t first(int p) const { return cuts[static_cast<size_t>(p)]; }
  int64_t end(int p) const { return cuts[static_cast<size_t>(p) + 1]; }
  int64_t planes() const { return extents[program->rank - 1]; }
  // The planes of a piece in memory.
  Piece held(int p) const {
    const int64_t deep = program->beside(steps) + margin, ends = program->ends();
    int64_t low = first(p) - deep, high = end(p) + deep;
    if (!program->wraps && low < -ends) low = -ends;
    if (!program->wraps && high > planes() + ends) high = planes() + ends;
    return {low, high - low};
  }
  // The piece on one side of another, or -1.
  int neighbour(int p, int side) const {
    const int next = side == 0 ? p - 1 : p + 1;
    if (next >= 0 && next < pieces()) return next;
    return program->wraps ? (next + pieces()) % pieces() : -1;
  }

  // The same number for the same cuts.
  uint64_t cuts_hash() const {
    uint64_t hash = 0xcbf29ce484222325;
    for (const int64_t cut : cuts) hash = (hash ^ static_cast<uint64_t>(cut)) * 0x100000001b3;
    return hash;
  }

  void widen() {
    constexpr int64_t ahead = 4;
    int64_t thickest = 0;
    for (int p = 0; p < pieces(); ++p)
      if (end(p) - first(p) > thickest) thickest = end(p) - first(p);
    const int64_t deep = program->beside(steps);
    // Around a periodic axis memory holds no plane twice.
    const int64_t most = (planes() - thickest) / 2 - deep;
    margin = deep + ahead;
    if (program->wraps && margin > most) margin = most > 0 ? most : 0;
  }

  // `cuts`: empty for pieces of the same size. `most`: steps of a leg; 0: as a launch has.
  static Status make(MeshPlan* plan, const MeshProgram& program, const int64_t* extents, int pieces,
                     const std::vector<int64_t>& cuts, int64_t most) {
    plan->program = &program;
    constexpr int64_t kMostCells = INT64_MAX >> 10;
    int64_t cells = 1;
    for (int axis = 0; axis < program.rank; ++axis) {
      plan->extents[axis] = extents[axis];
      if (extents[axis] < 1 || extents[axis] > kMostCells / cells)
        return failure(Code::bad_extents,
                       "`%s`: an extent of a grid is %lld; each must be at least 1, and their "
                       "product fit into memory",
                       program.name, static_cast<long long>(extents[axis]));
      cells *= extents[axis];
    }
    const int64_t planes = plan->planes();
    plan->cuts = cuts;
    for (int p = 0; p <= pieces && cuts.empty(); ++p)
      plan->cuts.push_back(planes / pieces * p + planes % pieces * p / pieces);
    if (plan->cuts.front() != 0 || plan->cuts.back() != planes)
      return failure(Code::bad_extents, "`%s`: the pieces end at plane %lld of %lld", program.name,
                     static_cast<long long>(plan->cuts.back()), static_cast<long long>(planes));
    plan->thinnest = planes;
    for (int p = 0; p < pieces; ++p)
      if (plan->end(p) - plan->first(p) < plan->thinnest)
        plan->thinnest = plan->end(p) - plan->first(p);
    Shape shape{program.rank, plan->extents[0], plan->extents[1], plan->extents[2]};
    if (program.anywhere) shape.last() = plan->thinnest;
    plan->launch = program.launch_on(shape, plan->thinnest);
    plan->steps = most > 0 ? most : plan->launch.steps;
    if (pieces == 1 && !program.wraps && plan->thinnest > 0) return {};
    // Around a periodic axis two pieces are neighbours on both sides, and one is its own; no piece
    // may hold a plane twice.
    const int64_t sides = program.wraps && pieces <= 2 ? 2 : 1;
    while (plan->steps > 0 && sides * program.beside(plan->steps) > plan->thinnest) --plan->steps;
    if (program.anywhere && plan->steps > 1) plan->widen();
    if (plan->steps > 0 && plan->thinnest > 0) return {};
    return failure(Code::bad_extents,
                   "`%s`: of %lld planes in %d pieces, the thinnest piece has %lld, and its "
                   "neighbours read %lld of them; use fewer pieces, or a larger grid",
                   program.name, static_cast<long long>(planes), pieces,
                   static_cast<long long>(plan->thinnest),
                   static_cast<long long>(sides * program.beside(1)));
  }
};

// How an array of a grid lies in the memory of a piece: planes one after the other, each with rows
// along the first axis that the array has.
class MeshLayout {
 public:
  MeshLayout() = default;
  MeshLayout(const MeshPlan& plan, int array)
      : array_(&plan.program->arrays[array]),
        rank_(plan.program->rank),
        extents_{plan.extents[0], plan.extents[1], plan.extents[2]} {}

  const MeshArray& array() const { return *array_; }
  bool is_cut() const { return array_->along[rank_ - 1]; }
  // Elements from row to row, and from plane to plane.
  int64_t pitch() const {
    return axis_of(0) < 0 ? 1 : (cells(0) + 2 * around(0) + kPitch - 1) / kPitch * kPitch;
  }
  int64_t plane() const { return pitch() * (cells(1) + 2 * around(1)); }
  int64_t plane_bytes() const { return plane() * array_->size; }
  // Elements of a plane in front of its first cell.
  int64_t front() const { return around(1) * pitch() + around(0); }
  // Bytes of so many planes, with what aligns the first cell and what wide accesses reach.
  int64_t bytes(int64_t planes) const {
    return planes * plane_bytes() + rounded_front() + kAlignment;
  }
  int64_t rounded_front() const {
    return (front() * array_->size + kAlignment - 1) / kAlignment * kAlignment;
  }
  // Cells and halo of a plane along its rows, or across them.
  int64_t cells(int of) const { return axis_of(of) < 0 ? 1 : extents_[axis_of(of)]; }
  int64_t around(int of) const { return axis_of(of) < 0 ? 0 : array_->around[axis_of(of)]; }
  // Of a halo that is given by axis.
  int64_t given(int of, const Halo<3>& halo) const {
    return axis_of(of) < 0 ? 0 : halo[axis_of(of)];
  }
  int64_t given_planes(const Halo<3>& halo) const { return is_cut() ? halo[rank_ - 1] : 0; }

 private:
  static constexpr int64_t kPitch = 64, kAlignment = 512;

  // The axis of the rows (0), and the one across them (1); -1: there is none.
  int axis_of(int of) const {
    const bool x = rank_ > 1 && array_->along[0], y = rank_ == 3 && array_->along[1];
    return of == 0 ? (x ? 0 : y ? 1 : -1) : x && y ? 1 : -1;
  }

  const MeshArray* array_ = nullptr;
  int rank_ = 0;
  int64_t extents_[3] = {1, 1, 1};
};

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
    for (int p = share().first(); p < share().end() && !held_.empty(); ++p) {
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
                    "`%s`, %lld steps of %lld x %lld x %lld, %lld a leg, cuts %llx, inputs %llx",
                    program_.name, static_cast<long long>(steps_),
                    static_cast<long long>(extent(0)), static_cast<long long>(extent(1)),
                    static_cast<long long>(extent(2)), static_cast<long long>(plan().steps),
                    static_cast<unsigned long long>(plan().cuts_hash()),
                    static_cast<unsigned long long>(new_inputs()));
    const Status all = communicator()->agree(status_, what);
    take(all);
    agreed_ = true;
  }

  void check_steps(int64_t steps) {
    steps_ = steps;
    if (steps < 0)
      take(failure(Code::negative_steps, "`%s`: the step count is %lld; it must be at least 0",
                   program_.name, static_cast<long long>(steps)));
  }

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
      int64_t count =
          low ? array.low + more * program_.step_low : array.high + more * program_.step_high;
      // Sent once, for the longest legs.
      if (is_new) count = program_.beside(plan().steps);
      if (count == 0) continue;
      const int64_t first =
          side == 0 ? plan().first(p) - (sends ? 0 : count) : plan().end(p) - (sends ? count : 0);
      for (int b = 0; b < array.levels; ++b)
        all.push_back({grid(a).plane_at(p, b, first), count * layout.plane_bytes()});
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
  bool is_exchanged() const {
    for (int a = 0; a < Arrays; ++a)
      if (grid(a).layout().array().changes && !grid(a).is_exchanged()) return false;
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
  bool agreed_ = false;
  Status status_;
};

}  // namespace stencil
