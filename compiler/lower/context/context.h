// What all parts of the lowering of one kernel share: its names, its buffers and what it computes.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "ir/number_divisor.h"
#include "kernel/build.h"
#include "lower/context/box.h"
#include "lower/context/names.h"
#include "lower/context/value_numbering.h"
#include "plan/schedule/schedule.h"

namespace stencilc::lower {

kernel::Type type_of(ir::Type type);
kernel::ExprPtr constant(const ir::Scalar& value);

// An array of weights in kernels: rows of so many values, `pitch` apart. `columns`: as given it has
// rows of so many, and columns become rows; 0: they stay.
struct WeightRows {
  int columns = 0, row = 0, pitch = 0;
};

// The C++ names of one stencil's arguments, the same in every kernel and in the host code.
struct Signature {
  Names claimed;  // the names of all that follows
  std::vector<std::string> axes, extents;
  std::vector<std::string> first, end;  // of the box that a launch computes; empty: of the grid
  std::string origin, planes;  // of the piece along the last axis that is in memory; empty: all is
  bool wraps = false;          // that axis is periodic
  bool windows = false;        // launches compute windows of the grid
  std::string pitch, plane;
  std::vector<std::string> params;
  std::vector<kernel::Buffer> weights;  // in constant memory
  std::vector<WeightRows> weight_rows;  // [weights]
  std::vector<kernel::Buffer> tables;   // of weights that are numbers, in constant memory
  std::vector<std::vector<double>> table_values;
  std::vector<std::vector<kernel::Buffer>> levels;  // [field][-level]; inputs have one
  std::vector<kernel::Buffer> targets;              // [field]: where t+1 or the output goes
  std::vector<kernel::Buffer> earlier;              // [field]: where several steps store t-1
  std::vector<bool> overwrites;                     // [field]: into the oldest level's buffer
  std::vector<kernel::Buffer> ghosts;               // [field]: the ghost cells of a temporary
  std::vector<std::string> pitches;                 // [field]: of one with two axes of three
  std::vector<kernel::Buffer> partials, results;    // [reduction]
  std::vector<kernel::Buffer> series;               // [series]: the values of the step
  std::vector<std::string> places, point_counts;    // [points]
  std::vector<std::string> sampled;                 // [sample]: its cells, of several steps
  // The argument with the rows of blocks for cells near the ends of x and y, by edge_widths() of
  // the launch.
  std::map<std::array<int, 2>, std::string> edge_rows;
  std::string time, color;
  std::string aligned;  // may vectors be loaded and stored at once? Empty: there are none
  std::string mapped;   // can boxes be copied? Empty: none are
};

// What grows while a kernel is lowered: the names of its scope, and numbers that have names.
struct Builder {
  Names names;
  // As they were first used.
  struct Named {
    std::string wanted, name;
    int64_t value = 0;
  };
  std::vector<Named> constants;

  explicit Builder(const Signature& signature) : names(signature.claimed) {}
  // The number as a constant of the kernel with that name, or another one where it is taken; as it
  // is, where it is below 2.
  kernel::Count count(const std::string& wanted, int value);
};

// Values that are the same in every cell, computed once at the top of a kernel.
struct Invariants {
  kernel::Body statements;
  std::map<int, kernel::ExprPtr> values;  // by value number
};

// What a kernel is lowered as.
struct ContextOptions {
  bool folds = false;  // does the kernel fill the launch's partials?
  bool host = false;   // host code, where a reduction is a variable and not memory
  std::optional<Box> box = std::nullopt;  // that is computed; else that of the kernel, or the grid
  // What is computed; else all that the launch computes.
  std::optional<std::vector<ir::ExprPtr>> roots = std::nullopt;
};

// What all parts of one kernel share. It is complete when it is made, and const from there on. Two
// builders are reached through it: that of the kernel, and the numbers of its values, among which
// new values get theirs. What differs between variants and cells is passed down (EdgeFlags,
// CellContext).
struct Context : Signature {
  Context(const Signature& signature, const ir::Stencil& s, const plan::Launch& l, plan::Target t,
          Builder& b, const ContextOptions& options = {});
  // That of another launch in the same kernel, with value numbers of its own. By default it has the
  // box of the kernel.
  Context(const Context& kernel, const plan::Launch& l, ContextOptions options = {});
  // The same with values that are the same in every cell.
  Context with(Invariants values) const;

  const ir::Stencil& stencil;
  const plan::Launch& launch;
  bool folds = false, host = false;
  plan::Target target;
  Box box;
  std::vector<kernel::Buffer> next;  // [field]: t+1 that an earlier launch made
  Invariants invariants;

  Builder& builder;
  Names& names;  // of the builder
  Numbering& numbering() const { return *numbering_; }
  ir::Grains& grains() const { return *grains_; }

  kernel::Count count(const std::string& wanted, int value) const {
    return builder.count(wanted, value);
  }
  int rank() const { return stencil.rank(); }
  // The C++ name of a value read at an offset: u, u_xm1, u_xp2_ym1.
  std::string name_at(const std::string& base, const ir::Offset& offset) const;
  // What the kernel computes for a cell away from the boundary.
  std::vector<ir::ExprPtr> roots() const;
  // And what only cells near the boundary compute.
  std::vector<ir::ExprPtr> all_roots() const;

 private:
  std::shared_ptr<Numbering> numbering_;
  std::shared_ptr<ir::Grains> grains_ = std::make_shared<ir::Grains>();
};

// The flags of a variant. They are passed down as a value.
struct EdgeFlags {
  // True near the boundary, where one body serves there and inside; else empty.
  std::string edge;
  // Likewise for what lies beside a cell along x, where that has a flag of its own: it is true
  // where `edge` is, and where a block reads outside the grid along x alone. Else empty.
  std::string edge_x;
};

// What is known of the cell in work, besides what holds in all of its kernel. It is passed down as
// a value.
struct CellContext {
  EdgeFlags flags;        // of the variant that the cell is in
  std::string now;        // the number of the step; empty: that of the launch (Signature::time)
  kernel::ExprPtr point;  // the place in its list of the point in work
  // By value number: what the traversal has computed of the cell.
  std::map<int, kernel::ExprPtr> at_hand;
  // Of a cell near the boundary: what the block or the thread holds of t+1 at coordinates of the
  // grid, to which the boundary has sent the read. `at` null: at the offset of the read, or null
  // where the boundary has a say. Null as well where the field is not held.
  using Staged =
      std::function<kernel::ExprPtr(const ir::Read& read, const std::vector<kernel::ExprPtr>* at,
                                    Names& names, kernel::Body& body)>;
  Staged staged;
  // And no statement of these fields need be computed again.
  bool holds_staged = false;
};

}  // namespace stencilc::lower
