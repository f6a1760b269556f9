// 7-point star in 3-D: a block streams along z, one thread copies planes as boxes into a ring ahead
// of it. Beyond the edges the copies give zeros.
#include <stencil/cuda_map.h>
#include <stencil/device.h>

namespace {

constexpr int width = 32;
constexpr int height = 6;
constexpr int vector = 4;  // rows of a box are multiples of 16 bytes: so many cells on each side
constexpr int box_width = width + 2 * vector;
constexpr int box_height = height + 2;
constexpr int ahead = 2;          // planes fetched before they are the newest one read
constexpr int depth = ahead + 2;  // and the one being read, and the previous one

using Plane = float[box_height][box_width];

__global__ void __launch_bounds__(width* height)
    boxes(const __grid_constant__ st::Map map, int nx, int ny, int nz, float* __restrict__ v) {
  __shared__ __align__(128) Plane ring[depth];
  __shared__ st::Barrier full[depth];
  const bool leads = threadIdx.x == 0 && threadIdx.y == 0;
  const int x0 = blockIdx.x * width, y0 = blockIdx.y * height;
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;

  // Plane p is at z = p - 1 of the grid.
  auto fetch = [&](int p) {
    if (p >= nz + 2) return;
    full[p % depth].expect(sizeof(Plane));
    st::copy_box(ring[p % depth], map, x0 - vector, y0 - 1, p - 1, full[p % depth]);
  };
  auto arrived = [&](int p) { full[p % depth].await(p / depth % 2); };

  if (leads) {
    st::prefetch(map);
    for (int slot = 0; slot < depth; ++slot) full[slot].init(1);
    st::fence_init();
    for (int p = 0; p <= ahead; ++p) fetch(p);
  }
  st::sync();
  arrived(0);
  arrived(1);
  for (int z = 0; z < nz; ++z) {
    arrived(z + 2);
    st::sync();  // nobody reads the previous plane any more
    if (leads) fetch(z + ahead + 1);
    const auto at = [&](int dx, int dy, int dz) {
      return ring[(z + 1 + dz) % depth][threadIdx.y + 1 + dy][vector + threadIdx.x + dx];
    };
    float sum = __fmul_rn(0.1f, at(0, 0, -1));
    sum = __fmaf_rn(0.2f, at(-1, 0, 0), sum);
    sum = __fmaf_rn(0.3f, at(0, 0, 0), sum);
    sum = __fmaf_rn(0.4f, at(1, 0, 0), sum);
    sum = __fmaf_rn(0.5f, at(0, -1, 0), sum);
    sum = __fmaf_rn(0.6f, at(0, 1, 0), sum);
    sum = __fmaf_rn(0.7f, at(0, 0, 1), sum);
    if (x < nx && y < ny) v[(static_cast<size_t>(z) * ny + y) * nx + x] = sum;
  }
}

}  // namespace

extern "C" int run(const float* in, float* out, int nx, int ny, int nz, int) {
  const int pitch = (nx + vector - 1) / vector * vector;
  const size_t row = sizeof(float) * nx, stride = sizeof(float) * pitch, rows = size_t{1} * ny * nz;
  float *u = nullptr, *v = nullptr;
  if (cudaMalloc(&u, stride * rows) != cudaSuccess || cudaMalloc(&v, row * rows) != cudaSuccess)
    return 1;
  cudaMemcpy2D(u, stride, in, row, row, rows, cudaMemcpyHostToDevice);
  st::Map map;
  const stencil::Status status = stencil::box_map(
      "boxes", &map, u, stencil::shape({nx, ny, nz}, pitch), {box_width, box_height, 1});
  if (!status.ok()) return 1000 + static_cast<int>(status.code());
  const dim3 blocks((nx + width - 1) / width, (ny + height - 1) / height);
  boxes<<<blocks, dim3(width, height)>>>(map, nx, ny, nz, v);
  const int error = cudaGetLastError();
  cudaMemcpy(out, v, row * rows, cudaMemcpyDeviceToHost);
  cudaFree(u);
  cudaFree(v);
  return error;
}
