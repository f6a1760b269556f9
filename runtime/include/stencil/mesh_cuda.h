// Runs of programs on the pieces of a mesh of GPUs.
#pragma once

#include <array>

#include "mesh_devices.h"
#include "mesh_values.h"

namespace stencil {
inline namespace cuda {

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
    this->agree();
    if (!this->ok() || steps <= 0) return;
    const Mesh::On on(this->mesh(), here());  // until it ends
    selected_ = this->mesh().device(here());
    const int64_t most = this->plan().steps;
    int64_t cycle = 0;  // not known before a leg has moved the buffers
    Places before = this->places();
    begin(steps < most ? steps : most);
    this->mesh().begin_watch();
    while (steps > 0 && this->ok()) {
      if (cycle > 0 && !reduces) {
        // A leg of other steps follows one by calls.
        const int64_t more = steps % most == 0 ? 0 : 1;
        const int64_t replayed = replay(steps / most - more, cycle, leg) * most;
        cycle = 0;
        this->took(replayed);
        steps -= replayed;
        continue;
      }
      const int64_t now = steps < most ? steps : most, after = steps - now;
      enqueue(now, after < most ? after : most, reduces && after == 0, reduces && after <= most,
              leg);
      watch(1);
      if (!before.empty() && now == most) cycle = period(before);
      before.clear();
      this->took(now);
      steps -= now;
    }
    if (!this->ok()) begin_anew();
    this->set_changed();
  }
  // What reductions need before a step that reads them.
  template <typename Call>
  void before_step(const Call& leg) {
    this->agree();
    if (!this->ok()) return;
    begin(1);
    for (int p = here(); p < behind(); ++p) {
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
  // The pieces of this process.
  int here() const { return this->share().first(); }
  int behind() const { return this->share().end(); }
  bool is_apart(int p, int side) const { return this->process_beside(p, side) >= 0; }
  int64_t first(int p) const { return this->plan().first(p); }
  int64_t end(int p) const { return this->plan().end(p); }

  void ask(cudaError_t error) {
    if (error != cudaSuccess) this->take(cuda_status(error, this->program().name));
  }
  void wait(cudaStream_t stream, cudaEvent_t event) { ask(cudaStreamWaitEvent(stream, event, 0)); }
  // The device of this piece is the current one from here on, within legs().
  void select(int p) {
    const int device = this->mesh().device(p);
    if (device != selected_) ask(cudaSetDevice(device));
    selected_ = device;
  }

  // What the neighbours sent has landed before `stream` goes on; or, where kernels are told, before
  // its next launch reads it.
  void wait_for_planes(int p, cudaStream_t stream, st::Borders* told = nullptr) {
    for (const int side : {0, 1}) {
      const int from = this->plan().neighbour(p, side);
      if (from < 0) continue;
      if (told != nullptr && piece(p).tells[side]) {
        (side == 0 ? told->awaits_low : told->awaits_high) = border() + kAhead;
        (side == 0 ? told->from_low : told->from_high) = piece(p).told[side];
        continue;
      }
      wait(stream, is_apart(p, side) ? piece(p).landed[side] : piece(from).sent[1 - side]);
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
    if (!splits || steps != plan.steps || count() < 2 || !this->any_is_sent() ||
        plan.thinnest <= 2 * (border() + kAhead) || wanted == MeshForm::whole)
      return MeshForm::whole;
    const bool counts =
        steps == plan.launch.steps && plan.launch.counts && Mesh::wait_for_word() != nullptr;
    // A leg of so many steps of cells takes so much longer than the copies that launches for the
    // borders, or blocks of their own, cost more than they hide (docs/multi-gpu.md); messages to
    // other processes can take longer.
    constexpr int64_t kLong = int64_t{1} << 30;
    const int64_t plane = program.rank == 3 ? plan.extents[0] * plan.extents[1] : plan.extents[0];
    const bool is_long = wanted == MeshForm::automatic && this->share().processes() == 1 &&
                         plane * plan.thinnest >= kLong / steps;
    if (counts && wanted != MeshForm::borders && !(program.wraps && is_long))
      return MeshForm::blocks;
    return is_long ? MeshForm::whole : MeshForm::borders;
  }

  // Streams are idle, and the planes that pieces need for a leg of so many steps are on their way.
  // Where neighbours read nothing that steps store, runs follow each other like legs.
  void begin(int64_t steps) {
    if (this->is_exchanged() || !this->ok()) return;
    this->take(this->mesh().synchronize());
    if (this->mesh().forgets()) this->forget();
    for (int p = here(); p < behind() && this->ok(); ++p) {
      const Mesh::On on(this->mesh(), p);
      send(p, steps, false);
    }
    exchange(steps);
    this->set_exchanged();
  }

  // The planes of one piece that its neighbours read in the next leg. `tells`: the kernels of that
  // are told when they have come.
  void send(int p, int64_t next, bool tells) {
    for (const int side : {0, 1}) {
      const int to = this->plan().neighbour(p, side);
      if (to < 0 || is_apart(p, side)) continue;
      const cudaStream_t stream = piece(p).send[side];
      if (!tells) this->mesh().piece(p).next_sent(side);
      this->mesh().piece(to).tells[1 - side] = tells;
      this->messages(p, side, next, [&](void* there, const void* here, int64_t bytes) {
        ask(this->mesh().copy(there, here, bytes, stream));
      });
      if (tells)
        tell(to, 1 - side, ++this->mesh().piece(to).told[1 - side], stream);
      else
        ask(cudaEventRecord(piece(p).sent[side], stream));
    }
  }
  // The kernels of a piece, that planes have come from one side so often.
  void tell(int p, int side, unsigned number, cudaStream_t stream) {
    of_word(Mesh::write_word(), stream, this->mesh().told_at(p, side), number % st::Borders::kRound,
            "write");
  }

  // One leg of all pieces; then copies for the next one, unless it has no steps.
  template <typename Call>
  void enqueue(int64_t steps, int64_t next, bool reduces, bool next_reduces, const Call& leg) {
    const MeshForm form = reduces ? MeshForm::whole : form_of(steps);
    for (int p = here(); p < behind() && this->ok(); ++p) {
      select(p);
      if (form == MeshForm::blocks)
        borders_by_count(p, steps, leg);
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
    // From the last piece on, whose device is the current one.
    for (int p = behind() - 1; p >= here() && this->ok(); --p) {
      select(p);
      for (const int side : {0, 1}) {
        const int to = this->plan().neighbour(p, side);
        if (to < 0) continue;
        const cudaStream_t stream = piece(p).send[side];
        if (form == MeshForm::blocks)
          wait_for_count(p, side, stream);
        else
          wait(stream, form == MeshForm::borders ? piece(p).border_done : piece(p).inner_done);
        // A leg of several launches writes planes beside its window.
        const cudaEvent_t written = (is_apart(p, side) ? piece(p) : piece(to)).inner_done;
        if (form == MeshForm::whole) wait(stream, written);
      }
      // The launch of the next leg goes at once then, and waits for the planes itself.
      send(p, next,
           form == MeshForm::blocks && next == steps && !next_reduces &&
               this->plan().launch.awaits() && this->mesh().tells_kernels());
    }
    exchange(next);
  }

  // The planes that go to other processes before the next leg, and those that come from there. They
  // follow what is in the streams that send.
  void exchange(int64_t next) {
    if (this->share().processes() == 1 || !this->ok()) return;
    const uint64_t number = this->mesh().share().count_exchange();
    std::vector<MeshParcel> parcels = this->parcels(next);
    if (this->mesh().link() == MeshLink::nccl)
      exchange_by_nccl(parcels);
    else
      exchange_by_host(parcels, number);
  }

  // The host waits until the planes are computed; then it sends them, from its own memory or from
  // that of the GPU. Meanwhile the GPU can compute inner planes.
  void exchange_by_host(std::vector<MeshParcel>& parcels, uint64_t number) {
    const bool direct = this->mesh().link() == MeshLink::direct;
    for (MeshParcel& one : parcels) {
      const Mesh::On on(this->mesh(), one.piece);
      const cudaStream_t stream = piece(one.piece).send[one.side];
      if (!direct) {
        Mesh::HostBuffer& buffer =
            this->mesh().piece(one.piece).parcels[one.side][one.message.sends ? 1 : 0];
        ask(buffer.grow(one.message.count));
        one.message.bytes = buffer.at;
        if (!this->ok()) return;
      }
      if (!one.message.sends) continue;
      if (!direct) {
        one.stamp(number);
        one.each([&](void* planes, void* in_parcel, int64_t bytes) {
          ask(this->mesh().copy(in_parcel, planes, bytes, stream));
        });
      }
      ask(cudaEventRecord(piece(one.piece).sent[one.side], stream));
    }
    std::vector<Transfer> messages;
    for (const MeshParcel& one : parcels) {
      if (one.message.sends)
        this->take(this->mesh().wait_for_event(one.piece, piece(one.piece).sent[one.side]));
      if (!direct) {
        messages.push_back(one.message);
        continue;
      }
      for (const MeshPlanes& planes : one.planes)
        messages.push_back(
            {one.message.sends, one.message.process, one.message.tag, planes.at, planes.bytes});
    }
    if (!this->ok()) return;
    this->take(this->communicator()->exchange(std::move(messages)));
    for (const MeshParcel& one : parcels) {
      if (one.message.sends || !this->ok()) continue;
      const Mesh::On on(this->mesh(), one.piece);
      const cudaStream_t stream = piece(one.piece).send[one.side];
      if (!direct) {
        this->take(one.check(number));
        one.each([&](void* planes, void* in_parcel, int64_t bytes) {
          ask(this->mesh().copy(planes, in_parcel, bytes, stream));
        });
      }
      ask(cudaEventRecord(piece(one.piece).landed[one.side], stream));
    }
  }

  // NCCL sends on a stream, and the host goes on. Between two processes messages meet in the order
  // in which both name them: those to a side with those from the other.
  void exchange_by_nccl(const std::vector<MeshParcel>& parcels) {
    const Nccl& nccl = Nccl::library();
    for (int p = here(); p < behind() && this->ok(); ++p) {
      const Mesh::On on(this->mesh(), p);
      ask(cudaEventRecord(piece(p).sent[1], piece(p).send[1]));
      wait(piece(p).send[0], piece(p).sent[1]);
    }
    int error = nccl.group_start();
    for (const int turn : {0, 1, 2, 3})
      for (const MeshParcel& one : parcels) {
        const bool sends = turn < 2;
        if (one.message.sends != sends || one.side != (sends ? turn : 3 - turn)) continue;
        const int to = this->plan().neighbour(one.piece, one.side);
        const Mesh::Piece& at = piece(one.piece);
        const Mesh::On on(this->mesh(), one.piece);
        for (const MeshPlanes& planes : one.planes) {
          if (error != Nccl::kSuccess) break;
          const size_t bytes = static_cast<size_t>(planes.bytes);
          error = sends ? nccl.send(planes.at, bytes, Nccl::kBytes, to, at.nccl, at.send[0])
                        : nccl.receive(planes.at, bytes, Nccl::kBytes, to, at.nccl, at.send[0]);
        }
      }
    const int ended = nccl.group_end();
    if (error == Nccl::kSuccess) error = ended;
    const Status status = nccl.status_of(error, this->program().name);
    if (!status.ok()) this->take(this->communicator()->fail_by_others(status));
    for (int p = here(); p < behind() && this->ok(); ++p) {
      const Mesh::On on(this->mesh(), p);
      for (const int side : {0, 1}) {
        ask(cudaEventRecord(piece(p).landed[side], piece(p).send[0]));
        ask(cudaEventRecord(piece(p).sent[side], piece(p).send[0]));
      }
      watch_messages(p);
    }
  }
  // Only some legs are on their way at a time: so that a process that is lost is seen in time.
  void watch_messages(int p) {
    constexpr uint64_t legs = 16;
    const uint64_t number = this->mesh().share().exchanges();
    if (number % legs != 0) return;
    const int now = static_cast<int>(number / legs % 2);
    ask(cudaEventRecord(piece(p).mark[now], piece(p).send[0]));
    if (number > legs) this->take(this->mesh().wait_for(p, piece(p).mark[1 - now]));
  }

  // Likewise a device that hangs.
  void watch(int64_t legs) {
    if (this->ok()) this->take(this->mesh().watch(legs));
  }

  template <typename Call>
  void whole_piece(int p, int64_t steps, bool reduces, const Call& leg) {
    Mesh::Piece& at = this->mesh().piece(p);
    wait_for_planes(p, at.main);
    wait_until_sent(p, at.main);
    this->call(p, first(p), end(p), steps, at.main, reduces, true, leg);
    if (!sends(p, 0) && !sends(p, 1)) return;
    at.next_leg();
    ask(cudaEventRecord(at.inner_done, at.main));
  }

  bool sends(int p, int side) const { return this->plan().neighbour(p, side) >= 0; }
  template <typename Call>
  void borders_first(int p, int64_t steps, const Call& leg) {
    Mesh::Piece& at = this->mesh().piece(p);
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
    at.next_leg();
    ask(cudaEventRecord(at.inner_done, at.main));
  }

  // One launch, which counts the planes at its ends as it stores them. Those at the low end come
  // first in who streams from there on. Those at the high end come last; no neighbour waits for
  // them unless the axis is periodic, because a piece may be as far behind the one before it as a
  // copy takes. Around a periodic axis each piece is behind the next one, so there the first blocks
  // compute them.
  //
  // Blocks read a few planes ahead of those that they use: that many more lie between what is
  // computed from the neighbours' planes and what is not.
  static constexpr int64_t kAhead = 2;
  template <typename Call>
  void borders_by_count(int p, int64_t steps, const Call& leg) {
    Mesh::Piece& at = this->mesh().piece(p);
    const bool wraps = this->program().wraps;
    int64_t counted[2] = {};
    BorderPlanes borders;
    borders.early = {sends(p, 0) ? border() : 0, sends(p, 1) && wraps ? border() + kAhead : 0,
                     at.counters};
    borders.counted = counted;
    wait_for_planes(p, at.main, &borders.early);
    this->call(p, first(p), end(p), steps, at.main, false, true, leg, borders);
    bool all = true;
    for (const int side : {0, 1}) {
      at.counts[side] = counted[side] > 0;
      at.counted[side] += counted[side];
      all = all && (at.counts[side] || !sends(p, side));
    }
    if (all) return;
    at.next_leg();
    ask(cudaEventRecord(at.inner_done, at.main));
  }
  // The planes that the neighbour on this side reads are stored.
  void wait_for_count(int p, int side, cudaStream_t stream) {
    const Mesh::Piece& at = piece(p);
    if (!at.counts[side]) {
      wait(stream, at.inner_done);
      return;
    }
    const auto address = reinterpret_cast<uintptr_t>(at.counters + side * st::Borders::kApart);
    of_word(Mesh::wait_for_word(), stream, address, static_cast<uint32_t>(at.counted[side]),
            "wait");
  }
  void of_word(Mesh::OfWord call, cudaStream_t stream, uint64_t address, uint32_t value,
               const char* what) {
    constexpr unsigned flags = 0;  // of a wait: until it is greater or equal
    if (const int result = call(stream, address, value, flags); result != 0)
      this->take(failure(Code::cuda_error, "`%s`: the driver reports error %d for a %s of a stream",
                         this->program().name, result, what));
  }
  // Counting begins anew, on each device's own stream.
  void clear_counts() {
    for (int p = here(); p < behind(); ++p) {
      const Mesh::On on(this->mesh(), p);
      clear_counts(p);
    }
  }
  void clear_counts(int p) {
    ask(cudaMemsetAsync(piece(p).counters, 0, Mesh::kCounted, piece(p).main));
    for (int64_t& counted : this->mesh().piece(p).counted) counted = 0;
  }

  // After a failure some of what was counted was not launched, or told.
  void begin_anew() {
    if (this->share().processes() > 1) return;
    if (!this->mesh().synchronize().ok()) return;  // a device is lost, and so is the mesh
    for (int p = 0; p < count(); ++p) {
      const Mesh::On on(this->mesh(), p);
      Mesh::Piece& at = this->mesh().piece(p);
      (void)cudaMemset(at.counters, 0, Mesh::kCounters);
      for (const int side : {0, 1}) at.counted[side] = at.told[side] = 0;
    }
    (void)cudaGetLastError();
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
    for (int p = here(); p < behind(); ++p) {
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
    for (int p = here(); p < behind(); ++p) {
      const Mesh::On on(this->mesh(), p);
      const Mesh::Piece& at = piece(p);
      const cudaStream_t streams[] = {at.border, at.send[0], at.send[1], at.main};
      for (int n = 0; n < (p == 0 ? 3 : 4); ++n) {
        ask(cudaEventRecord(at.joined[n], streams[n]));
        wait(piece(0).main, at.joined[n]);
      }
    }
  }

  // A multiple of `cycle`, about kReplayed. Where kernels are told of planes, so that these are
  // counted alike each time.
  int64_t legs_of_graph(int64_t cycle) const {
    if (!this->plan().launch.awaits() || !this->mesh().tells_kernels())
      return cycle * (cycle < kReplayed ? kReplayed / cycle : 1);
    int64_t legs = cycle;
    while (legs % int64_t{st::Borders::kRound} != 0) legs += cycle;
    if (legs < kReplayed) legs *= kReplayed / legs;
    return legs <= kMostCycle ? legs : 0;
  }
  // Did the last copies between all pieces tell their kernels?
  bool all_are_told() const {
    for (int p = here(); p < behind(); ++p)
      for (const int side : {0, 1})
        if (this->plan().neighbour(p, side) >= 0 && !piece(p).tells[side]) return false;
    return true;
  }

  // Copies of a leg to the neighbours of a piece.
  struct Copy {
    void* there;
    const void* here;
    int64_t bytes;
  };
  using Copies = std::vector<Copy>;

  // Likewise, where kernels are told of planes: each piece has a graph of its own device, and none
  // waits for another but by these words.
  template <typename Call>
  int64_t replay_apart(int64_t legs, int64_t cycle, int64_t recorded, const Call& leg) {
    // These are under way while the host records others.
    const int64_t before = (kReplayed + cycle - 1) / cycle * cycle;
    if (legs < before + recorded) return 0;
    // Which planes go where, as often as that differs.
    const int64_t steps = this->plan().steps;
    const size_t sides = 2 * static_cast<size_t>(count());
    std::vector<Copies> copies(static_cast<size_t>(cycle) * sides);
    for (int64_t n = 0; n < before && this->ok(); ++n) {
      enqueue(steps, steps, false, false, leg);
      watch(1);
      for (int p = 0; p < count() && n < cycle; ++p)
        for (const int side : {0, 1})
          this->messages(p, side, steps, [&](void* there, const void* here, int64_t bytes) {
            copies[static_cast<size_t>(n) * sides + static_cast<size_t>(2 * p + side)].push_back(
                {there, here, bytes});
          });
    }
    std::vector<cudaGraphExec_t> ready(static_cast<size_t>(count()), nullptr);
    std::vector<std::array<int64_t, 2>> counted;
    for (int p = 0; p < count(); ++p) counted.push_back({piece(p).counted[0], piece(p).counted[1]});
    bool all = this->ok();
    for (int p = 0; p < count() && all; ++p)
      all = record(p, recorded, copies, leg, &ready[static_cast<size_t>(p)]);
    for (int p = 0; p < count() && !all; ++p)
      for (const size_t side : {0, 1})
        this->mesh().piece(p).counted[side] = counted[static_cast<size_t>(p)][side];
    int64_t taken = before;
    for (; all && taken + recorded <= legs && this->ok(); taken += recorded) {
      for (int p = 0; p < count() && this->ok(); ++p) {
        select(p);
        ask(cudaGraphLaunch(ready[static_cast<size_t>(p)], piece(p).main));
        if (!this->ok()) release(p);
      }
      watch(recorded);
    }
    for (int p = 0; p < count(); ++p) {
      select(p);
      fork(p);
      if (ready[static_cast<size_t>(p)] != nullptr)
        (void)cudaGraphExecDestroy(ready[static_cast<size_t>(p)]);
    }
    return taken;
  }
  // So many legs of one piece, as a graph; false: that cannot be had.
  template <typename Call>
  bool record(int p, int64_t legs, const std::vector<Copies>& copies, const Call& leg,
              cudaGraphExec_t* ready) {
    const size_t sides = 2 * static_cast<size_t>(count());
    const cudaStream_t origin = piece(p).main;
    select(p);
    join(p);
    if (!this->ok() ||
        cudaStreamBeginCapture(origin, cudaStreamCaptureModeRelaxed) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    const Places places = this->places();
    clear_counts(p);
    fork(p);
    for (int64_t n = 0; n < legs; ++n)
      leg_apart(p, n, &copies[static_cast<size_t>(n) * sides % copies.size()], leg);
    join(p);
    cudaGraph_t graph = nullptr;
    const bool made = cudaStreamEndCapture(origin, &graph) == cudaSuccess && this->ok() &&
                      graph != nullptr &&
                      cudaGraphInstantiateWithFlags(ready, graph, 0) == cudaSuccess;
    if (!made) {
      *ready = nullptr;
      this->forgive(places);
    }
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    return made;
  }
  // The n-th leg of a graph of one piece, as borders_by_count() and send() do it. Nothing else is
  // known of its neighbours.
  template <typename Call>
  void leg_apart(int p, int64_t n, const Copies* copies, const Call& leg) {
    Mesh::Piece& at = this->mesh().piece(p);
    const unsigned told[2] = {at.told[0], at.told[1]};
    for (unsigned& number : at.told) number += static_cast<unsigned>(n);
    borders_by_count(p, this->plan().steps, leg);
    for (const int side : {0, 1}) at.told[side] = told[side];
    for (const int side : {0, 1}) {
      const int to = this->plan().neighbour(p, side);
      if (to < 0) continue;
      wait_for_count(p, side, at.send[side]);
      for (const Copy& one : copies[2 * p + side])
        ask(this->mesh().copy(one.there, one.here, one.bytes, at.send[side]));
      tell(to, 1 - side, piece(to).told[1 - side] + static_cast<unsigned>(n) + 1, at.send[side]);
    }
  }
  // The streams that send wait for the one that computes, or that one for these.
  void fork(int p) {
    const Mesh::Piece& at = piece(p);
    ask(cudaEventRecord(at.begun, at.main));
    for (const int side : {0, 1}) wait(at.send[side], at.begun);
  }
  void join(int p) {
    const Mesh::Piece& at = piece(p);
    for (const int side : {0, 1}) {
      ask(cudaEventRecord(at.joined[side], at.send[side]));
      wait(at.main, at.joined[side]);
    }
  }
  // Those from this piece on will not be launched: what waits for them goes on, and comes to an
  // end.
  void release(int missing) {
    const auto end = [&](int from, int behind) {
      for (int p = from; p < behind; ++p) {
        const Mesh::On on(this->mesh(), p);
        const Mesh::Piece& at = piece(p);
        const cudaStream_t streams[] = {at.main, at.send[0], at.send[1]};
        for (const cudaStream_t stream : streams) ask(cudaStreamSynchronize(stream));
      }
    };
    const auto write = [&](bool released) {
      for (int p = 0; p < missing; ++p) {
        const Mesh::On on(this->mesh(), p);
        for (const int side : {0, 1})
          if (this->plan().neighbour(p, side) >= missing)
            (void)Mesh::write_word()(
                piece(p).border, this->mesh().told_at(p, side),
                released ? st::Borders::kReleased : piece(p).told[side] % st::Borders::kRound, 0);
        (void)cudaStreamSynchronize(piece(p).border);
      }
    };
    end(missing, count());
    write(true);
    end(0, missing);
    write(false);
    (void)cudaGetLastError();
  }

  // Records legs as a graph and replays it, of at most so many legs; `cycle` of them leave the
  // buffers where they are. Returns how many it took: none where a graph cannot be had.
  template <typename Call>
  int64_t replay(int64_t legs, int64_t cycle, const Call& leg) {
    const int64_t recorded = legs_of_graph(cycle);
    // One thread is fast enough for two devices, and a graph over both makes these wait for each
    // other; one for each does not.
    constexpr int kFewDevices = 2;
    const bool apart = all_are_told();
    const MeshFeed feed = this->mesh().feed();
    if (feed == MeshFeed::calls ||
        (feed == MeshFeed::automatic && count() <= kFewDevices && !apart) ||
        this->mesh().forgets() || !this->program().repeats || count() < 2 ||
        this->share().processes() > 1 || recorded == 0 || legs < 2 * recorded ||
        this->mesh().is_long(recorded))
      return 0;
    if (apart) return replay_apart(legs, cycle, recorded, leg);
    select(0);
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
        enqueue(this->plan().steps, this->plan().steps, false, false, leg);
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
    for (; ready != nullptr && taken + recorded <= legs && this->ok(); taken += recorded) {
      ask(cudaGraphLaunch(ready, origin));
      watch(recorded);
    }
    fork();
    if (ready != nullptr) (void)cudaGraphExecDestroy(ready);
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    return taken;
  }

  int selected_ = -1;  // device
};

}  // namespace cuda
}  // namespace stencil
