// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil cg_product, 3-D
//   f64 p: 7 points of level t, radius 1, boundary constant 0
//   f64 k: 7 points of level t, radius 1, boundary clamp
//   f64 q: 1 point of level t+1
// Schedule coarsened,threads=32x8x1,vector=2,rows=2,coarsen=z32,sums=gather,shared=none
//   a thread moves 2 cells at once, and keeps what it has loaded for its next ones
//   reductions in the same launch as the updates
// Numbers canonical, products fused into sums
//   the same bits in every schedule
// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil cg_advance, 3-D
//   f64 u: 1 point of level t; 1 buffer
//   f64 r: 1 point of level t+1, 1 point of level t; 1 buffer
//   f64 p: 1 point of level t
//   f64 q: 1 point of level t
// Schedule coarsened,threads=32x4x1,vector=2,rows=1,coarsen=z8,sums=gather,shared=none
//   a thread moves 2 cells at once, and keeps what it has loaded for its next ones
//   reductions in the same launch as the updates
// Numbers canonical, products fused into sums
//   the same bits in every schedule
// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil cg_direct, 3-D
//   f64 p: 1 point of level t; 1 buffer
//   f64 r: 1 point of level t
// Schedule coarsened,threads=32x4x1,vector=2,rows=1,coarsen=z8,sums=gather,shared=none
//   a thread moves 2 cells at once, and keeps what it has loaded for its next ones
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_4f4b592917b73bc4
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace cg_product {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) step(
    double* __restrict__ q, const double* __restrict__ p, const double* __restrict__ k,
    bool aligned, Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 16;
  const Index block_z = static_cast<Index>(blockIdx.z) * 32;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y) * 2;
  // Interior blocks need no checks; at the ends of rows what lies beside a cell does (edge_x).
  const bool interior_x = block_x >= 2 && block_x + 66 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 17 <= ny;
  const bool interior_z = block_z >= 1 && block_z + 33 <= nz;
  const auto cells = [&](auto edge, auto edge_x) {
    if (!edge || (x < nx && y < ny && block_z < nz)) {
      // Where a row of p begins, and a cell of a row: near the boundary those that stand for them,
      // if any do.
      const auto p_row = [&](Index row_y, Index row_z) {
        const bool has = !edge || (row_y >= 0 && row_y < ny && row_z >= 0 && row_z < nz);
        return has ? row_z * plane + row_y * pitch : -1;
      };
      const auto p_in = [&](Index row, Index cell_x) {
        return row >= 0 && cell_x >= 0 && cell_x < nx ? p[row + cell_x] : 0.0;
      };
      // Where a row of k begins, and a cell of a row: near the boundary those that stand for them.
      const auto k_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto k_in = [&](Index row, Index cell_x) { return k[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 2 <= nx);
      Index i = block_z * plane + y * pitch + x;
      double p_zm1[2][2];
      double p_0[4][6];
#pragma unroll
      for (Index r = 0; r < 2; ++r) {
        st::fill_row<2>(edge, p_zm1[r], p, p_row(y + r, block_z - 1), x, whole_0, p_in);
      }
#pragma unroll
      for (Index r = 0; r < 2; ++r) {
        st::fill_row<2>(edge, &p_0[r + 1][2], p, p_row(y + r, block_z), x, whole_0, p_in);
      }
      double k_zm1[2][2];
      double k_0[4][6];
#pragma unroll
      for (Index r = 0; r < 2; ++r) {
        st::fill_row<2>(edge, k_zm1[r], k, k_row(y + r, block_z - 1), x, whole_0, k_in);
      }
#pragma unroll
      for (Index r = 0; r < 2; ++r) {
        st::fill_row<2>(edge, &k_0[r + 1][2], k, k_row(y + r, block_z), x, whole_0, k_in);
      }
      for (Index k_2 = 0; k_2 < 32; ++k_2) {
        const Index z = block_z + k_2;
        if (!edge || z < nz) {
          double p_zp1[2][2];
          st::fill_row<2>(edge, &p_0[0][2], p, p_row(y - 1, z), x, whole_0, p_in);
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::fill_row<2, -1>(edge_x, p_0[r + 1], p, p_row(y + r, z), x, whole_0, p_in);
          }
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::fill_row<2, 1>(edge_x, &p_0[r + 1][4], p, p_row(y + r, z), x, whole_0, p_in);
          }
          st::fill_row<2>(edge, &p_0[3][2], p, p_row(y + 2, z), x, whole_0, p_in);
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::fill_row<2>(edge, p_zp1[r], p, p_row(y + r, z + 1), x, whole_0, p_in);
          }
          double k_zp1[2][2];
          st::fill_row<2>(edge, &k_0[0][2], k, k_row(y - 1, z), x, whole_0, k_in);
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::fill_row<2, -1>(edge_x, k_0[r + 1], k, k_row(y + r, z), x, whole_0, k_in);
          }
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::fill_row<2, 1>(edge_x, &k_0[r + 1][4], k, k_row(y + r, z), x, whole_0, k_in);
          }
          st::fill_row<2>(edge, &k_0[3][2], k, k_row(y + 2, z), x, whole_0, k_in);
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            st::fill_row<2>(edge, k_zp1[r], k, k_row(y + r, z + 1), x, whole_0, k_in);
          }
