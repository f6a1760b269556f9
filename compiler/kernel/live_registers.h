// How many registers of four bytes the values of a thread need at once.
#pragma once

#include "kernel/kernel.h"

namespace stencilc::kernel {

struct RegisterUse {
  // The most words that are live at one point of the body, in the order in which it is written:
  // variables from where they get their value to their last use, arrays as far as they are set, and
  // what an expression needs while it is evaluated (Sethi and Ullman, J. ACM 17(4), 1970). A
  // variable that a loop takes along is live in all of the loop.
  int live_words = 0;
  // The same where divisions and roots of a FastDivision may run again: what they take is live in
  // all of it, or, if it begins anew, what it reads from outside.
  int kept_words = 0;
  // And without the second branch of an `If` that lies in no other one, where blocks at the edges
  // of the grid are.
  int inside_words = 0;
  int addresses = 0;  // that are no constant apart
};
RegisterUse register_use(const Body& body);
int live_words(const Body& body);

// How many operations on values and loads from memory a thread's code has, with its unrolled loops
// unrolled.
double unrolled_operations(const Body& body);

}  // namespace stencilc::kernel
