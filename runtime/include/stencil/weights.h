// Weights given to a run. A kernel takes them by value: its parameters lie in constant memory, from
// where an arithmetic instruction reads them directly.
#pragma once

#include "device_target.h"
#include "status.h"

namespace stencil {

template <typename T, int N>
struct Weights {
  T value[N];

  STENCIL_FUNCTION const T& operator[](int i) const { return value[i]; }
};

// From N values on the host.
template <typename T, int N>
Status take(const char* stencil, const char* name, const T* from, Weights<T, N>& to) {
  if (from == nullptr)
    return failure(Code::null_pointer, "`%s`: the weights `%s` are a null pointer; pass %d values",
                   stencil, name, N);
  for (int i = 0; i < N; ++i) to.value[i] = from[i];
  return {};
}

// The same from rows of so many values; those of a column become neighbours.
template <int Columns, typename T, int N>
Status take_columns(const char* stencil, const char* name, const T* from, Weights<T, N>& to) {
  Weights<T, N> rows;
  const Status status = take(stencil, name, from, rows);
  if (!status.ok()) return status;
  constexpr int kRows = N / Columns;
  for (int i = 0; i < N; ++i) to.value[i] = rows.value[i % kRows * Columns + i / kRows];
  return {};
}

}  // namespace stencil
