/* Runs a program that is emitted with --distributed on pieces of a grid, one after the other, in
 * one process: what stencilc verify --pieces hands to a shared library. The memory of each piece is
 * its own; between legs planes are copied from piece to piece. Whatever no piece may rely on is
 * NaN. */
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "host_call.h"
#include "window.h"

namespace stencil {

// An array of the program, as a leg has it.
struct PieceArray {
  int64_t size;       // bytes of an element
  int levels;         // that the caller gives and receives
  int buffers;        // levels and scratch
  bool along[3];      // the axes it has
  int64_t around[3];  // cells of its halo, in memory and in the caller's array
  int64_t halo[3];    // in the caller's array
  bool changes, written;
  int64_t low, high;  // planes beside the window that a step reads
};

struct PieceProgram {
  const char* name;
  const PieceArray* arrays;
  int64_t step_low, step_high;  // and more for each step before it
  bool wraps;
};

// `Memory` is that of the target (grid.h).
template <typename Memory, int Arrays>
class Pieces {
 public:
  static constexpr int kMostPieces = 64, kMostBuffers = 8;

  Pieces(const PieceProgram& program, const stencil_host_call& call)
      : program_(program), call_(call), rank_(call.rank), count_(call.pieces) {}
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  ~Pieces() {
    for (auto& piece : memory_)
      for (auto& array : piece)
        for (void* one : array) Memory::release(one);
    std::free(plane_);
  }

  int count() const { return count_; }
  int64_t first(int p) const { return call_.cuts[p]; }
  int64_t end(int p) const { return call_.cuts[p + 1]; }
  int64_t origin(int p) const { return held_[p].first; }
  int64_t held(int p) const { return held_[p].planes; }
  // The distance of rows, multiples of 64 elements; and of planes.
  int64_t pitch(int a) const {
    return axis_of(a, 0) < 0 ? 1 : (cells(a, 0) + 2 * around(a, 0) + 63) / 64 * 64;
  }
  int64_t plane(int a) const { return pitch(a) * (cells(a, 1) + 2 * around(a, 1)); }
  void** levels(int p, int array) { return at_[p][array]; }

  // The most steps of a leg, at most so many, for which each piece has the planes that its
  // neighbours need, and no piece gets a plane twice; 0: there is none.
  int64_t steps_of_legs(int64_t most) const {
    int64_t thinnest = INT64_MAX;
    for (int p = 0; p < count_; ++p)
      thinnest = end(p) - first(p) < thinnest ? end(p) - first(p) : thinnest;
    if (count_ == 1 && !program_.wraps) return most;
    const int64_t sides = program_.wraps && count_ <= 2 ? 2 : 1;  // that a piece is beside
    while (most > 0 && sides * beside(most) > thinnest) --most;
    return most;
  }

  // Memory for legs of so many steps, and the values of the call.
  Status make(int64_t most) {
    const int64_t planes = extent(), halo = halo_of_grid(), deep = beside(most);
    int64_t largest = 0;
    for (int a = 0; a < Arrays; ++a) {
      const int64_t bytes = plane_bytes(a);
      largest = bytes > largest ? bytes : largest;
    }
    plane_ = static_cast<char*>(std::malloc(static_cast<size_t>(largest)));
    Status status;
    for (int p = 0; p < count_ && status.ok(); ++p) {
      int64_t low = first(p) - deep, high = end(p) + deep;
      if (!program_.wraps && low < -halo) low = -halo;
      if (!program_.wraps && high > planes + halo) high = planes + halo;
      held_[p] = {low, high - low};
      int slot = 0;
      for (int a = 0; a < Arrays && status.ok(); ++a) {
        for (int b = 0; b < array(a).buffers && status.ok(); ++b) {
          const int64_t count = is_cut(a) ? high - low : 1;
          status =
              Memory::allocate(&memory_[p][a][b], count * plane_bytes(a) + kAlignment, "a piece");
          if (!status.ok()) break;
          at_[p][a][b] = static_cast<char*>(memory_[p][a][b]) + rounded(front(a));
          const bool scratch = b >= array(a).levels;
          for (int64_t z = 0; z < count && status.ok(); ++z)
            status =
                scratch ? forget(p, a, b, low + z, true)
                        : fill(p, a, b, low + z, static_cast<const char*>(call_.buffers[slot + b]));
        }
        slot += array(a).levels;
      }
    }
    return status;
  }

