// BasicGrid: a pitched array of a target's memory, owned or wrapped. cuda.h and cpu.h name it Grid
// for their memory.
#pragma once

#include <cstdint>

#include "check.h"

namespace stencil {

// `Memory` is the target: see DeviceMemory in cuda.h. A failed allocation shows in status(), and in
// every later call.
template <typename T, int Rank, typename Memory>
class [[nodiscard]] BasicGrid {
 public:
  static constexpr int max_spares = 3;

  BasicGrid() = default;  // no cells

  // Allocates; the cells have no value yet, nor has the halo.
  explicit BasicGrid(Extents<Rank> extents, Halo<Rank> halo = {})
      : shape_(padded_shape(extents.at, halo)), owns_(true) {
    status_ = check_shape("a grid", shape_, sizeof(T));
    if (status_.ok()) status_ = allocate(&data_);
  }

  // Uses memory of the target that the caller owns and keeps alive. Rows start every `pitch`
  // elements. `data` points to cell (0, 0, 0), after the first cells of the halo.
  static BasicGrid wrap(T* data, Extents<Rank> extents, int64_t pitch, Halo<Rank> halo = {}) {
    return BasicGrid(data, stencil::shape(extents.at, pitch, halo));
  }
  template <int Axes = Rank, typename = std::enable_if_t<Axes == 3>>
  static BasicGrid wrap(T* data, Extents<Rank> extents, int64_t pitch, int64_t plane,
                        Halo<Rank> halo = {}) {
    return BasicGrid(data, stencil::shape(extents.at, pitch, plane, halo));
  }

  BasicGrid(BasicGrid&& other) noexcept { swap(other); }
  BasicGrid& operator=(BasicGrid&& other) noexcept {
    BasicGrid taken(static_cast<BasicGrid&&>(other));
    swap(taken);
    return *this;
  }
  ~BasicGrid() {
    if (owns_) release(data_);
    for (T* spare : spares_) release(spare);
  }

  const Status& status() const { return status_; }
  const Shape& shape() const { return shape_; }
  Extents<Rank> extents() const {
    Extents<Rank> result{};
    const int64_t all[] = {shape_.nx, shape_.ny, shape_.nz};
    for (int axis = 0; axis < Rank; ++axis) result.at[axis] = all[axis];
    return result;
  }
  Halo<Rank> halo() const {
    Halo<Rank> result;
    const int64_t all[] = {shape_.hx, shape_.hy, shape_.hz};
    for (int axis = 0; axis < Rank; ++axis) result.at[axis] = all[axis];
    return result;
  }
  int64_t pitch() const { return shape_.pitch; }
  int64_t plane() const { return shape_.plane; }
  bool owns() const { return owns_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

  // Dense host arrays of nx * ny * nz elements, x first; with a halo, which is at most the grid's,
  // it lies around the cells. Both wait for the target's pending work and for the copy.
  Status copy_from(const T* host, Halo<Rank> halo = {}) {
    const Shape part = part_of(halo);
    const Status ready = check_copy(host, part);
    if (!ready.ok()) return ready;
    return Memory::upload(data_ - part.front(), host, part.box(), sizeof(T));
  }
  Status copy_to(T* host, Halo<Rank> halo = {}) const {
    const Shape part = part_of(halo);
    const Status ready = check_copy(host, part);
    if (!ready.ok()) return ready;
    return Memory::download(host, data_ - part.front(), part.box(), sizeof(T));
  }

  // Scratch of the same shape, allocated when first asked for and kept: index < max_spares.
  Status spare(int index, T** out) {
    Status status = status_;
    if (status.ok() && spares_[index] == nullptr) status = allocate(&spares_[index]);
    *out = spares_[index];
    return status;
  }

  // Only for BasicCall: exchange buffers after the time levels have rotated.
  void set_data(T* data) { data_ = data; }
  void set_spare(int index, T* data) { spares_[index] = data; }

 private:
  BasicGrid(T* data, const Shape& shape) : data_(data), shape_(shape) {
    status_ = check_shape("a wrapped grid", shape_, sizeof(T));
    if (status_.ok() && data == nullptr)
      status_ = failure(Code::null_pointer,
                        "a wrapped grid: the data is a null pointer; pass an array of %s elements",
                        ShapeText(shape).c_str());
  }

  // Elements in front of cell (0, 0, 0), which so stands at a multiple of 64, too.
  int64_t origin() const { return (shape_.front() + 63) / 64 * 64; }

  Status allocate(T** out) {
    void* memory = nullptr;
    // Whole rows, so that the padding of the last row exists too; a wrapped array may end before
    // it.
    const int64_t cells =
        (shape_.nz - 1 + shape_.hz) * shape_.plane + (shape_.ny + shape_.hy) * shape_.pitch;
    const Status status = Memory::allocate(
        &memory, (origin() + cells) * static_cast<int64_t>(sizeof(T)), ShapeText(shape_).c_str());
    *out = memory == nullptr ? nullptr : static_cast<T*>(memory) + origin();
    return status;
  }
  void release(T* data) { Memory::release(data == nullptr ? nullptr : data - origin()); }

  // The cells with a part of the halo.
  Shape part_of(const Halo<Rank>& halo) const {
    Shape part = shape_;
    part.hx = halo[0];
    if constexpr (Rank >= 2) part.hy = halo[1];
    if constexpr (Rank >= 3) part.hz = halo[2];
    return part;
  }

  Status check_copy(const T* host, const Shape& part) const {
    if (!status_.ok()) return status_;
    if (data_ == nullptr)
      return failure(Code::bad_extents,
                     "a grid without cells is copied; construct it with extents");
    if (part.hx < 0 || part.hy < 0 || part.hz < 0 || part.hx > shape_.hx || part.hy > shape_.hy ||
        part.hz > shape_.hz)
      return failure(Code::bad_extents, "a grid of %s is copied as %s; its halo is smaller",
                     ShapeText(shape_).c_str(), ShapeText(part).c_str());
    if (host == nullptr)
      return failure(Code::null_pointer,
                     "the host array of a copy is a null pointer; pass %s elements",
                     ShapeText(part).c_str());
    return {};
  }

  template <typename Value>
  static void exchange(Value& a, Value& b) {
    const Value kept = a;
    a = b;
    b = kept;
  }
  void swap(BasicGrid& other) {
    exchange(data_, other.data_);
    exchange(shape_, other.shape_);
    exchange(owns_, other.owns_);
    exchange(status_, other.status_);
    for (int i = 0; i < max_spares; ++i) exchange(spares_[i], other.spares_[i]);
  }

  T* data_ = nullptr;
  T* spares_[max_spares] = {};
  Shape shape_{Rank, 0, Rank >= 2 ? 0 : 1, Rank >= 3 ? 0 : 1, 0, 0};
  Status status_;
  bool owns_ = false;
};

}  // namespace stencil
