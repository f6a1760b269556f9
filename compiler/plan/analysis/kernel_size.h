// What the kernels of a schedule need, counted in their code. The planner cannot make kernels;
// whoever can counts them (driver/pipeline/schedule_choice.cpp).
#pragma once

namespace stencilc::plan {

// What a pass of a thread computes outside of edge blocks, as kernel/operations.h counts it.
struct KernelCode {
  double f32 = 0, f64 = 0, integer = 0, choices = 0, conversions = 0;
  double divisions = 0, divisions_f64 = 0, functions = 0, functions_f64 = 0;
  double loads = 0, stores = 0, moves = 0;  // accesses of memory, and values between registers
  double cells = 0;
  double edge_places = 0;  // in edge blocks: places among the ghost cells of temporaries
  double branching = 0;    // functions of f32 that branch
  double turns = 1;        // passes in which a thread computes its cells one after the other
};
// What a thread of a kernel needs (kernel/live_registers.h): registers of four bytes for the values
// that are live at once, and operations, with unrolled loops unrolled.
struct KernelSize {
  int live_words = 0;
  double operations = 0;
  int kept_words = 0;    // live where divisions may run again
  int inside_words = 0;  // of these, without the branch of edge blocks
  int addresses = 0;     // that are no constant apart
  KernelCode code;
};

}  // namespace stencilc::plan
