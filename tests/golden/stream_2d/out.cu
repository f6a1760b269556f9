// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu --arch=sm_90
//   --schedule=coarsened,threads=32x4,vector=4,coarsen=y256,sums=scatter,steps=8
//
// Stencil plate, 2-D
//   f32 u: 5 points of level t, radius 1, boundary x clamp, y.lo constant 0, y.hi mirror; 2 buffers
// Schedule coarsened,threads=32x4,vector=4,coarsen=y256,sums=scatter,steps=8
//   asked for by --schedule
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_67fb670032802341
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace plate {
namespace {

template <typename Index, int degree, bool edge, bool corner, bool ends>
__device__ __noinline__ void leap_rows(
    float* __restrict__ u_new, const float* __restrict__ u, float a, bool aligned, Index nx,
    Index ny, Index pitch, Index strip, Index first_y, Index behind_y, Index warp) {
  const float factor = __fadd_rn(1.0f, __fmul_rn(a, -4.0f));
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index x = strip + lane * 4;
  // Lanes beyond the ends of a row load anything: what lies there is made of the row.
  const Index from_x = !edge || (x >= 0 && x < nx) ? x : 0;
  const bool loads = !edge || (aligned && from_x + 4 <= nx);
  // Of a strip that was set back, cells are copied one by one.
  const bool follow = !corner || from_x + 4 <= nx;
  const bool whole = aligned && x >= 0 && x + 4 <= nx;
  const bool stores = lane >= 2 && lane < 30;
  // Rows on their way: 2 are asked for ahead of the one in work: a ring of 3. A lane reads what it
  // asked for, and the rest of a row from other lanes: there is no barrier.
  auto& u_ahead = st::shared<float[12][128]>(0);
  auto& u_held = st::shared<float[64][128]>(6144);
  // Where a cell of u is in memory, or what stands for it beyond the rim.
  const auto u_place = [&](Index cell_x, Index cell_y) {
    if (cell_y < 0) {
      const Index at_x = st::clamp(cell_x, nx);
      const bool has_y = cell_y >= 0;
      const Index i = cell_y * pitch + at_x;
      return has_y ? i : -1;
    }
    const Index at_x = st::clamp(cell_x, nx);
    const Index at_y = st::fold<st::Side::stop, st::Side::mirror>(cell_y, ny);
    const bool has_y = at_y >= 0;
    const Index i = at_y * pitch + at_x;
    return has_y ? i : -1;
  };
  // The same of a later time step, of which the last 2 rows are held.
  const auto u_held_at = [&](Index cell_x, Index cell_y, Index k) {
    if (cell_y < 0) {
      const bool has_y = cell_y >= 0;
      return has_y ? u_held[(warp * 8 + k) * 2 + st::imod<Index>(cell_y, 2)][cell_x - strip] : 0.0f;
    }
    const Index at_y = st::fold<st::Side::stop, st::Side::mirror>(cell_y, ny);
    const bool has_y = at_y >= 0;
    return has_y ? u_held[(warp * 8 + k) * 2 + st::imod<Index>(at_y, 2)][cell_x - strip] : 0.0f;
  };
  // Each lane copies its vector of a row some rows ahead.
  const auto ask = [&](Index row, Index place) {
    st::fill_async<4>(
        &u_ahead[warp * 3 + place][lane * 4], u, row * pitch + from_x,
        loads && (!ends || (row >= 0 && row < ny)), follow && (!ends || (row >= 0 && row < ny)),
        u_place, 0.0f, x, row);
    st::commit();
  };
  const Index first_row = first_y - degree > -1 ? first_y - degree : -1;
  Index place = 0;
  ask(first_row, 0);
  ask(first_row + 1, 1);
  Index n = first_row;
  const Index last_row = behind_y + degree;
  const Index first_inside = degree + 2 < last_row ? degree + 2 : last_row;
  const Index behind_inside = ny - 1 < last_row ? ny - 1 : last_row;
  // What each step keeps, in registers: what rows that are not complete add up to so far.
  float sum0[8][4] = {};
  float sum1[8][4] = {};
  // Rows before those that read rows inside, these, and the rest.
  for (Index part = ends ? 0 : 2; part < 3; ++part) {
    const bool inside_y = !ends || part == 1;
    const Index until = part == 0 ? first_inside : (part == 1 ? behind_inside : last_row);
    if (inside_y) {
      for (; n < until; ++n) {
        ask(n + 2, place == 0 ? 2 : place - 1);
        st::wait<2>();
        float u_row[4];
        st::load<4>(u_row, &u_ahead[warp * 3 + place][lane * 4]);
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          float sum[4];
          float u_0[6];
          st::shift<4>(&u_0[1], u_row);
          st::lend_sides<4, 1, 1>(&u_0[1]);
          if (edge) {
            u_0[0] = x == 0 ? u_0[1] : u_0[0];
            u_0[5] = x + 4 == nx ? u_0[4] : u_0[5];
            if (corner) {
              u_0[2] = x + 1 == nx ? u_0[1] : u_0[2];
              u_0[3] = x + 2 == nx ? u_0[2] : u_0[3];
              u_0[4] = x + 3 == nx ? u_0[3] : u_0[4];
            }
          }
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            sum[v] = __fmaf_rn(a, u_0[v + 1], sum1[k][v]);
            sum1[k][v] = __fmaf_rn(a, u_0[v], sum0[k][v]);
            sum1[k][v] = __fmaf_rn(factor, u_0[v + 1], sum1[k][v]);
            sum1[k][v] = __fmaf_rn(a, u_0[v + 2], sum1[k][v]);
            sum0[k][v] = __fmul_rn(a, u_0[v + 1]);
          }
#pragma unroll
          for (Index v_2 = 0; v_2 < 4; ++v_2) {
            u_row[v_2] = sum[v_2];
          }
        }
        const Index row = n - degree;
        if (stores && row >= first_y) {
          const Index i = row * pitch + x;
          st::store_row<4>(&u_new[i], u_row, !edge || whole, nx - x);
        }
        place = place == 2 ? 0 : place + 1;
      }
    } else {
      if (n < until) {
        float sum0_far[8][4];
        float sum1_far[8][4];
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<4>(sum0_far[k], sum0[k]);
          st::shift<4>(sum1_far[k], sum1[k]);
        }
        for (; n < until; ++n) {
          ask(n + 2, place == 0 ? 2 : place - 1);
          st::wait<2>();
          float u_row[4];
          st::load<4>(u_row, &u_ahead[warp * 3 + place][lane * 4]);
          const Index behind_k = n + 2 < degree ? n + 2 : degree;
          const Index first_k = n - ny > 0 ? n - ny : 0;
#pragma unroll 1
          for (Index k = first_k; k < behind_k; ++k) {
            const Index y = n - (k + 1);
            if (k > 0 && y + 1 >= 0 && y + 1 < ny) {
              st::store<4>(
                  &u_held[(warp * 8 + k) * 2 + st::imod<Index>(y + 1, 2)][lane * 4], u_row);
            }
            float sum[4];
            if (k > 0) {
              st::fill<4>(
                  u_row, &u_held[(warp * 8 + k) * 2 + st::imod<Index>(y + 1, 2)][lane * 4],
                  y + 1 >= 0 && y + 1 < ny, u_held_at, x, y + 1, k);
            }
            float u_0[6];
            st::shift<4>(&u_0[1], u_row);
            st::lend_sides<4, 1, 1>(&u_0[1]);
            u_0[0] = x == 0 ? u_0[1] : u_0[0];
            u_0[5] = x + 4 == nx ? u_0[4] : u_0[5];
            if (corner) {
              u_0[2] = x + 1 == nx ? u_0[1] : u_0[2];
              u_0[3] = x + 2 == nx ? u_0[2] : u_0[3];
              u_0[4] = x + 3 == nx ? u_0[3] : u_0[4];
            }
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              sum[v] = __fmaf_rn(a, u_0[v + 1], sum1_far[k][v]);
              sum1_far[k][v] = __fmaf_rn(a, u_0[v], sum0_far[k][v]);
              sum1_far[k][v] = __fmaf_rn(factor, u_0[v + 1], sum1_far[k][v]);
              sum1_far[k][v] = __fmaf_rn(a, u_0[v + 2], sum1_far[k][v]);
              sum0_far[k][v] = __fmul_rn(a, u_0[v + 1]);
            }
#pragma unroll
            for (Index v_2 = 0; v_2 < 4; ++v_2) {
              u_row[v_2] = sum[v_2];
            }
          }
          const Index row = n - degree;
          if (stores && row >= first_y) {
            const Index i = row * pitch + x;
            st::store_row<4>(&u_new[i], u_row, whole, nx - x);
          }
          place = place == 2 ? 0 : place + 1;
        }
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<4>(sum0[k], sum0_far[k]);
          st::shift<4>(sum1[k], sum1_far[k]);
        }
      }
    }
  }
}

