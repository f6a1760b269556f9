// Pieces of a grid on the GPUs of one process. Planes go from device to device by copies.
#pragma once

#include <memory>

#include "cuda.h"
#include "cuda_driver.h"
#include "mesh.h"
#include "mesh_values.h"

namespace stencil {
inline namespace cuda {

// How a leg and the copies of planes follow each other.
enum class MeshForm {
  automatic,
  whole,    // all planes of a piece, then copies
  borders,  // first the planes that neighbours read, by launches of their own; they are copied
            // while the others are computed
  blocks,   // the same, by the first blocks of one launch, which count what they have stored
};
// What gives work to the devices.
enum class MeshFeed {
  automatic,
  calls,  // the thread of the call, leg by leg
  graph,  // recorded legs of all devices, many at once
};

class Mesh final : public stencil_mesh {
 public:
  static constexpr const char* kTarget = "cuda";
  using Memory = DeviceMemory;
  // While it lives, the device of this piece is the current one.
  class On {
   public:
    On(const Mesh& mesh, int p) {
      if (cudaGetDevice(&before_) != cudaSuccess) before_ = -1;
      (void)cudaSetDevice(mesh.device(p));
    }
    On(const On&) = delete;
    On& operator=(const On&) = delete;
    ~On() {
      if (before_ >= 0) (void)cudaSetDevice(before_);
    }

   private:
    int before_ = -1;
  };

  // A piece on each of these devices; of the first ones by default.
  static Mesh devices(int count) {
    std::vector<int> all;
    for (int device = 0; device < count; ++device) all.push_back(device);
    return Mesh(all);
  }
  static Mesh devices(const int* which, int count) {
    return Mesh(std::vector<int>(which, which + (count > 0 ? count : 0)));
  }
  // For tests: so many pieces, each on a device of its own where there are as many, or else all on
  // the current one.
  static Mesh in_pieces(int count) {
    int device = 0, there = 0;
    (void)cudaGetDevice(&device);
    if (cudaGetDeviceCount(&there) == cudaSuccess && there >= count) return devices(count);
    return Mesh(std::vector<int>(static_cast<size_t>(count > 0 ? count : 0), device));
  }

  Mesh(Mesh&&) = default;
  Mesh& operator=(Mesh&&) = delete;
  ~Mesh() override {
    if (pieces_ == nullptr) return;
    for (size_t p = 0; p < pieces_->size(); ++p) {
      const On on(*this, static_cast<int>(p));
      Piece& piece = (*pieces_)[p];
      for (cudaStream_t* stream : piece.streams())
        if (*stream != nullptr) (void)cudaStreamDestroy(*stream);
      for (cudaEvent_t* event : piece.events())
        if (*event != nullptr) (void)cudaEventDestroy(*event);
      (void)cudaFree(piece.counters);
    }
  }

  int pieces() const { return static_cast<int>(pieces_->size()); }
  int device(int p) const { return piece(p).device; }
  const Status& status() const { return status_; }
  const char* target() const override { return kTarget; }
  // Waits for all that was asked of the devices.
  Status synchronize() const override {
    Status status = status_;
    for (int p = 0; p < pieces() && status.ok(); ++p) {
      const On on(*this, p);
      status = cuda_status(cudaDeviceSynchronize(), "a mesh");
    }
    return status;
  }
  cudaStream_t stream(int p) const { return piece(p).main; }
  stencil_mesh* handle() { return this; }

  // Where grids are cut, instead of evenly: the first plane of each piece, and the end.
  Mesh& cut_at(const int64_t* cuts) {
    cuts_.assign(cuts, cuts + pieces() + 1);
    return *this;
  }
  const std::vector<int64_t>& cuts() const { return cuts_; }
  // The most steps between exchanges; 0: those of a launch.
  Mesh& legs_of(int64_t steps) {
    steps_ = steps;
    return *this;
  }
  int64_t steps() const { return steps_; }
  Mesh& in_form(MeshForm form) {
    form_ = form;
    return *this;
  }
  MeshForm form() const { return form_; }
  Mesh& fed_by(MeshFeed feed) {
    feed_ = feed;
    return *this;
  }
  MeshFeed feed() const { return feed_; }
  // For tests: what no piece may rely on becomes all ones.
  Mesh& forgetful(bool forgets) {
    forgets_ = forgets;
    return *this;
  }
  bool forgets() const { return forgets_; }

  Status forget(int p, void* at, int64_t bytes) const {
    const On on(*this, p);
    return cuda_status(cudaMemset(at, 0xff, static_cast<size_t>(bytes)), "a mesh");
  }
  Status move(void* there, int from, const void* here, int64_t bytes) const {
    const On on(*this, from);
    return cuda_status(copy(there, here, bytes, stream(from)), "a mesh");
  }

  // What follows is for MeshRun.
  static constexpr size_t kCounters = 2 * st::Borders::kApart * sizeof(unsigned);
  // A stream waits until a word of the device is at least so great, in cyclic order:
  // cuStreamWaitValue32. Null: the driver has none.
  using WaitForWord = int (*)(cudaStream_t stream, unsigned long long address, uint32_t value,
                              unsigned flags);
  static WaitForWord wait_for_word() {
    static const WaitForWord known = [] {
      void* found = nullptr;
      if (find_driver_function("cuStreamWaitValue32", 11070, &found) != cudaSuccess)
        (void)cudaGetLastError();
      return reinterpret_cast<WaitForWord>(found);
    }();
    return known;
  }

  struct Piece {
    int device = 0;
    // Legs, or their inner planes; the planes at the borders; copies to the neighbour on each side.
    cudaStream_t main{}, border{}, send[2]{};
    cudaEvent_t inner_done{}, border_done{}, ready{}, sent[2]{}, begun{}, joined[4]{};

    // Words to which the first blocks of launches count, and to where they have come at each end.
    unsigned* counters = nullptr;
    int64_t counted[2] = {};

    std::vector<cudaStream_t*> streams() { return {&main, &border, &send[0], &send[1]}; }
    std::vector<cudaEvent_t*> events() {
      return {&inner_done, &border_done, &ready,     &sent[0],   &sent[1],
              &begun,      &joined[0],   &joined[1], &joined[2], &joined[3]};
    }
  };
  const Piece& piece(int p) const { return (*pieces_)[static_cast<size_t>(p)]; }
  Piece& piece(int p) { return (*pieces_)[static_cast<size_t>(p)]; }
  // To another device, too: by its memory where that can be reached, else through the host.
  cudaError_t copy(void* there, const void* here, int64_t bytes, cudaStream_t stream) const {
    return cudaMemcpyAsync(there, here, static_cast<size_t>(bytes), cudaMemcpyDefault, stream);
  }

 private:
  explicit Mesh(const std::vector<int>& devices) : pieces_(new std::vector<Piece>) {
    int count = 0;
    const cudaError_t found = cudaGetDeviceCount(&count);
    if (found != cudaSuccess || count == 0) {
      (void)cudaGetLastError();
      status_ = cuda_status(found == cudaSuccess ? cudaErrorNoDevice : found, "a mesh");
      return;
    }
    if (devices.empty())
      status_ = failure(Code::bad_extents, "a mesh of no devices; it has one at least");
    for (const int device : devices)
      if (status_.ok() && (device < 0 || device >= count))
        status_ =
            failure(Code::no_device, "a mesh asks for device %d, and the last one is device %d",
                    device, count - 1);
    if (!status_.ok()) return;
    pieces_->resize(devices.size());
    for (size_t p = 0; p < devices.size(); ++p) (*pieces_)[p].device = devices[p];
    for (int p = 0; p < pieces() && status_.ok(); ++p) make(p);
  }

  void make(int p) {
    const On on(*this, p);
    Piece& piece = (*pieces_)[static_cast<size_t>(p)];
    int least = 0, most = 0;
    cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &most);
    for (cudaStream_t* stream : piece.streams())
      if (error == cudaSuccess)
        error = cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking,
                                             stream == &piece.main ? least : most);
    for (cudaEvent_t* event : piece.events())
      if (error == cudaSuccess) error = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    if (error == cudaSuccess)
      error = cudaMalloc(reinterpret_cast<void**>(&piece.counters), kCounters);
    if (error == cudaSuccess) error = cudaMemset(piece.counters, 0, kCounters);
    // Where devices cannot reach each other's memory, copies go through the host.
    for (int q = 0; q < pieces() && error == cudaSuccess; ++q) {
      int reaches = 0;
      if (device(q) == piece.device) continue;
      error = cudaDeviceCanAccessPeer(&reaches, piece.device, device(q));
      if (error != cudaSuccess || reaches == 0) continue;
      error = cudaDeviceEnablePeerAccess(device(q), 0);
      if (error == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
        error = cudaSuccess;
      }
    }
    status_ = cuda_status(error, "a mesh");
  }