  // After a leg: only the planes of the windows have values. Then each piece gets of its neighbours
  // what a leg of so many steps reads.
  Status exchange(int64_t steps) {
    Status status;
    for (int p = 0; p < count_; ++p)
      for (int a = 0; a < Arrays; ++a)
        if (array(a).changes)
          for (int b = 0; b < array(a).buffers; ++b)
            for (int64_t z = held_[p].first; z < held_[p].first + held_[p].planes; ++z)
              if ((z < first(p) || z >= end(p)) && owned(z) && status.ok())
                status = forget(p, a, b, z, false);
    for (int p = 0; p < count_; ++p)
      for (int a = 0; a < Arrays; ++a) {
        if (!array(a).changes) continue;
        const int64_t low = array(a).low + (steps - 1) * program_.step_low,
                      high = array(a).high + (steps - 1) * program_.step_high;
        for (int b = 0; b < array(a).levels; ++b)
          for (int64_t z = first(p) - low; z < end(p) + high; ++z)
            if ((z < first(p) || z >= end(p)) && owned(z) && status.ok()) status = send(p, a, b, z);
      }
    return status;
  }

  // The planes of the windows, to the arrays of the call, and those beyond the ends of the grid.
  Status finish() {
    Status status;
    int slot = 0;
    for (int a = 0; a < Arrays; ++a) {
      for (int b = 0; b < array(a).levels; ++b, ++slot)
        for (int p = 0; p < count_; ++p)
          for (int64_t z = p == 0 && !program_.wraps ? held_[p].first : first(p);
               z < (p + 1 == count_ && !program_.wraps ? held_[p].first + held_[p].planes
                                                       : end(p)) &&
               array(a).written && status.ok();
               ++z)
            status = take(p, a, b, z, static_cast<char*>(call_.buffers[slot]));
    }
    return status;
  }

