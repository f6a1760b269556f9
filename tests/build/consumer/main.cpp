#include <cstdio>
#include <vector>

#include "decay.h"

// Prints what three steps make of 1.
int main() {
  stencil::Grid<float, 2> u({7, 5});
  std::vector<float> host(7 * 5, 1.0f);
  stencil::Status status = u.copy_from(host.data());
  if (status.ok()) status = decay::run({.u = u}, stencil::Steps{3});
  if (status.ok()) status = u.copy_to(host.data());
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message());
    return 1;
  }
  std::printf("%g\n", host[17]);
}
