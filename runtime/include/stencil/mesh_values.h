// What a run on a mesh has beside its grids: points, series, reductions.
#pragma once

#include <cstring>
#include <vector>

#include "mesh.h"

namespace stencil {

// Numbers that all pieces read: points, series. Each piece has a copy.
template <typename T, typename Mesh>
class MeshCopies {
 public:
  // `fills`: the run stores values, each of them on one piece.
  MeshCopies(Mesh& mesh, T* host, int64_t count, bool fills)
      : mesh_(mesh), host_(host), count_(count < 0 || host == nullptr ? 0 : count), fills_(fills) {
    for (int p = mesh.share().first(); p < mesh.share().end() && status_.ok(); ++p) {
      const typename Mesh::On on(mesh, p);
      void* memory = nullptr;
      status_ = Mesh::Memory::allocate(&memory, bytes() > 0 ? bytes() : 1, "points or series");
      data_.push_back(memory);
      if (!status_.ok() || count_ == 0) continue;
      status_ =
          fills ? mesh.forget(p, memory, bytes()) : Mesh::Memory::upload(memory, host, shape(), 1);
    }
    if (fills && status_.ok() && count_ > 0) status_ = mesh.synchronize();
  }
  MeshCopies(const MeshCopies&) = delete;
  MeshCopies& operator=(const MeshCopies&) = delete;
  ~MeshCopies() {
    if (!mesh_.can_release()) return;
    int p = mesh_.share().first();
    for (void* memory : data_) {
      const typename Mesh::On on(mesh_, p++);
      Mesh::Memory::release(memory);
    }
  }

  const Status& status() const { return status_; }
  T* data(int p) const {
    return static_cast<T*>(data_[static_cast<size_t>(p - mesh_.share().first())]);
  }

  // What the run has stored, `stored` values from number `first` on, to the host of every process.
  // One piece has stored each of them. On the others it is all ones still, as memory was before; so
  // it is all ones if it is that everywhere.
  Status finish(int64_t first, int64_t stored) {
    if (!fills_ || count_ == 0 || !status_.ok()) return status_;
    std::vector<unsigned char> taken(static_cast<size_t>(bytes())), all(taken.size(), 0xff);
    status_ = mesh_.synchronize();
    for (int p = mesh_.share().first(); p < mesh_.share().end() && status_.ok(); ++p) {
      const typename Mesh::On on(mesh_, p);
      status_ = Mesh::Memory::download(taken.data(), data(p), shape(), 1);
      if (status_.ok()) add(all, taken);
    }
    if (Communicator* const processes = mesh_.share().communicator(); processes != nullptr) {
      const size_t count = static_cast<size_t>(processes->size());
      taken.resize(processes->rank() == 0 ? count * all.size() : 0);
      if (status_.ok())
        status_ = processes->gather(all.data(), taken.data(), std::vector<int64_t>(count, bytes()));
      if (processes->rank() == 0) add(all, taken);
      if (status_.ok()) status_ = processes->broadcast(all.data(), bytes());
    }
    if (status_.ok() && stored > 0)
      std::memcpy(host_ + first, all.data() + first * static_cast<int64_t>(sizeof(T)),
                  static_cast<size_t>(stored) * sizeof(T));
    return status_;
  }

 private:
  // Values that were stored, of some whole lists of values one after the other.
  void add(std::vector<unsigned char>& to, const std::vector<unsigned char>& stored) const {
    const size_t list = to.size();
    for (size_t at = 0; at < stored.size(); at += list)
      add_to(to.data(), {stored.begin() + static_cast<std::ptrdiff_t>(at),
                         stored.begin() + static_cast<std::ptrdiff_t>(at + list)});
  }
  void add_to(unsigned char* to, const std::vector<unsigned char>& stored) const {
    const std::vector<unsigned char> none(sizeof(T), 0xff);
    for (size_t at = 0; at < stored.size(); at += sizeof(T))
      if (std::memcmp(stored.data() + at, none.data(), sizeof(T)) != 0)
        std::memcpy(to + at, stored.data() + at, sizeof(T));
  }

  int64_t bytes() const { return count_ * static_cast<int64_t>(sizeof(T)); }
  Shape shape() const { return {1, bytes(), 1, 1, bytes(), bytes()}; }

