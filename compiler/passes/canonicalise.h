// Canonical order: every rounding of a program gets its place, whatever the schedule and the
// target.
#pragma once

#include "ir/ir.h"
#include "ir/numerics.h"

namespace stencilc::passes {

// Rewrites every expression so that each node is one rounding, and decides which products fuse into
// an fma:
//
//   canonical  A maximal sum whose terms are scalar * tap (floats; a scalar reads no field and no
//   coordinate) becomes a Sum.
//              Scalar factors and divisors multiply from the outside in; equal taps merge; a tap
//              whose constant weight is 0 is dropped. Order of the terms: offset along the slowest
//              axis; in 3-D the taps in the cell's own row before the others; y; x; level, oldest
//              first; field. A streaming kernel meets the taps in this order. The cell is that of
//              the statement, and within a let that of the let, so that the bits of a let do not
//              depend on who reads it.
//   both       a + p*q and p*q + a are fma(p, q, a); of two products the left one is rounded and
//   the right one fused; a - p*q is
//              fma(-p, q, a). A `let` that is used once, at the centre, is looked through in
//              canonical order; any other let is a value of its own, rounded once. So is an argument
//              of a function that is read beside the cell of the call, in canonical order, unless it
//              is linear; all others are expanded.
void canonicalise(ir::Stencil& stencil, ir::Numerics numerics);

}  // namespace stencilc::passes
