// The sheet that a program of an application is written on: what the families have in common.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "run/random.h"
#include "run/random_program.h"

namespace stencilc::run_test {

using Names = std::vector<std::string>;

// `$` in the text is the axis, `@` and `~` are two names.
std::string put(std::string_view text, std::string_view axis, std::string_view at = {},
                std::string_view tilde = {});
// The terms with " + " between them.
std::string sum_of(const Names& terms);
std::string joined(const Names& parts, const std::string& between);
// Each name with something after it.
Names with(const Names& names, const std::string& suffix);
// qa, qb, qc ...
Names lettered(const std::string& name, int count);
Names operator+(Names a, const Names& b);

class Sheet {
 public:
  Sheet(uint64_t seed, bool transcendental);

  Random random;
  const bool transcendental;
  // small, usual or large: what a family has several of, how far its differences reach
  int size = 1;
  Names axes;
  std::string real;    // f32 or f64, what is computed in
  std::string stored;  // the type of most fields, which may be narrower
  bool colored = false;

  int rank() const { return static_cast<int>(axes.size()); }
  bool chance(int percent) { return random.chance(percent); }
  std::string pick(std::initializer_list<const char*> list) { return random.pick(list); }
  std::string number(int value) const { return std::to_string(value); }

  // The axes; so many percent of the programs have one, and two of them.
  void space(int one, int two);

  // Declarations. Fields are declared together or in groups, each with its boundary.
  void param(const std::string& name, const std::string& value);
  void stepped(const Names& names);
  void output(const Names& names);
  // Fields of a type, on all axes or the given ones.
  void input(const Names& names, const std::string& type, const Names& along = {});
  // Of any float type that is not wider than the sheet's.
  void coefficient(const Names& names, const Names& along = {});
  // Of one of the types that masks have; condition() compares it with 0.
  void mask(const std::string& name);
  std::string is_set(const std::string& mask, const std::string& index = "") const;

  // fn `head` = `body`, outside of the stencil or inside.
  void fn(const std::string& head, const std::string& body);
  void let(const std::string& name, const std::string& body);
  // A let; in some programs an output instead, which is a stage of its own.
  void value(const std::string& name, const std::string& body);
  void line(const std::string& text) { lines_.push_back(text); }
  // field[t+1] = field + added, in one statement or two.
  void update(const std::string& field, const std::string& added);

  // Declares a function of two slopes that chooses one without new extrema; says its name.
  std::string limiter();
  // Declares up_x(q), lo_x(q), ...: q at the upper and the lower face of a cell, by limited slopes,
  // or q itself.
  void faces(bool limited);
  // Declares ahead_x(f), behind_x(f), ...: differences between cells, of an even order.
  void staggered(int order);

  // Steps of a system. rates(s) writes what it needs of the fields, whose names end in s, and gives
  // what changes each; s is empty for the fields themselves and "1", "2" for later stages. There
  // are from `least` to `most` stages.
  using Rates = std::function<Names(const std::string& stage)>;
  void advance(const Names& names, const Rates& rates, int least, int most);

  // A pulse in one field at some places, or what is measured of it or another at others, or both.
  void sources(const std::string& target, const std::string& other);
  // What applications do besides, now and then: reductions, boundaries, sources and receivers,
  // outputs of another type. `value` is an expression of fields at the cell.
  void extras(const Names& targets, const std::string& value);

  RandomProgram finish(const std::string& title);

 private:
  struct Kind {
    bool real = true, boolean = false, stepped = false;
    std::string computes;
    Names along;
  };
  std::string boundary(const Kind& kind);
  std::string side(const Kind& kind, bool one_end);
  std::string constant(const Kind& kind);
  void declare(const Names& names, const std::string& type, const std::string& role,
               const std::string& along, const Kind& kind);

  uint64_t seed_;
  bool has_points_ = false;
  std::string compute_;         // " compute f64", or nothing
  int outside_functions_ = 50;  // percent
  int outputs_ = 0;             // percent of the values that are outputs
  int output_count_ = 0, fields_ = 0;
  std::string common_;  // the boundary of most fields, where there is one
  std::set<std::string> known_;
  Names masks_of_bool_;
  Names lines_, outside_, statements_;
};

}  // namespace stencilc::run_test
