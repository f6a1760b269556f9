// Weights given to a run. A kernel takes them by value: its parameters lie in constant memory, from
// where an arithmetic instruction reads them directly.
#pragma once

#include "device_target.h"
#include "status.h"

namespace stencil {

template <typename T, int N>
struct alignas(16) Weights {
  T value[N];

  STENCIL_FUNCTION const T& operator[](int i) const { return value[i]; }
};

// From rows of so many values on the host; they begin `Pitch` values apart, so that one load serves
// neighbours.
template <int Row, int Pitch, typename T, int N>
Status take_rows(const char* stencil, const char* name, const T* from, Weights<T, N>& to) {
  constexpr int kCount = N / Pitch * Row;
  if (from == nullptr)
    return failure(Code::null_pointer, "`%s`: the weights `%s` are a null pointer; pass %d values",
                   stencil, name, kCount);
  to = {};
  for (int i = 0; i < kCount; ++i) to.value[i / Row * Pitch + i % Row] = from[i];
  return {};
}

// From N values.
template <typename T, int N>
Status take(const char* stencil, const char* name, const T* from, Weights<T, N>& to) {
  return take_rows<N, N>(stencil, name, from, to);
}

// From rows of so many values; those of a column, of which there are `Row`, become neighbours.
template <int Columns, int Row, typename T, int N>
Status take_columns(const char* stencil, const char* name, const T* from, Weights<T, N>& to) {
  Weights<T, Columns * Row> rows;
  const Status status = take(stencil, name, from, rows);
  if (!status.ok()) return status;
  constexpr int kPitch = N / Columns;
  to = {};
  for (int i = 0; i < Columns * Row; ++i)
    to.value[i % Columns * kPitch + i / Columns] = rows.value[i];
  return {};
}

}  // namespace stencil
