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
    for (int p = 0; p < mesh.pieces() && status_.ok(); ++p) {
      const typename Mesh::On on(mesh, p);
      void* memory = nullptr;
      status_ = Mesh::Memory::allocate(&memory, bytes() > 0 ? bytes() : 1, "points or series");
      data_.push_back(memory);
      if (!status_.ok() || count_ == 0) continue;
      status_ =
          fills ? mesh.forget(p, memory, bytes()) : Mesh::Memory::upload(memory, host, shape(), 1);
    }
  }
  MeshCopies(const MeshCopies&) = delete;
  MeshCopies& operator=(const MeshCopies&) = delete;
  ~MeshCopies() {
    for (size_t p = 0; p < data_.size(); ++p) {
      const typename Mesh::On on(mesh_, static_cast<int>(p));
      Mesh::Memory::release(data_[p]);
    }
  }

  const Status& status() const { return status_; }
  T* data(int p) const { return static_cast<T*>(data_[static_cast<size_t>(p)]); }

  // What pieces have stored, to the host. Memory was all ones before, which is what a value that
  // nobody stored looks like.
  Status finish() {
    if (!fills_ || count_ == 0 || !status_.ok()) return status_;
    std::vector<unsigned char> taken(static_cast<size_t>(bytes())), none(sizeof(T), 0xff);
    status_ = mesh_.synchronize();
    for (int p = 0; p < mesh_.pieces() && status_.ok(); ++p) {
      const typename Mesh::On on(mesh_, p);
      status_ = Mesh::Memory::download(taken.data(), data(p), shape(), 1);
      for (int64_t i = 0; i < count_ && status_.ok(); ++i) {
        const unsigned char* const one = taken.data() + static_cast<size_t>(i) * sizeof(T);
        if (std::memcmp(one, none.data(), sizeof(T)) != 0) std::memcpy(host_ + i, one, sizeof(T));
      }
    }
    return status_;
  }

 private:
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
    for (int p = 0; p < plan.pieces() && status_.ok(); ++p) {
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
    for (size_t p = 0; p < parts_.size(); ++p) {
      const typename Mesh::On on(mesh_, static_cast<int>(p));
      Mesh::Memory::release(parts_[p]);
      if (p < values_.size()) Mesh::Memory::release(values_[p]);
    }
  }

  const Status& status() const { return status_; }
  T* parts(int p) const { return parts_[static_cast<size_t>(p)]; }
  const T* value(int p) const { return values_[static_cast<size_t>(p)]; }

  // Gathers the parts on the first piece, where `fold(parts, value, stream)` folds them; then the
  // host and all pieces have the value.
  template <typename Fold>
  Status fold(const Fold& fold) {
    if (status_.ok()) status_ = mesh_.synchronize();
    for (int p = 1; p < plan_.pieces() && status_.ok(); ++p)
      status_ = mesh_.move(parts(0) + plan_.first(p) * plane_, p, parts(p),
                           (plan_.end(p) - plan_.first(p)) * plane_ * size());
    if (status_.ok()) status_ = mesh_.synchronize();
    if (!status_.ok()) return status_;
    {
      const typename Mesh::On on(mesh_, 0);
      status_ = status_of(fold(parts(0), values_[0], mesh_.stream(0)));
    }
    if (status_.ok()) status_ = mesh_.synchronize();
    if (!status_.ok()) return status_;
    const typename Mesh::On on(mesh_, 0);
    status_ = Mesh::Memory::download(&now, values_[0], shape(), sizeof(T));
    if (status_.ok()) tell();
    return status_;
  }

 private:
  static int64_t size() { return static_cast<int64_t>(sizeof(T)); }
  static Shape shape() { return {1, 1, 1, 1, 1, 1}; }
  void tell() {
    for (int p = 0; p < plan_.pieces() && status_.ok(); ++p) {
      const typename Mesh::On on(mesh_, p);
      status_ = Mesh::Memory::upload(values_[static_cast<size_t>(p)], &now, shape(), sizeof(T));
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
