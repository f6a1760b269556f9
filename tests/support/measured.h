// What tests of the models have in common: stencils that were measured, and what is made of
// figures.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/rows.h"

namespace stencilc::testing {

// A kernel that was timed.
struct Row {
  int warps = 0, rows = 0, vector = 0, resident = 0, chunk = 0, steps = 0;
  double rate = 0;  // GCells/s
  bool spills = false;
};
// Kernels of one program, which words describe.
struct Case {
  Cells words;
  std::vector<Row> rows;

  std::string name() const {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }
};

// `columns` are the numbers of a row; `!` after them: it spills. A case a line, rows after `|`.
inline std::vector<Case> measured(const std::string& columns, std::string_view table) {
  std::vector<Case> cases;
  for (const Cells& cells : rows(table, "|")) {
    Case one;
    std::istringstream words(cells[0]);
    for (std::string word; words >> word;) one.words.push_back(word);
    for (size_t n = 1; n < cells.size(); ++n) {
      std::istringstream names(columns), numbers(cells[n]);
      Row row;
      for (std::string name; names >> name;) {
        double number = 0;
        if (!(numbers >> number)) throw std::runtime_error("no " + name + " in " + cells[n]);
        const auto whole = static_cast<int>(number);
        if (name == "warps") row.warps = whole;
        if (name == "rows") row.rows = whole;
        if (name == "vector") row.vector = whole;
        if (name == "resident") row.resident = whole;
        if (name == "chunk") row.chunk = whole;
        if (name == "steps") row.steps = whole;
        if (name == "rate") row.rate = number;
      }
      row.spills = cells[n].ends_with('!');
      one.rows.push_back(row);
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

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

// How far a prediction is off, either way.
inline double error(double predicted, double measured) {
  return std::abs(std::log(predicted / measured));
}

inline double fastest(const Case& one) {
  double best = 0;
  for (const Row& row : one.rows) best = std::max(best, row.rate);
  return best;
}

// There are more than `least`, half of them and nine of ten below what is given. For
// bench/notes/model.md: --gtest_output=xml.
inline void expect_below(const std::vector<double>& values, size_t least, double half,
                         double nine = 1) {
  ASSERT_GT(values.size(), least);
  EXPECT_LT(quantile(values, 0.5), half);
  EXPECT_LT(quantile(values, 0.9), nine);
  ::testing::Test::RecordProperty("kernels", std::to_string(values.size()));
  ::testing::Test::RecordProperty("median", std::to_string(quantile(values, 0.5)));
  ::testing::Test::RecordProperty("nine_of_ten", std::to_string(quantile(values, 0.9)));
}

// How far off the forecasts of all cases are, but of what spills. `forecasts` is of a case, one for
// each of its rows.
template <class Forecasts>
std::vector<double> errors_of(const std::vector<Case>& cases, const Forecasts& forecasts,
                              bool may_seem_to_spill = false) {
  std::vector<double> errors;
  for (const Case& one : cases) {
    const auto seen = forecasts(one);
    for (size_t n = 0; n < seen.size(); ++n)
      if (!one.rows[n].spills && (may_seem_to_spill || !seen[n].spills))
        errors.push_back(error(seen[n].rate * 1e-9, one.rows[n].rate));
  }
  return errors;
}

// What is lost by taking of each case the row that is predicted to be the fastest: never 15 % of
// what the fastest makes.
template <class Forecasts>
std::vector<double> lost_by_forecast(const std::vector<Case>& cases, const Forecasts& forecasts) {
  std::vector<double> lost;
  for (const Case& one : cases) {
    const auto seen = forecasts(one);
    double best = 0, taken = 0;
    for (size_t n = 0; n < seen.size(); ++n) {
      if (seen[n].spills || seen[n].rate <= best) continue;
      best = seen[n].rate;
      taken = one.rows[n].rate;
    }
    if (taken == 0) continue;  // all of these may spill
    lost.push_back(1 - taken / fastest(one));
    EXPECT_LT(lost.back(), 0.15) << one.name();
  }
  return lost;
}

}  // namespace stencilc::testing