  std::unique_ptr<std::vector<Piece>> pieces_;
  std::vector<int64_t> cuts_;
  int64_t steps_ = 0;
  MeshForm form_ = MeshForm::automatic;
  MeshFeed feed_ = MeshFeed::automatic;
  bool forgets_ = false;
  Status status_;
};

template <typename T>
using MeshGrid = TypedMeshGrid<T, Mesh>;

template <int Arrays>
class MeshRun : public BasicMeshRun<Mesh, Arrays> {
  using Base = BasicMeshRun<Mesh, Arrays>;

 public:
  using Base::Base;
  using Leg = typename Base::Leg;
  using Places = typename Base::Places;

  // Takes so many steps in legs, asynchronously. `reduces`: the last step stores what reductions
  // need.
  template <typename Call>
  void legs(int64_t steps, bool reduces, const Call& leg) {
    if (!this->ok() || steps <= 0) return;
    const int64_t most = this->plan().steps;
    int64_t cycle = 0;  // not known before a leg has moved the buffers
    Places before = this->places();
    begin(steps < most ? steps : most);
    while (steps > 0 && this->ok()) {
      if (cycle > 0 && !reduces) {
        const int64_t replayed = replay(steps / most, cycle, leg) * most;
        cycle = 0;
        this->took(replayed);
        steps -= replayed;
        continue;
      }
      const int64_t now = steps < most ? steps : most, after = steps - now;
      enqueue(now, after < most ? after : most, reduces && after == 0, leg);
      if (!before.empty() && now == most) cycle = period(before);
      before.clear();
      this->took(now);
      steps -= now;
    }
    this->set_exchanged(false);
  }
  // What reductions need before a step that reads them.
  template <typename Call>
  void before_step(const Call& leg) {
    if (!this->ok()) return;
    begin(1);
    for (int p = 0; p < count(); ++p) {
      const Mesh::On on(this->mesh(), p);
      wait_for_planes(p, piece(p).main);
      this->call(p, first(p), end(p), 0, piece(p).main, true, true, leg);
    }
    this->take(this->mesh().synchronize());
  }

