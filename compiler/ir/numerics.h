// Defines the numeric contract: one order of roundings for all schedules and targets, which the
// pass `canonicalise` fixes. See docs/language.md, "Numbers".
#pragma once

namespace stencilc::ir {

// The version of the bits that programs give: equal versions give equal bits in all releases of the
// compiler. See docs/versions.md.
inline constexpr int kNumericsVersion = 3;

struct Numerics {
  enum Order {
    canonical,  // linear sums of taps get a fixed order, and scalar factors are distributed over
                // them
    source,     // the order of the text
  } order = canonical;
  bool fuse = true;  // acc + p*q is one fma
};

}  // namespace stencilc::ir
