// Sums of single bits become counts of bits.
//
// before   (a % 2 != b % 2 ? 1 : 0) + (idiv(a, 2) % 2 != idiv(b, 2) % 2 ? 1 : 0) + ...
// after    popcount(bit_and(bit_xor(a, b), 1 + 2 + ...))
#pragma once

#include "ir/ir.h"

namespace stencilc::passes {

// Of sums of integers in which three or more terms are bits of one value, or tell where the bits of
// two values differ: Hamming distances, particles of a lattice gas. Sums of integers have the same
// bits in any order.
void count_bits(ir::Stencil& stencil);

}  // namespace stencilc::passes