 private:
  static constexpr int64_t kReplayed = 16;   // legs of a graph, about
  static constexpr int64_t kMostCycle = 64;  // and at most

  const Mesh::Piece& piece(int p) const { return this->mesh().piece(p); }
  int count() const { return this->plan().pieces(); }
  int64_t first(int p) const { return this->plan().first(p); }
  int64_t end(int p) const { return this->plan().end(p); }

  void ask(cudaError_t error) {
    if (error != cudaSuccess) this->take(cuda_status(error, this->program().name));
  }
  void wait(cudaStream_t stream, cudaEvent_t event) { ask(cudaStreamWaitEvent(stream, event, 0)); }

  // What the neighbours sent has landed before `stream` goes on.
  void wait_for_planes(int p, cudaStream_t stream) {
    for (const int side : {0, 1}) {
      const int from = this->plan().neighbour(p, side);
      if (from >= 0) wait(stream, piece(from).sent[1 - side]);
    }
  }
  // What it sent itself has left; so it was computed, too.
  void wait_until_sent(int p, cudaStream_t stream) {
    for (const int side : {0, 1})
      if (this->plan().neighbour(p, side) >= 0) wait(stream, piece(p).sent[side]);
  }

  // Planes that neighbours read of a piece in the next legs.
  int64_t border() const { return this->program().beside(this->plan().steps); }
  // How a leg of so many steps is taken: are border planes computed first?
  MeshForm form_of(int64_t steps) const {
    const MeshProgram& program = this->program();
    const MeshPlan& plan = this->plan();
    const MeshForm wanted = this->mesh().form();
    const bool splits = steps == 1                   ? program.one_step_splits
                        : steps == plan.launch.steps ? program.several_steps_split
                                                     : false;
    if (!splits || steps != plan.steps || count() < 2 || border() == 0 ||
        plan.thinnest <= 2 * (border() + kAhead) || wanted == MeshForm::whole)
      return MeshForm::whole;
    // A leg of so many steps of cells takes so much longer than the copies that these need not run
    // beside it (docs/multi-gpu.md).
    constexpr int64_t kLong = int64_t{1} << 30;
    const int64_t plane = program.rank == 3 ? plan.extents[0] * plan.extents[1] : plan.extents[0];
    if (wanted == MeshForm::automatic && plane * plan.thinnest >= kLong / steps)
      return MeshForm::whole;
    const bool counts =
        steps == plan.launch.steps && plan.launch.counts && Mesh::wait_for_word() != nullptr;
    return counts && wanted != MeshForm::borders ? MeshForm::blocks : MeshForm::borders;
  }

