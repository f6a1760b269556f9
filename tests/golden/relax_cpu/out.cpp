// out.cpp, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cpp --target=cpu
//
// Stencil laplace2d, 2-D
//   f32 u: 1 point of level t+1, 5 points of level t, radius 1, boundary fixed; 2 buffers
// Schedule loops
//   rows run on all cores, cells of a row in vectors
//   reductions in the same launch as the updates
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_7bfdebfb5bfc0c33
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace laplace2d {
namespace {

template <typename Index>
void step(float* __restrict u_new, const float* __restrict u, Index nx, Index ny, Index pitch) {
#pragma omp parallel for schedule(static) if (nx * ny > 20000)
  for (Index y = 0; y < ny; ++y) {
    // Cells [first, last) of the row read nothing outside the grid.
    const bool inner = y >= 1 && y + 1 < ny && nx > 2;
    const Index first = inner ? 1 : 0;
    const Index last = inner ? nx - 1 : 0;
#pragma omp simd
    for (Index x = first; x < last; ++x) {
      const Index i = y * pitch + x;
      float sum = 0.25f * u[i - pitch];
      sum = std::fma(0.25f, u[i - 1], sum);
      sum = std::fma(0.25f, u[i + 1], sum);
      sum = std::fma(0.25f, u[i + pitch], sum);
      u_new[i] = sum;
    }
    const Index skip = last - first;
    for (Index k = 0; k < nx - skip; ++k) {
      const Index x = k < first ? k : k + skip;
      const Index i = y * pitch + x;
      float u_next = u[i];
      if (x >= 1 && x + 1 < nx && y >= 1 && y + 1 < ny) {
        float sum = 0.25f * u[i - pitch];
        sum = std::fma(0.25f, u[i - 1], sum);
        sum = std::fma(0.25f, u[i + 1], sum);
        sum = std::fma(0.25f, u[i + pitch], sum);
        u_next = sum;
      }
      u_new[i] = u_next;
    }
  }
}

template <typename Index>
void step_and_reduce(
    float* __restrict u_new, float* __restrict res_partials, float* __restrict energy_partials,
    const float* __restrict u, Index nx, Index ny, Index pitch) {
#pragma omp parallel for schedule(static) if (nx * ny > 20000)
  for (Index y = 0; y < ny; ++y) {
    // Cells [first, last) of the row read nothing outside the grid.
    const bool inner = y >= 1 && y + 1 < ny && nx > 2;
    const Index first = inner ? 1 : 0;
    const Index last = inner ? nx - 1 : 0;
#pragma omp simd
    for (Index x = first; x < last; ++x) {
      const Index i = y * pitch + x;
      float sum = 0.25f * u[i - pitch];
      sum = std::fma(0.25f, u[i - 1], sum);
      sum = std::fma(0.25f, u[i + 1], sum);
      sum = std::fma(0.25f, u[i + pitch], sum);
      const float u_0 = u[i];
      float sum_2 = st::neg(u_0);
      sum_2 = sum_2 + sum;
      const float res_here = std::fabs(sum_2);
      const float energy_value = sum * sum;
      const bool energy_counts = u_0 > 0.2f;
      const float energy_here = energy_counts ? energy_value : st::Sum::identity<float>();
      u_new[i] = sum;
      res_partials[y * nx + x] = res_here;
      energy_partials[y * nx + x] = energy_here;
    }
    const Index skip = last - first;
    for (Index k = 0; k < nx - skip; ++k) {
      const Index x = k < first ? k : k + skip;
      const Index i = y * pitch + x;
      float u_next = u[i];
      if (x >= 1 && x + 1 < nx && y >= 1 && y + 1 < ny) {
        float sum = 0.25f * u[i - pitch];
        sum = std::fma(0.25f, u[i - 1], sum);
        sum = std::fma(0.25f, u[i + 1], sum);
        sum = std::fma(0.25f, u[i + pitch], sum);
        u_next = sum;
      }
      const float u_0 = u[i];
      float sum = st::neg(u_0);
      sum = sum + u_next;
      const float res_here = std::fabs(sum);
      float energy_here = st::Sum::identity<float>();
      const float u_0_2 = u[i];
      if (u_0_2 > 0.2f) {
        energy_here = u_next * u_next;
      }
      u_new[i] = u_next;
      res_partials[y * nx + x] = res_here;
      energy_partials[y * nx + x] = energy_here;
    }
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, stencil::Reduction<float>& res_partials,
    stencil::Reduction<float>& energy_partials, int64_t steps, bool asked) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  for (int64_t left = steps; left > 0; --left) {
    const bool asks = asked && left == 1;
    if (asks) {
      step_and_reduce<Index>(
          u[1], res_partials.partials(), energy_partials.partials(), u[0], nx, ny, pitch);
      res_partials.fold<st::Greatest>({});
      energy_partials.fold<st::Sum, true>({});
    } else {
      step<Index>(u[1], u[0], nx, ny, pitch);
    }
    stencil::rotate<2>(u);
  }
  return {};
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("laplace2d", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = laplace2d_run(
      u.at, call.nx(), call.ny(), call.pitch(), args.tol, args.res, args.energy, steps.count,
      args.steps_taken);
  return call.finish(code, u);
}

}  // namespace laplace2d

int laplace2d_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, float tol, float* res, float* energy,
    int64_t steps, int64_t* steps_taken) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  // Without a number of steps, the run goes on as `iterate` says.
  const int64_t limit = steps == stencil::kIterate ? 50 : steps;
  const stencil::Steps count{limit};
  stencil::Status ready = stencil::check("laplace2d", shape, count, buffers);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? laplace2d::advance<int> : laplace2d::advance<int64_t>;
  stencil::Reduction<float> res_partials;
  stencil::Reduction<float> energy_partials;
  const bool looks = steps == stencil::kIterate;
  const bool asked = looks || res != nullptr || energy != nullptr;
  if (ready.ok() && asked) ready = res_partials.make("`laplace2d`", shape);
  if (ready.ok() && asked) ready = energy_partials.make("`laplace2d`", shape);
  if (!ready.ok()) return stencil::code_of(ready);
  float res_now = st::Greatest::identity<float>();
  float energy_now = st::Sum::identity<float>();
  int64_t done = 0;
  while (done < limit) {
    const int64_t most = looks ? 7 : limit;
    const int64_t piece = most < limit - done ? most : limit - done;
    ready = advance(u, shape, res_partials, energy_partials, piece, asked);
    done += piece;
    if (ready.ok() && asked) ready = res_partials.read(&res_now, {});
    if (ready.ok() && asked) ready = energy_partials.read(&energy_now, {});
    if (!ready.ok()) return stencil::code_of(ready);
    if (looks && res_now < tol) break;
  }
  if (steps_taken != nullptr) *steps_taken = done;
  if (res != nullptr) *res = res_now;
  if (energy != nullptr) *energy = energy_now;
  return stencil::code_of(ready);
}
