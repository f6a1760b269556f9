#include "ir/circuit.h"

#include <algorithm>
#include <utility>

namespace stencilc::ir {

int Circuit::add(const Gate& gate) {
  const auto [place, fresh] = numbers_.try_emplace(gate, static_cast<int>(gates_.size()));
  if (fresh) gates_.push_back(gate);
  return place->second;
}

bool Circuit::opposite(int a, int b) const {
  return (is(a, Gate::not_) && gates_[a].args[0] == b) ||
         (is(b, Gate::not_) && gates_[b].args[0] == a);
}

int Circuit::beside(int a, int distance) {
  if (distance == 0 || is(a, Gate::zero) || is(a, Gate::one)) return a;
  Gate gate{Gate::beside, {a, -1, -1}};
  gate.distance = distance;
  return add(gate);
}

int Circuit::not_(int a) {
  if (is(a, Gate::zero)) return one();
  if (is(a, Gate::one)) return zero();
  if (is(a, Gate::not_)) return gates_[a].args[0];
  return add({Gate::not_, {a, -1, -1}});
}

int Circuit::and_(int a, int b) {
  if (a == b || is(a, Gate::one)) return b;
  if (is(b, Gate::one)) return a;
  if (is(a, Gate::zero) || is(b, Gate::zero) || opposite(a, b)) return zero();
  return add({Gate::and_, {std::min(a, b), std::max(a, b), -1}});
}

int Circuit::or_(int a, int b) {
  if (a == b || is(a, Gate::zero)) return b;
  if (is(b, Gate::zero)) return a;
  if (is(a, Gate::one) || is(b, Gate::one) || opposite(a, b)) return one();
  return add({Gate::or_, {std::min(a, b), std::max(a, b), -1}});
}

int Circuit::xor_(int a, int b) {
  if (a == b) return zero();
  if (opposite(a, b)) return one();
  if (is(a, Gate::zero)) return b;
  if (is(b, Gate::zero)) return a;
  if (is(a, Gate::one)) return not_(b);
  if (is(b, Gate::one)) return not_(a);
  return add({Gate::xor_, {std::min(a, b), std::max(a, b), -1}});
}

int Circuit::majority(int a, int b, int c) {
  std::array<int, 3> args = {a, b, c};
  std::sort(args.begin(), args.end());
  for (int n = 0; n < 3; ++n) {
    const int one = args[n], two = args[(n + 1) % 3], other = args[(n + 2) % 3];
    if (is(one, Gate::zero)) return and_(two, other);
    if (is(one, Gate::one)) return or_(two, other);
    if (one == two) return one;
    if (opposite(one, two)) return other;
  }
  return add({Gate::majority, args});
}

int Circuit::pick(int condition, int yes, int no) {
  if (yes == no || is(condition, Gate::one)) return yes;
  if (is(condition, Gate::zero)) return no;
  if (is(yes, Gate::one)) return or_(condition, no);
  if (is(yes, Gate::zero)) return and_(not_(condition), no);
  if (is(no, Gate::one)) return or_(not_(condition), yes);
  if (is(no, Gate::zero)) return and_(condition, yes);
  if (opposite(yes, no)) return xor_(condition, no);
  return add({Gate::pick, {condition, yes, no}});
}

std::vector<Gate> Circuit::used(std::vector<std::vector<int>*> results) const {
  std::vector<bool> needed(gates_.size());
  for (const std::vector<int>* result : results)
    for (const int gate : *result) needed[gate] = true;
  for (size_t n = gates_.size(); n-- > 0;)
    if (needed[n])
      for (const int arg : gates_[n].args)
        if (arg >= 0) needed[arg] = true;
  std::vector<Gate> kept;
  std::vector<int> number(gates_.size(), -1);
  for (size_t n = 0; n < gates_.size(); ++n) {
    if (!needed[n]) continue;
    number[n] = static_cast<int>(kept.size());
    kept.push_back(gates_[n]);
    for (int& arg : kept.back().args)
      if (arg >= 0) arg = number[arg];
  }
  for (std::vector<int>* result : results)
    for (int& gate : *result) gate = number[gate];
  return kept;
}

}  // namespace stencilc::ir