  // Streams are idle, and the planes that pieces need for a leg of so many steps are on their way.
  void begin(int64_t steps) {
    if (this->is_exchanged() || !this->ok()) return;
    this->take(this->mesh().synchronize());
    if (this->mesh().forgets()) this->forget();
    for (int p = 0; p < count() && this->ok(); ++p) send(p, steps);
    this->set_exchanged(true);
  }

  // The planes of one piece that its neighbours read in the next leg.
  void send(int p, int64_t next) {
    const Mesh::On on(this->mesh(), p);
    for (const int side : {0, 1}) {
      if (this->plan().neighbour(p, side) < 0) continue;
      const cudaStream_t stream = piece(p).send[side];
      this->messages(p, side, next, [&](void* there, const void* here, int64_t bytes) {
        ask(this->mesh().copy(there, here, bytes, stream));
      });
      ask(cudaEventRecord(piece(p).sent[side], stream));
    }
  }

  // One leg of all pieces; then copies for the next one, unless it has no steps.
  template <typename Call>
  void enqueue(int64_t steps, int64_t next, bool reduces, const Call& leg) {
    const MeshForm form = reduces ? MeshForm::whole : form_of(steps);
    for (int p = 0; p < count() && this->ok(); ++p) {
      const Mesh::On on(this->mesh(), p);
      if (form == MeshForm::blocks)
        borders_by_first_blocks(p, steps, leg);
      else if (form == MeshForm::borders)
        borders_first(p, steps, leg);
      else
        whole_piece(p, steps, reduces, leg);
    }
    if (next == 0) return;
    if (this->mesh().forgets()) {
      this->take(this->mesh().synchronize());
      this->forget();
    }
    for (int p = 0; p < count() && this->ok(); ++p) {
      const Mesh::On on(this->mesh(), p);
      for (const int side : {0, 1}) {
        const int to = this->plan().neighbour(p, side);
        if (to < 0) continue;
        const cudaStream_t stream = piece(p).send[side];
        if (form == MeshForm::blocks)
          wait_for_count(p, side, stream);
        else
          wait(stream, form == MeshForm::borders ? piece(p).border_done : piece(p).inner_done);
        // A leg of several launches writes planes beside its window.
        if (form == MeshForm::whole) wait(stream, piece(to).inner_done);
      }
      send(p, next);
    }
  }

