// Builds integers of few bits from gates of a circuit. The arithmetic is exact because the range of
// each result is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "ir/circuit.h"

namespace stencilc::ir {

struct Interval {
  int64_t low = 0, high = 0;
  bool holds(const Interval& other) const { return low <= other.low && other.high <= high; }
  bool operator==(const Interval&) const = default;
};
Interval around(const Interval& a, const Interval& b);  // the smallest interval with both
int bits_for(const Interval& range);                    // with a sign bit if `low` is below 0

// Two's complement; for a number that can be negative, the last bit is the sign.
struct Number {
  std::vector<int> bits;  // gates, the lowest bit first
  Interval range;
};

// A sum of products of integers with values of cells and with other numbers.
struct Linear {
  struct Place {
    int field = 0, row = 0;
    auto operator<=>(const Place&) const = default;
  };
  int64_t bias = 0;
  std::map<int, std::map<Place, int64_t>> reads;  // by the distance along x: the factors
  std::vector<std::pair<Number, int64_t>> others;
};

class BitNumbers {
 public:
  // `fields`: the range of each field, which is not negative.
  explicit BitNumbers(std::vector<Interval> fields) : fields_(std::move(fields)) {}

  Circuit& circuit() { return circuit_; }
  Number constant(int64_t value);
  Number read(int field, int row, int distance);
  Number sum(const Linear& linear);
  Number fitted(const Number& a, const Interval& range);  // with a known, smaller range
  Number truth(int gate) const { return {{gate}, {0, 1}}; }
  int any(const Number& a);  // whether it is not 0
  int equal(const Number& a, const Number& b);
  int less(const Number& a, const Number& b);
  Number pick(int condition, const Number& yes, const Number& no);
  Number negated(const Number& a);
  enum class Bitwise { and_, or_, xor_ };
  Number bitwise(Bitwise op, const Number& a, const Number& b);  // neither is negative
  Number ones(const Number& a);  // how many bits are 1; `a` is not negative
  Number where(int condition, const Number& a);  // otherwise 0
  // The bits starting with one (division, rounded down); and the lowest bits, unsigned or signed.
  Number without_lowest(const Number& a, int count);
  Number lowest(const Number& a, int count, bool sign);

 private:
  int bit(const Number& a, size_t n);
  int equals_number(const Number& a, int64_t value);
  // The bits of a sum of bits. Each column counts twice the one before.
  std::vector<int> added(std::vector<std::vector<int>> columns);
  // Adds a number times a factor, modulo 2^columns.
  void add(const Number& a, int64_t factor, std::vector<std::vector<int>>& columns, int64_t& bias);
  Number total(const std::vector<std::pair<Number, int64_t>>& terms, int64_t bias);

  Circuit circuit_;
  std::vector<Interval> fields_;
  std::map<std::vector<std::pair<Linear::Place, int64_t>>, Number> columns_;
};

}  // namespace stencilc::ir
