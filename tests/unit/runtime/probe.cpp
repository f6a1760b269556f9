// Prints what the self test says about the flags that this file is compiled with.
#include <stencil/cpu.h>

#include <cstdio>

int main() {
  float cell = 0;
  const stencil::Status status =
      stencil::check("probe", stencil::shape({1}, 1), {}, {stencil::read("cell", &cell)});
  std::puts(status.message());
}
