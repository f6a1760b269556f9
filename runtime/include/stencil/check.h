// The checks of a call's arguments, the same for every target: extents, pitch, steps, pointers,
// aliasing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "shape.h"

namespace stencil {

// An array as it reaches the C interface.
struct Buffer {
  const char* name;
  const void* data;
  int64_t element_size;
  bool is_written;
  int64_t cells = 0;  // of one without all axes, its halo included; 0: those of the shape
  int64_t front = 0;  // of them, how many come before cell 0
};

template <typename T>
Buffer read(const char* name, const T* data) {
  return {name, data, static_cast<int64_t>(sizeof(T)), false};
}
template <typename T>
Buffer written(const char* name, T* data) {
  return {name, data, static_cast<int64_t>(sizeof(T)), true};
}

// The arrays of one call: {read("c", c), written("u", u)}, or Buffers.
class BufferList {
 public:
  BufferList(std::initializer_list<Buffer> buffers) : BufferList(buffers.begin(), buffers.end()) {}
  BufferList(const Buffer* begin, const Buffer* end) : begin_(begin), end_(end) {}
  const Buffer* begin() const { return begin_; }
  const Buffer* end() const { return end_; }

 private:
  const Buffer* begin_;
  const Buffer* end_;
};

// The same collected one by one, at most N.
template <int N>
class Buffers {
 public:
  template <typename T>
  void read(const char* name, const T* data) {
    buffers_[count_++] = stencil::read(name, data);
  }
  // An array of so many elements that does not have all axes, `front` of them before cell 0.
  template <typename T>
  void read(const char* name, const T* data, int64_t cells, int64_t front = 0) {
    read(name, data);
    buffers_[count_ - 1].cells = cells;
    buffers_[count_ - 1].front = front;
  }
  template <typename T>
  void written(const char* name, T* data) {
    buffers_[count_++] = stencil::written(name, data);
  }
  // Memory of so many bytes that the call writes, if there is any.
  void scratch(const char* name, void* data, size_t bytes) {
    if (data == nullptr || bytes == 0) return;
    constexpr size_t most = SIZE_MAX / 2;
    buffers_[count_] = {name, data, 1, true};
    buffers_[count_++].cells = static_cast<int64_t>(bytes < most ? bytes : most);
  }
  operator BufferList() const { return {buffers_, buffers_ + count_}; }

 private:
  Buffer buffers_[N];
  size_t count_ = 0;
};

// `who` is how messages begin: "`laplace2d`" or "a grid".
inline Status check_shape(const char* who, const Shape& shape, int64_t element_size) {
  const ShapeText extents(shape);
  if (shape.nx < 1 || shape.ny < 1 || shape.nz < 1)
    return failure(Code::bad_extents, "%s: the extents are %s; each must be at least 1", who,
                   extents.c_str());
  const Shape box = shape.box();
  if (box.nx < 0 || box.ny < 0 || box.nz < 0)
    return failure(Code::bad_extents, "%s: the extents are %s; a halo is at least 0 and fits", who,
                   extents.c_str());
  const int64_t rows = detail::product(box.ny, box.nz);
  const int64_t bytes = detail::product(
      shape.rank < 3 ? detail::product(shape.pitch < 0 ? 0 : shape.pitch, rows)
                     : detail::product(shape.plane < 0 ? INT64_MAX : shape.plane, box.nz),
      element_size);
  if (rows < 0 || bytes < 0 || (shape.has_halo() && bytes > INT64_MAX / 2))
    return failure(Code::bad_extents,
                   "%s: %s elements of %lld bytes are more than 2^63 bytes; use smaller extents",
                   who, extents.c_str(), static_cast<long long>(element_size));
  const char* with_halo = shape.has_halo() ? " with their halo" : "";
  if (shape.pitch < box.nx)
    return failure(
        Code::bad_pitch,
        "%s: the pitch is %lld, less than a row of %lld elements%s; count it in elements", who,
        static_cast<long long>(shape.pitch), static_cast<long long>(box.nx), with_halo);
  if (shape.rank == 3 && shape.plane < detail::product(shape.pitch, box.ny))
    return failure(
        Code::bad_pitch,
        "%s: planes start every %lld elements, less than %lld rows of %lld%s; count in elements",
        who, static_cast<long long>(shape.plane), static_cast<long long>(box.ny),
        static_cast<long long>(shape.pitch), with_halo);
  return {};
}

namespace detail {

// Whether two arrays of one shape share a byte. Windows side by side in the same rows of a larger
// array do not.
inline bool overlap(const Buffer& a, const Buffer& b, const Shape& shape) {
  const auto begin_of = [&](const Buffer& buffer) {
    const int64_t front = buffer.cells != 0 ? buffer.front : shape.front();
    return reinterpret_cast<uintptr_t>(buffer.data) -
           static_cast<uintptr_t>(front * buffer.element_size);
  };
  const uintptr_t begin_a = begin_of(a), begin_b = begin_of(b);
  const bool a_first = begin_a <= begin_b;
  const Buffer& first = a_first ? a : b;
  const uintptr_t distance = a_first ? begin_b - begin_a : begin_a - begin_b;
  const Shape box = shape.box();
  const int64_t cells = first.cells != 0 ? first.cells : box.span();
  if (distance >= static_cast<uintptr_t>(cells * first.element_size)) return false;
  if (a.cells != 0 || b.cells != 0) return true;
  if (a.element_size != b.element_size || shape.plane % shape.pitch != 0) return true;
  const uintptr_t row = static_cast<uintptr_t>(shape.pitch * a.element_size);
  const uintptr_t width = static_cast<uintptr_t>(box.nx * a.element_size);
  return distance % row < width || distance % row + width > row;
}

}  // namespace detail

// Everything about the arguments of a call that can be told without asking the device.
inline Status check_arguments(const char* who, const Shape& shape, Steps steps,
                              BufferList buffers) {
  int64_t largest = 1;
  for (const Buffer& buffer : buffers)
    if (buffer.element_size > largest) largest = buffer.element_size;
  Status status = check_shape(who, shape, largest);
  if (!status.ok()) return status;
  if (steps.count < 0)
    return failure(Code::negative_steps, "%s: the step count is %lld; it must be at least 0", who,
                   static_cast<long long>(steps.count));
  for (const Buffer& buffer : buffers) {
    if (buffer.data == nullptr)
      return failure(Code::null_pointer, "%s: `%s` is a null pointer; pass an array of %s elements",
                     who, buffer.name, ShapeText(shape).c_str());
    if (reinterpret_cast<uintptr_t>(buffer.data) % static_cast<uintptr_t>(buffer.element_size) != 0)
      return failure(Code::misaligned,
                     "%s: `%s` does not start at a multiple of its element size, %lld bytes", who,
                     buffer.name, static_cast<long long>(buffer.element_size));
  }
  for (const Buffer* a = buffers.begin(); a != buffers.end(); ++a)
    for (const Buffer* b = a + 1; b != buffers.end(); ++b)
      if ((a->is_written || b->is_written) && detail::overlap(*a, *b, shape))
        return failure(Code::aliasing,
                       "%s: `%s` and `%s` share memory and `%s` is written; give each its own", who,
                       a->name, b->name, a->is_written ? a->name : b->name);
  return {};
}

}  // namespace stencil
