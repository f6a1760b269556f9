// What a shared library has for callers that know it by its manifest and change arrays in place:
// after a run, the levels that are not where the caller keeps them are copied there, by one call,
// or by the call that runs. cpu_callers.h and cuda_callers.h define the functions. They follow
// cpu.h or cuda.h, or the text of one, which the header of a shared library holds.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

extern "C" {

// A field and where its newest level belongs. Its arrays lie in memory alike: `front` bytes before
// cell (0, 0), where the pointers point, begin planes of rows of so many bytes, so far apart.
struct stencil_level {
  void** buffers;  // as NAME_run takes them: the newest level first
  int64_t count;   // of the buffers
  void* home;
  int64_t front;
  int64_t row_bytes, rows, row_pitch, planes, plane_pitch;
};

// Copies each level home that is elsewhere, on a stream of the GPU. Its home is then the first of
// the buffers, and where the level was takes the place that its home had. With no levels it loads
// its kernels, as NAME_prepare loads those of runs, so that calls can be captured into a graph.
// 0, or the code of an error.
int stencil_bring_home(const stencil_level* levels, int64_t count, void* stream);

// In a library for the GPU: is the stream being captured into a graph?
int stencil_is_captured(void* stream);

// What NAME_run_packed() takes, which each program of a library has. It calls NAME_run() with the
// arguments, then brings the levels home, also after an error of the run. It returns the code of
// the first that failed, or stencil_captured. For callers to whom each argument costs time.
struct stencil_packed {
  const stencil_level* levels;
  int64_t count;  // of the levels
  // In the order of `call` of the manifest, each in a word. What is smaller than a word is at its
  // first bytes.
  const int64_t* arguments;
  int64_t refuses_capture;  // 1: nothing runs on a stream that is being captured into a graph
};

enum { stencil_captured = -1 };
}

namespace stencil {
namespace callers {

// Bytes that are copied: planes of rows, so far apart in both arrays.
struct Copy {
  char* to;
  const char* from;
  int64_t row_bytes, rows, row_pitch, planes, plane_pitch;
};

inline Copy copy_of(const stencil_level& level) {
  return {static_cast<char*>(level.home) - level.front,
          static_cast<char*>(level.buffers[0]) - level.front,
          level.row_bytes,
          level.rows,
          level.row_pitch,
          level.planes,
          level.plane_pitch};
}

inline void put_home_first(const stencil_level& level) {
  for (int64_t n = 1; n < level.count; ++n)
    if (level.buffers[n] == level.home) level.buffers[n] = level.buffers[0];
  level.buffers[0] = level.home;
}

// The same bytes in as few rows as possible: what has no gaps is one row.
inline Copy joined(Copy one) {
  if (one.rows == 1) {
    one.rows = one.planes;
    one.row_pitch = one.plane_pitch;
    one.planes = 1;
  }
  if ((one.rows == 1 || one.row_bytes == one.row_pitch) &&
      (one.planes == 1 || one.plane_pitch == one.rows * one.row_pitch)) {
    one.row_bytes *= one.rows * one.planes;
    one.rows = one.planes = 1;
    one.row_pitch = one.plane_pitch = one.row_bytes;
  }
  return one;
}

template <typename Memory>
Status copy_rows(const Copy& one, typename Memory::Stream stream) {
  Shape shape;
  shape.rank = 3;
  shape.nx = one.row_bytes;
  shape.ny = one.rows;
  shape.nz = one.planes;
  shape.pitch = one.row_pitch;
  shape.plane = one.plane_pitch;
  return Memory::copy(one.to, one.from, shape, 1, stream);
}

template <typename Value>
Value from_word(const int64_t* word) {
  static_assert(sizeof(Value) <= sizeof *word);
  Value value;
  std::memcpy(static_cast<void*>(&value), word, sizeof value);
  return value;
}

template <typename... Values, size_t... n>
int run_with(int (*run)(Values...), const int64_t* words, std::index_sequence<n...>) {
  return run(from_word<Values>(words + n)...);
}

// NAME_run() with arguments in words.
template <typename... Values>
int run_with(int (*run)(Values...), const int64_t* words) {
  return run_with(run, words, std::index_sequence_for<Values...>());
}

}  // namespace callers
}  // namespace stencil
