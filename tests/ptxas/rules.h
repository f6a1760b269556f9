// What good kernels do not do, found in their PTX. Each rule gives a line for each breach.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ptxas/ptx.h"

namespace stencilc::ptxas {

using Findings = std::vector<std::string>;

// Instructions on f64, loads and stores among them: of a program without f64, a silent double.
Findings doubles(const Kernel& kernel);

// Products and quotients of 64-bit integers. In a kernel with 32-bit indices an address needs none:
// an index is a 32-bit product and sum, mul.wide turns it into bytes in one instruction, and adding
// those to a pointer takes 64 bits everywhere. A 64-bit product takes the place of several 32-bit
// ones, a quotient that of dozens.
Findings wide_products(const Kernel& kernel);

// Divisions (in floats) by a value that is the same for all cells. Where a product with a
// reciprocal keeps the bits there should be one; elsewhere they stay.
Findings scalar_divisions(const Kernel& kernel);

// Quotients and roots, of values that are the same for all cells, inside a loop.
Findings scalars_in_loops(const Kernel& kernel);

// Bytes of global memory that straight-line code loads a second time although nothing that the code
// does in between can have changed them. Addresses are compared as sums; two that cannot be told
// to be equal count as different.
Findings repeated_loads(const Kernel& kernel);

// Where nvcc has broken up vectors: stores of less than 16 bytes that continue one another, in the
// busiest block.
Findings split_stores(const Kernel& kernel);

// Accesses in the busiest block that neighbouring lanes make further apart than `bytes`: what they
// take beside each other does not come in few transactions.
Findings scattered_accesses(const Kernel& kernel, int bytes);

// Branches by the place of a lane in its warp that both lead to the busiest block, and instructions
// in it that some lanes leave out: where a warp does not go together. A branch that ends some lanes
// is none. Of several blocks that are as busy, such as the variants of blocks inside and at the
// boundary, the one with the fewest.
Findings diverging_lanes(const Kernel& kernel);

// Branches inside loops by what is the same for all cells: they belong before the loop.
Findings scalar_branches_in_loops(const Kernel& kernel);

// How much straight-line code does. The one with the widest store is busier, because what is not
// aligned is stored value by value; then the one that stores the most bytes in the fewest stores.
std::array<int64_t, 3> business(const Block& block);

// The busiest block of straight-line code, which is a kernel's interior, where it is unrolled.
struct Accesses {
  int loads = 0, stores = 0;  // instructions on global memory, however wide
};
Accesses busiest_block(const Kernel& kernel);

}  // namespace stencilc::ptxas
