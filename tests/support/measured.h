// What tests of the models have in common: stencils that were measured, and what is made of
// figures.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace stencilc::testing {

// A star with a weight for each point: so many cells along each of the axes, a letter each.
inline std::string star(int radius, const std::string& axes) {
  std::string sum = "0.2*u";
  for (int n = 1; n <= radius; ++n)
    for (size_t a = 0; a < axes.size(); ++a)
      for (const char sign : {'-', '+'})
        sum += " + 0.0" + std::to_string(n) + std::to_string(a + 1) + (sign == '-' ? "3" : "4") +
               "*u[" + axes[a] + sign + std::to_string(n) + "]";
  return sum;
}

// The value that a part of all lie below; of none there is none.
inline double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values.at(static_cast<size_t>(static_cast<double>(values.size()) * part));
}
inline double median(const std::vector<double>& values) { return quantile(values, 0.5); }

// Of a case with `rows` that have a `rate`.
template <class Case>
double fastest(const Case& one) {
  double best = 0;
  for (const auto& row : one.rows) best = std::max<double>(best, row.rate);
  return best;
}

}  // namespace stencilc::testing
