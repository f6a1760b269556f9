// Turns the steps of fields whose cells hold few values into boolean functions of their bits. The
// ranges of the integers in a step determine their numbers of bits.
#pragma once

#include <string>
#include <vector>

#include "ir/circuit.h"
#include "ir/ir.h"

namespace stencilc::ir {

struct Bits {
  std::string why_not;                    // why a step is no such function; or empty
  std::vector<Gate> gates;                // arguments before the gates that use them
  std::vector<int> count;                 // [field]: the bits of its cells
  std::vector<std::vector<int>> results;  // [field]: the gates for the bits of t+1, lowest first
  // whether cells hold so few values only after one step
  bool after_a_step = false;
  int all() const;         // bits per cell, for all fields
  int operations() const;  // of a step, without reads
};
Bits bits_of(const Stencil& stencil);

}  // namespace stencilc::ir