#pragma unroll
          for (Index r = 0; r < 2; ++r) {
            if (!edge || y + r < ny) {
              double q_out[2];
#pragma unroll
              for (Index v = 0; v < 2; ++v) {
                double sum = __dmul_rn(0.5, k_0[r + 1][v + 2]);
                sum = __fma_rn(0.5, k_zp1[r][v], sum);
                double sum_2 = p_0[r + 1][v + 2];
                sum_2 = __dsub_rn(sum_2, p_zp1[r][v]);
                double sum_3 = __dmul_rn(0.5, k_zm1[r][v]);
                sum_3 = __fma_rn(0.5, k_0[r + 1][v + 2], sum_3);
                double sum_4 = -p_zm1[r][v];
                sum_4 = __dadd_rn(sum_4, p_0[r + 1][v + 2]);
                double sum_5 = __dmul_rn(0.5, k_0[r + 1][v + 2]);
                sum_5 = __fma_rn(0.5, k_0[r + 2][v + 2], sum_5);
                double sum_6 = p_0[r + 1][v + 2];
                sum_6 = __dsub_rn(sum_6, p_0[r + 2][v + 2]);
                double sum_7 = __dmul_rn(0.5, k_0[r + 1][v + 2]);
                sum_7 = __fma_rn(0.5, k_0[r][v + 2], sum_7);
                double sum_8 = p_0[r + 1][v + 2];
                sum_8 = __dsub_rn(sum_8, p_0[r][v + 2]);
                double sum_9 = __dmul_rn(0.5, k_0[r + 1][v + 2]);
                sum_9 = __fma_rn(0.5, k_0[r + 1][v + 3], sum_9);
                double sum_10 = p_0[r + 1][v + 2];
                sum_10 = __dsub_rn(sum_10, p_0[r + 1][v + 3]);
                double sum_11 = __dmul_rn(0.5, k_0[r + 1][v + 1]);
                sum_11 = __fma_rn(0.5, k_0[r + 1][v + 2], sum_11);
                double sum_12 = -p_0[r + 1][v + 1];
                sum_12 = __dadd_rn(sum_12, p_0[r + 1][v + 2]);
                const double part = __fma_rn(sum_9, sum_10, __dmul_rn(sum_11, sum_12));
                const double part_2 = __fma_rn(sum_5, sum_6, __fma_rn(sum_7, sum_8, part));
                q_out[v] = __fma_rn(sum, sum_2, __fma_rn(sum_3, sum_4, part_2));
              }
              st::store_row<2>(&q[i + r * pitch], q_out, whole_0, nx - x);
            }
          }
#pragma unroll
          for (Index r_2 = 0; r_2 < 2; ++r_2) {
            st::shift<2>(p_zm1[r_2], &p_0[r_2 + 1][2]);
          }
