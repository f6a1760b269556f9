// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil lets, 2-D
//   f32 phi: 11 points of level t, radius 2, boundary mirror; 2 buffers
// Schedule coarsened,threads=64x4,vector=4,coarsen=y6
//   a thread moves 4 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace lets {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ phi_new, const float* __restrict__ phi, bool aligned, Index nx, Index ny,
    Index pitch) {
  const float factor = static_cast<float>(nx);
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 24;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 6;
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 25 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // Where a row of phi begins, and a cell of a row: near the rim those that stand for them.
      const auto phi_row = [&](Index row_y) {
        const Index at_y = edge ? st::mirror(row_y, ny) : row_y;
        return at_y * pitch;
      };
      const auto phi_in = [&](Index row, Index cell_x) {
        return phi[row + st::mirror(cell_x, nx)];
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      Index i = y0 * pitch + x;
      float phi_ym1[12];
      float phi_0[12];
      st::fill_row<4, -1, 3>(edge, phi_ym1, phi, phi_row(y0 - 1), x, whole_0, phi_in);
      st::fill_row<4, -1, 3>(edge, phi_0, phi, phi_row(y0), x, whole_0, phi_in);
#pragma unroll
      for (Index k = 0; k < 6; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float phi_yp1[12];
          st::fill_row<4, -1, 3>(edge, phi_yp1, phi, phi_row(y + 1), x, whole_0, phi_in);
          float phi_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float lap_xp1 = -phi_ym1[v + 5];
            lap_xp1 = __fsub_rn(lap_xp1, phi_0[v + 4]);
            lap_xp1 = __fmaf_rn(4.0f, phi_0[v + 5], lap_xp1);
            lap_xp1 = __fsub_rn(lap_xp1, phi_0[v + 6]);
            lap_xp1 = __fsub_rn(lap_xp1, phi_yp1[v + 5]);
            float lap = -phi_ym1[v + 4];
            lap = __fsub_rn(lap, phi_0[v + 3]);
            lap = __fmaf_rn(4.0f, phi_0[v + 4], lap);
            lap = __fsub_rn(lap, phi_0[v + 5]);
            lap = __fsub_rn(lap, phi_yp1[v + 4]);
            const float value = __fsub_rn(lap_xp1, lap);
            float sum = -phi_0[v + 4];
            sum = __fadd_rn(sum, phi_0[v + 5]);
            const float flux = __fmul_rn(value, sum) > 0.0f ? 0.0f : value;
            float lap_xm1 = -phi_ym1[v + 3];
            lap_xm1 = __fsub_rn(lap_xm1, phi_0[v + 2]);
            lap_xm1 = __fmaf_rn(4.0f, phi_0[v + 3], lap_xm1);
            lap_xm1 = __fsub_rn(lap_xm1, phi_0[v + 4]);
            lap_xm1 = __fsub_rn(lap_xm1, phi_yp1[v + 3]);
            const float value_2 = __fsub_rn(lap, lap_xm1);
            float sum_2 = -phi_0[v + 3];
            sum_2 = __fadd_rn(sum_2, phi_0[v + 4]);
            const bool part = __fmul_rn(value_2, sum_2) > 0.0f;
            const float flux_xm1 = part ? 0.0f : value_2;
            float sum_3 = __fmul_rn(0.125f, phi_ym1[v + 3]);
            sum_3 = __fmaf_rn(0.125f, phi_ym1[v + 5], sum_3);
            sum_3 = __fmaf_rn(0.25f, phi_0[v + 3], sum_3);
            sum_3 = __fmaf_rn(0.25f, phi_0[v + 5], sum_3);
            sum_3 = __fmaf_rn(0.125f, phi_yp1[v + 3], sum_3);
            sum_3 = __fmaf_rn(0.125f, phi_yp1[v + 5], sum_3);
            const float part_2 = __fmul_rn(0.001f, static_cast<float>(x + v));
            const float part_3 = __fmaf_rn(-0.1f, __fsub_rn(flux, flux_xm1), sum_3);
            phi_out[v] = __fadd_rn(part_3, __fdiv_rn(part_2, factor));
          }
          st::store_row<4>(&phi_new[i], phi_out, whole_0, nx - x);
          st::shift<12>(phi_ym1, phi_0);
          st::shift<12>(phi_0, phi_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `mirror` for phi.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** phi, const stencil::Shape& shape, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, phi[0], phi[1]);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 24);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(phi[1], phi[0], aligned, nx, ny, pitch);
    stencil::rotate<2>(phi);
  }
  return stencil::launched("lets");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("lets", stream);
  auto phi = call.levels<2>("phi", args.phi);
  if (!call.ok()) return call.status();
  const int code = lets_run(phi.at, call.nx(), call.ny(), call.pitch(), steps.count, stream);
  return call.finish(code, phi);
}

}  // namespace lets

int lets_run(
    float* phi[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("phi[0]", phi[0]);
  buffers.written("phi[1]", phi[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("lets", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? lets::advance<int> : lets::advance<int64_t>;
  const stencil::Status done = advance(phi, shape, steps, stream);
  return stencil::code_of(done);
}
