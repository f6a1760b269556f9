#include "interp/points.h"

#include <cmath>

namespace stencilc::interp {
namespace {

using ir::Op;
using ir::Scalar;

// A cell that belongs to a point, and its weight.
struct Corner {
  Extents cell = {0, 0, 0};
  bool whole = true;  // the point is the cell, without a weight
  Scalar weight;
};

// The cells of a point inside the grid, x fastest. Points between cells have the weights of linear
// interpolation along each axis, multiplied in the order of the axes.
std::vector<Corner> corners(const View& view, const ir::Points& list,
                            const std::array<double, ir::kMaxRank>& place, ir::Type type) {
  const int rank = view.stencil.rank();
  std::vector<Corner> result;
  for (int n = 0; n < (list.linear ? 1 << rank : 1); ++n) {
    Corner corner;
    corner.whole = !list.linear;
    bool inside = true;
    for (int a = 0; a < rank; ++a) {
      const double base = std::floor(place[a]), fraction = place[a] - base;
      const bool upper = (n >> a & 1) != 0;
      inside &= base >= -1 && base < static_cast<double>(view.state.extents[a]);
      corner.cell[a] = inside ? static_cast<int64_t>(base) + upper : 0;
      inside &= corner.cell[a] >= 0 && corner.cell[a] < view.state.extents[a];
      if (corner.whole) continue;
      const Scalar share = ir::make_real(type, upper ? fraction : 1 - fraction);
      corner.weight = a == 0 ? share : ir::apply(Op::mul, type, std::array{corner.weight, share});
    }
    if (inside) result.push_back(corner);
  }
  return result;
}

}  // namespace

void inject(const View& view, std::vector<Grid>& next) {
  for (const ir::Injection& one : view.stencil.injections) {
    const ir::Field& field = view.stencil.fields[one.field];
    const auto& places = view.state.points[one.points];
    for (size_t p = 0; p < places.size(); ++p)
      for (const Corner& corner :
           corners(view, view.stencil.points[one.points], places[p], field.compute)) {
        Scalar& cell = next[one.field][place(view.stencil, view.state, one.field, corner.cell)];
        const Scalar value = Cell(view, corner.cell, static_cast<int64_t>(p)).value(one.value);
        const Scalar old = ir::convert(cell, field.compute);
        const Scalar sum =
            corner.whole ? ir::apply(Op::add, field.compute, std::array{old, value})
                         : ir::apply(Op::fma, field.compute, std::array{corner.weight, value, old});
        cell = ir::convert(sum, field.type);
      }
  }
}

void sample(const ir::Stencil& stencil, State& state, const std::vector<Grid>& next, bool after) {
  for (const ir::Sample& one : stencil.samples) {
    if (one.after != after) continue;
    const View view{stencil, state, next};
    const ir::Series& series = stencil.series[one.series];
    const ir::Type type = ir::arithmetic(series.type);
    const auto& places = state.points[one.points];
    std::vector<Scalar> row;
    for (size_t p = 0; p < places.size(); ++p) {
      Scalar sum = ir::convert(ir::make_integer(ir::Type::i64, 0), type);
      bool started = false;
      for (const Corner& corner : corners(view, stencil.points[one.points], places[p], type)) {
        const Scalar value = Cell(view, corner.cell, static_cast<int64_t>(p)).value(one.value);
        sum = corner.whole ? value
              : started    ? ir::apply(Op::fma, type, std::array{corner.weight, value, sum})
                           : ir::apply(Op::mul, type, std::array{corner.weight, value});
        started = true;
      }
      row.push_back(ir::convert(sum, series.type));
    }
    const int64_t first = state.time * static_cast<int64_t>(row.size());
    for (size_t p = 0; p < row.size(); ++p) state.series[one.series][first + p] = row[p];
  }
}

}  // namespace stencilc::interp
