// The three stencils for the CPU, as emitted code has them.
#pragma once

#include <stencil/cpu.h>

#include "stencils.h"

namespace laplace2d {
inline stencil::Status advance(float* (&u)[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps,
                               stencil::Stream) {
  for (int64_t s = 0; s < steps; ++s) {
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x)
        u[1][y * pitch + x] =
            0.25f *
            ((u[0][y * pitch + st::clamp(x - 1, nx)] + u[0][y * pitch + st::clamp(x + 1, nx)]) +
             (u[0][st::clamp(y - 1, ny) * pitch + x] + u[0][st::clamp(y + 1, ny) * pitch + x]));
    stencil::rotate(u);
  }
  return {};
}
}  // namespace laplace2d

namespace wave3d {
inline stencil::Status advance(double* (&u)[2], const double* c, const stencil::Shape& shape,
                               int64_t steps, stencil::Stream) {
  for (int64_t s = 0; s < steps; ++s) {
    for (int64_t z = 0; z < shape.nz; ++z)
      for (int64_t y = 0; y < shape.ny; ++y)
        for (int64_t x = 0; x < shape.nx; ++x) {
          const int64_t row = y * shape.pitch + x, at = z * shape.plane + row;
          const double lap = (u[0][st::wrap(z - 1, shape.nz) * shape.plane + row] +
                              u[0][st::wrap(z + 1, shape.nz) * shape.plane + row]) -
                             2.0 * u[0][at];
          u[1][at] = (2.0 * u[0][at] - u[1][at]) + c[at] * lap;
        }
    stencil::rotate<2>(&u[0]);
  }
  return {};
}
}  // namespace wave3d

namespace blur {
inline stencil::Status advance(const uint8_t* img, uint8_t* dst, int64_t nx, int64_t ny,
                               int64_t pitch, stencil::Stream) {
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x)
      dst[y * pitch + x] = st::saturate<uint8_t>(
          0.5f * (static_cast<float>(img[y * pitch + st::mirror(x - 2, nx)]) +
                  static_cast<float>(img[y * pitch + st::mirror(x + 2, nx)])));
  return {};
}
}  // namespace blur