 private:
  static constexpr int64_t kAlignment = 512;
  static int64_t rounded(int64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  const PieceArray& array(int a) const { return program_.arrays[a]; }
  int64_t extent() const { return call_.extents[rank_ - 1]; }
  bool is_cut(int a) const { return array(a).along[rank_ - 1]; }
  int64_t halo_of_grid() const {
    int64_t halo = 0;
    for (int a = 0; a < Arrays; ++a)
      if (is_cut(a) && array(a).around[rank_ - 1] > halo) halo = array(a).around[rank_ - 1];
    return halo;
  }
  // Is it a plane of the grid, perhaps as it repeats?
  bool owned(int64_t z) const { return program_.wraps || (z >= 0 && z < extent()); }
  int64_t turned(int64_t z) const {
    return program_.wraps ? (z % extent() + extent()) % extent() : z;
  }
  int owner(int64_t z) const {
    int p = 0;
    while (z >= end(p)) ++p;
    return p;
  }
  int64_t beside(int64_t steps) const {
    int64_t most = 0;
    for (int a = 0; a < Arrays; ++a) {
      most = array(a).low > most ? array(a).low : most;
      most = array(a).high > most ? array(a).high : most;
    }
    const int64_t step =
        program_.step_low > program_.step_high ? program_.step_low : program_.step_high;
    return most + (steps - 1) * step;
  }

  // A plane of the array, or what it has of one, is rows along the first of its axes: 0; 1 is the
  // axis of the rows. -1: it does not have it. A plane of a grid of one axis is a cell.
  int axis_of(int a, int of) const {
    const bool rows = rank_ > 1 && array(a).along[0], columns = rank_ == 3 && array(a).along[1];
    return of == 0 ? (rows ? 0 : columns ? 1 : -1) : rows && columns ? 1 : -1;
  }
  int64_t cells(int a, int of) const {
    const int axis = axis_of(a, of);
    return axis < 0 ? 1 : call_.extents[axis];
  }
  int64_t around(int a, int of) const {
    const int axis = axis_of(a, of);
    return axis < 0 ? 0 : array(a).around[axis];
  }
  int64_t given_halo(int a, int of) const {
    const int axis = axis_of(a, of);
    return axis < 0 ? 0 : array(a).halo[axis];
  }
  int64_t plane_bytes(int a) const { return plane(a) * array(a).size; }
  int64_t front(int a) const { return (around(a, 1) * pitch(a) + around(a, 0)) * array(a).size; }
  char* plane_at(int p, int a, int b, int64_t z) const {
    return static_cast<char*>(at_[p][a][b]) - front(a) +
           (is_cut(a) ? z - held_[p].first : 0) * plane_bytes(a);
  }
  static Shape run(int64_t bytes) { return {1, bytes, 1, 1, bytes, bytes}; }

  // The caller's plane, null where it has none; and a row of it.
  const char* given(int a, int64_t z, const char* from) const {
    if (!is_cut(a)) return from;
    const int64_t halo = array(a).halo[rank_ - 1];
    int64_t at = z;
    if ((at < -halo || at >= extent() + halo) && program_.wraps) at = turned(at);
    if (at < -halo || at >= extent() + halo) return nullptr;
    return from + (at + halo) * given_rows(a) * given_row(a);
  }
  int64_t given_row(int a) const { return (cells(a, 0) + 2 * given_halo(a, 0)) * array(a).size; }
  int64_t given_rows(int a) const { return cells(a, 1) + 2 * given_halo(a, 1); }

  // Fills a plane with what the caller gives.
  Status fill(int p, int a, int b, int64_t z, const char* from) {
    std::memset(plane_, 0xff, static_cast<size_t>(plane_bytes(a)));
    const char* const plane = given(a, z, from);
    for (int64_t row = 0; plane != nullptr && row < given_rows(a); ++row)
      std::memcpy(row_of_plane(a, row), plane + row * given_row(a),
                  static_cast<size_t>(given_row(a)));
    return Memory::upload(plane_at(p, a, b, z), plane_, run(plane_bytes(a)), 1);
  }
  // Its cells get no value, nor do ghost cells, if they are meant, too.
  Status forget(int p, int a, int b, int64_t z, bool ghosts) {
    Status status;
    if (!ghosts) status = Memory::download(plane_, plane_at(p, a, b, z), run(plane_bytes(a)), 1);
    if (ghosts) std::memset(plane_, 0xff, static_cast<size_t>(plane_bytes(a)));
    for (int64_t y = 0; y < cells(a, 1); ++y)
      std::memset(plane_ + front(a) + y * pitch(a) * array(a).size, 0xff,
                  static_cast<size_t>(cells(a, 0) * array(a).size));
    return status.ok() ? Memory::upload(plane_at(p, a, b, z), plane_, run(plane_bytes(a)), 1)
                       : status;
  }
  // Where a row of the caller's plane, its ghost cells included, has its place in ours.
  char* row_of_plane(int a, int64_t row) const {
    return plane_ + front(a) +
           ((row - given_halo(a, 1)) * pitch(a) - given_halo(a, 0)) * array(a).size;
  }

  Status send(int p, int a, int b, int64_t z) {
    const int64_t at = turned(z), bytes = plane_bytes(a);
    return Memory::copy(plane_at(p, a, b, z), plane_at(owner(at), a, b, at), run(bytes), 1, {});
  }

  // A plane with its ghost cells.
  Status take(int p, int a, int b, int64_t z, char* to) {
    char* const plane = const_cast<char*>(given(a, z, to));
    if (plane == nullptr) return {};
    const Status status = Memory::download(plane_, plane_at(p, a, b, z), run(plane_bytes(a)), 1);
    for (int64_t row = 0; row < given_rows(a); ++row)
      std::memcpy(plane + row * given_row(a), row_of_plane(a, row),
                  static_cast<size_t>(given_row(a)));
    return status;
  }

  const PieceProgram& program_;
  const stencil_host_call& call_;
  const int rank_, count_;
  Piece held_[kMostPieces];
  void* memory_[kMostPieces][Arrays][kMostBuffers] = {};
  void* at_[kMostPieces][Arrays][kMostBuffers] = {};
  char* plane_ = nullptr;
};

}  // namespace stencil
