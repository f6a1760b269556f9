// Makes one random program, part by part in the order of its declarations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/random_expression.h"
#include "run/random_names.h"
#include "run/random_program.h"

namespace stencilc::run_test {

class RandomMaker {
 public:
  RandomMaker(uint64_t seed, bool transcendental)
      : random_(Random(seed).next()),
        wild_(random_.chance(20)),
        has_points_(Random(seed + 1).chance(25)),
        names_(random_, wild_) {
    words_.transcendental = transcendental;
  }

  RandomProgram make();

 private:
  // What a statement applies to, and whether that may be less than all cells.
  struct Clause {
    std::string text;
    bool partial = false;
  };
  struct PointList {
    std::string name;
    bool linear = false;
  };

  // Declarations: random_declarations.cpp
  ir::Type integer_type();
  ir::Type half_type() { return random_.pick({ir::Type::f16, ir::Type::bf16}); }
  ir::Type any_type();
  std::string value_of(ir::Type type);
  std::string defined_value(ir::Type type);
  void scalar(const std::string& name, ir::Type type);
  void axes();
  void params();
  void constants();
  void weights();
  WeightArray weight_array(const std::string& name, bool real, std::string& ranges, int& count);
  void fields();
  void field(int n, bool out, bool in);
  std::string own_axes(ReadableField& field, bool may_lack);

  // Boundaries: random_boundary.cpp
  std::string boundary(ReadableField& field, bool stepped, bool whole);
  std::string side(const ReadableField& field, bool stepped, std::optional<int> axis);
  std::string ghost_expression(const ReadableField& field);
  std::string ghost_value(ir::Type type);

  // random_functions.cpp
  void functions();
  void lets();

  // What a step does: random_statements.cpp
  void updates();
  void update(const ReadableField& target);
  void assigned(const ReadableField& target, bool everywhere);
  std::string value_for(const ReadableField& field, RandomExpression& expression, bool plain);
  std::string compound(const ReadableField& field, RandomExpression& expression);
  Clause clause(int likely);
  std::string limit();
  void reductions(bool after);
  void reduction();
  void iterate();
  void colors();

  // random_points.cpp
  void points();
  std::string series(ir::Type type, const PointList& list, const std::string& wish);
  Vocabulary at_cell(bool after) const;
  void injection(const ReadableField& target);
  void sample();

  void line(const std::string& text) { lines_.push_back(text); }
  // The order of statements means something, that of other lines nothing.
  void statement(const std::string& text) {
    statements_.push_back(lines_.size());
    lines_.push_back(text);
  }
  void shuffle();

  Random random_;
  bool wild_, has_points_;
  RandomNames names_;
  Vocabulary words_;
  ir::Type main_type_ = ir::Type::f32;
  bool has_f64_ = false;
  int colors_ = 0;                      // 0: a step makes t+1
  std::vector<ReadableField> targets_;  // that updates assign
  std::vector<std::string> lines_;
  std::vector<size_t> statements_;  // places in lines_
  std::vector<Phrase> reductions_;
  std::vector<PointList> lists_;
  std::string outside_;
  std::vector<std::pair<std::string, std::string>> defines_;
};

}  // namespace stencilc::run_test
