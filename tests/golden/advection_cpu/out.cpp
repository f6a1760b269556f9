// out.cpp, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cpp --target=cpu
//
// Stencil advection, 1-D
//   f64 q: 3 points of level t, radius 2, boundary periodic; 2 buffers
// Schedule loops
//   rows run on all cores, cells of a row in vectors
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_bffc90c0a8d7c476
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace advection {
namespace {

template <typename Index>
void step(double* __restrict q_new, const double* __restrict q, double c, Index nx) {
  const double value = 0.5 * c;
  const double value_2 = st::neg(value);
  const double value_3 = 0.5 * (c * c);
  const double factor = value_2 + value_3;
  const double factor_2 = value * 4.0 + st::neg(value_3) * 2.0;
  const double factor_3 = 1.0 + value_2 * 3.0 + value_3;
  // Cells [first, last) of the row read nothing outside the grid.
  const bool inner = nx > 2;
  const Index first = inner ? 2 : 0;
  const Index last = inner ? nx : 0;
#pragma omp parallel for simd schedule(static) if (nx > 20000)
  for (Index x = first; x < last; ++x) {
    const Index i = x;
    double sum = factor * q[i - 2];
    sum = std::fma(factor_2, q[i - 1], sum);
    sum = std::fma(factor_3, q[i], sum);
    q_new[i] = sum;
  }
  const Index skip = last - first;
  for (Index k = 0; k < nx - skip; ++k) {
    const Index x = k < first ? k : k + skip;
    const Index i = x;
    const Index at_xm2 = st::wrap(x - 2, nx);
    const Index at_xm1 = st::wrap(x - 1, nx);
    double sum = factor * q[at_xm2];
    sum = std::fma(factor_2, q[at_xm1], sum);
    sum = std::fma(factor_3, q[i], sum);
    q_new[i] = sum;
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(double** q, const stencil::Shape& shape, double c, int64_t steps) {
  const Index nx = static_cast<Index>(shape.nx);
  for (int64_t left = steps; left > 0; --left) {
    step<Index>(q[1], q[0], c, nx);
    stencil::rotate<2>(q);
  }
  return {};
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<1> call("advection", stream);
  auto q = call.levels<2>("q", args.q);
  if (!call.ok()) return call.status();
  const int code = advection_run(q.at, call.nx(), args.c, steps.count);
  return call.finish(code, q);
}

}  // namespace advection

int advection_run(double* q[2], int64_t nx, double c, int64_t steps) {
  const stencil::Shape shape = stencil::shape({nx}, nx);
  stencil::Buffers<2> buffers;
  buffers.written("q[0]", q[0]);
  buffers.written("q[1]", q[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("advection", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(nx);
  const auto advance = narrow ? advection::advance<int> : advection::advance<int64_t>;
  const stencil::Status done = advance(q, shape, c, steps);
  return stencil::code_of(done);
}
