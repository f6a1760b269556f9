// One launch: what it stores, what its cells read and recompute, what that costs, and which memory
// its results may go to.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/inline_updates.h"

namespace stencilc::plan {

// What a launch stores of one update. In `value` every t+1 that the launch itself makes is spelt
// out, moved to where it is read; it holds for cells away from the rim, where each limit of `on` is
// decided.
struct Stored {
  int update = 0;
  ir::ExprPtr value;
  ir::ExprPtr when;      // of an output with a mask: where it is written; null: everywhere
  bool skipped = false;  // of an output: nowhere away from the rim
};

// What a launch adds to a reduction; spelt out like Stored.
struct Combined {
  int reduction = 0;
  ir::ExprPtr value, mask;  // mask null: all cells
  bool skipped = false;     // no cell away from the rim
};

struct Launch {
  std::vector<Stored> stores;
  // Away from the rim means: at least so far from it. Covers the reads and the limits of `on`.
  ir::Reach margin;
  std::vector<Combined> combines;  // only when the step is asked for its reductions, unless:
  bool every_step = false;         // an update of the step reads the reductions
  bool stores_field(const ir::Stencil& stencil, int field) const;
};

// The values and masks of an update.
std::vector<ir::ExprPtr> roots_of(const ir::Update& update);

// What a launch makes of each field that it stores, its own t+1 spelt out.
struct Made {
  std::vector<ir::ExprPtr> next;  // by field: the value of t+1, as a let of its own; null: not made
  std::vector<Whole> wholes;      // by store
};
Made made_by(const ir::Stencil& stencil, const Launch& launch);

// The fields of the launch that an update reads at t+1 beside the cell: it joins the launch only
// where that value is recomputed.
std::set<int> read_beside(const ir::Stencil& stencil, const ir::Update& update,
                          const Launch& launch);

// What a cell of an update costs where its launch spells out what it makes and reads itself:
// distinct points it reads, values of t+1 it computes for other cells, and nodes of its text.
struct Cost {
  int points = 0;
  int recomputed = 0;
  bool divides_again = false;  // or takes roots, or calls what is longer, in a recomputed value
  int64_t nodes = 0;
  bool is_low() const;   // lower than a launch of its own
  bool is_long() const;  // too long a text to be made at all
};
// Of the launch's last update, found without spelling it out: its text can be too long to be made.
Cost cost_of_last(const ir::Stencil& stencil, const Launch& launch);

// A division by a value of a cell, a root, or a function that takes longer.
bool is_long(const ir::ExprPtr& expr);

// How far from the rim a cell has to be for its reads to stay inside and every `on` to be decided.
ir::Reach margin_of(const ir::Stencil& stencil, const Launch& launch);

// By field: how many buffers hold its levels and t+1. t+1 goes into the buffer of the oldest level
// where no other cell and no later launch reads that level.
std::vector<int> buffers_of(const ir::Stencil& stencil, const std::vector<Launch>& launches);

}  // namespace stencilc::plan
