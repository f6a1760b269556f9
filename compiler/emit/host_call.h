// What the adapters around a run call share: its arguments, from a stencil_host_call named `call`.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"
#include "emit/writer.h"

namespace stencilc::emit {

// The grids in the order of stencil_host_call.buffers: the levels of each field, newest first.
struct Slot {
  std::string name;
  std::string type;  // of the grid, after stencil::Grid
  std::string element;
  std::string extents;
  std::string halo;    // of the grid, as another argument
  std::string copied;  // what of it the host's array holds, likewise
  bool written = false;
};
std::vector<Slot> slots(const kernel::Module& module);

// grid_NAME for each slot, points_NAME and series_NAME for each list of points and series.
void declare_grids(Writer& out, const kernel::Module& module);
void declare_points(Writer& out, const kernel::Module& module);
// Points and series from the call, as long as `status` is good.
void copy_points(Writer& out, const kernel::Module& module);
// The arguments of the run, as `args`.
void set_args(Writer& out, const kernel::Module& module);
// The run of so many steps from one on, an expression.
std::string run_text(const kernel::Module& module, const std::string& steps,
                     const std::string& first = "call->first");

// A run in parts, for a caller that looks on: gives it the lambda `fetch`; declares `done` and
// `part`, the steps behind and before; and in the loop over parts counts the last one, and asks for
// the next.
void let_fetch(Writer& out);
void begin_parts(Writer& out);
void end_part(Writer& out, const kernel::Module& module, const std::string& failed);

// stencilc_copy_call() of bench_call.h.
void write_copy_call(Writer& out);

// What bench_call() is for a program for pieces of a grid.
std::string pieces_bench_call(const kernel::Module& module, const Options& options);

}  // namespace stencilc::emit
