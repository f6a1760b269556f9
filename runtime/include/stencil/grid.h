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

  // Allocates; the cells have no value yet.
  explicit BasicGrid(Extents<Rank> extents) : shape_(padded_shape(extents.at)), owns_(true) {
    status_ = check_shape("a grid", shape_, sizeof(T));
    if (status_.ok()) status_ = allocate(&data_);
  }

  // Uses memory of the target that the caller owns and keeps alive. Rows start every `pitch`
  // elements.
  static BasicGrid wrap(T* data, Extents<Rank> extents, int64_t pitch) {
    return BasicGrid(data, stencil::shape(extents.at, pitch));
  }
  static BasicGrid wrap(T* data, Extents<Rank> extents, int64_t pitch, int64_t plane) {
    return BasicGrid(data, stencil::shape(extents.at, pitch, plane));
  }

  BasicGrid(BasicGrid&& other) noexcept { swap(other); }
  BasicGrid& operator=(BasicGrid&& other) noexcept {
    BasicGrid taken(static_cast<BasicGrid&&>(other));
    swap(taken);
    return *this;
  }
  ~BasicGrid() {
    if (owns_) Memory::release(data_);
    for (T* spare : spares_) Memory::release(spare);
  }

  const Status& status() const { return status_; }
  const Shape& shape() const { return shape_; }
  Extents<Rank> extents() const {
    Extents<Rank> result{};
    const int64_t all[] = {shape_.nx, shape_.ny, shape_.nz};
    for (int axis = 0; axis < Rank; ++axis) result.at[axis] = all[axis];
    return result;
  }
  int64_t pitch() const { return shape_.pitch; }
  int64_t plane() const { return shape_.plane; }
  bool owns() const { return owns_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

  // Dense host arrays of nx * ny * nz elements, x first. Both wait for the target's pending work
  // and for the copy.
  Status copy_from(const T* host) {
    const Status ready = check_copy(host);
    return ready.ok() ? Memory::upload(data_, host, shape_, sizeof(T)) : ready;
  }
  Status copy_to(T* host) const {
    const Status ready = check_copy(host);
    return ready.ok() ? Memory::download(host, data_, shape_, sizeof(T)) : ready;
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

  Status allocate(T** out) {
    void* memory = nullptr;
    // Whole rows, so that the padding of the last row exists too; a wrapped array may end before
    // it.
    const Status status =
        Memory::allocate(&memory, shape_.nz * shape_.plane * static_cast<int64_t>(sizeof(T)),
                         ShapeText(shape_).c_str());
    *out = static_cast<T*>(memory);
    return status;
  }

  Status check_copy(const T* host) const {
    if (!status_.ok()) return status_;
    if (data_ == nullptr)
      return failure(Code::bad_extents,
                     "a grid without cells is copied; construct it with extents");
    if (host == nullptr)
      return failure(Code::null_pointer,
                     "the host array of a copy is a null pointer; pass %s elements",
                     ShapeText(shape_).c_str());
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
