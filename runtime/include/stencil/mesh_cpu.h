// Pieces of a grid in the memory of this process, one after the other: for tests of programs that
// will run on several devices.
#pragma once

#include "cpu.h"
#include "mesh.h"
#include "mesh_values.h"

namespace stencil {
inline namespace cpu {

class Mesh final : public BasicMesh<Mesh> {
 public:
  static constexpr const char* kTarget = "cpu";
  using Memory = HostMemory;
  // While it lives, calls are about this piece. There is nothing to choose here.
  struct On {
    On(const Mesh&, int) {}
  };

  static Mesh in_pieces(int count) { return Mesh(count); }
  // For programs that are written for several GPUs: a piece stands for each of them.
  static Mesh devices(int count) { return Mesh(count); }

  // Of several processes, each with a piece. All call this. The communicator outlives the mesh.
  static Mesh across(Communicator& processes) { return Mesh(processes, 1); }
  // For tests: the same with so many pieces here.
  static Mesh in_pieces(Communicator& processes, int here) { return Mesh(processes, here); }

  Status synchronize() const override { return {}; }
  bool can_release() const { return true; }
  Stream stream(int) const { return {}; }

  Status forget(int, void* at, int64_t bytes) const {
    std::memset(at, 0xff, static_cast<size_t>(bytes));
    return {};
  }
  Status move(void* to, int, const void* from, int64_t bytes) const {
    std::memcpy(to, from, static_cast<size_t>(bytes));
    return {};
  }

 private:
  explicit Mesh(int count) : BasicMesh(count) { check(count); }
  Mesh(Communicator& processes, int here) : BasicMesh(processes, here) { check(here); }
  void check(int count) {
    if (status_.ok() && count < 1)
      status_ = failure(Code::bad_extents, "a mesh of %d pieces; it has one at least", count);
  }
};

template <typename T>
using MeshGrid = TypedMeshGrid<T, Mesh>;

template <int Arrays>
class MeshRun : public BasicMeshRun<Mesh, Arrays> {
 public:
  using BasicMeshRun<Mesh, Arrays>::BasicMeshRun;
  using Leg = typename BasicMeshRun<Mesh, Arrays>::Leg;

  // Takes so many steps in legs. `reduces`: the last step stores what reductions need.
  template <typename Call>
  void legs(int64_t steps, bool reduces, const Call& leg) {
    this->agree();
    while (steps > 0 && this->ok()) {
      const int64_t now = steps < this->plan().steps ? steps : this->plan().steps;
      exchange(now);
      each_piece(now, reduces && now == steps, leg);
      this->set_changed();
      this->took(now);
      steps -= now;
    }
  }
  // What reductions need before a step that reads them.
  template <typename Call>
  void before_step(const Call& leg) {
    this->agree();
    exchange(1);
    each_piece(0, true, leg);
  }

 private:
  template <typename Call>
  void each_piece(int64_t steps, bool reduces, const Call& leg) {
    for (int p = this->share().first(); p < this->share().end(); ++p)
      this->call(p, this->plan().first(p), this->plan().end(p), steps, {}, reduces, true, leg);
  }
  void exchange(int64_t steps) {
    if (!this->ok() || this->is_exchanged()) return;
    if (this->mesh().forgets()) this->forget();
    for (int p = this->share().first(); p < this->share().end(); ++p)
      for (const int side : {0, 1})
        if (this->process_beside(p, side) < 0)
          this->messages(p, side, steps, [](void* to, const void* from, int64_t bytes) {
            std::memcpy(to, from, static_cast<size_t>(bytes));
          });
    if (this->communicator() != nullptr) exchange_parcels(steps);
    this->set_exchanged();
  }
  void exchange_parcels(int64_t steps) {
    std::vector<MeshParcel> parcels = this->parcels(steps);
    std::vector<std::vector<char>> memory;
    std::vector<Transfer> messages;
    const uint64_t number = this->mesh().share().count_exchange();
    for (MeshParcel& one : parcels) {
      memory.emplace_back(static_cast<size_t>(one.message.count));
      one.message.bytes = memory.back().data();
      messages.push_back(one.message);
      if (!one.message.sends) continue;
      one.stamp(number);
      one.each([](void* planes, void* in_parcel, int64_t bytes) {
        std::memcpy(in_parcel, planes, static_cast<size_t>(bytes));
      });
    }
    this->take(this->communicator()->exchange(std::move(messages)));
    for (const MeshParcel& one : parcels) {
      if (one.message.sends || !this->ok()) continue;
      this->take(one.check(number));
      one.each([](void* planes, void* in_parcel, int64_t bytes) {
        std::memcpy(planes, in_parcel, static_cast<size_t>(bytes));
      });
    }
  }
};

}  // namespace cpu
}  // namespace stencil

extern "C" __attribute__((used)) inline int stencil_cpu_mesh_across(stencil_communicator* processes,
                                                                    stencil_mesh** mesh) {
  return stencil::open_mesh_across(
      processes, mesh, [](stencil::Communicator& all) { return stencil::cpu::Mesh::across(all); });
}
extern "C" __attribute__((used)) inline int stencil_cpu_mesh_in_pieces(int count,
                                                                       stencil_mesh** mesh) {
  return stencil::open_mesh(mesh, [&] { return stencil::cpu::Mesh::in_pieces(count); });
}
