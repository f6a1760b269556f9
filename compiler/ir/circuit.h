// Builds boolean functions of the bits of cells. A bit is represented by a word with this bit of
// many neighbouring cells, so a word operation computes it for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace stencilc::ir {

struct Gate {
  // read: a bit of a field, in the row at this distance along the last axis; beside: args[0] of the
  // cell at `distance` along x; majority: of three; pick: args[0] ? args[1] : args[2].
  enum Op : uint8_t { zero, one, read, beside, not_, and_, or_, xor_, majority, pick } op = zero;
  std::array<int, 3> args = {-1, -1, -1};
  int field = 0, bit = 0, row = 0;
  int distance = 0;
  auto operator<=>(const Gate&) const = default;
};

// Each gate exists once, and none is a constant or equal to one of its arguments.
class Circuit {
 public:
  int zero() { return add({Gate::zero}); }
  int one() { return add({Gate::one}); }
  int read(int field, int bit, int row) { return add({Gate::read, {-1, -1, -1}, field, bit, row}); }
  int beside(int a, int distance);
  int not_(int a);
  int and_(int a, int b);
  int or_(int a, int b);
  int xor_(int a, int b);
  int majority(int a, int b, int c);
  int pick(int condition, int yes, int no);

  const std::vector<Gate>& gates() const {
    return gates_;
  }  // arguments before the gates that use them
  // The gates that the results need; the results get their new numbers.
  std::vector<Gate> used(std::vector<std::vector<int>*> results) const;

 private:
  int add(const Gate& gate);
  bool is(int a, Gate::Op op) const { return gates_[a].op == op; }
  bool opposite(int a, int b) const;

  std::vector<Gate> gates_;
  std::map<Gate, int> numbers_;
};

}  // namespace stencilc::ir