#pragma unroll
          for (Index r_2 = 0; r_2 < 2; ++r_2) {
            st::shift<2>(&p_0[r_2 + 1][2], p_zp1[r_2]);
          }
#pragma unroll
          for (Index r_2 = 0; r_2 < 2; ++r_2) {
            st::shift<2>(k_zm1[r_2], &k_0[r_2 + 1][2]);
          }
#pragma unroll
          for (Index r_2 = 0; r_2 < 2; ++r_2) {
            st::shift<2>(&k_0[r_2 + 1][2], k_zp1[r_2]);
          }
          i += plane;
        }
      }
    }
  };
  if (interior_x && interior_y && interior_z && aligned) {
    cells(st::Constant<false>(), st::Constant<false>());
  } else if (interior_y && interior_z && aligned && block_x + 64 <= nx) {
    cells(st::Constant<false>(), st::Constant<true>());
  } else {
    // Edge blocks: `constant` for p, `clamp` for k.
    cells(st::Constant<true>(), st::Constant<true>());
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step_and_reduce(
    double* __restrict__ q, double* __restrict__ pq_partials, const double* __restrict__ p,
    const double* __restrict__ k, Index nx, Index ny, Index nz, Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x >= 1 && block_x + 65 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 5 <= ny;
  const bool interior_z = block_z >= 1 && block_z + 5 <= nz;
  if (interior_x && interior_y && interior_z) {
    Index i = block_z * plane + y * pitch + x;
    double p_zm1 = p[i - plane];
    double p_0 = p[i];
    double k_zm1 = k[i - plane];
    double k_0 = k[i];
#pragma unroll
    for (Index k_2 = 0; k_2 < 4; ++k_2) {
      const Index z = block_z + k_2;
      const double p_zp1 = p[i + plane];
      const double k_zp1 = k[i + plane];
      double sum = __dmul_rn(0.5, k_0);
      sum = __fma_rn(0.5, k_zp1, sum);
      double sum_2 = p_0;
      sum_2 = __dsub_rn(sum_2, p_zp1);
      double sum_3 = __dmul_rn(0.5, k_zm1);
      sum_3 = __fma_rn(0.5, k_0, sum_3);
      double sum_4 = -p_zm1;
      sum_4 = __dadd_rn(sum_4, p_0);
      double sum_5 = __dmul_rn(0.5, k_0);
      sum_5 = __fma_rn(0.5, k[i + pitch], sum_5);
      double sum_6 = p_0;
      sum_6 = __dsub_rn(sum_6, p[i + pitch]);
      double sum_7 = __dmul_rn(0.5, k_0);
      sum_7 = __fma_rn(0.5, k[i - pitch], sum_7);
      double sum_8 = p_0;
      sum_8 = __dsub_rn(sum_8, p[i - pitch]);
      double sum_9 = __dmul_rn(0.5, k_0);
      sum_9 = __fma_rn(0.5, k[i + 1], sum_9);
      double sum_10 = p_0;
      sum_10 = __dsub_rn(sum_10, p[i + 1]);
      double sum_11 = __dmul_rn(0.5, k[i - 1]);
      sum_11 = __fma_rn(0.5, k_0, sum_11);
      double sum_12 = -p[i - 1];
      sum_12 = __dadd_rn(sum_12, p_0);
      const double part = __fma_rn(sum_9, sum_10, __dmul_rn(sum_11, sum_12));
      const double part_2 = __fma_rn(sum_5, sum_6, __fma_rn(sum_7, sum_8, part));
      const double value = __fma_rn(sum, sum_2, __fma_rn(sum_3, sum_4, part_2));
      const double pq_here = __dmul_rn(p_0, value);
      q[i] = value;
      st::fold_row<st::Sum>(pq_partials, pq_here, x, nx, z * ny + y);
      p_zm1 = p_0;
      p_0 = p_zp1;
      k_zm1 = k_0;
      k_0 = k_zp1;
      i += plane;
    }
  } else {
    // Edge blocks: `constant` for p, `clamp` for k.
    for (Index k_2 = 0; k_2 < 4; ++k_2) {
      const Index z = block_z + k_2;
      if (y < ny && z < nz) {
        double pq_part = st::Sum::identity<double>();
        if (x < nx) {
          const Index i = z * plane + y * pitch + x;
          const double k_0 = k[i];
          const Index at_zp1 = st::clamp(z + 1, nz);
          double sum = __dmul_rn(0.5, k_0);
          sum = __fma_rn(0.5, k[at_zp1 * plane + y * pitch + x], sum);
          const double p_0 = p[i];
          const bool has_zp1 = z + 1 < nz;
          double sum_2 = p_0;
          sum_2 = __dsub_rn(sum_2, has_zp1 ? p[i + plane] : 0.0);
          const Index at_zm1 = st::clamp(z - 1, nz);
          double sum_3 = __dmul_rn(0.5, k[at_zm1 * plane + y * pitch + x]);
          sum_3 = __fma_rn(0.5, k_0, sum_3);
          const bool has_zm1 = z >= 1;
          double sum_4 = -(has_zm1 ? p[i - plane] : 0.0);
          sum_4 = __dadd_rn(sum_4, p_0);
          const Index at_yp1 = st::clamp(y + 1, ny);
          double sum_5 = __dmul_rn(0.5, k_0);
          sum_5 = __fma_rn(0.5, k[z * plane + at_yp1 * pitch + x], sum_5);
          const bool has_yp1 = y + 1 < ny;
          double sum_6 = p_0;
          sum_6 = __dsub_rn(sum_6, has_yp1 ? p[i + pitch] : 0.0);
          const Index at_ym1 = st::clamp(y - 1, ny);
          double sum_7 = __dmul_rn(0.5, k_0);
          sum_7 = __fma_rn(0.5, k[z * plane + at_ym1 * pitch + x], sum_7);
          const bool has_ym1 = y >= 1;
          double sum_8 = p_0;
          sum_8 = __dsub_rn(sum_8, has_ym1 ? p[i - pitch] : 0.0);
          const Index at_xp1 = st::clamp(x + 1, nx);
          double sum_9 = __dmul_rn(0.5, k_0);
          sum_9 = __fma_rn(0.5, k[z * plane + y * pitch + at_xp1], sum_9);
          const bool has_xp1 = x + 1 < nx;
          double sum_10 = p_0;
          sum_10 = __dsub_rn(sum_10, has_xp1 ? p[i + 1] : 0.0);
          const Index at_xm1 = st::clamp(x - 1, nx);
          double sum_11 = __dmul_rn(0.5, k[z * plane + y * pitch + at_xm1]);
          sum_11 = __fma_rn(0.5, k_0, sum_11);
          const bool has_xm1 = x >= 1;
          double sum_12 = -(has_xm1 ? p[i - 1] : 0.0);
          sum_12 = __dadd_rn(sum_12, p_0);
          const double part = __fma_rn(sum_9, sum_10, __dmul_rn(sum_11, sum_12));
          const double part_2 = __fma_rn(sum_5, sum_6, __fma_rn(sum_7, sum_8, part));
          const double value = __fma_rn(sum, sum_2, __fma_rn(sum_3, sum_4, part_2));
          const double pq_here = __dmul_rn(p_0, value);
          q[i] = value;
          pq_part = pq_here;
        }
        st::fold_row<st::Sum>(pq_partials, pq_part, x, nx, z * ny + y);
      }
    }
  }
}

// The launches of the one pass.
template <typename Index>
stencil::Status advance(
    const double* p, const double* k, double* q, const stencil::Shape& shape,
    stencil::Reduction<double>& pq_partials, bool asked, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<2>(shape, p, k, q);
  const int64_t blocks_x = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y = stencil::blocks(shape.ny, 16);
  const int64_t blocks_z = stencil::blocks(shape.nz, 32);
  const dim3 threads(32, 8, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 4);
  const int64_t blocks_z_2 = stencil::blocks(shape.nz, 4);
  const dim3 threads_2(64, 4, 1);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2, blocks_z_2);
  if (asked) {
    step_and_reduce<Index><<<blocks_2, threads_2, 0, stream>>>(
        q, pq_partials.partials(), p, k, nx, ny, nz, pitch, plane);
    pq_partials.fold<st::Sum>(stream);
  } else {
    step<Index><<<blocks, threads, 0, stream>>>(q, p, k, aligned, nx, ny, nz, pitch, plane);
  }
  return stencil::launched("cg_product");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Stream stream) {
  stencil::Call<3> call("cg_product", stream);
  const double* p = call.input("p", args.p);
  const double* k = call.input("k", args.k);
  double* q = call.output("q", args.q);
  if (!call.ok()) return call.status();
  const int code = cg_product_run(
      p, k, q, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.pq, stream);
  return call.finish(code);
}

}  // namespace cg_product

