// The numeric contract: one order of roundings, fixed here, whatever the schedule and the target.
// See docs/language.md, "Numbers".
#pragma once

#include "ir/ir.h"

namespace stencilc::ir {

// Of the bits that a program gives: one version gives the same ones, in all releases of the
// compiler. See docs/versions.md.
inline constexpr int kNumericsVersion = 1;

struct Numerics {
  enum Order {
    canonical,  // linear sums of taps get their one order, scalar factors distributed over them
    source,     // the order written
  } order = canonical;
  bool fuse = true;  // acc + p*q is one fma
};

// Rewrites every expression so that each node is one rounding, and decides which products fuse into
// an fma:
//
//   canonical  A maximal sum whose terms are scalar * tap (floats; a scalar reads no field and no
//   coordinate) becomes a Sum.
//              Scalar factors and divisors multiply from the outside in; equal taps merge; a tap
//              whose constant weight is 0 is dropped. Order of the terms: offset along the slowest
//              axis; in 3-D the taps in the cell's own row before the others; y; x; level, oldest
//              first; field. A marching kernel meets the taps in this order.
//   both       a + p*q and p*q + a are fma(p, q, a); of two products the left one is rounded and
//   the right one fused; a - p*q is
//              fma(-p, q, a). A `let` that is used once, at the centre, is looked through in
//              canonical order; any other let is a value of its own, rounded once.
void canonicalise(Stencil& stencil, Numerics numerics);

}  // namespace stencilc::ir
