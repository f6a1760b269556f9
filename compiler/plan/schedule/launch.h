// Describes one launch: what it stores, what its cells read and recompute, what that costs, and
// which buffers its results can use.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/schedule/inline_updates.h"

namespace stencilc::plan {

// What a launch stores for one update. In `value`, each t+1 that the launch computes itself is
// inlined. The value is for cells away from the boundary, where each limit of `on` is decided.
struct Stored {
  int update = 0;
  ir::ExprPtr value;
  ir::ExprPtr when;      // the mask of an output; null: written everywhere
  bool skipped = false;  // an output that is not written away from the boundary
};

// What a launch adds to a reduction, inlined in the same way.
struct Combined {
  int reduction = 0;
  ir::ExprPtr value, mask;  // mask null: all cells
  bool skipped = false;     // no cell away from the boundary contributes
};

struct Launch {
  std::vector<Stored> stores;
  // The distance from the boundary at which a cell is away from it; covers reads and limits of
  // `on`.
  ir::Reach margin;
  std::vector<Combined>
      combines;             // only when a step is asked for its reductions, unless every_step
  bool every_step = false;  // an update of the step reads the reductions
  std::vector<int> ghosts;  // the stores whose ghost cells a kernel after this one computes
  // The fields whose t+1 a block computes for cells around it, too, in shared memory. Updates of
  // the launch read it at level 1, like what lies in memory.
  std::set<int> staged;
  bool stores_field(const ir::Stencil& stencil, int field) const;
  bool stores_field(const ir::Stencil& stencil, const std::string& name) const;
};

// The values and masks of an update.
std::vector<ir::ExprPtr> roots_of(const ir::Update& update);

// What a launch computes for each field that it stores, with its own t+1 inlined, unless staged.
struct Made {
  std::vector<ir::ExprPtr> next;  // by field: the value of t+1, as a `let`; null: not computed
  std::vector<Whole> wholes;      // by store
};
Made made_by(const ir::Stencil& stencil, const Launch& launch);

// The fields of the launch that an update reads at t+1 in neighbouring cells. It can join the
// launch only if that value is recomputed.
std::set<int> read_beside(const ir::Stencil& stencil, const ir::Update& update,
                          const Launch& launch);

// The fields of the launch whose t+1 is also computed at other cells, because it is read there,
// directly or through another field.
std::set<int> recomputed_beside(const ir::Stencil& stencil, const Launch& launch);

// Adds to the cells that are needed around others what `readers` around them read at an offset.
void add_read(ir::Reach& reach, const ir::Reach& readers, const ir::Offset& offset);

// By staged field: the cells around a block for which its t+1 is needed, so that the launch can
// compute the cells of the block.
std::map<int, ir::Reach> needed_around(const ir::Stencil& stencil, const Launch& launch);

// The cells that an update with that value may read of a staged field: the one at the offset, and
// the one that stands for it where that is a ghost cell.
std::vector<ir::Offset> cells_read(const ir::Stencil& stencil, const ir::Read& read);

// Along which axes the staged fields are periodic. What lies beyond the grid there is computed like
// all else; along other axes reads stay inside the grid.
std::array<bool, ir::kMaxRank> periodic_axes(const ir::Stencil& stencil, const Launch& launch);

// The cost of a cell of an update with the values of its launch inlined: distinct points read,
// values of t+1 computed for other cells, and expression nodes.
struct Cost {
  int points = 0;
  int recomputed = 0;
  bool divides_again =
      false;  // a recomputed value has a division, a root or a transcendental function
  int64_t nodes = 0;
  bool is_low() const;   // cheaper than a launch of its own
  bool is_long() const;  // the expression would be too long
};
// The cost for the last update of the launch, without building the expression, which can be too
// long.
Cost cost_of_last(const ir::Stencil& stencil, const Launch& launch);

// A division by a value of a cell, a root, or a transcendental function.
bool is_long(const ir::ExprPtr& expr);

// What a launch computes for a ghost cell of each temporary that it stores, by store; null for the
// others. Values of temporaries of the launch are inlined: they are expressions there, too. What it
// stores of a field is read like any other level, so that the boundary of the field holds.
std::vector<ir::ExprPtr> ghost_values(const ir::Stencil& stencil, const Launch& launch);

// The stores of `ghosts` by the width of their ghost cells: one kernel computes those of one width.
std::map<ir::Offset, std::vector<int>> ghosts_by_width(const ir::Stencil& stencil,
                                                       const Launch& launch);

// The distance from the boundary at which all reads of a cell stay inside and every limit of `on`
// is decided.
ir::Reach margin_of(const ir::Stencil& stencil, const Launch& launch);

// The same for one update of a launch with staged fields: reads of these count, too.
ir::Reach margin_of_update(const ir::Stencil& stencil, const Launch& launch, const Stored& stored);

// By field: how many buffers hold its levels and t+1. t+1 reuses the buffer of the oldest level if
// no other cell and no later launch reads that level.
std::vector<int> buffers_of(const ir::Stencil& stencil, const std::vector<Launch>& launches);

}  // namespace stencilc::plan
