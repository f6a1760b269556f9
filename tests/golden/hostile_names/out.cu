// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil namespace, 2-D
//   f32 u: 2 points of level t, radius 1, boundary clamp; 2 buffers
//   f32 u_new: 1 point of level t, radius 1, boundary clamp; 2 buffers
//   f32 step: 1 point of level t
//   f32 stream: 1 point of level t
// Schedule coarsened,threads=32x8,vector=4,rows=6,coarsen=threadIdx1,steps=12
//   12 steps a launch: a block holds a tile in registers and takes all steps of it
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"
#ifndef STENCILC_HEADER_e11a5eeaa65197f3
#error the header is of another run of stencilc than this file: emit both again
#endif

namespace namespace_ {
namespace {

template <typename Index>
__global__ void __launch_bounds__(256) resident_tile_steps(
    float* __restrict__ u_new_2, float* __restrict__ u_new_new, const float* __restrict__ u,
    const float* __restrict__ u_new, const float* __restrict__ step_,
    const float* __restrict__ stream_, Index steps, float int_, float pitch, float sum,
    float Index_, bool aligned, Index ni, Index nthreadIdx, Index pitch_2) {
  constexpr Index margin_cells = 12, stored_cells = 104, stored_rows = 36, tile_rows = 48;
  constexpr Index width = 4, rows = 6, first_storing = 3, end_storing = 29, halo_buffers = 2;
  constexpr Index step_halo = 8, row_cells = 128, warps = 8;
  const Index lane = static_cast<Index>(threadIdx.x);
  const Index warp = st::of_warp(static_cast<Index>(threadIdx.y));
  // A warp has a tile of 32 vectors, of which it stores 26; the others are its halo.
  const Index tile_i = static_cast<Index>(blockIdx.x) * stored_cells - margin_cells;
  // A block has a tile of 48 rows, 6 for each warp, of which it stores 36.
  const Index first_threadIdx_ =
      static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * stored_rows;
  const Index end_threadIdx_ =
      first_threadIdx_ + stored_rows < nthreadIdx ? first_threadIdx_ + stored_rows
                                                  : nthreadIdx;
  const Index low = first_threadIdx_ < nthreadIdx - tile_rows ? first_threadIdx_
                                                              : nthreadIdx - tile_rows;
  const Index tile_threadIdx_ = low < 0 ? 0 : low;
  const Index i = tile_i + lane * width;
  const Index threadIdx_ = tile_threadIdx_ + warp * rows;
  // Lanes outside the row load any cell: their ghost cells are computed from the row.
  const Index from_i = i >= 0 && i < ni ? i : 0;
  const bool loads = aligned && from_i + width <= ni;
  const bool whole = aligned && i >= 0 && i + width <= ni;
  const bool stores = lane >= first_storing && lane < end_storing && i < ni;
  auto& u_halo = st::shared<float[halo_buffers * step_halo][row_cells]>(0);
  // A cell of u; outside the grid it is a ghost cell.
  const auto u_at = [&](Index cell_i, Index cell_threadIdx_) {
    const Index at_i = st::clamp(cell_i, ni);
    const Index at_threadIdx_ = st::clamp(cell_threadIdx_, nthreadIdx);
    return u[at_threadIdx_ * pitch_2 + at_i];
  };
  // A cell of u_new; outside the grid it is a ghost cell.
  const auto u_new_at = [&](Index cell_i, Index cell_threadIdx_) {
    const Index at_i = st::clamp(cell_i, ni);
    const Index at_threadIdx_ = st::clamp(cell_threadIdx_, nthreadIdx);
    return u_new[at_threadIdx_ * pitch_2 + at_i];
  };
  // The halo rows next to a warp's own rows.
  const Index row_above = warp == warps - 1 ? step_halo - 1 : warp + 1;
  st::follow();
  float u_rows[7][5];
  float u_new_rows[6][5];
  // The rows of a warp.
#pragma unroll
  for (Index r = 0; r < 6; ++r) {
    st::fill<4>(
        &u_rows[r][1], &u[(threadIdx_ + r) * pitch_2 + from_i], loads, u_at, i, threadIdx_ + r);
    st::fill<4>(
        u_new_rows[r], &u_new[(threadIdx_ + r) * pitch_2 + from_i], loads, u_new_at, i,
        threadIdx_ + r);
  }
  const bool inside_i = aligned && tile_i >= 1 && tile_i + row_cells + 1 <= ni;
  const bool inside_threadIdx_ = tile_threadIdx_ >= 0 &&
                                 tile_threadIdx_ + tile_rows + 1 <= nthreadIdx;
  if (inside_i && inside_threadIdx_) {
#pragma unroll 2
    for (Index k = 0; k < steps; ++k) {
      float u_after[6][4];
      float u_new_after[6][4];
      const Index parity = st::imod<Index>(k, 2);
      st::store<4>(&u_halo[parity * step_halo + warp][lane * width], &u_rows[0][1]);
      st::sync();
      st::load<4>(&u_rows[6][1], &u_halo[parity * step_halo + row_above][lane * width]);
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::exchange_sides<4, 1, 0>(&u_rows[r][1]);
        st::exchange_sides<4, 0, 1>(u_new_rows[r]);
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          const Index i_2 = (threadIdx_ + r) * pitch_2 + (i + v);
          float block_i = __fmul_rn(int_, u_rows[r][v]);
          block_i = __fmaf_rn(pitch, u_rows[r + 1][v + 1], block_i);
          const float u_next = __fmaf_rn(sum, step_[i_2], block_i);
          float sum_2 = stream_[i_2];
          sum_2 = __fmaf_rn(Index_, u_new_rows[r][v + 1], sum_2);
          const float u_new_next = __fadd_rn(sum_2, block_i);
          u_after[r][v] = u_next;
          u_new_after[r][v] = u_new_next;
        }
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::shift<4>(&u_rows[r][1], u_after[r]);
        st::shift<4>(u_new_rows[r], u_new_after[r]);
      }
    }
  } else {
#pragma unroll 2
    for (Index k = 0; k < steps; ++k) {
      float u_after[6][4];
      float u_new_after[6][4];
      const Index parity = st::imod<Index>(k, 2);
      st::store<4>(&u_halo[parity * step_halo + warp][lane * width], &u_rows[0][1]);
      st::sync();
      st::load<4>(&u_rows[6][1], &u_halo[parity * step_halo + row_above][lane * width]);
      if (threadIdx_ + 6 == nthreadIdx) {
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          u_rows[6][v + 1] = u_rows[5][v + 1];
        }
      }
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::exchange_sides<4, 1, 0>(&u_rows[r][1]);
        if (i == 0) {
          st::keep_branch();
          u_rows[r][0] = u_rows[r][1];
        }
        st::exchange_sides<4, 0, 1>(u_new_rows[r]);
        if (i + 4 == ni) {
          st::keep_branch();
          u_new_rows[r][4] = u_new_rows[r][3];
        }
        if (st::imod<Index>(ni, 4) != 0) {
          if (i + 1 == ni) {
            st::keep_branch();
            u_new_rows[r][1] = u_new_rows[r][0];
          }
          if (i + 2 == ni) {
            st::keep_branch();
            u_new_rows[r][2] = u_new_rows[r][1];
          }
          if (i + 3 == ni) {
            st::keep_branch();
            u_new_rows[r][3] = u_new_rows[r][2];
          }
        }
#pragma unroll
        for (Index v = 0; v < width; ++v) {
          const Index i_2 = (threadIdx_ + r) * pitch_2 + (i + v);
          if (i + v >= 0 && i + v < ni && threadIdx_ + r >= 0 && threadIdx_ + r < nthreadIdx) {
            float block_i = __fmul_rn(int_, u_rows[r][v]);
            block_i = __fmaf_rn(pitch, u_rows[r + 1][v + 1], block_i);
            const float u_next = __fmaf_rn(sum, step_[i_2], block_i);
            float sum_2 = stream_[i_2];
            sum_2 = __fmaf_rn(Index_, u_new_rows[r][v + 1], sum_2);
            const float u_new_next = __fadd_rn(sum_2, block_i);
            u_after[r][v] = u_next;
            u_new_after[r][v] = u_new_next;
          }
        }
      }
      // The next step.
#pragma unroll
      for (Index r = 0; r < 6; ++r) {
        st::shift<4>(&u_rows[r][1], u_after[r]);
        st::shift<4>(u_new_rows[r], u_new_after[r]);
      }
    }
  }
  // Rows that lack no neighbour.
  if (stores) {
#pragma unroll
    for (Index r = 0; r < 6; ++r) {
      if (threadIdx_ + r >= first_threadIdx_ && threadIdx_ + r < end_threadIdx_) {
        const Index i_2 = (threadIdx_ + r) * pitch_2 + i;
        st::store_row<4>(&u_new_2[i_2], &u_rows[r][1], whole, ni - i);
        st::store_row<4>(&u_new_new[i_2], u_new_rows[r], whole, ni - i);
      }
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(256) step(
    float* __restrict__ u_new_2, float* __restrict__ u_new_new, const float* __restrict__ u,
    const float* __restrict__ u_new, const float* __restrict__ step_,
    const float* __restrict__ stream_, float int_, float pitch, float sum, float Index_,
    bool aligned, Index ni, Index nthreadIdx, Index pitch_2) {
  const Index block_i = static_cast<Index>(blockIdx.x) * 256;
  const Index block_threadIdx_ = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z) * 4;
  const Index i = block_i + static_cast<Index>(threadIdx.x) * 4;
  const Index threadIdx_ = block_threadIdx_ + static_cast<Index>(threadIdx.y);
  // Interior blocks read nothing outside the grid and need no checks.
  const bool interior_i = block_i >= 4 && block_i + 260 <= ni;
  const bool interior_threadIdx_ = block_threadIdx_ + 5 <= nthreadIdx;
  const auto cells = [&](auto edge) {
    if (!edge || (i < ni && threadIdx_ < nthreadIdx)) {
      // Where a row of u begins, and a cell of a row: near the boundary those that stand for them.
      const auto u_row = [&](Index row_threadIdx_) {
        const Index at_threadIdx_ = edge ? st::clamp(row_threadIdx_, nthreadIdx) : row_threadIdx_;
        return at_threadIdx_ * pitch_2;
      };
      const auto u_in = [&](Index row, Index cell_i) { return u[row + st::clamp(cell_i, ni)]; };
      // Where a row of u_new begins, and a cell of a row: near the boundary those that stand for
      // them.
      const auto u_new_row = [&](Index row_threadIdx_) {
        const Index at_threadIdx_ = edge ? st::clamp(row_threadIdx_, nthreadIdx) : row_threadIdx_;
        return at_threadIdx_ * pitch_2;
      };
      const auto u_new_in = [&](Index row, Index cell_i) {
        return u_new[row + st::clamp(cell_i, ni)];
      };
      // Where a row of step begins, and a cell of a row: near the boundary those that stand for
      // them.
      const auto step_row_ = [&](Index row_threadIdx_) {
        const Index at_threadIdx_ = edge ? st::clamp(row_threadIdx_, nthreadIdx) : row_threadIdx_;
        return at_threadIdx_ * pitch_2;
      };
      const auto step_in_ = [&](Index row, Index cell_i) {
        return step_[row + st::clamp(cell_i, ni)];
      };
      // Where a row of stream begins, and a cell of a row: near the boundary those that stand for
      // them.
      const auto stream_row_ = [&](Index row_threadIdx_) {
        const Index at_threadIdx_ = edge ? st::clamp(row_threadIdx_, nthreadIdx) : row_threadIdx_;
        return at_threadIdx_ * pitch_2;
      };
      const auto stream_in_ = [&](Index row, Index cell_i) {
        return stream_[row + st::clamp(cell_i, ni)];
      };
      const bool whole_0 = !edge || (aligned && i + 4 <= ni);
      const Index i_2 = threadIdx_ * pitch_2 + i;
      float u_0[8];
      st::fill_row<4, -1, 2>(edge, u_0, u, u_row(threadIdx_), i, whole_0, u_in);
      float u_threadIdx_p1[4];
      st::fill_row<4>(edge, u_threadIdx_p1, u, u_row(threadIdx_ + 1), i, whole_0, u_in);
      float u_new_0[8];
      st::fill_row<4, 0, 2>(edge, u_new_0, u_new, u_new_row(threadIdx_), i, whole_0, u_new_in);
      float step_0_[4];
      st::fill_row<4>(edge, step_0_, step_, step_row_(threadIdx_), i, whole_0, step_in_);
      float stream_0_[4];
      st::fill_row<4>(edge, stream_0_, stream_, stream_row_(threadIdx_), i, whole_0, stream_in_);
      float u_out[4];
      float u_new_out[4];
#pragma unroll
      for (Index v = 0; v < 4; ++v) {
        float block_i_2 = __fmul_rn(int_, u_0[v + 3]);
        block_i_2 = __fmaf_rn(pitch, u_threadIdx_p1[v], block_i_2);
        const float u_next = __fmaf_rn(sum, step_0_[v], block_i_2);
        float sum_2 = stream_0_[v];
        sum_2 = __fmaf_rn(Index_, u_new_0[v + 1], sum_2);
        const float u_new_next = __fadd_rn(sum_2, block_i_2);
        u_out[v] = u_next;
        u_new_out[v] = u_new_next;
      }
      st::store_row<4>(&u_new_2[i_2], u_out, whole_0, ni - i);
      st::store_row<4>(&u_new_new[i_2], u_new_out, whole_0, ni - i);
    }
  };
  if (interior_i && interior_threadIdx_ && aligned) {
    cells(st::Constant<false>());
  } else {
    // Edge blocks: `clamp` for u, `clamp` for u_new.
    cells(st::Constant<true>());
  }
}

// The time loop: each step writes the last buffer of a field, which then becomes the first.
template <typename Index>
stencil::Status advance(
    float** u, float** u_new, const float* step_, const float* stream_, const stencil::Shape& shape,
    float int_, float pitch, float sum, float Index_, int64_t steps, stencil::Stream stream) {
  const Index ni = static_cast<Index>(shape.nx);
  const Index nthreadIdx = static_cast<Index>(shape.ny);
  const Index pitch_2 = static_cast<Index>(shape.pitch);
  const bool aligned = stencil::aligned<4>(shape, u[0], u[1], u_new[0], u_new[1], step_, stream_);
  const stencil::Status resident_tile_steps_fits = stencil::allow_shared(
      "namespace_", resident_tile_steps<Index>, 8192);
  if (!resident_tile_steps_fits.ok()) return resident_tile_steps_fits;
  const int64_t blocks_x = stencil::blocks(shape.nx, 104);
  const int64_t blocks_y = stencil::blocks(shape.ny, 36);
  const dim3 threads(32, 8);
  const dim3 blocks = stencil::grid_of(blocks_x, blocks_y);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 4);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  int64_t left = steps;
  if (shape.nx >= 2 && shape.ny >= 48) {
    // Many short launches are recorded, and replayed faster than the host launches them.
    const auto resident_tile_steps_on = [&](Index steps, auto on) {
      stencil::launch_early(
          resident_tile_steps<Index>, blocks, threads, 8192, on, u[1], u_new[1], u[0], u_new[0],
          step_, stream_, steps, int_, pitch, sum, Index_, aligned, ni, nthreadIdx, pitch_2);
      stencil::rotate<2>(u);
      stencil::rotate<2>(u_new);
    };
    stencil::replay(left, 0, 12, 2, blocks, stream, resident_tile_steps_on);
    while (left > 1) {
      const Index steps = static_cast<Index>(left < 12 ? left : 12);
      resident_tile_steps_on(steps, stream);
      left -= steps;
    }
  }
  for (; left > 0; --left) {
    step<Index><<<blocks_2, threads_2, 0, stream>>>(
        u[1], u_new[1], u[0], u_new[0], step_, stream_, int_, pitch, sum, Index_, aligned, ni,
        nthreadIdx, pitch_2);
    stencil::rotate<2>(u);
    stencil::rotate<2>(u_new);
  }
  return stencil::launched("namespace_");
}

}  // namespace

