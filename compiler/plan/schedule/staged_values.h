// The values that a launch keeps in shared memory: the threads of a block compute them once for all
// cells that read them, those of the block and some around it (`tile` in a schedule).
//
// Overlapped tiles with stages in the block, as in Halide's compute_at (Ragan-Kelley et al., PLDI
// 2013).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/launch.h"
#include "plan/schedule/schedule.h"

namespace stencilc::plan {

// A value where an expression reads it, and its place among all: an ir::Named, or of a field an
// ir::Read of t+1, or what the launch stores of it.
struct StagedRead {
  ir::ExprPtr expr;
  int value = 0;
  ir::Offset offset = {};
};

// A `let`, or t+1 of a field.
struct StagedValue {
  std::string name;
  int let = -1;      // or
  int field = -1;    // the other one is -1
  ir::ExprPtr expr;  // at its own cell; of a field that of an interior cell
  bool is_field() const { return field >= 0; }
  // The cells around the block for which it is needed, and whether these lie beyond the block along
  // one axis alone.
  ir::Reach around;
  bool cross = true;
  // How far beyond the grid it is needed. Fields are needed for cells of the grid alone, so that
  // this can be less.
  ir::Reach beyond;
  ir::Domain domain;  // of a let: where it can be computed
  ir::Reach margin;   // of a field: the distance from the boundary at which `expr` is its value
  int level = 0;      // 0: it reads no other one; else one more than the highest that it reads
  // Where its expression reads others, and what else it reads.
  std::vector<StagedRead> reads;
  std::vector<ir::ExprPtr> others;
};

struct StagedValues {
  std::vector<StagedValue> values;  // inner ones first
  // Where the launch itself reads them, and what else its expressions read.
  std::vector<StagedRead> reads;
  std::vector<ir::ExprPtr> others;
  int levels() const;
  // The values of a level, those together that are needed for the same cells, and that are all
  // fields or all lets.
  std::vector<std::vector<int>> together(int level) const;
  // Instructions of these values, and the most of those that are together.
  double work_of(const std::vector<int>& some) const;
  double longest_work() const;
  // Bytes of shared memory of a block of so many cells along each axis.
  int bytes(const std::array<int, 3>& tile) const;
};

// The values with these names that the launch computes for several cells, and its staged fields.
// Lets that read what the launch itself stores are left out, unless `of_staged`: then those may that
// read its staged fields alone.
StagedValues staged_values(const ir::Stencil& stencil, const Launch& launch,
                           const std::vector<std::string>& names, bool of_staged = false);

// The most bytes of shared memory that a block of these launches takes for the schedule's values.
int staged_bytes(const ir::Stencil& stencil, const std::vector<Launch>& launches,
                 const Schedule& schedule);

}  // namespace stencilc::plan
