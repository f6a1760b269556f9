// What a file of emitted code holds: the kernel of a step, and what the host must know to run it.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace stencilc::kernel {

// A grid the caller passes: in the order of declaration. Names are C++ names already.
struct Grid {
  std::string name;
  Type element = Type::f32;
  enum Role : uint8_t { stepped, input, output } role = input;
  // stepped: the caller gives levels t, t-1, ... (`levels` of them); the run rotates `buffers`, the
  // newest level first. Names of the levels: level_names[0] is t, [1] is t-1.
  int levels = 1;
  int buffers = 1;
  std::vector<std::string> level_names;
  bool used = true;  // does the kernel touch any of its buffers? Set by lower, as for params
};

struct ScalarParam {
  std::string name;
  Type type = Type::f32;
  bool has_default = false;
  double real = 0;
  int64_t integer = 0;
  bool used = true;
};

// An argument of the kernel: which buffer of which grid it is.
struct BufferArg {
  int grid = 0;
  int slot =
      0;  // stepped: the place in the rotating array before the step; the last one receives t+1
};

struct Module {
  std::string name;                  // namespace and prefix of the C entry, a C++ name
  std::string file;                  // stem of the output: "laplace"
  std::string header;                // name of the header: "laplace.h"
  std::string source;                // name of the .stn for the header block and #line
  std::vector<std::string> story;    // the lines of the header block
  std::vector<std::string> extents;  // nx, ny, nz
  std::vector<std::string> strides;  // pitch, plane: one less than the extents
  std::vector<Grid> grids;
  std::vector<ScalarParam> params;
  std::vector<BufferArg> buffer_args;  // in the order of kernel.buffers
  Kernel kernel;
  bool steps = true;  // false: one launch computes the outputs
};

}  // namespace stencilc::kernel
