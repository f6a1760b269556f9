// The host side of three stencils as emitted code has it. The including file has chosen the target
// by including stencil/cpu.h or stencil/cuda.h, and defines the `advance` functions after this
// text.
#pragma once

#include <cstdint>

namespace laplace2d {
struct Args {
  stencil::Grid<float, 2>& u;
  float tol = 1e-4f;
};
stencil::Status advance(float* (&u)[2], int64_t nx, int64_t ny, int64_t pitch, int64_t steps,
                        stencil::Stream stream);
}  // namespace laplace2d

extern "C" inline int laplace2d_run(float* u[2], int64_t nx, int64_t ny, int64_t pitch, float tol,
                                    int64_t steps, stencil::Stream stream) {
  (void)tol;
  const stencil::Status ready =
      stencil::check("laplace2d", stencil::shape({nx, ny}, pitch), stencil::Steps{steps},
                     {stencil::written("u[0]", u[0]), stencil::written("u[1]", u[1])});
  if (!ready.ok()) return stencil::code_of(ready);
  float* level[2] = {u[0], u[1]};
  const int code = stencil::code_of(laplace2d::advance(level, nx, ny, pitch, steps, stream));
  u[0] = level[0];
  u[1] = level[1];
  return code;
}

namespace laplace2d {
[[nodiscard]] inline stencil::Status run(const Args& args, stencil::Steps steps,
                                         stencil::Stream stream = {}) {
  stencil::Call<2> call("laplace2d", stream);
  auto u = call.levels<2>("u", args.u);
  if (!call.ok()) return call.status();
  return call.finish(
      laplace2d_run(u.at, call.nx(), call.ny(), call.pitch(), args.tol, steps.count, stream), u);
}
}  // namespace laplace2d

namespace wave3d {
struct Args {
  stencil::Grid<double, 3>& u;
  stencil::Grid<double, 3>& u_prev;
  const stencil::Grid<double, 3>& c;
};
stencil::Status advance(double* (&u)[2], const double* c, const stencil::Shape& shape,
                        int64_t steps, stencil::Stream stream);
}  // namespace wave3d

extern "C" inline int wave3d_run(double* u[2], const double* c, int64_t nx, int64_t ny, int64_t nz,
                                 int64_t pitch, int64_t plane, int64_t steps,
                                 stencil::Stream stream) {
  const stencil::Shape shape = stencil::shape({nx, ny, nz}, pitch, plane);
  const stencil::Status ready = stencil::check(
      "wave3d", shape, stencil::Steps{steps},
      {stencil::written("u[0]", u[0]), stencil::written("u[1]", u[1]), stencil::read("c", c)});
  if (!ready.ok()) return stencil::code_of(ready);
  double* level[2] = {u[0], u[1]};
  const int code = stencil::code_of(wave3d::advance(level, c, shape, steps, stream));
  u[0] = level[0];
  u[1] = level[1];
  return code;
}

namespace wave3d {
[[nodiscard]] inline stencil::Status run(const Args& args, stencil::Steps steps,
                                         stencil::Stream stream = {}) {
  stencil::Call<3> call("wave3d", stream);
  auto u = call.levels<2>("u", args.u, args.u_prev);
  const double* c = call.input("c", args.c);
  if (!call.ok()) return call.status();
  return call.finish(wave3d_run(u.at, c, call.nx(), call.ny(), call.nz(), call.pitch(),
                                call.plane(), steps.count, stream),
                     u);
}
}  // namespace wave3d

namespace blur {
struct Args {
  const stencil::Grid<uint8_t, 2>& img;
  stencil::Grid<uint8_t, 2>& dst;
};
stencil::Status advance(const uint8_t* img, uint8_t* dst, int64_t nx, int64_t ny, int64_t pitch,
                        stencil::Stream stream);
}  // namespace blur

extern "C" inline int blur_run(const uint8_t* img, uint8_t* dst, int64_t nx, int64_t ny,
                               int64_t pitch, int64_t steps, stencil::Stream stream) {
  const stencil::Status ready =
      stencil::check("blur", stencil::shape({nx, ny}, pitch), stencil::Steps{steps},
                     {stencil::read("img", img), stencil::written("dst", dst)});
  if (!ready.ok()) return stencil::code_of(ready);
  return stencil::code_of(blur::advance(img, dst, nx, ny, pitch, stream));
}

namespace blur {
[[nodiscard]] inline stencil::Status run(const Args& args, stencil::Steps steps = {},
                                         stencil::Stream stream = {}) {
  stencil::Call<2> call("blur", stream);
  const uint8_t* img = call.input("img", args.img);
  uint8_t* dst = call.output("dst", args.dst);
  if (!call.ok()) return call.status();
  return call.finish(blur_run(img, dst, call.nx(), call.ny(), call.pitch(), steps.count, stream));
}
}  // namespace blur
