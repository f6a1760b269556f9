// The floats of 16 bits by enumeration: what conversions to and from them are tested against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace test {

// All values of a format that are not negative, by their bits; the last stands for infinity and is
// the power of two where the numbers end. An exponent of `exponent` bits and `fraction` bits after
// the point, 15 together.
class HalfTable {
 public:
  HalfTable(int exponent, int fraction) {
    const int bias = (1 << (exponent - 1)) - 1, steps = 1 << fraction;
    for (int e = 0; e < (1 << exponent) - 1; ++e)
      for (int f = 0; f < steps; ++f)
        values_.push_back(e == 0 ? std::pow(2, 1 - bias) * f / steps
                                 : std::pow(2, e - bias) * (1 + static_cast<double>(f) / steps));
    values_.push_back(std::pow(2, bias + 1));
  }
  int infinity() const { return static_cast<int>(values_.size()) - 1; }

  // NaN for the bits of a NaN.
  double value(int bits) const {
    const int size = bits & 0x7fff;
    const double value = size > infinity()    ? std::numeric_limits<double>::quiet_NaN()
                         : size == infinity() ? std::numeric_limits<double>::infinity()
                                              : values_[static_cast<size_t>(size)];
    return bits & 0x8000 ? -value : value;
  }

  // The bits of the value next to a number that is no NaN; of two, those that are even.
  int nearest(long double number) const {
    static_assert(std::numeric_limits<long double>::digits >= 64, "holds every integer");
    const long double size = std::fabs(number);
    const auto above = std::lower_bound(values_.begin(), values_.end(), size);
    int bits = static_cast<int>(above - values_.begin());
    if (above == values_.end()) {
      bits = infinity();
    } else if (*above != size) {
      const long double up = *above - size, down = size - *(above - 1);
      if (down < up || (down == up && bits % 2 == 1)) --bits;
    }
    return bits | (std::signbit(number) ? 0x8000 : 0);
  }

  // Every value, every middle between two and what lies beside it, both signs, as numbers of type
  // T.
  template <typename T>
  std::vector<T> edges() const {
    std::vector<T> numbers;
    const auto beside = [&](double number) {
      const T at = static_cast<T>(number), far = std::numeric_limits<T>::infinity();
      for (const T size : {std::nextafter(at, -far), at, std::nextafter(at, far)}) {
        numbers.push_back(size);
        numbers.push_back(-size);
      }
    };
    for (size_t i = 0; i + 1 < values_.size(); ++i) {
      beside(values_[i]);
      beside((values_[i] + values_[i + 1]) / 2);
    }
    for (const T end : {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::min(), std::numeric_limits<T>::denorm_min()}) {
      numbers.push_back(end);
      numbers.push_back(-end);
    }
    return numbers;
  }

 private:
  std::vector<double> values_;
};

inline const HalfTable& f16_table() {
  static const HalfTable table(5, 10);
  return table;
}
inline const HalfTable& bf16_table() {
  static const HalfTable table(8, 7);
  return table;
}

// Integers at which a rounding shows: powers of two with one more bit where a middle is, and the
// last bit up or down.
inline std::vector<int64_t> integer_edges() {
  std::vector<int64_t> numbers = {0, std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max()};
  for (int high = 0; high < 63; ++high)
    for (int low = 0; low <= high; ++low)
      for (const int64_t last : {-1, 0, 1}) {
        const int64_t size = (int64_t{1} << high) + (low < high ? int64_t{1} << low : 0) + last;
        numbers.push_back(size);
        numbers.push_back(-size);
      }
  return numbers;
}

}  // namespace test
