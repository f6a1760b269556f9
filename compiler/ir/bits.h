// Steps of fields whose cells hold few values, as boolean functions of the bits of these: what is
// known of a step's integers says how many bits they have.
#pragma once

#include <string>
#include <vector>

#include "ir/circuit.h"
#include "ir/ir.h"

namespace stencilc::ir {

struct Bits {
  std::string why_not;      // why a step is no such function; empty: it is
  std::vector<Gate> gates;  // arguments before what they are of
  std::vector<int> count;   // [field]: the bits of its cells
  std::vector<std::vector<int>>
      results;  // [field]: the gates that are the bits of t+1, lowest first
  // Do cells hold so few values only once a step has made them?
  bool after_a_step = false;
  int all() const;         // bits of a cell, of all fields
  int operations() const;  // of a step, but for what is read
};
Bits bits_of(const Stencil& stencil);

}  // namespace stencilc::ir
