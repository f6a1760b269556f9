// 7-point star in 3-D: a warp of its own copies planes as boxes into a ring of dynamic shared
// memory, the others stream along z and follow it. No barrier of the block: a slot is full or empty.
// Beyond the edges the copies give zeros.
#include <stencil/cuda_map.h>
#include <stencil/device.h>

namespace {

constexpr int width = 32;  // a warp for each row
constexpr int height = 6;
constexpr int vector = 4;  // rows of a box are multiples of 16 bytes: so many cells on each side
constexpr int box_width = width + 2 * vector;
constexpr int box_height = height + 2;
constexpr int depth = 4;

using Plane = float[box_height][box_width];

struct Ring {
  Plane planes[depth];
  st::Barrier full[depth];
  st::Barrier empty[depth];
};

// Plane p is at z = p - 1 of the grid.
__device__ void produce(Ring& ring, const st::Map& map, int x0, int y0, int nz) {
  st::prefetch(map);
  for (int p = 0; p < nz + 2; ++p) {
    const int slot = p % depth, round = p / depth;
    if (round > 0) ring.empty[slot].await((round - 1) % 2);
    ring.full[slot].expect(sizeof(Plane));
    st::copy_box(ring.planes[slot], map, x0 - vector, y0 - 1, p - 1, ring.full[slot]);
  }
}

__global__ void __launch_bounds__(width*(height + 1))
    produced(const __grid_constant__ st::Map map, int nx, int ny, int nz, float* __restrict__ v) {
  extern __shared__ __align__(128) unsigned char memory[];
  Ring& ring = *reinterpret_cast<Ring*>(memory);
  const int x0 = blockIdx.x * width, y0 = blockIdx.y * height;
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    for (int slot = 0; slot < depth; ++slot) {
      ring.full[slot].init(1);
      ring.empty[slot].init(height);
    }
    st::fence_init();
  }
  st::sync();
  if (threadIdx.y == height) {
    if (threadIdx.x == 0) produce(ring, map, x0, y0, nz);
    return;
  }

  auto arrived = [&](int p) { ring.full[p % depth].await(p / depth % 2); };
  arrived(0);
  arrived(1);
  for (int z = 0; z < nz; ++z) {
    arrived(z + 2);
    const auto at = [&](int dx, int dy, int dz) {
      return ring.planes[(z + 1 + dz) % depth][threadIdx.y + 1 + dy][vector + threadIdx.x + dx];
    };
    float sum = __fmul_rn(0.1f, at(0, 0, -1));
    sum = __fmaf_rn(0.2f, at(-1, 0, 0), sum);
    sum = __fmaf_rn(0.3f, at(0, 0, 0), sum);
    sum = __fmaf_rn(0.4f, at(1, 0, 0), sum);
    sum = __fmaf_rn(0.5f, at(0, -1, 0), sum);
    sum = __fmaf_rn(0.6f, at(0, 1, 0), sum);
    sum = __fmaf_rn(0.7f, at(0, 0, 1), sum);
    st::sync_warp();
    if (threadIdx.x == 0) ring.empty[z % depth].arrive();
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
      "produced", &map, u, stencil::shape({nx, ny, nz}, pitch), {box_width, box_height, 1});
  if (!status.ok()) return 1000 + static_cast<int>(status.code());
  const dim3 blocks((nx + width - 1) / width, (ny + height - 1) / height);
  produced<<<blocks, dim3(width, height + 1), sizeof(Ring)>>>(map, nx, ny, nz, v);
  const int error = cudaGetLastError();
  cudaMemcpy(out, v, row * rows, cudaMemcpyDeviceToHost);
  cudaFree(u);
  cudaFree(v);
  return error;
}
