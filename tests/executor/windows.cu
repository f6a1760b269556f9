// 7-point star in 1 to 3 axes: a block gets one box of the grid by one copy. Beyond the edges the
// copy gives zeros.
#include <stencil/cuda_map.h>
#include <stencil/device.h>

namespace {

constexpr int width = 32;
constexpr int vector = 4;  // rows of a box are multiples of 16 bytes: so many cells on each side
constexpr int box_width = width + 2 * vector;

// Cells that a block updates along each axis, and those of its box.
__host__ __device__ constexpr int size_of(int axes, int axis) {
  return axis == 0 ? width : axis < axes ? 4 : 1;
}
__host__ __device__ constexpr int box_of(int axes, int axis) {
  return axis == 0 ? box_width : size_of(axes, axis) + (axis < axes ? 2 : 0);
}

template <int Axes>
__global__ void __launch_bounds__(512)
    windows(const __grid_constant__ st::Map map, int nx, int ny, int nz, float* __restrict__ v) {
  constexpr int height = box_of(Axes, 1);
  __shared__ __align__(128) float window[box_of(Axes, 2) * height * box_width];
  __shared__ st::Barrier full;
  const int x0 = blockIdx.x * width, y0 = blockIdx.y * size_of(Axes, 1);
  const int z0 = blockIdx.z * size_of(Axes, 2);
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
    st::prefetch(map);
    full.init(1);
    st::fence_init();
    full.expect(sizeof window);
    if constexpr (Axes == 1) st::copy_box(window, map, x0 - vector, full);
    if constexpr (Axes == 2) st::copy_box(window, map, x0 - vector, y0 - 1, full);
    if constexpr (Axes == 3) st::copy_box(window, map, x0 - vector, y0 - 1, z0 - 1, full);
  }
  st::sync();
  full.await(0);

  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  auto at = [&](int dx, int dy, int dz) {
    if ((Axes < 2 && dy != 0) || (Axes < 3 && dz != 0)) return 0.0f;
    const int row = (Axes < 3 ? 0 : z + 1 + dz) * height + (Axes < 2 ? 0 : y + 1 + dy);
    return window[row * box_width + vector + x + dx];
  };
  float sum = __fmul_rn(0.1f, at(0, 0, -1));
  sum = __fmaf_rn(0.2f, at(-1, 0, 0), sum);
  sum = __fmaf_rn(0.3f, at(0, 0, 0), sum);
  sum = __fmaf_rn(0.4f, at(1, 0, 0), sum);
  sum = __fmaf_rn(0.5f, at(0, -1, 0), sum);
  sum = __fmaf_rn(0.6f, at(0, 1, 0), sum);
  sum = __fmaf_rn(0.7f, at(0, 0, 1), sum);
  if (x0 + x < nx && y0 + y < ny && z0 + z < nz)
    v[(static_cast<size_t>(z0 + z) * ny + y0 + y) * nx + x0 + x] = sum;
}

template <int Axes>
int launch(const float* u, const int64_t (&extents)[Axes], int pitch, int nx, int ny, int nz,
           float* v) {
  int box[Axes], blocks[3] = {1, 1, 1};
  for (int axis = 0; axis < Axes; ++axis) {
    box[axis] = box_of(Axes, axis);
    blocks[axis] = static_cast<int>((extents[axis] - 1) / size_of(Axes, axis) + 1);
  }
  st::Map map;
  const stencil::Status status =
      stencil::box_map("windows", &map, u, stencil::shape(extents, pitch), box);
  if (!status.ok()) return 1000 + static_cast<int>(status.code());
  windows<Axes><<<dim3(blocks[0], blocks[1], blocks[2]),
                  dim3(size_of(Axes, 0), size_of(Axes, 1), size_of(Axes, 2))>>>(map, nx, ny, nz, v);
  return cudaGetLastError();
}

}  // namespace

extern "C" int run(const float* in, float* out, int nx, int ny, int nz, int) {
  const int pitch = (nx + vector - 1) / vector * vector;
  const size_t row = sizeof(float) * nx, stride = sizeof(float) * pitch, rows = size_t{1} * ny * nz;
  float *u = nullptr, *v = nullptr;
  if (cudaMalloc(&u, stride * rows) != cudaSuccess || cudaMalloc(&v, row * rows) != cudaSuccess)
    return 1;
  cudaMemcpy2D(u, stride, in, row, row, rows, cudaMemcpyHostToDevice);
  const int error = nz > 1   ? launch<3>(u, {nx, ny, nz}, pitch, nx, ny, nz, v)
                    : ny > 1 ? launch<2>(u, {nx, ny}, pitch, nx, ny, nz, v)
                             : launch<1>(u, {nx}, pitch, nx, ny, nz, v);
  cudaMemcpy(out, v, row * rows, cudaMemcpyDeviceToHost);
  cudaFree(u);
  cudaFree(v);
  return error;
}
