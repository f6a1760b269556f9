// A stencil run by the interpreter, for tests: grids, weights and series as lists of numbers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "interp/interpreter.h"
#include "support/analysed.h"

namespace stencilc::testing {

class Interpreted {
 public:
  using Numbers = std::vector<double>;

  Interpreted(std::string text, interp::Extents extents)
      : stencil_(canonical(std::move(text))), state_(interp::make_state(stencil_, extents)) {}

  // Level t of a field, x fastest.
  Interpreted& field(const std::string& name, const Numbers& numbers) {
    fill(state_.fields[find(stencil_.fields, name)][0], numbers);
    return *this;
  }
  Interpreted& param(const std::string& name, double value) {
    assign(state_.params[find(stencil_.params, name)], value);
    return *this;
  }
  Interpreted& weights(const std::string& name, const Numbers& numbers) {
    fill(state_.weights[find(stencil_.weights, name)], numbers);
    return *this;
  }
  Interpreted& points(const std::string& name,
                      std::vector<std::array<double, ir::kMaxRank>> places) {
    state_.points[find(stencil_.points, name)] = std::move(places);
    return *this;
  }
  // A series given, or the room for one that is filled.
  Interpreted& series(const std::string& name, const Numbers& numbers) {
    const size_t index = find(stencil_.series, name);
    state_.series[index].assign(numbers.size(), ir::Scalar{stencil_.series[index].type});
    fill(state_.series[index], numbers);
    return *this;
  }
  // Fields and params by their names.
  Interpreted& start(const std::map<std::string, Numbers>& lists) {
    for (const auto& [name, numbers] : lists) {
      const bool is_param = std::any_of(stencil_.params.begin(), stencil_.params.end(),
                                        [&](const auto& param) { return param.name == name; });
      is_param ? param(name, numbers.at(0)) : field(name, numbers);
    }
    return *this;
  }
  // Runs; without a number, as `iterate` says.
  Interpreted& run(int64_t steps = -1) {
    taken_ = interp::run(stencil_, state_, steps);
    return *this;
  }

  Numbers field(const std::string& name) const {
    return numbers(state_.fields[find(stencil_.fields, name)][0]);
  }
  Numbers series(const std::string& name) const {
    return numbers(state_.series[find(stencil_.series, name)]);
  }
  double reduction(const std::string& name) const {
    return number(state_.reductions[find(stencil_.reductions, name)]);
  }
  int64_t taken() const { return taken_; }
  // `u = 1 2 3; r = 6`: all fields and reductions.
  std::string state() const {
    std::string text;
    const auto add = [&](const std::string& name, const Numbers& list) {
      text += (text.empty() ? "" : "; ") + name + " =";
      for (const double one : list) text += fmt::format(" {}", one);
    };
    for (const ir::Field& one : stencil_.fields) add(one.name, field(one.name));
    for (const ir::Reduction& one : stencil_.reductions) add(one.name, {reduction(one.name)});
    return text;
  }

 private:
  template <class Named>
  static size_t find(const std::vector<Named>& all, const std::string& name) {
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name) return i;
    throw std::runtime_error("no " + name);
  }
  static void assign(ir::Scalar& to, double value) {
    to = ir::convert(ir::make_real(ir::Type::f64, value), to.type);
  }
  static void fill(std::vector<ir::Scalar>& grid, const Numbers& numbers) {
    if (grid.size() != numbers.size()) throw std::runtime_error("another number of values");
    for (size_t i = 0; i < grid.size(); ++i) assign(grid[i], numbers[i]);
  }
  static double number(const ir::Scalar& value) {
    return ir::is_float(value.type) ? value.real : static_cast<double>(value.integer);
  }
  static Numbers numbers(const std::vector<ir::Scalar>& grid) {
    Numbers result;
    for (const ir::Scalar& value : grid) result.push_back(number(value));
    return result;
  }

  ir::Stencil stencil_;
  interp::State state_;
  int64_t taken_ = 0;
};

// A run in words, for tables: `2 steps on 3x2: u = 1 2 3 4 5 6; a = 5`, a field or a param each.
// What it leaves in all fields, and all reductions.
inline std::string run_of(const std::string& text, const std::string& given) {
  std::istringstream in(given);
  std::string name, word;
  int64_t steps = 0;
  interp::Extents extents = {1, 1, 1};
  in >> steps >> word >> word >> extents[0];
  for (size_t axis = 1; in.peek() == 'x'; ++axis) in.get(), in >> extents.at(axis);
  Interpreted run(text, extents);
  std::map<std::string, std::vector<double>> lists;
  while (in >> word) {
    if (word == ":" || word == "=" || word == ";") continue;
    if (std::isalpha(word[0]))
      name = word;
    else
      lists[name].push_back(std::stod(word));
  }
  return run.start(lists).run(steps).state();
}

}  // namespace stencilc::testing
