// Computes a reduction by its fixed tree.
#include <limits>

#include "interp/interpreter.h"

namespace stencilc::interp {
namespace {

using ir::Op;
using ir::Reduction;
using ir::Scalar;

bool is_nan(const Scalar& value) { return ir::is_float(value.type) && value.real != value.real; }

Scalar combine(const Reduction& reduction, const Scalar& a, const Scalar& b) {
  switch (reduction.kind) {
    case Reduction::min:
    case Reduction::max:  // a NaN in any cell is the result
      if (is_nan(a)) return a;
      if (is_nan(b)) return b;
      return ir::apply(reduction.kind == Reduction::min ? Op::min : Op::max, reduction.type,
                       std::array{a, b});
    case Reduction::prod:
      return ir::apply(Op::mul, reduction.type, std::array{a, b});
    case Reduction::sum:
    case Reduction::norm2:
      break;
  }
  return ir::apply(Op::add, reduction.type, std::array{a, b});
}

}  // namespace

Scalar identity(const Reduction& reduction) {
  const ir::Type type = reduction.type;
  const double inf = std::numeric_limits<double>::infinity();
  switch (reduction.kind) {
    case Reduction::min:
      return ir::is_float(type) ? ir::make_real(type, inf)
                                : ir::make_integer(type, ir::highest(type));
    case Reduction::max:
      return ir::is_float(type) ? ir::make_real(type, -inf)
                                : ir::make_integer(type, ir::lowest(type));
    case Reduction::prod:
      return ir::is_float(type) ? ir::make_real(type, 1) : ir::make_integer(type, 1);
    default:  // -0 + x is x for every x
      return ir::is_float(type) ? ir::make_real(type, -0.0) : ir::make_integer(type, 0);
  }
}

Scalar reduce(const Reduction& reduction, std::vector<Scalar> values, int64_t row) {
  constexpr int64_t kGroup = 32;
  bool first = true;
  do {
    const int64_t length = first ? row : static_cast<int64_t>(values.size());
    std::vector<Scalar> results;
    for (size_t begin = 0; begin < values.size(); begin += length)
      for (int64_t at = 0; at < length; at += kGroup) {
        std::vector<Scalar> group(kGroup, identity(reduction));
        for (int64_t i = 0; i < kGroup && at + i < length; ++i) group[i] = values[begin + at + i];
        for (int64_t apart = kGroup / 2; apart > 0; apart /= 2)
          for (int64_t i = 0; i < apart; ++i)
            group[i] = combine(reduction, group[i], group[i + apart]);
        results.push_back(group[0]);
      }
    values = std::move(results);
    first = false;
  } while (values.size() > 1);
  const Scalar& result = values[0];
  return reduction.kind == Reduction::norm2
             ? ir::apply(Op::sqrt, reduction.type, std::array{result})
             : result;
}

}  // namespace stencilc::interp