int cg_product_run(
    const double* p, const double* k, double* q, int64_t nx, int64_t ny, int64_t nz, int64_t pitch,
    int64_t plane, double* pq, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<3> buffers;
  buffers.read("p", p);
  buffers.read("k", k);
  buffers.written("q", q);
  const stencil::Steps count{1};
  stencil::Status ready = stencil::check("cg_product", shape, count, buffers);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? cg_product::advance<int> : cg_product::advance<int64_t>;
  stencil::Reduction<double> pq_partials;
  const bool asked = pq != nullptr;
  if (ready.ok() && asked) ready = pq_partials.make("`cg_product`", shape);
  if (!ready.ok()) return stencil::code_of(ready);
  double pq_now = st::Sum::identity<double>();
  ready = advance(p, k, q, shape, pq_partials, asked, stream);
  if (ready.ok() && asked) ready = pq_partials.read(&pq_now, stream);
  if (!ready.ok()) return stencil::code_of(ready);
  if (pq != nullptr) *pq = pq_now;
  return stencil::code_of(ready);
}

namespace cg_advance {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    double* __restrict__ u, double* __restrict__ r, const double* __restrict__ p,
    const double* __restrict__ q, double alpha, bool aligned, Index nx, Index ny, Index nz,
    Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x + 64 <= nx;
  const bool interior_y = block_y + 4 <= ny;
  const bool interior_z = block_z + 8 <= nz;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y < ny && block_z < nz)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto u_in = [&](Index row, Index cell_x) { return u[row + st::clamp(cell_x, nx)]; };
      // Where a row of r begins, and a cell of a row: near the boundary those that stand for them.
      const auto r_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto r_in = [&](Index row, Index cell_x) { return r[row + st::clamp(cell_x, nx)]; };
      // Where a row of p begins, and a cell of a row: near the boundary those that stand for them.
      const auto p_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto p_in = [&](Index row, Index cell_x) { return p[row + st::clamp(cell_x, nx)]; };
      // Where a row of q begins, and a cell of a row: near the boundary those that stand for them.
      const auto q_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto q_in = [&](Index row, Index cell_x) { return q[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 2 <= nx);
      Index i = block_z * plane + y * pitch + x;
      for (Index k = 0; k < 8; ++k) {
        const Index z = block_z + k;
        if (!edge || z < nz) {
          double u_0[2];
          st::fill_row<2>(edge, u_0, u, u_row(y, z), x, whole_0, u_in);
          double r_0[2];
          st::fill_row<2>(edge, r_0, r, r_row(y, z), x, whole_0, r_in);
          double p_0[2];
          st::fill_row<2>(edge, p_0, p, p_row(y, z), x, whole_0, p_in);
          double q_0[2];
          st::fill_row<2>(edge, q_0, q, q_row(y, z), x, whole_0, q_in);
          double u_out[2];
          double r_out[2];
#pragma unroll
          for (Index v = 0; v < 2; ++v) {
            double sum = u_0[v];
            sum = __fma_rn(alpha, p_0[v], sum);
            double sum_2 = r_0[v];
            sum_2 = __fma_rn(-alpha, q_0[v], sum_2);
            u_out[v] = sum;
            r_out[v] = sum_2;
          }
          st::store_row<2>(&u[i], u_out, whole_0, nx - x);
          st::store_row<2>(&r[i], r_out, whole_0, nx - x);
          i += plane;
        }
      }
    }
  };
  if (interior_x && interior_y && interior_z && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks.
    cells(st::Constant<true>());
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step_and_reduce(
    double* __restrict__ u, double* __restrict__ r, double* __restrict__ rr_partials,
    const double* __restrict__ p, const double* __restrict__ q, double alpha, Index nx, Index ny,
    Index nz, Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 4;
  const Index x = block_x + static_cast<Index>(threadIdx.x);
  const Index y = block_y + static_cast<Index>(threadIdx.y);
#pragma unroll
  for (Index k = 0; k < 4; ++k) {
    const Index z = block_z + k;
    if (y < ny && z < nz) {
      double rr_part = st::Sum::identity<double>();
      if (x < nx) {
        const Index i = z * plane + y * pitch + x;
        double sum = u[i];
        sum = __fma_rn(alpha, p[i], sum);
        double sum_2 = r[i];
        sum_2 = __fma_rn(-alpha, q[i], sum_2);
        const double rr_here = __dmul_rn(sum_2, sum_2);
        u[i] = sum;
        r[i] = sum_2;
        rr_part = rr_here;
      }
      st::fold_row<st::Sum>(rr_partials, rr_part, x, nx, z * ny + y);
    }
  }
}

// The time loop.
template <typename Index>
stencil::Status advance(
    double* u, double* r, const double* p, const double* q, const stencil::Shape& shape,
    double alpha, stencil::Reduction<double>& rr_partials, int64_t steps, bool asked,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<2>(shape, u, r, p, q);
  const int64_t blocks_x = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const int64_t blocks_z = stencil::blocks(shape.nz, 8);
  const dim3 threads(32, 4, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 4);
  const int64_t blocks_z_2 = stencil::blocks(shape.nz, 4);
  const dim3 threads_2(64, 4, 1);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2, blocks_z_2);
  for (int64_t left = steps; left > 0; --left) {
    const bool asks = asked && left == 1;
    if (asks) {
      step_and_reduce<Index><<<blocks_2, threads_2, 0, stream>>>(
          u, r, rr_partials.partials(), p, q, alpha, nx, ny, nz, pitch, plane);
      rr_partials.fold<st::Sum>(stream);
    } else {
      step<Index>
          <<<blocks, threads, 0, stream>>>(u, r, p, q, alpha, aligned, nx, ny, nz, pitch, plane);
    }
  }
  return stencil::launched("cg_advance");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("cg_advance", stream);
  double* u = call.output("u", args.u);
  double* r = call.output("r", args.r);
  const double* p = call.input("p", args.p);
  const double* q = call.input("q", args.q);
  if (!call.ok()) return call.status();
  const int code = cg_advance_run(
      u, r, p, q, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.alpha, args.rr,
      steps.count, stream);
  return call.finish(code);
}

}  // namespace cg_advance

