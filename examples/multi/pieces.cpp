// The Gray-Scott reaction on several GPUs:
//
//   pieces [DEVICES [NX NY [STEPS]]]
//
// The grid is cut into a piece for each device. The same steps are then taken on one device, and
// the bits are compared. Built for the CPU, it has so many pieces in memory instead.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gray_scott.h"

namespace {

struct State {
  std::vector<float> u, v;
};

// A square of the second substance in the middle of the first.
State start(int64_t nx, int64_t ny) {
  const size_t cells = static_cast<size_t>(nx * ny);
  State state{std::vector<float>(cells, 1.0f), std::vector<float>(cells, 0.0f)};
  for (int64_t y = ny * 2 / 5; y < ny * 3 / 5; ++y)
    for (int64_t x = nx * 2 / 5; x < nx * 3 / 5; ++x) {
      state.u[static_cast<size_t>(y * nx + x)] = 0.5f;
      state.v[static_cast<size_t>(y * nx + x)] = 0.25f;
    }
  return state;
}

stencil::Status run(int devices, int64_t nx, int64_t ny, int64_t steps, State& state) {
  stencil::Mesh mesh = stencil::Mesh::devices(devices);
  stencil::MeshGrid<float> u(mesh, gray_scott::fields::u, {nx, ny});
  stencil::MeshGrid<float> v(mesh, gray_scott::fields::v, {nx, ny});
  stencil::Status status = u.copy_from(state.u.data());
  if (status.ok()) status = v.copy_from(state.v.data());
  if (status.ok()) status = gray_scott::run({.u = u, .v = v}, stencil::Steps{steps}, mesh);
  // Copies wait for the steps, which the devices may still be taking.
  if (status.ok()) status = u.copy_to(state.u.data());
  if (status.ok()) status = v.copy_to(state.v.data());
  return status;
}

// Of all bits (FNV-1a).
uint64_t checksum(const State& state) {
  uint64_t sum = 0xcbf29ce484222325;
  for (const std::vector<float>* field : {&state.u, &state.v}) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(field->data());
    for (size_t n = 0; n < field->size() * sizeof(float); ++n)
      sum = (sum ^ bytes[n]) * 0x100000001b3;
  }
  return sum;
}

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int n, long standard) {
    return n < count ? std::max(1L, std::atol(words[n])) : standard;
  };
  const int devices = static_cast<int>(number(1, 2));
  const int64_t nx = number(2, 512), ny = number(3, nx), steps = number(4, 1000);

  uint64_t sums[2];
  for (int alone = 0; alone < 2; ++alone) {
    const int used = alone == 1 ? 1 : devices;
    State state = start(nx, ny);
    const stencil::Status status = run(used, nx, ny, steps, state);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.message());
      return 1;
    }
    sums[alone] = checksum(state);
    std::printf("%d piece%s: %016llx\n", used, used == 1 ? "" : "s",
                static_cast<unsigned long long>(sums[alone]));
  }
  std::puts(sums[0] == sums[1] ? "the bits are the same" : "the bits differ");
  return sums[0] == sums[1] ? 0 : 1;
}
