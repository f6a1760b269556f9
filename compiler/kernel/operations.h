// What a thread's code computes, counted by kind.
#pragma once

#include "kernel/kernel.h"

namespace stencilc::kernel {

// Operations on values of cells, with unrolled loops unrolled; other loops count for one pass, but
// for those marked as counted. Statements of an `If` count by its share of the threads. Of one with
// two branches that lies in no other one, the first counts: the second is for blocks
// at the edges of the grid. Operations on indices do not count. A value that stands in several
// places of a statement counts once for it.
struct OperationCounts {
  double f32 = 0, f64 = 0;  // sums, products, comparisons, least and greatest; f16 and bf16 are f32
  double integer = 0;
  double choices = 0;                       // of one of two values
  double conversions = 0;                   // from one type to another
  double divisions = 0, divisions_f64 = 0;  // and roots
  double functions = 0, functions_f64 = 0;  // as many as exp would have so many instructions
  double branching = 0;          // of these functions of f32 that branch: all but exp and log
  double loads = 0, stores = 0;  // accesses of memory, vectors of 16 bytes at most
  double moves = 0;              // of values from one register to another
  double cells = 0;              // values stored in that array that gets the most
  double turns = 1;              // passes of a loop that is not unrolled, all of which count
  double edge_places = 0;  // in the second branch: places among the ghost cells of temporaries
};
OperationCounts operations_of(const Body& body);

}  // namespace stencilc::kernel