int cg_advance_run(
    double* u, double* r, const double* p, const double* q, int64_t nx, int64_t ny, int64_t nz,
    int64_t pitch, int64_t plane, double alpha, double* rr, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<4> buffers;
  buffers.written("u", u);
  buffers.written("r", r);
  buffers.read("p", p);
  buffers.read("q", q);
  const stencil::Steps count{steps};
  stencil::Status ready = stencil::check("cg_advance", shape, count, buffers);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? cg_advance::advance<int> : cg_advance::advance<int64_t>;
  stencil::Reduction<double> rr_partials;
  const bool asked = rr != nullptr;
  if (ready.ok() && asked) ready = rr_partials.make("`cg_advance`", shape);
  if (!ready.ok()) return stencil::code_of(ready);
  double rr_now = st::Sum::identity<double>();
  ready = advance(u, r, p, q, shape, alpha, rr_partials, steps, asked, stream);
  if (steps > 0) {
    if (ready.ok() && asked) ready = rr_partials.read(&rr_now, stream);
  }
  if (!ready.ok()) return stencil::code_of(ready);
  if (rr != nullptr) *rr = rr_now;
  return stencil::code_of(ready);
}

namespace cg_direct {
namespace {

template <typename Index>
__global__ void __launch_bounds__(128) step(
    double* __restrict__ p, const double* __restrict__ r, double beta, bool aligned, Index nx,
    Index ny, Index nz, Index pitch, Index plane) {
  const Index block_x = static_cast<Index>(blockIdx.x) * 64;
  const Index block_y = static_cast<Index>(blockIdx.y) * 4;
  const Index block_z = static_cast<Index>(blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 2;
  const Index y = block_y + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_x = block_x + 64 <= nx;
  const bool interior_y = block_y + 4 <= ny;
  const bool interior_z = block_z + 8 <= nz;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y < ny && block_z < nz)) {
      // Where a row of p begins, and a cell of a row: near the boundary those that stand for them.
      const auto p_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto p_in = [&](Index row, Index cell_x) { return p[row + st::clamp(cell_x, nx)]; };
      // Where a row of r begins, and a cell of a row: near the boundary those that stand for them.
      const auto r_row = [&](Index row_y, Index row_z) {
        const Index at_y = edge ? st::clamp(row_y, ny) : row_y;
        const Index at_z = edge ? st::clamp(row_z, nz) : row_z;
        return at_z * plane + at_y * pitch;
      };
      const auto r_in = [&](Index row, Index cell_x) { return r[row + st::clamp(cell_x, nx)]; };
      const bool whole_0 = !edge || (aligned && x + 2 <= nx);
      Index i = block_z * plane + y * pitch + x;
#pragma unroll
      for (Index k = 0; k < 8; ++k) {
        const Index z = block_z + k;
        if (!edge || z < nz) {
          double p_0[2];
          st::fill_row<2>(edge, p_0, p, p_row(y, z), x, whole_0, p_in);
          double r_0[2];
          st::fill_row<2>(edge, r_0, r, r_row(y, z), x, whole_0, r_in);
          double p_out[2];
#pragma unroll
          for (Index v = 0; v < 2; ++v) {
            double sum = __dmul_rn(beta, p_0[v]);
            sum = __dadd_rn(sum, r_0[v]);
            p_out[v] = sum;
          }
          st::store_row<2>(&p[i], p_out, whole_0, nx - x);
          i += plane;
        }
      }
    }
  };
  if (interior_x && interior_y && interior_z && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks.
    cells(st::Constant<true>());
  }
}