stencil::Status run(const Args& args, stencil::Steps steps, stencil::Stream stream) {
  stencil::Call<2> call("namespace_", stream);
  auto u = call.levels<2>("u", args.u);
  auto u_new = call.levels<2>("u_new", args.u_new);
  const float* step_ = call.input("step_", args.step_);
  const float* stream_ = call.input("stream_", args.stream_);
  if (!call.ok()) return call.status();
  const int code = namespace__run(
      u.at, u_new.at, step_, stream_, call.nx(), call.ny(), call.pitch(), args.int_, args.pitch,
      args.sum, args.Index_, steps.count, stream);
  return call.finish(code, u, u_new);
}

}  // namespace namespace_

int namespace__run(
    float* u[2], float* u_new[2], const float* step_, const float* stream_, int64_t ni,
    int64_t nthreadIdx, int64_t pitch_2, float int_, float pitch, float sum, float Index_,
    int64_t steps, cudaStream_t stream) {
  const stencil::Shape shape = stencil::shape({ni, nthreadIdx}, pitch_2);
  stencil::Buffers<6> buffers;
  buffers.written("u[0]", u[0]);
  buffers.written("u[1]", u[1]);
  buffers.written("u_new[0]", u_new[0]);
  buffers.written("u_new[1]", u_new[1]);
  buffers.read("step_", step_);
  buffers.read("stream_", stream_);
  const stencil::Steps count{steps};
  const stencil::Status ready = stencil::check("namespace_", shape, count, buffers);
  if (!ready.ok()) return stencil::code_of(ready);
  const bool narrow = stencil::fits_32_bits(pitch_2 * nthreadIdx);
  const auto advance = narrow ? namespace_::advance<int> : namespace_::advance<int64_t>;
  const stencil::Status done = advance(
      u, u_new, step_, stream_, shape, int_, pitch, sum, Index_, steps, stream);
  return stencil::code_of(done);
}
