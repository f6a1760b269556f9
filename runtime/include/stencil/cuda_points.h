// Lists of points on the GPU: the cells they belong to, found once a run. For cuda.h.
#pragma once

#include "cuda_status.h"
#include "device_fold.h"
#include "device_points.h"
#include "points.h"
#include "shape.h"

namespace stencil {
inline namespace cuda {

namespace detail {

// The arrays of an entry list: cells by axis (x = -1: outside the grid), shares, and for each cell
// the chain of its entries in order: `head` is 1 for the first, `next` the one after, or -1.
template <typename T>
struct Entries {
  int64_t* cell[3] = {};
  int64_t* next = nullptr;
  int64_t* head = nullptr;
  T* weight = nullptr;
  // By cells: their numbers, and the entries of each in order.
  int64_t* keys = nullptr;
  int64_t* sorted = nullptr;
  int64_t count = 0;
};

template <typename T, int Rank, int Corners, typename Place>
__global__ void place_entries(const Place* at, Shape shape, Entries<T> entries) {
  const int64_t e = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= entries.count) return;
  const int64_t extents[] = {shape.nx, shape.ny, shape.nz};
  bool inside = true;
  T weight = T(1);
  for (int a = 0; a < Rank; ++a) {
    const st::Share<T> own = st::share<T>(at[e / Corners * Rank + a], (e % Corners >> a & 1) != 0);
    inside = inside && own.cell >= 0 && own.cell < extents[a];
    entries.cell[a][e] = own.cell;
    weight = a == 0 ? own.weight : st::times(weight, own.weight);
  }
  if (!inside) entries.cell[0][e] = -1;
  entries.weight[e] = weight;
}

// Every entry looks through all others: a run does it once.
template <typename T, int Rank>
__global__ void chain_entries(Entries<T> entries) {
  const int64_t e = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= entries.count) return;
  const bool inside = entries.cell[0][e] >= 0;
  int64_t next = -1;
  bool first = inside;
  for (int64_t other = 0; other < entries.count && inside && next < 0; ++other) {
    bool same = other != e;
    for (int a = 0; a < Rank; ++a) same = same && entries.cell[a][other] == entries.cell[a][e];
    if (same && other < e) first = false;
    if (same && other > e) next = other;
  }
  entries.head[e] = first ? 1 : 0;
  entries.next[e] = next;
}

// Keys are the cells, counted row by row; those outside the grid, and what fills up to a power of
// two, come last.
template <typename T, int Rank>
__global__ void key_entries(Entries<T> entries, Shape shape, int64_t size) {
  const int64_t e = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= size) return;
  const int64_t extents[] = {shape.nx, shape.ny, shape.nz};
  int64_t key = INT64_MAX;
  if (e < entries.count && entries.cell[0][e] >= 0) {
    key = 0;
    for (int a = Rank; a-- > 0;) key = key * extents[a] + entries.cell[a][e];
  }
  entries.keys[e] = key;
  entries.sorted[e] = e;
}

// A step of a bitonic sort (Batcher 1968): runs of 2 * `run` keys ascend and descend in turns when
// all distances up to `run` have been compared.
template <typename T>
__global__ void sort_entries(Entries<T> entries, int64_t size, int64_t run, int64_t distance) {
  const int64_t e = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t other = e ^ distance;
  if (e >= size || other < e) return;
  const int64_t key = entries.keys[e], entry = entries.sorted[e];
  const int64_t other_key = entries.keys[other], other_entry = entries.sorted[other];
  const bool after = key > other_key || (key == other_key && entry > other_entry);
  if (after != ((e & (2 * run)) == 0)) return;
  entries.keys[e] = other_key;
  entries.sorted[e] = other_entry;
  entries.keys[other] = key;
  entries.sorted[other] = entry;
}

}  // namespace detail

// The entries of a list of points on a grid of so many axes, with weights of type T.
template <typename T, int Rank>
class Places {
 public:
  Places() = default;
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() {
    (void)cudaFree(memory_);
    (void)cudaFree(entries_.keys);
  }

  // `what` is how messages begin: "`wave`". `chained`: link the entries of one cell.
  Status make(const char* what, const Points& points, const Shape& shape, bool chained,
              cudaStream_t stream) {
    return find<1>(what, points.at, points.count, shape, chained, stream);
  }
  Status make(const char* what, const LinearPoints& points, const Shape& shape, bool chained,
              cudaStream_t stream) {
    return find<1 << Rank>(what, points.at, points.count, shape, chained, stream);
  }