// The time loop.
template <typename Index>
stencil::Status advance(
    double* p, const double* r, const stencil::Shape& shape, double beta, int64_t steps,
    stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index nz = static_cast<Index>(shape.nz);
  const Index pitch = static_cast<Index>(shape.pitch);
  const Index plane = static_cast<Index>(shape.plane);
  const bool aligned = stencil::aligned<2>(shape, p, r);
  const int64_t blocks_x = stencil::blocks(shape.nx, 64);
  const int64_t blocks_y = stencil::blocks(shape.ny, 4);
  const int64_t blocks_z = stencil::blocks(shape.nz, 8);
  const dim3 threads(32, 4, 1);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y, blocks_z);
  for (int64_t left = steps; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(p, r, beta, aligned, nx, ny, nz, pitch, plane);
  }
  return stencil::launched("cg_direct");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<3> call("cg_direct", stream);
  double* p = call.output("p", args.p);
  const double* r = call.input("r", args.r);
  if (!call.ok()) return call.status();
  const int code = cg_direct_run(
      p, r, call.nx(), call.ny(), call.nz(), call.pitch(), call.plane(), args.beta, steps.count,
      stream);
  return call.finish(code);
}

}  // namespace cg_direct

int cg_direct_run(
    double* p, const double* r, int64_t nx, int64_t ny, int64_t nz, int64_t pitch, int64_t plane,
    double beta, int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  stencil::Buffers<2> buffers;
  buffers.written("p", p);
  buffers.read("r", r);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("cg_direct", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(plane * nz);
  const auto advance = narrow ? cg_direct::advance<int> : cg_direct::advance<int64_t>;
  const stencil::Status done = advance(p, r, shape, beta, steps, stream);
  return stencil::code_of(done);
}
