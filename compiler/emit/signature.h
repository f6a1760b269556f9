// The shapes of the run call, shared by source, header and adapter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emit/emit.h"

namespace stencilc::emit {

// An argument of the C entry.
struct Argument {
  enum Kind : uint8_t {
    field,
    extent,
    stride,  // between rows or planes of all grids on all axes
    pitch,   // between rows of one grid on two of three axes
    param,
    weights,
    points,
    point_count,
    series,
    series_steps,
    reduction,
    partial,  // of a program for pieces of a grid: what the piece adds to a reduction
    first,
    steps,
    steps_taken,
    workspace,
    workspace_bytes,
    stream,
    // Of a program for pieces of a grid: the planes that a leg computes and those in memory, the
    // steps before it; the mesh and a grid on it.
    window_first,
    window_end,
    held_first,
    held_planes,
    taken,
    mesh,
    mesh_grid
  } kind = field;
  int of = 0;  // which grid, axis, param, ... of the module it belongs to
  std::string name;
  std::string declaration;  // float* u[2]
};
std::vector<Argument> c_arguments(const kernel::Module& module, Dialect dialect);
// Of a program for pieces of a grid: of NAME_leg(), and of NAME_run_on().
std::vector<Argument> leg_arguments(const kernel::Module& module, Dialect dialect);
std::vector<Argument> run_on_arguments(const kernel::Module& module);

// Parameters of the C entry: buffers, extents, strides, params, weights, places for the values of
// reductions, steps, workspace, stream.
std::vector<std::string> c_parameters(const kernel::Module& module, Dialect dialect);
// Of those: params, weights, points, series.
std::vector<std::string> given_values(const kernel::Module& module);
// Of a program for pieces of a grid: those of NAME_leg(), or of the function that it calls, which
// takes a window.
std::vector<std::string> leg_parameters(const kernel::Module& module, Dialect dialect, bool of_c);
std::string run_on_name(const kernel::Module& module);     // laplace2d_run_on
std::string mesh_grid_name(const kernel::Module& module);  // laplace2d_grid
std::vector<std::string> mesh_grid_parameters(const kernel::Module& module);
std::vector<std::string> run_on_parameters(const kernel::Module& module);
std::vector<std::string> run_parameters(const kernel::Module& module);  // of the C++ entry
std::vector<std::string> advance_parameters(const kernel::Module& module, Dialect dialect);
std::string c_name(const kernel::Module& module);    // laplace2d_run
std::string leg_name(const kernel::Module& module);  // laplace2d_leg
std::string fold_entry_name(const kernel::Module& module, const kernel::Reduction& reduction);
std::vector<std::string> fold_parameters(const kernel::Module& module,
                                         const kernel::Reduction& reduction, Dialect dialect);
std::string until_name(const kernel::Module& module);  // laplace2d_until
std::vector<std::string> until_parameters(const kernel::Module& module);
// stencil::WindowReduction<float, 32>
std::string window_reduction_type(const kernel::Reduction& reduction, Dialect dialect);
// Does a run take memory for values from its caller? Whatever the schedule keeps.
bool has_workspace(const kernel::Module& module);
std::string workspace_name(const kernel::Module& module);  // laplace2d_workspace
// nx, ny, nz, pitch, plane: as many as the rank has, each with this in front of it.
std::vector<std::string> shape_names(const kernel::Module& module, const std::string& prefix);
std::vector<std::string> extents_as_parameters(const kernel::Module& module);
std::string prepare_name(const kernel::Module& module);  // laplace2d_prepare
bool rotates(const kernel::Grid& grid);                  // stepped, with more than one buffer
bool has_all_axes(const kernel::Module& module, const kernel::Grid& grid);
bool has_halves(const kernel::Module& module);  // grids or params of f16 or bf16
// Are there launches for calls alone that ask for reductions?
bool reduces_on_request(const kernel::Module& module);
// Of a program for pieces of a grid: does the launch fold, in each step, what its updates read? The
// values of all pieces belong to it. Is there one?
bool folds_every_step(const kernel::Module& module, const kernel::Launch& launch);
bool folds_first(const kernel::Module& module);
// Is a number of steps an argument? Also of one pass that asks for folds first, by 0 steps.
bool takes_steps(const kernel::Module& module);
// {1, 1}: cells beyond each end of the axes.
std::string halo_text(const std::vector<int>& halo);
std::string fold_name(kernel::Fold fold);  // st::Sum
// stencil::Places<float, 2>, stencil::Series<const float>, stencil::LinearPoints
// How many ghost cells a temporary has: a call of the runtime.
std::string ghost_cells(const kernel::Module& module, const kernel::Temporary& one,
                        const std::string& type);
std::string places_type(const kernel::Module& module, const kernel::Places& places);
std::string series_type(const kernel::Series& series);
std::string points_type(const kernel::Points& points);

}  // namespace stencilc::emit
