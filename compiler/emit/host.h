// The host side of emitted code: the time loop and the entries that callers use.
#pragma once

#include "emit/emit.h"
#include "emit/writer.h"

namespace stencilc::emit {

// advance(): the launches of each step and the rotation of the levels.
void write_advance(Writer& out, const kernel::Module& module, Dialect dialect);
// run(), the C++ entry: grids to pointers and back.
void write_run(Writer& out, const kernel::Module& module, Dialect dialect);
// NAME_run(), the C entry: checks, memory of reductions, `iterate`.
// Of a program for pieces of a grid, in the place of both: leg(), which NAME_leg() calls; it, and
// what reductions need; NAME_run_on(), which runs legs on a mesh, with NAME_grid(), and what they
// need of the program.
void write_window(Writer& out, const kernel::Module& module, Dialect dialect);
void write_launch_on(Writer& out, const kernel::Module& module, Dialect dialect);
void write_run_on(Writer& out, const kernel::Module& module, Dialect dialect);
void declare_mesh(Writer& out, const kernel::Module& module, Dialect dialect);
void write_leg(Writer& out, const kernel::Module& module, Dialect dialect);
// NAME_prepare(): what a first run does beside its stream.
void write_prepare(Writer& out, const kernel::Module& module, Dialect dialect);
void write_workspace(Writer& out, const kernel::Module& module);  // where its caller may give some
void write_c_entry(Writer& out, const kernel::Module& module, Dialect dialect);
// NAME_until(): does the condition of `iterate` hold?
void write_until(Writer& out, const kernel::Module& module);

}  // namespace stencilc::emit
