// Random expressions over the names that a program has declared so far.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ir/type.h"
#include "run/phrase.h"
#include "run/random.h"

namespace stencilc::run_test {

struct ReadableField {
  std::string name;
  ir::Type type = ir::Type::f32;
  ir::Type computes = ir::Type::f32;  // what a read is converted to
  bool bounded = true;                // every side of it has a boundary
  std::vector<int> times = {0};       // where it may be read: {0, -1, 1}: t, t-1 and t+1
  bool plain = false;                 // an output: written without a time
  std::vector<bool> along;            // the axes it has; empty: all
  // Cells that may be read below and above, along each axis; empty: all where it is bounded.
  std::vector<std::array<int, 2>> room;
  bool one_axis = false;  // reads beside the cell go along one axis alone
};

struct WeightArray {
  std::string name;
  ir::Type type;           // of a const or of run-time weights
  std::vector<int> radii;  // the range of an index is -radius..radius
};

// A function of floating arguments.
struct Callable {
  std::string name;
  std::vector<int> uses;        // how often each argument is read
  int reach = 0;                // offsets at which the arguments are read
  std::vector<Phrase> scalars;  // that the body uses besides
};

struct Vocabulary {
  std::vector<std::string> axes;
  std::vector<std::string> window_variables;  // three names for nothing else
  int radius = 1;
  bool transcendental = false;
  std::vector<ReadableField> fields;
  std::vector<Phrase> scalars;  // params and consts
  std::vector<WeightArray> weights;
  std::vector<Callable> functions;
  std::vector<Phrase> lets;
};

// Each call makes one phrase. The reads of all phrases together stay near the budget.
class RandomExpression {
 public:
  RandomExpression(const Vocabulary& words, Random& random, int budget)
      : words_(words), random_(random), budget_(budget) {}

  Phrase floating(int depth);  // of type f32 or f64
  Phrase integral(int depth);  // of an integer type
  Phrase condition(int depth);
  Phrase leaf(bool floating) { return floating ? floating_leaf() : integral_leaf(); }
  Phrase linear();  // a weighted sum of reads, the usual stencil
  // One that may be read beside the cell, as the body of a let or an argument.
  Phrase point(const ReadableField& field);

 private:
  bool afford(int reads);
  std::string offset(const std::string& axis, int cells);
  Phrase read(const ReadableField& field, std::vector<int> offsets, int time);
  Phrase random_read(const ReadableField& field);
  std::vector<int> random_offsets(const ReadableField& field);
  int random_time(const ReadableField& field);
  std::vector<const ReadableField*> fields(bool floating, bool bounded) const;
  std::vector<Phrase> scalars(bool floating) const;
  Phrase weight();
  Phrase floating_leaf();
  Phrase integral_leaf();
  Phrase coordinate();  // or an extent, or the number of the step
  Phrase tap();
  Phrase star(const ReadableField& field);
  Phrase combination(int depth);    // of two floating phrases by an operator
  Phrase mathematics(int depth);    // abs, sqrt, min, ^, casts and the like
  Phrase structure(bool floating);  // a let, a function, a window or a difference
  Phrase let_beside(const Phrase& let);
  Phrase window(const ReadableField& field);
  Phrase weighted_window(const WeightArray& weights, const ReadableField& field);
  Phrase displaced_by_variables(const ReadableField& field, const std::vector<int>& radii);
  Phrase laplacian(const ReadableField& field);
  Phrase difference(const ReadableField& field);  // dx, dxx, dxy and the like
  Phrase call(const Callable& function);

  const Vocabulary& words_;
  Random& random_;
  int budget_;
  int next_weight_ = 0;
};

}  // namespace stencilc::run_test
