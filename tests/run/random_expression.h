// Random expressions over the names that a program has declared so far.
#pragma once

#include <string>
#include <vector>

#include "ir/type.h"
#include "run/phrase.h"
#include "run/random.h"

namespace stencilc::run_test {

struct ReadableField {
  std::string name;
  ir::Type type;
  bool bounded = true;   // it has a boundary
  int oldest_level = 0;  // 2: t-1 and t-2 may be read
};

struct WeightArray {
  std::string name;
  ir::Type type;
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
  Phrase linear();  // a weighted sum of reads, the usual stencil
  // One that may be read beside the cell, as the body of a let or an argument.
  Phrase point(const ReadableField& field);

 private:
  bool afford(int reads);
  std::string offset(const std::string& axis, int cells);
  Phrase read(const ReadableField& field, const std::vector<int>& offsets, int level);
  Phrase random_read(const ReadableField& field);
  std::vector<const ReadableField*> fields(bool floating, bool bounded) const;
  std::vector<Phrase> scalars(bool floating) const;
  Phrase weight();
  Phrase floating_leaf();
  Phrase integral_leaf();
  Phrase coordinate();
  Phrase tap();
  Phrase star(const ReadableField& field);
  Phrase combination(int depth);    // of two floating phrases by an operator
  Phrase mathematics(int depth);    // abs, sqrt, min, ^, casts and the like
  Phrase structure(bool floating);  // a let, a function, a window or a laplacian
  Phrase let_beside(const Phrase& let);
  Phrase window(const ReadableField& field);
  Phrase weighted_window(const WeightArray& weights, const ReadableField& field);
  Phrase displaced_by_variables(const ReadableField& field, const std::vector<int>& radii);
  Phrase laplacian(const ReadableField& field);
  Phrase call(const Callable& function);

  const Vocabulary& words_;
  Random& random_;
  int budget_;
  int next_weight_ = 0;
};

}  // namespace stencilc::run_test
