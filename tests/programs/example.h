// An example compiled by the front end and run by the interpreter.
#pragma once

#include <string>
#include <vector>

#include "interp/interpreter.h"
#include "programs/reference.h"

namespace stencilc::programs {

// The text of examples/<name>.stn.
std::string example_text(const std::string& name);
// The text with the one place where `from` stands replaced. Throws where there is none, or several.
std::string edited(std::string text, const std::string& from, const std::string& to);
// What the front end says of a program, as people see it.
std::string complaints(const std::string& text);

// One stencil of a program, with its data. What it `use`s is looked up among the examples. Throws
// what the compiler says where there are errors.
class Example {
 public:
  // `stencil`: its name, where the program has several.
  Example(const std::string& text, const Extents& extents, const std::string& stencil = "");

  // Level t of a field, or, older, t - `age`; with the halo around it where its caller has one.
  void set(const std::string& field, const Array& values, int age = 0);
  void param(const std::string& name, double value);
  void weights(const std::string& name, const std::vector<double>& values);
  void points(const std::string& name, const std::vector<std::array<double, 3>>& places);
  // A series given, or zeros for one that is filled: [t * points + point].
  void series(const std::string& name, const std::vector<double>& values);

  // Runs; without a number, as `iterate` says. Returns the number of steps taken.
  int64_t run(int64_t steps = -1);

  Array get(const std::string& field, int age = 0) const;
  std::vector<double> series(const std::string& name) const;
  double reduction(const std::string& name) const;

 private:
  ir::Stencil stencil_;
  interp::State state_;
};

}  // namespace stencilc::programs