  Mesh& mesh_;
  T* host_;
  int64_t count_;
  bool fills_;
  std::vector<void*> data_;
  Status status_;
};

// A reduction over all pieces: what each plane adds, and the value, which updates may read.
template <typename T, typename Mesh>
class MeshReduction {
 public:
  MeshReduction(Mesh& mesh, const MeshPlan& plan, int64_t plane_parts, T identity)
      : mesh_(mesh), plan_(plan), plane_(plane_parts), now(identity) {
    for (int p = first(); p < end() && status_.ok(); ++p) {
      const typename Mesh::On on(mesh, p);
      // The first piece has room for the parts of all planes.
      const int64_t planes = p == 0 ? plan.planes() : plan.end(p) - plan.first(p);
      void *parts = nullptr, *value = nullptr;
      status_ = Mesh::Memory::allocate(&parts, planes * plane_ * size(), "a reduction");
      parts_.push_back(static_cast<T*>(parts));
      if (status_.ok()) status_ = Mesh::Memory::allocate(&value, size(), "a reduction");
      values_.push_back(static_cast<T*>(value));
    }
    if (status_.ok()) tell();
  }
  MeshReduction(const MeshReduction&) = delete;
  MeshReduction& operator=(const MeshReduction&) = delete;
  ~MeshReduction() {
    if (!mesh_.can_release()) return;
    for (size_t n = 0; n < parts_.size(); ++n) {
      const typename Mesh::On on(mesh_, first() + static_cast<int>(n));
      Mesh::Memory::release(parts_[n]);
      if (n < values_.size()) Mesh::Memory::release(values_[n]);
    }
  }

  const Status& status() const { return status_; }
  T* parts(int p) const { return parts_[static_cast<size_t>(p - first())]; }
  const T* value(int p) const { return values_[static_cast<size_t>(p - first())]; }

  // Gathers the parts on the first piece, where `fold(parts, value, stream)` folds them; then the
  // host and all pieces have the value.
  template <typename Fold>
  Status fold(const Fold& fold) {
    if (status_.ok()) status_ = mesh_.synchronize();
    if (first() == 0)
      for (int p = 1; p < end() && status_.ok(); ++p)
        status_ = mesh_.move(parts(0) + plan_.first(p) * plane_, p, parts(p), bytes(p));
    if (status_.ok()) status_ = mesh_.synchronize();
    Communicator* const processes = mesh_.share().communicator();
    if (processes != nullptr && status_.ok()) status_ = gather(*processes);
    if (first() == 0 && status_.ok()) {
      const typename Mesh::On on(mesh_, 0);
      status_ = status_of(fold(parts(0), values_[0], mesh_.stream(0)));
      if (status_.ok()) status_ = mesh_.synchronize();
      if (status_.ok()) status_ = Mesh::Memory::download(&now, values_[0], shape(1), sizeof(T));
    }
    // The others must not wait for what will not come.
    if (processes != nullptr && !status_.ok()) processes->fail(status_);
    if (processes != nullptr && status_.ok()) status_ = processes->broadcast(&now, size());
    if (status_.ok()) tell();
    return status_;
  }

 private:
  static int64_t size() { return static_cast<int64_t>(sizeof(T)); }
  static Shape shape(int64_t values) { return {1, values, 1, 1, values, values}; }
  int first() const { return mesh_.share().first(); }
  int end() const { return mesh_.share().end(); }
  int64_t bytes(int p) const { return (plan_.end(p) - plan_.first(p)) * plane_ * size(); }

  // What other processes have, behind that of the first one.
  Status gather(Communicator& processes) {
    const MeshShare& share = mesh_.share();
    std::vector<int64_t> counts(static_cast<size_t>(processes.size()), 0);
    int64_t all = 0, own = 0;
    for (int p = 0; p < share.pieces(); ++p) {
      counts[static_cast<size_t>(share.process_of(p))] += bytes(p);
      all += bytes(p);
      own += share.has(p) ? bytes(p) : 0;
    }
    const bool folds = processes.rank() == 0;
    std::vector<T> mine(static_cast<size_t>(own / size())),
        theirs(folds ? static_cast<size_t>(all / size()) : 0);
    T* at = mine.data();
    for (int p = first(); p < end() && status_.ok() && !folds; ++p) {
      const typename Mesh::On on(mesh_, p);
      status_ = Mesh::Memory::download(at, parts(p), shape(bytes(p) / size()), sizeof(T));
      at += bytes(p) / size();
    }
    if (!status_.ok()) return status_;
    const Status sent = processes.gather(mine.data(), theirs.data(), counts);
    if (!sent.ok() || !folds || own == all) return sent;
    const typename Mesh::On on(mesh_, 0);
    return Mesh::Memory::upload(parts(0) + own / size(), theirs.data() + own / size(),
                                shape((all - own) / size()), sizeof(T));
  }
  void tell() {
    for (int p = first(); p < end() && status_.ok(); ++p) {
      const typename Mesh::On on(mesh_, p);
      status_ = Mesh::Memory::upload(values_[static_cast<size_t>(p - first())], &now, shape(1),
                                     sizeof(T));
    }
  }

  Mesh& mesh_;
  const MeshPlan& plan_;
  int64_t plane_;
  std::vector<T*> parts_, values_;
  Status status_;

 public:
  T now;  // on the host
};

}  // namespace stencil
