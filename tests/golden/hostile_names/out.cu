// out.cu, made by stencilc 0.1.0 from in.stn. To make it again:
//   stencilc in.stn -o out.cu
//
// Stencil namespace, 2-D
//   f32 u: 2 points of level t, radius 1, boundary clamp; 2 buffers
//   f32 u_new: 1 point of level t, radius 1, boundary clamp; 2 buffers
//   f32 step: 1 point of level t
//   f32 stream: 1 point of level t
// Schedule coarsened,threads=32x1,vector=4,coarsen=threadIdx1024,steps=10,resident=8
//   10 steps a launch: a warp marches along `threadIdx`, and each step keeps in registers the rows
//   that it reads again
// Numbers canonical, products fused into sums
//   the same bits in every schedule

#include "out.h"

namespace namespace_ {
namespace {

template <typename Index, int degree>
__global__ void __launch_bounds__(32, 8) leap(
    float* __restrict__ u_new_2, float* __restrict__ u_new_new, const float* __restrict__ u,
    const float* __restrict__ u_new, const float* __restrict__ step_,
    const float* __restrict__ stream_, float int_, float pitch, float sum, float Index_,
    bool aligned, Index ni, Index nthreadIdx, Index pitch_2) {
  const Index lane = static_cast<Index>(threadIdx.x);
  // A warp has a strip of 32 vectors, of which it stores 26: those at the ends lack neighbours.
  const Index last_strip = st::idiv<Index>(ni - 1, 104);
  // The strips at the rim take longest, and come first.
  const Index column = static_cast<Index>(blockIdx.y + gridDim.y * blockIdx.z);
  const Index number = column == 0 ? last_strip : column - 1;
  const Index strip = number * 104 - 12;
  const Index i = strip + lane * 4;
  const Index first_threadIdx_ = static_cast<Index>(blockIdx.x) * 1024;
  const Index behind_threadIdx_ = first_threadIdx_ + 1024 < nthreadIdx ? first_threadIdx_ + 1024
                                                                       : nthreadIdx;
  // Lanes beyond the ends of a row load anything: what lies there is made of the row.
  const Index from_i = i >= 0 && i < ni ? i : 0;
  const bool loads = aligned && from_i + 4 <= ni;
  const bool whole = aligned && i >= 0 && i + 4 <= ni;
  const bool stores = lane >= 3 && lane < 29;
  __shared__ __align__(16) float u_ahead[3][128];
  __shared__ __align__(16) float u_held[10][128];
  __shared__ __align__(16) float u_new_ahead[3][128];
  __shared__ __align__(16) float u_new_held[10][128];
  // Where a cell of u is in memory, or what stands for it beyond the rim.
  const auto u_place = [&](Index cell_i, Index cell_threadIdx_) {
    const Index at_i = st::clamp(cell_i, ni);
    const Index at_threadIdx_ = st::clamp(cell_threadIdx_, nthreadIdx);
    return at_threadIdx_ * pitch_2 + at_i;
  };
  // The same of a later time step, of which the last 1 row is held.
  const auto u_held_at = [&](Index cell_i, Index, Index k) { return u_held[k][cell_i - strip]; };
  // Where a cell of u_new is in memory, or what stands for it beyond the rim.
  const auto u_new_place = [&](Index cell_i, Index cell_threadIdx_) {
    const Index at_i = st::clamp(cell_i, ni);
    const Index at_threadIdx_ = st::clamp(cell_threadIdx_, nthreadIdx);
    return at_threadIdx_ * pitch_2 + at_i;
  };
  // The same of a later time step, of which the last 1 row is held.
  const auto u_new_held_at = [&](Index cell_i, Index, Index k) {
    return u_new_held[k][cell_i - strip];
  };
  // Each lane copies its vector of a row some rows ahead.
  const auto ask = [&](Index row, Index place) {
    st::fill_async<4>(
        &u_ahead[place][lane * 4], u, st::clamp(row, nthreadIdx) * pitch_2 + from_i, loads, u_place,
        0.0f, i, row);
    st::fill_async<4>(
        &u_new_ahead[place][lane * 4], u_new, st::clamp(row, nthreadIdx) * pitch_2 + from_i, loads,
        u_new_place, 0.0f, i, row);
    st::commit();
  };
  // Where nothing that a strip computes lies near the rim, no cell needs a check.
  const bool interior_i = aligned && strip >= 1 && strip + 129 <= ni;
  const Index first_row = first_threadIdx_ - 0;
  Index place = 0;
  ask(first_row, 0);
  ask(first_row + 1, 1);
  Index n = first_row;
  const Index last_row = behind_threadIdx_ + degree;
  const Index first_inside = degree + 1 < last_row ? degree + 1 : last_row;
  const Index behind_inside = nthreadIdx < last_row ? nthreadIdx : last_row;
  float u_0[10][5] = {};
  float u_threadIdx_p1[10][4] = {};
  float u_new_0[10][5] = {};
  float u_new_threadIdx_p1[10][4] = {};
  // Rows before those that read rows inside, these, and the rest.
  for (Index part = 0; part < 3; ++part) {
    const bool inside_threadIdx_ = part == 1;
    const Index until = part == 0 ? first_inside : (inside_threadIdx_ ? behind_inside : last_row);
    if (inside_threadIdx_) {
      if (interior_i) {
        for (; n < until; ++n) {
          ask(n + 2, place == 0 ? 2 : place - 1);
          st::wait<2>();
          float u_row[4];
          st::load<4>(u_row, &u_ahead[place][lane * 4]);
          float u_new_row[4];
          st::load<4>(u_new_row, &u_new_ahead[place][lane * 4]);
#pragma unroll
          for (Index k = 0; k < degree; ++k) {
            const Index threadIdx_ = n - (k + 1);
            st::shift<4>(&u_0[k][1], u_threadIdx_p1[k]);
            st::shift<4>(u_threadIdx_p1[k], u_row);
            st::lend_sides<4, 1, 0>(&u_0[k][1]);
            st::shift<4>(u_new_0[k], u_new_threadIdx_p1[k]);
            st::shift<4>(u_new_threadIdx_p1[k], u_new_row);
            st::lend_sides<4, 0, 1>(u_new_0[k]);
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              const Index i_2 = threadIdx_ * pitch_2 + (i + v);
              float block_i = __fmul_rn(int_, u_0[k][v]);
              block_i = __fmaf_rn(pitch, u_threadIdx_p1[k][v], block_i);
              const float u_next = __fmaf_rn(sum, step_[i_2], block_i);
              float sum_2 = stream_[i_2];
              sum_2 = __fmaf_rn(Index_, u_new_0[k][v + 1], sum_2);
              const float u_new_next = __fadd_rn(sum_2, block_i);
              u_row[v] = u_next;
              u_new_row[v] = u_new_next;
            }
          }
          const Index row = n - degree;
          if (stores && row >= first_threadIdx_) {
            const Index i_2 = row * pitch_2 + i;
            st::store<4>(&u_new_2[i_2], u_row);
            st::store<4>(&u_new_new[i_2], u_new_row);
          }
          place = place == 2 ? 0 : place + 1;
        }
      } else {
        for (; n < until; ++n) {
          ask(n + 2, place == 0 ? 2 : place - 1);
          st::wait<2>();
          float u_row[4];
          st::load<4>(u_row, &u_ahead[place][lane * 4]);
          float u_new_row[4];
          st::load<4>(u_new_row, &u_new_ahead[place][lane * 4]);
#pragma unroll
          for (Index k = 0; k < degree; ++k) {
            const Index threadIdx_ = n - (k + 1);
            st::shift<4>(&u_0[k][1], u_threadIdx_p1[k]);
            st::shift<4>(u_threadIdx_p1[k], u_row);
            st::lend_sides<4, 1, 0>(&u_0[k][1]);
            if (i == 0) {
              u_0[k][0] = u_0[k][1];
            }
            st::shift<4>(u_new_0[k], u_new_threadIdx_p1[k]);
            st::shift<4>(u_new_threadIdx_p1[k], u_new_row);
            st::lend_sides<4, 0, 1>(u_new_0[k]);
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              if (i + v == ni - 1) {
                u_new_0[k][v + 1] = u_new_0[k][v];
              }
            }
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              const Index i_2 = threadIdx_ * pitch_2 + (i + v);
              if (i + v >= 0 && i + v < ni && threadIdx_ >= 0 && threadIdx_ < nthreadIdx) {
                float block_i = __fmul_rn(int_, u_0[k][v]);
                block_i = __fmaf_rn(pitch, u_threadIdx_p1[k][v], block_i);
                const float u_next = __fmaf_rn(sum, step_[i_2], block_i);
                float sum_2 = stream_[i_2];
                sum_2 = __fmaf_rn(Index_, u_new_0[k][v + 1], sum_2);
                const float u_new_next = __fadd_rn(sum_2, block_i);
                u_row[v] = u_next;
                u_new_row[v] = u_new_next;
              }
            }
          }
          const Index row = n - degree;
          if (stores && row >= first_threadIdx_) {
            const Index i_2 = row * pitch_2 + i;
            st::store_row<4>(&u_new_2[i_2], u_row, whole, ni - i);
            st::store_row<4>(&u_new_new[i_2], u_new_row, whole, ni - i);
          }
          place = place == 2 ? 0 : place + 1;
        }
      }
    } else {
      if (n < until) {
        float u_0_far[10][5];
        float u_threadIdx_p1_far[10][4];
        float u_new_0_far[10][5];
        float u_new_threadIdx_p1_far[10][4];
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<5>(u_0_far[k], u_0[k]);
          st::shift<4>(u_threadIdx_p1_far[k], u_threadIdx_p1[k]);
          st::shift<5>(u_new_0_far[k], u_new_0[k]);
          st::shift<4>(u_new_threadIdx_p1_far[k], u_new_threadIdx_p1[k]);
        }
        for (; n < until; ++n) {
          ask(n + 2, place == 0 ? 2 : place - 1);
          st::wait<2>();
          float u_row[4];
          st::load<4>(u_row, &u_ahead[place][lane * 4]);
          float u_new_row[4];
          st::load<4>(u_new_row, &u_new_ahead[place][lane * 4]);
#pragma unroll 1
          for (Index k = 0; k < degree; ++k) {
            const Index threadIdx_ = n - (k + 1);
            if (k > 0 && threadIdx_ + 1 >= 0 && threadIdx_ + 1 < nthreadIdx) {
              st::store<4>(&u_held[k][lane * 4], u_row);
              st::store<4>(&u_new_held[k][lane * 4], u_new_row);
            }
            if (k > 0) {
              st::fill<4>(
                  u_row, &u_held[k][lane * 4], threadIdx_ + 1 >= 0 && threadIdx_ + 1 < nthreadIdx,
                  u_held_at, i, threadIdx_ + 1, k);
              st::fill<4>(
                  u_new_row, &u_new_held[k][lane * 4],
                  threadIdx_ + 1 >= 0 && threadIdx_ + 1 < nthreadIdx, u_new_held_at, i,
                  threadIdx_ + 1, k);
            }
            st::shift<4>(&u_0_far[k][1], u_threadIdx_p1_far[k]);
            st::shift<4>(u_threadIdx_p1_far[k], u_row);
            st::lend_sides<4, 1, 0>(&u_0_far[k][1]);
            if (i == 0) {
              u_0_far[k][0] = u_0_far[k][1];
            }
            st::shift<4>(u_new_0_far[k], u_new_threadIdx_p1_far[k]);
            st::shift<4>(u_new_threadIdx_p1_far[k], u_new_row);
            st::lend_sides<4, 0, 1>(u_new_0_far[k]);
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              if (i + v == ni - 1) {
                u_new_0_far[k][v + 1] = u_new_0_far[k][v];
              }
            }
#pragma unroll
            for (Index v = 0; v < 4; ++v) {
              const Index i_2 = threadIdx_ * pitch_2 + (i + v);
              if (i + v >= 0 && i + v < ni && threadIdx_ >= 0 && threadIdx_ < nthreadIdx) {
                float block_i = __fmul_rn(int_, u_0_far[k][v]);
                block_i = __fmaf_rn(pitch, u_threadIdx_p1_far[k][v], block_i);
                const float u_next = __fmaf_rn(sum, step_[i_2], block_i);
                float sum_2 = stream_[i_2];
                sum_2 = __fmaf_rn(Index_, u_new_0_far[k][v + 1], sum_2);
                const float u_new_next = __fadd_rn(sum_2, block_i);
                u_row[v] = u_next;
                u_new_row[v] = u_new_next;
              }
            }
          }
          const Index row = n - degree;
          if (stores && row >= first_threadIdx_) {
            const Index i_2 = row * pitch_2 + i;
            st::store_row<4>(&u_new_2[i_2], u_row, whole, ni - i);
            st::store_row<4>(&u_new_new[i_2], u_new_row, whole, ni - i);
          }
          place = place == 2 ? 0 : place + 1;
        }
#pragma unroll
        for (Index k = 0; k < degree; ++k) {
          st::shift<5>(u_0[k], u_0_far[k]);
          st::shift<4>(u_threadIdx_p1[k], u_threadIdx_p1_far[k]);
          st::shift<5>(u_new_0[k], u_new_0_far[k]);
          st::shift<4>(u_new_threadIdx_p1[k], u_new_threadIdx_p1_far[k]);
        }
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
  // Interior blocks read nothing beyond the rim and need no checks.
  const bool interior_i = block_i >= 4 && block_i + 260 <= ni;
  const bool interior_threadIdx_ = block_threadIdx_ + 5 <= nthreadIdx;
  const auto cells = [&](auto edge) {
    if (!edge || (i < ni && threadIdx_ < nthreadIdx)) {
      // Where a row of u begins, and a cell of a row: near the rim those that stand for them.
      const auto u_row = [&](Index row_threadIdx_) {
        const Index at_threadIdx_ = edge ? st::clamp(row_threadIdx_, nthreadIdx) : row_threadIdx_;
        return at_threadIdx_ * pitch_2;
      };
      const auto u_in = [&](Index row, Index cell_i) { return u[row + st::clamp(cell_i, ni)]; };
      // Where a row of u_new begins, and a cell of a row: near the rim those that stand for them.
      const auto u_new_row = [&](Index row_threadIdx_) {
        const Index at_threadIdx_ = edge ? st::clamp(row_threadIdx_, nthreadIdx) : row_threadIdx_;
        return at_threadIdx_ * pitch_2;
      };
      const auto u_new_in = [&](Index row, Index cell_i) {
        return u_new[row + st::clamp(cell_i, ni)];
      };
      // Where a row of step begins, and a cell of a row: near the rim those that stand for them.
      const auto step_row_ = [&](Index row_threadIdx_) {
        const Index at_threadIdx_ = edge ? st::clamp(row_threadIdx_, nthreadIdx) : row_threadIdx_;
        return at_threadIdx_ * pitch_2;
      };
      const auto step_in_ = [&](Index row, Index cell_i) {
        return step_[row + st::clamp(cell_i, ni)];
      };
      // Where a row of stream begins, and a cell of a row: near the rim those that stand for them.
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
  const int64_t blocks_x = stencil::blocks(shape.nx, 104);
  const int64_t blocks_y = stencil::blocks(shape.ny, 1024);
  const dim3 threads(32, 1);
  const dim3 blocks = stencil::grid_of(blocks_y, blocks_x);
  const int64_t blocks_x_2 = stencil::blocks(shape.nx, 256);
  const int64_t blocks_y_2 = stencil::blocks(shape.ny, 4);
  const dim3 threads_2(64, 4);
  const dim3 blocks_2 = stencil::grid_of(blocks_x_2, blocks_y_2);
  int64_t left = steps;
  // Fewer blocks leave most of a card idle: steps are taken one by one then.
  if (shape.nx >= 2 && blocks_x * blocks_y >= 140) {
    for (; left >= 10; left -= 10) {
      leap<Index, 10><<<blocks, threads, 0, stream>>>(
          u[1], u_new[1], u[0], u_new[0], step_, stream_, int_, pitch, sum, Index_, aligned, ni,
          nthreadIdx, pitch_2);
      stencil::rotate<2>(u);
      stencil::rotate<2>(u_new);
    }
    for (; left >= 8; left -= 8) {
      leap<Index, 8><<<blocks, threads, 0, stream>>>(
          u[1], u_new[1], u[0], u_new[0], step_, stream_, int_, pitch, sum, Index_, aligned, ni,
          nthreadIdx, pitch_2);
      stencil::rotate<2>(u);
      stencil::rotate<2>(u_new);
    }
    for (; left >= 4; left -= 4) {
      leap<Index, 4><<<blocks, threads, 0, stream>>>(
          u[1], u_new[1], u[0], u_new[0], step_, stream_, int_, pitch, sum, Index_, aligned, ni,
          nthreadIdx, pitch_2);
      stencil::rotate<2>(u);
      stencil::rotate<2>(u_new);
    }
    for (; left >= 2; left -= 2) {
      leap<Index, 2><<<blocks, threads, 0, stream>>>(
          u[1], u_new[1], u[0], u_new[0], step_, stream_, int_, pitch, sum, Index_, aligned, ni,
          nthreadIdx, pitch_2);
      stencil::rotate<2>(u);
      stencil::rotate<2>(u_new);
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