  // After make(): sorts the entries by their cells.
  Status sort(const char* what, const Shape& shape, cudaStream_t stream) {
    if (entries_.count == 0) return {};
    int64_t size = 1;
    while (size < entries_.count) size *= 2;
    if (Status status = allocate(what, 2 * size, &entries_.keys); !status.ok()) return status;
    entries_.sorted = entries_.keys + size;
    const auto all = static_cast<unsigned>(blocks(size, 256));
    detail::key_entries<T, Rank><<<all, 256, 0, stream>>>(entries_, shape, size);
    for (int64_t run = 1; run < size; run *= 2)
      for (int64_t distance = run; distance > 0; distance /= 2)
        detail::sort_entries<T><<<all, 256, 0, stream>>>(entries_, size, run, distance);
    return cuda_status(cudaGetLastError(), what);
  }

  int64_t points() const { return points_; }
  int64_t count() const { return entries_.count; }
  // After sort(): the entries by cells, which are counted row by row.
  st::Entries entries() const { return {entries_.keys, entries_.sorted, entries_.count}; }
  const int64_t* cell(int axis) const { return entries_.cell[axis]; }
  const int64_t* next() const { return entries_.next; }
  const int64_t* head() const { return entries_.head; }
  const T* weight() const { return entries_.weight; }

 private:
  template <int Corners, typename Place>
  Status find(const char* what, const Place* at, int64_t points, const Shape& shape, bool chained,
              cudaStream_t stream) {
    points_ = points;
    entries_.count = points * Corners;
    if (points == 0) return {};
    if (Status status = allocate(what, (Rank + 3) * entries_.count, &memory_); !status.ok())
      return status;
    for (int a = 0; a < Rank; ++a) entries_.cell[a] = memory_ + a * entries_.count;
    entries_.next = memory_ + Rank * entries_.count;
    entries_.head = entries_.next + entries_.count;
    entries_.weight = reinterpret_cast<T*>(entries_.head + entries_.count);
    const auto size = static_cast<unsigned>(blocks(entries_.count, 256));
    detail::place_entries<T, Rank, Corners><<<size, 256, 0, stream>>>(at, shape, entries_);
    if (chained) detail::chain_entries<T, Rank><<<size, 256, 0, stream>>>(entries_);
    return cuda_status(cudaGetLastError(), what);
  }

  Status allocate(const char* what, int64_t words, int64_t** memory) const {
    const cudaError_t error =
        cudaMalloc(reinterpret_cast<void**>(memory), static_cast<size_t>(words) * sizeof(int64_t));
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      return failure(Code::out_of_memory, "%s: %lld points need %lld bytes of device memory", what,
                     static_cast<long long>(points_), static_cast<long long>(words * 8));
    }
    return error == cudaSuccess ? Status() : cuda_status(error, what);
  }

  int64_t* memory_ = nullptr;
  int64_t points_ = 0;
  detail::Entries<T> entries_;
};

// An array in the memory of the device, for what is no grid.
template <typename T>
class Array {
 public:
  explicit Array(int64_t count) : count_(count > 0 ? count : 1) {
    status_ = cuda_status(
        cudaMalloc(reinterpret_cast<void**>(&data_), static_cast<size_t>(count_) * sizeof(T)),
        "an array");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { (void)cudaFree(data_); }

  const Status& status() const { return status_; }
  T* data() { return data_; }
  // `count` elements from and to the host; they wait for the device.
  Status copy_from(const T* host, int64_t count) {
    return copy(data_, host, count, cudaMemcpyHostToDevice);
  }
  Status copy_to(T* host, int64_t count) const {
    return copy(host, data_, count, cudaMemcpyDeviceToHost);
  }

 private:
  Status copy(T* to, const T* from, int64_t count, cudaMemcpyKind kind) const {
    if (!status_.ok() || count <= 0) return status_;
    return cuda_status(cudaMemcpy(to, from, static_cast<size_t>(count) * sizeof(T), kind),
                       "a copy of an array");
  }

  T* data_ = nullptr;
  int64_t count_ = 0;
  Status status_;
};

}  // namespace cuda
}  // namespace stencil