  template <typename Call>
  void whole_piece(int p, int64_t steps, bool reduces, const Call& leg) {
    const Mesh::Piece& at = piece(p);
    wait_for_planes(p, at.main);
    wait_until_sent(p, at.main);
    this->call(p, first(p), end(p), steps, at.main, reduces, true, leg);
    ask(cudaEventRecord(at.inner_done, at.main));
  }

  bool sends(int p, int side) const { return this->plan().neighbour(p, side) >= 0; }
  template <typename Call>
  void borders_first(int p, int64_t steps, const Call& leg) {
    const Mesh::Piece& at = piece(p);
    const int64_t low = first(p) + (sends(p, 0) ? border() : 0),
                  high = end(p) - (sends(p, 1) ? border() : 0);
    wait(at.border, at.inner_done);
    wait_for_planes(p, at.border);
    // Inner planes are computed from the border planes of the last leg; and where their launch came
    // first, it would have all multiprocessors, and the neighbours would wait.
    ask(cudaEventRecord(at.ready, at.border));
    wait(at.main, at.ready);
    if (sends(p, 0)) this->call(p, first(p), low, steps, at.border, false, false, leg);
    if (sends(p, 1)) this->call(p, high, end(p), steps, at.border, false, false, leg);
    ask(cudaEventRecord(at.border_done, at.border));
    this->call(p, low, high, steps, at.main, false, true, leg,
               {{int64_t{sends(p, 0)} + int64_t{sends(p, 1)}, border()}, {}, nullptr});
    ask(cudaEventRecord(at.inner_done, at.main));
  }

  // Blocks read a few planes ahead of those that they use: that many more lie between what is
  // computed from the neighbours' planes and what is not.
  static constexpr int64_t kAhead = 2;
  template <typename Call>
  void borders_by_first_blocks(int p, int64_t steps, const Call& leg) {
    const Mesh::Piece& at = piece(p);
    int64_t counted = 0;
    BorderPlanes borders;
    borders.first = {sends(p, 0) ? border() + kAhead : 0, sends(p, 1) ? border() + kAhead : 0,
                     at.counters};
    borders.counted = &counted;
    wait_for_planes(p, at.main);
    this->call(p, first(p), end(p), steps, at.main, false, true, leg, borders);
    if (counted == 0)
      this->take(failure(Code::launch_configuration, "`%s`: no block counts border planes",
                         this->program().name));
    for (const int side : {0, 1})
      if (sends(p, side)) this->mesh().piece(p).counted[side] += counted;
  }
  // So many blocks have stored the planes that the neighbour on this side reads.
  void wait_for_count(int p, int side, cudaStream_t stream) {
    constexpr unsigned greater_or_equal = 0;
    const Mesh::Piece& at = piece(p);
    const auto address = reinterpret_cast<uintptr_t>(at.counters + side * st::Borders::kApart);
    const int result = Mesh::wait_for_word()(
        stream, address, static_cast<uint32_t>(at.counted[side]), greater_or_equal);
    if (result != 0)
      this->take(failure(Code::cuda_error,
                         "`%s`: the driver reports error %d for a wait of a stream",
                         this->program().name, result));
  }
  // Counting begins anew, on each device's own stream.
  void clear_counts() {
    for (int p = 0; p < count(); ++p) {
      const Mesh::On on(this->mesh(), p);
      ask(cudaMemsetAsync(piece(p).counters, 0, Mesh::kCounters, piece(p).main));
      for (int64_t& counted : this->mesh().piece(p).counted) counted = 0;
    }
  }