template <typename Index, int degree>
__global__ void __launch_bounds__(128, 2) leap(
    float* __restrict__ u_new, const float* __restrict__ u, float a, bool aligned, Index nx,
    Index ny, Index pitch, st::March march) {
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a strip of 32 vectors, of which it stores 28: those at the ends lack neighbours.
  Index number, first_y, behind_y;
  st::part_of<Index>(
      march, static_cast<Index>(blockIdx.x) * 4 + warp, ny, number, first_y, behind_y);
  // Where vectors do not fill rows, the last strip begins so much earlier that it ends with a
  // vector where they end.
  const Index strip_at = number * 112 - 8;
  const Index over = st::imod<Index>(nx, 4);
  const bool set_back = over > 0 && strip_at >= 4 && strip_at + 128 > nx;
  const Index strip = set_back ? strip_at + over - 4 : strip_at;
  const bool vectors = aligned && !set_back;
  // Where nothing that a strip computes lies near the rim, no cell needs a check.
  const bool interior_x = vectors && strip >= 1 && strip + 129 <= nx;
  const bool interior_y = first_y - degree >= degree + 2 && behind_y + degree <= ny - 2;
  if (interior_x && interior_y) {
    leap_rows<Index, degree, false, false, false>(
        u_new, u, a, vectors, nx, ny, pitch, strip, first_y, behind_y, warp);
  } else if (interior_x) {
    leap_rows<Index, degree, false, false, true>(
        u_new, u, a, vectors, nx, ny, pitch, strip, first_y, behind_y, warp);
  } else if (nx - strip >= 128 || st::imod<Index>(nx - strip, 4) == 0) {
    leap_rows<Index, degree, true, false, true>(
        u_new, u, a, vectors, nx, ny, pitch, strip, first_y, behind_y, warp);
  } else {
    // Edge blocks: `clamp`, `constant` and `mirror` for u.
    leap_rows<Index, degree, true, true, true>(
        u_new, u, a, vectors, nx, ny, pitch, strip, first_y, behind_y, warp);
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new, const float* __restrict__ u, float a, bool aligned, Index nx,
    Index ny, Index pitch) {
  const float factor = __fadd_rn(1.0f, __fmul_rn(a, -4.0f));
  const Index block_x = static_cast<Index>(blockIdx.x) * 256;
  const Index block_y = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 8;
  const Index x = block_x + static_cast<Index>(threadIdx.x) * 4;
  const Index y0 = block_y + static_cast<Index>(threadIdx.y) * 2;
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_x = block_x >= 4 && block_x + 260 <= nx;
  const bool interior_y = block_y >= 1 && block_y + 9 <= ny;
  const auto cells = [&](auto edge) {
    if (!edge || (x < nx && y0 < ny)) {
      // A cell of u, by its boundary where it lies beyond the rim.
      const auto u_at = [&](Index cell_x, Index cell_y) {
        if (cell_y < 0) {
          const Index at_x = st::clamp(cell_x, nx);
          const bool has_y = cell_y >= 0;
          const Index i = cell_y * pitch + at_x;
          return has_y ? u[i] : 0.0f;
        }
        const Index at_x = st::clamp(cell_x, nx);
        const Index at_y = st::fold<st::Side::stop, st::Side::mirror>(cell_y, ny);
        const bool has_y = at_y >= 0;
        const Index i = at_y * pitch + at_x;
        return has_y ? u[i] : 0.0f;
      };
      const bool whole_0 = !edge || (aligned && x + 4 <= nx);
      const bool whole_m1 = !edge || (aligned && x >= 4);
      const bool whole_1 = !edge || (aligned && x + 8 <= nx);
      Index i = y0 * pitch + x;
      float u_ym1[4];
      float u_0[12];
      st::fill<4>(u_ym1, &u[i - pitch], whole_0 && (!edge || y0 >= 1), u_at, x, y0 - 1);
      st::fill<4>(&u_0[4], &u[i], whole_0, u_at, x, y0);
#pragma unroll
      for (Index k = 0; k < 2; ++k) {
        const Index y = y0 + k;
        if (!edge || y < ny) {
          float u_yp1[4];
          st::fill<4>(u_0, &u[i - 4], whole_m1, u_at, x - 4, y);
          st::fill<4>(&u_0[8], &u[i + 4], whole_1, u_at, x + 4, y);
          st::fill<4>(u_yp1, &u[i + pitch], whole_0 && (!edge || y + 1 < ny), u_at, x, y + 1);
          float u_out[4];
#pragma unroll
          for (Index v = 0; v < 4; ++v) {
            float sum = __fmul_rn(a, u_ym1[v]);
            sum = __fmaf_rn(a, u_0[v + 3], sum);
            sum = __fmaf_rn(factor, u_0[v + 4], sum);
            sum = __fmaf_rn(a, u_0[v + 5], sum);
            sum = __fmaf_rn(a, u_yp1[v], sum);
            u_out[v] = sum;
          }
          st::store_row<4>(&u_new[i], u_out, whole_0, nx - x);
          st::shift<4>(u_ym1, &u_0[4]);
          st::shift<4>(&u_0[4], u_yp1);
          i += pitch;
        }
      }
    }
  };
  if (interior_x && interior_y && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `clamp`, `constant` and `mirror` for u.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, const stencil::Shape& shape, float a, int64_t steps, stencil::Stream stream) {
  const Index nx = static_cast<Index>(shape.nx);
  const Index ny = static_cast<Index>(shape.ny);
  const Index pitch = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1]);
  const st::March march = st::chunks_of(
      stencil::blocks(stencil::blocks(shape.nx, 4) * 4, 112), shape.ny, 256);
  const int64_t blocks_x = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y = stencil::blocks(shape.ny, 8);
  const dim3 threads(64, 4);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  int64_t left = steps;
  if (shape.nx >= 2) {
    for (; left >= 8; left -= 8) {
      leap<Index, 8><<<stencil::blocks_of(march.parts(), 4), dim3(32, 4), 38912, stream>>>(
          u[1], u[0], a, aligned, nx, ny, pitch, march);
      stencil::rotate<2>(u);
    }
    for (; left >= 4; left -= 4) {
      leap<Index, 4><<<stencil::blocks_of(march.parts(), 4), dim3(32, 4), 38912, stream>>>(
          u[1], u[0], a, aligned, nx, ny, pitch, march);
      stencil::rotate<2>(u);
    }
    for (; left >= 2; left -= 2) {
      leap<Index, 2><<<stencil::blocks_of(march.parts(), 4), dim3(32, 4), 38912, stream>>>(
          u[1], u[0], a, aligned, nx, ny, pitch, march);
      stencil::rotate<2>(u);
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks, threads, 0, stream>>>(u[1], u[0], a, aligned, nx, ny, pitch);
    stencil::rotate<2>(u);
  }
  return stencil::launched("plate");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("plate", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  const int code = plate_run(u.at, call.nx(), call.ny(), call.pitch(), args.a, steps.count, stream);
  return call.finish(code, u);
}

}  // namespace plate

int plate_run(
    float* u[2], int64_t nx, int64_t ny, int64_t pitch, float a, int64_t steps,
    cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({nx, ny}, pitch);
  stencil::Buffers<2> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("plate", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch * ny);
  const auto advance = narrow ? plate::advance<int> : plate::advance<int64_t>;
  const stencil::Status done = advance(u, shape, a, steps, stream);
  return stencil::code_of(done);
}
