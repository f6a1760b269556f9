// The numeric contract: one order of roundings, whatever the schedule and the target. The pass
// `canonicalise` fixes it. See docs/language.md, "Numbers".
#pragma once

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

}  // namespace stencilc::ir
