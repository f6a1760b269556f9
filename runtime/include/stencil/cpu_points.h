// Lists of points on the CPU, with the names of cuda_points.h. For cpu.h, which declares Stream
// before.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "device_fold.h"
#include "device_points.h"
#include "points.h"
#include "shape.h"

namespace stencil {
inline namespace cpu {

// The entries of a list of points on a grid of so many axes, with weights of type T.
template <typename T, int Rank>
class Places {
 public:
  Status make(const char*, const Points& points, const Shape& shape, bool chained, Stream) {
    return find<1>(points.at, points.count, shape, chained);
  }
  Status make(const char*, const LinearPoints& points, const Shape& shape, bool chained, Stream) {
    return find<1 << Rank>(points.at, points.count, shape, chained);
  }

  int64_t points() const { return points_; }
  int64_t count() const { return static_cast<int64_t>(next_.size()); }
  const int64_t* cell(int axis) const { return cell_[axis].data(); }
  const int64_t* next() const { return next_.data(); }
  const int64_t* head() const { return head_.data(); }
  const T* weight() const { return weight_.data(); }

 private:
  template <int Corners, typename Place>
  Status find(const Place* at, int64_t points, const Shape& shape, bool chained) {
    points_ = points;
    const size_t count = static_cast<size_t>(points) * Corners;
    for (auto& axis : cell_) axis.assign(count, 0);
    next_.assign(count, -1);
    head_.assign(count, 0);
    weight_.assign(count, T(1));
    const int64_t extents[] = {shape.nx, shape.ny, shape.nz};
    std::map<std::array<int64_t, Rank>, size_t> last;  // entry of each cell
    for (size_t e = 0; e < count; ++e) {
      bool inside = true;
      std::array<int64_t, Rank> cell;
      for (int a = 0; a < Rank; ++a) {
        const st::Share<T> own =
            st::share<T>(at[e / Corners * Rank + a], (e % Corners >> a & 1) != 0);
        inside = inside && own.cell >= 0 && own.cell < extents[a];
        cell[a] = cell_[a][e] = own.cell;
        weight_[e] = a == 0 ? own.weight : st::times(weight_[e], own.weight);
      }
      if (!inside) cell_[0][e] = -1;
      if (!inside || !chained) continue;
      const auto [place, fresh] = last.try_emplace(cell, e);
      head_[e] = fresh ? 1 : 0;
      if (!fresh) next_[place->second] = static_cast<int64_t>(e);
      place->second = e;
    }
    return {};
  }

  int64_t points_ = 0;
  std::array<std::vector<int64_t>, Rank> cell_;
  std::vector<int64_t> next_, head_;
  std::vector<T> weight_;
};

// An array, for what is no grid.
template <typename T>
class Array {
 public:
  explicit Array(int64_t count) : data_(new T[static_cast<size_t>(count > 0 ? count : 1)]()) {}

  Status status() const { return {}; }
  T* data() { return data_.get(); }
  Status copy_from(const T* from, int64_t count) {
    if (count > 0) std::memcpy(data_.get(), from, static_cast<size_t>(count) * sizeof(T));
    return {};
  }
  Status copy_to(T* to, int64_t count) const {
    if (count > 0) std::memcpy(to, data_.get(), static_cast<size_t>(count) * sizeof(T));
    return {};
  }

 private:
  std::unique_ptr<T[]> data_;  // a vector of bools would pack them
};

}  // namespace cpu
}  // namespace stencil
