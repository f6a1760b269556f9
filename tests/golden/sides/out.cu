// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --schedule=coarsened
//
// Stencil duct, 2-D
//   f32 temp: 9 points of level t, radius 2, boundary x.lo expr fma(0.1, f32(y), 1), x.hi clamp,
//   y.lo neumann 0.2, y.hi antireflect; 2 buffers
// Schedule coarsened,threads=64x4,vector=4,coarsen=y4
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_bd329e9f0153b72f
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace duct {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ temp_new, const float* __restrict__ temp, float speed, float k,
    bool aligned, Index nx, Index ny, Index pitch) {
  const bool factor = speed > 0.0f;
  const float value = __fmul_rn(k, -0.083333336f);
  const float value_2 = __fmul_rn(k, 1.3333334f);
  const float factor_2 = __fmul_rn(k, -5.0f);
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 16;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 4;
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 2 && block_y + 18 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // A cell of temp; outside the grid it is a ghost cell.
      const auto temp_at = [&](Index cell_x, Index cell_y) {
        if (cell_x < 0) {
          if (cell_y < 0) {
            const bool has_x = cell_x >= 0;
            const bool has_y = cell_y >= 0;
            const Index at_y = st::clamp(cell_y, ny);
            const float ghost = __fmaf_rn(0.1f, static_cast<float>(cell_y), 1.0f);
            float temp_2 = ghost;
            if (has_x) {
              const float temp_3 = temp[at_y * pitch + cell_x];
              const float cells_2 = static_cast<float>(-cell_y);
              const float risen = __fmaf_rn(0.2f, cells_2, temp_3);
              temp_2 = has_y ? temp_3 : risen;
            }
            return temp_2;
          }
          const bool has_x = cell_x >= 0;
          const Index at_y = st::fold<st::Side::stop, st::Side::reflect>(cell_y, ny);
          const bool flips_y = st::flips<st::Side::stop, st::Side::antireflect>(cell_y, ny);
          const bool has_y = at_y >= 0;
          const Index edge_y = st::clamp(at_y, ny);
          const float ghost = __fmaf_rn(0.1f, static_cast<float>(cell_y), 1.0f);
          float temp_2 = ghost;
          if (has_x) {
            const float temp_3 = temp[edge_y * pitch + cell_x];
            const float cells_2 = static_cast<float>(-at_y);
            const float risen = __fmaf_rn(0.2f, cells_2, temp_3);
            const float temp_4 = has_y ? temp_3 : risen;
            temp_2 = flips_y ? -temp_4 : temp_4;
          }
          return temp_2;
        }
        if (cell_y < 0) {
          const Index at_x = st::clamp(cell_x, nx);
          const bool has_y = cell_y >= 0;
          const Index at_y = st::clamp(cell_y, ny);
          const float temp_2 = temp[at_y * pitch + at_x];
          const float cells_2 = static_cast<float>(-cell_y);
          const float risen = __fmaf_rn(0.2f, cells_2, temp_2);
          return has_y ? temp_2 : risen;
        }
        const Index at_x = st::clamp(cell_x, nx);
        const Index at_y = st::fold<st::Side::stop, st::Side::reflect>(cell_y, ny);
        const bool flips_y = st::flips<st::Side::stop, st::Side::antireflect>(cell_y, ny);
        const bool has_y = at_y >= 0;
        const Index edge_y = st::clamp(at_y, ny);
        const float temp_2 = temp[edge_y * pitch + at_x];
        const float cells_2 = static_cast<float>(-at_y);
        const float risen = __fmaf_rn(0.2f, cells_2, temp_2);
        const float temp_3 = has_y ? temp_2 : risen;
        return flips_y ? -temp_3 : temp_3;
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      const bool whole_m1 = !edge || (aligned && x >= 4);
      const bool whole_1 = !edge || (aligned && x + 8 <= nx);
      Index i = y0 * pitch + x;
      float temp_ym2[4];
      float temp_ym1[4];
      float temp_0[12];
      float temp_yp1[4];
      st::fill<4>(
          temp_ym2, &temp[i - 2 * pitch], whole_0 && (!edge || y0 >= 2), temp_at, x, y0 - 2);
      st::fill<4>(temp_ym1, &temp[i - pitch], whole_0 && (!edge || y0 >= 1), temp_at, x, y0 - 1);
      st::fill<4>(&temp_0[4], &temp[i], whole_0, temp_at, x, y0);
      st::fill<4>(
          temp_yp1, &temp[i + pitch], whole_0 && (!edge || y0 + 1 < ny), temp_at, x, y0 + 1);
#pragma unroll
      for (Index k_2 = 0; k_2 < 4; ++k_2) {
        const Index y = y0 + k_2;
        if (!edge || y < ny) {
          float temp_yp2[4];
          st::fill<4>(temp_0, &temp[i - 4], whole_m1, temp_at, x - 4, y);
          st::fill<4>(&temp_0[8], &temp[i + 4], whole_1, temp_at, x + 4, y);
          st::fill<4>(
              temp_yp2, &temp[i + 2 * pitch], whole_0 && (!edge || y + 2 < ny), temp_at, x, y + 2);
          float temp_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float sum = -temp_0[v + 3];
            sum = __fadd_rn(sum, temp_0[v + 4]);
            float sum_2 = -temp_0[v + 4];
            sum_2 = __fadd_rn(sum_2, temp_0[v + 5]);
            float sum_3 = __fmul_rn(value, temp_ym2[v]);
            sum_3 = __fmaf_rn(value_2, temp_ym1[v], sum_3);
            sum_3 = __fmaf_rn(value, temp_0[v + 2], sum_3);
            sum_3 = __fmaf_rn(value_2, temp_0[v + 3], sum_3);
            sum_3 = __fmaf_rn(factor_2, temp_0[v + 4], sum_3);
            sum_3 = __fmaf_rn(value_2, temp_0[v + 5], sum_3);
            sum_3 = __fmaf_rn(value, temp_0[v + 6], sum_3);
            sum_3 = __fmaf_rn(value_2, temp_yp1[v], sum_3);
            sum_3 = __fmaf_rn(value, temp_yp2[v], sum_3);
            const float part = __fmaf_rn(-speed, factor ? sum : sum_2, temp_0[v + 4]);
            temp_out[v] = __fadd_rn(part, sum_3);
          }
          st::store_row<4>(&temp_new[i], temp_out, whole_0, nx - x);
          st::shift<4>(temp_ym2, temp_ym1);
          st::shift<4>(temp_ym1, &temp_0[4]);
          st::shift<4>(&temp_0[4], temp_yp1);
          st::shift<4>(temp_yp1, temp_yp2);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `expr`, `clamp`, `neumann` and `antireflect` for temp.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** temp, const stencil::Shape& shape, float speed, float k, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, temp[0], temp[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(temp[1], temp[0], speed, k, aligned, nx, ny, pitch);
    stencil::rotate<2>(temp);
  }
  return stencil::launched("duct");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("duct", stream);
  auto temp = call.levels<2>("temp", args.temp);
  if (!call.ok()) return call.status();
  const int code = duct_run(
      temp.at, call.nx(), call.ny(), call.pitch(), args.speed, args.k, steps.count, stream);
  return call.finish(code, temp);
}

}  // namespace duct

int duct_run(
    float* temp[2], int64_t nx, int64_t ny, int64_t pitch, float speed, float k, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("temp[0]", temp[0]);
  buffers.written("temp[1]", temp[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("duct", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? duct::advance<int> : duct::advance<int64_t>;
  const stencil::Status done = advance(temp, shape, speed, k, steps, stream);
  return stencil::code_of(done);
}
