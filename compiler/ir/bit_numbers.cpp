#include "ir/bit_numbers.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace stencilc::ir {

Interval around(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

int bits_for(const Interval& range) {
  const auto width = [](int64_t value) {
    return static_cast<int>(std::bit_width(static_cast<uint64_t>(value)));
  };
  if (range.low >= 0) return width(range.high);
  return 1 + std::max(width(-(range.low + 1)), width(std::max<int64_t>(range.high, 0)));
}

int BitNumbers::bit(const Number& a, size_t n) {
  if (n < a.bits.size()) return a.bits[n];
  return a.range.low < 0 ? a.bits.back() : circuit_.zero();
}

Number BitNumbers::fitted(const Number& a, const Interval& range) {
  Number result;
  result.range = range;
  for (int n = 0; n < bits_for(range); ++n) result.bits.push_back(bit(a, n));
  return result;
}

Number BitNumbers::constant(int64_t value) {
  Number result;
  result.range = {value, value};
  for (int n = 0; n < bits_for(result.range); ++n)
    result.bits.push_back(value >> n & 1 ? circuit_.one() : circuit_.zero());
  return result;
}

Number BitNumbers::read(int field, int row, int distance) {
  Number result;
  result.range = fields_[field];
  for (int n = 0; n < bits_for(result.range); ++n)
    result.bits.push_back(circuit_.beside(circuit_.read(field, n, row), distance));
  return result;
}

// Three bits of a column become one bit in it and one in the next; a remaining pair likewise.
std::vector<int> BitNumbers::added(std::vector<std::vector<int>> columns) {
  std::vector<int> result;
  for (size_t n = 0; n < columns.size(); ++n) {
    std::vector<int>& column = columns[n];
    const auto carry = [&](int gate) {
      if (n + 1 < columns.size()) columns[n + 1].push_back(gate);
    };
    const int zero = circuit_.zero();
    std::erase(column, zero);
    size_t first = 0;
    while (column.size() - first > 2) {
      const int a = column[first], b = column[first + 1], c = column[first + 2];
      first += 3;
      column.push_back(circuit_.xor_(circuit_.xor_(a, b), c));
      carry(circuit_.majority(a, b, c));
    }
    if (column.size() - first == 2) {
      carry(circuit_.and_(column[first], column[first + 1]));
      column.push_back(circuit_.xor_(column[first], column[first + 1]));
      first += 2;
    }
    result.push_back(column.size() == first ? zero : column[first]);
  }
  return result;
}

void BitNumbers::add(const Number& a, int64_t factor, std::vector<std::vector<int>>& columns,
                     int64_t& bias) {
  const auto size = static_cast<int>(columns.size());
  const auto count = static_cast<uint64_t>(factor < 0 ? -factor : factor);
  for (int shift = 0; shift < size; ++shift) {
    if ((count >> shift & 1) == 0) continue;
    if (factor < 0) {  // -x is ~x + 1
      for (int n = 0; n < size; ++n)
        columns[n].push_back(n < shift ? circuit_.one() : circuit_.not_(bit(a, n - shift)));
      ++bias;
      continue;
    }
    const int end = a.range.low < 0 ? size : std::min<int>(size, shift + a.bits.size());
    for (int n = shift; n < end; ++n) columns[n].push_back(bit(a, n - shift));
  }
}

Number BitNumbers::total(const std::vector<std::pair<Number, int64_t>>& terms, int64_t bias) {
  Interval range = {bias, bias};
  for (const auto& [number, factor] : terms) {
    const int64_t a = factor * number.range.low, b = factor * number.range.high;
    range = {range.low + std::min(a, b), range.high + std::max(a, b)};
  }
  std::vector<std::vector<int>> columns(bits_for(range));
  for (const auto& [number, factor] : terms) add(number, factor, columns, bias);
  for (size_t n = 0; n < columns.size(); ++n)
    if (bias >> n & 1) columns[n].push_back(circuit_.one());
  return {added(std::move(columns)), range};
}

// Cells in a column are added first, since neighbours on both sides use the same sums.
Number BitNumbers::sum(const Linear& linear) {
  std::vector<std::pair<Number, int64_t>> terms = linear.others;
  for (const auto& [distance, places] : linear.reads)
    for (const bool negative : {false, true}) {
      std::vector<std::pair<Linear::Place, int64_t>> column;
      for (const auto& [place, factor] : places)
        if (factor != 0 && (factor < 0) == negative)
          column.emplace_back(place, negative ? -factor : factor);
      if (column.empty()) continue;
      const auto [known, fresh] = columns_.try_emplace(column);
      if (fresh) {
        std::vector<std::pair<Number, int64_t>> cells;
        for (const auto& [place, factor] : column)
          cells.emplace_back(read(place.field, place.row, 0), factor);
        known->second = total(cells, 0);
      }
      Number moved = known->second;
      for (int& gate : moved.bits) gate = circuit_.beside(gate, distance);
      terms.emplace_back(std::move(moved), negative ? -1 : 1);
    }
  return total(terms, linear.bias);
}

Number BitNumbers::bitwise(Bitwise op, const Number& a, const Number& b) {
  const bool both = op == Bitwise::and_;
  const size_t size = both ? std::min(a.bits.size(), b.bits.size())
                           : std::max(a.bits.size(), b.bits.size());
  Number result;
  for (size_t n = 0; n < size; ++n) {
    const int of_a = bit(a, n), of_b = bit(b, n);
    result.bits.push_back(both                 ? circuit_.and_(of_a, of_b)
                          : op == Bitwise::or_ ? circuit_.or_(of_a, of_b)
                                               : circuit_.xor_(of_a, of_b));
  }
  const int64_t all = (int64_t{1} << size) - 1;
  return fitted(result, {0, both ? std::min({all, a.range.high, b.range.high}) : all});
}

Number BitNumbers::ones(const Number& a) {
  std::vector<std::pair<Number, int64_t>> terms;
  for (const int gate : a.bits) terms.emplace_back(truth(gate), 1);
  return total(terms, 0);
}

int BitNumbers::any(const Number& a) {
  int result = circuit_.zero();
  for (const int gate : a.bits) result = circuit_.or_(result, gate);
  return result;
}

// With only as many bits as distinguish it from all other values.
int BitNumbers::equals_number(const Number& a, int64_t value) {
  if (value < a.range.low || value > a.range.high) return circuit_.zero();
  const size_t size = a.bits.size();
  constexpr int64_t kMostValues = 4096;
  uint64_t needed = (uint64_t{1} << size) - 1;
  if (a.range.high - a.range.low < kMostValues)
    for (size_t n = size; n-- > 0;) {
      const uint64_t fewer = needed & ~(uint64_t{1} << n);
      bool alone = true;
      for (int64_t other = a.range.low; other <= a.range.high && alone; ++other)
        alone = other == value || (static_cast<uint64_t>(other ^ value) & fewer) != 0;
      if (alone) needed = fewer;
    }
  int result = circuit_.one();
  for (size_t n = 0; n < size; ++n)
    if (needed >> n & 1)
      result = circuit_.and_(result, value >> n & 1 ? a.bits[n] : circuit_.not_(a.bits[n]));
  return result;
}

int BitNumbers::equal(const Number& a, const Number& b) {
  if (b.range.low == b.range.high) return equals_number(a, b.range.low);
  if (a.range.low == a.range.high) return equals_number(b, a.range.low);
  int differ = circuit_.zero();
  const Interval range = around(a.range, b.range);
  for (int n = 0; n < bits_for(range); ++n)
    differ = circuit_.or_(differ, circuit_.xor_(bit(a, n), bit(b, n)));
  return circuit_.not_(differ);
}

// From the lowest bit: whether a is below b, by the bits so far.
int BitNumbers::less(const Number& a, const Number& b) {
  if (a.range.high < b.range.low) return circuit_.one();
  if (a.range.low >= b.range.high) return circuit_.zero();
  const Interval range = around(a.range, b.range);
  const int size = bits_for(range);
  int result = circuit_.zero();
  for (int n = 0; n < size; ++n) {
    const bool sign = range.low < 0 && n == size - 1;
    const int low = sign ? bit(b, n) : bit(a, n), high = sign ? bit(a, n) : bit(b, n);
    result = circuit_.majority(circuit_.not_(low), high, result);
  }
  return result;
}

Number BitNumbers::pick(int condition, const Number& yes, const Number& no) {
  Number result;
  result.range = around(yes.range, no.range);
  for (int n = 0; n < bits_for(result.range); ++n)
    result.bits.push_back(circuit_.pick(condition, bit(yes, n), bit(no, n)));
  return result;
}

Number BitNumbers::negated(const Number& a) { return total({{a, -1}}, 0); }

Number BitNumbers::where(int condition, const Number& a) { return pick(condition, a, constant(0)); }

Number BitNumbers::without_lowest(const Number& a, int count) {
  Number shifted = a;
  for (int n = 0; n < count && !shifted.bits.empty(); ++n) {
    if (shifted.bits.size() == 1 && a.range.low < 0) break;
    shifted.bits.erase(shifted.bits.begin());
  }
  shifted.range = {a.range.low >> count, a.range.high >> count};
  return fitted(shifted, shifted.range);
}

Number BitNumbers::lowest(const Number& a, int count, bool sign) {
  Number result;
  for (int n = 0; n < count; ++n) result.bits.push_back(bit(a, n));
  const int64_t all = int64_t{1} << count;
  result.range = sign ? Interval{-all / 2, all / 2 - 1} : Interval{0, all - 1};
  return result;
}

}  // namespace stencilc::ir