  // After so many legs buffers are again where they are before the first of them; 0: not soon. Each
  // leg moves them as the one did that moved them from `before`.
  int64_t period(const Places& before) const {
    const Places after = this->places();
    int64_t legs = 1;
    Places now = after;
    for (; now != before && legs < kMostCycle; ++legs) {
      Places next = now;
      for (size_t b = 0; b < now.size(); ++b)
        for (size_t from = 0; from < now.size(); ++from)
          if (after[b] == before[from]) next[b] = now[from];
      now = next;
    }
    return now == before ? legs : 0;
  }
  // All streams wait for the first one; it waits for all of them.
  void fork() {
    for (int p = 0; p < count(); ++p) {
      const Mesh::On on(this->mesh(), p);
      const Mesh::Piece& at = piece(p);
      if (p == 0) ask(cudaEventRecord(at.begun, at.main));
      for (const cudaStream_t stream : {at.main, at.border, at.send[0], at.send[1]})
        if (p != 0 || stream != at.main) wait(stream, piece(0).begun);
      ask(cudaEventRecord(at.inner_done, at.main));
      ask(cudaEventRecord(at.border_done, at.border));
      for (const int side : {0, 1}) ask(cudaEventRecord(at.sent[side], at.send[side]));
    }
  }
  void join() {
    for (int p = 0; p < count(); ++p) {
      const Mesh::On on(this->mesh(), p);
      const Mesh::Piece& at = piece(p);
      const cudaStream_t streams[] = {at.border, at.send[0], at.send[1], at.main};
      for (int n = 0; n < (p == 0 ? 3 : 4); ++n) {
        ask(cudaEventRecord(at.joined[n], streams[n]));
        wait(piece(0).main, at.joined[n]);
      }
    }
  }

  // Records legs as a graph and replays it, of at most so many legs; `cycle` of them leave the
  // buffers where they are. Returns how many it took: none where a graph cannot be had.
  template <typename Call>
  int64_t replay(int64_t legs, int64_t cycle, const Call& leg) {
    const int64_t recorded = cycle * (cycle < kReplayed ? kReplayed / cycle : 1);
    // One thread is fast enough for two devices.
    constexpr int kFewDevices = 2;
    const MeshFeed feed = this->mesh().feed();
    if (feed == MeshFeed::calls || (feed == MeshFeed::automatic && count() <= kFewDevices) ||
        this->mesh().forgets() || !this->program().repeats || count() < 2 || legs < 2 * recorded)
      return 0;
    const Mesh::On on(this->mesh(), 0);
    const cudaStream_t origin = piece(0).main;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    const bool counts = form_of(this->plan().steps) == MeshForm::blocks;
    join();
    const Places places = this->places();
    if (this->ok() && cudaStreamBeginCapture(origin, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
      fork();
      if (counts) {
        clear_counts();
        join();
        fork();
      }
      for (int64_t n = 0; n < recorded; ++n)
        enqueue(this->plan().steps, this->plan().steps, false, leg);
      join();
      if (cudaStreamEndCapture(origin, &graph) != cudaSuccess || !this->ok() || graph == nullptr ||
          cudaGraphInstantiateWithFlags(&ready, graph, 0) != cudaSuccess) {
        ready = nullptr;
        this->forgive(places);
        if (counts) {
          clear_counts();
          join();
        }
      }
    }
    (void)cudaGetLastError();
    int64_t taken = 0;
    for (; ready != nullptr && taken + recorded <= legs && this->ok(); taken += recorded)
      ask(cudaGraphLaunch(ready, origin));
    fork();
    if (ready != nullptr) (void)cudaGraphExecDestroy(ready);
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    return taken;
  }
};

}  // namespace cuda
}  // namespace stencil

extern "C" {

__attribute__((used)) inline int stencil_cuda_mesh_of(const int* devices, int count,
                                                      stencil_mesh** mesh) {
  if (devices == nullptr)
    return stencil::code_of(stencil::null_handle("the list of the devices of a mesh"));
  return stencil::open_mesh(mesh, [&] { return stencil::cuda::Mesh::devices(devices, count); });
}
__attribute__((used)) inline int stencil_cuda_mesh_of_first(int count, stencil_mesh** mesh) {
  return stencil::open_mesh(mesh, [&] { return stencil::cuda::Mesh::devices(count); });
}
__attribute__((used)) inline int stencil_cuda_mesh_in_pieces(int count, stencil_mesh** mesh) {
  return stencil::open_mesh(mesh, [&] { return stencil::cuda::Mesh::in_pieces(count); });
}

}  // extern "C"
