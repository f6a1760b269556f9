// The values that the threads of a launch keep in registers while they stream along the slowest
// axis (`stream` in a schedule): a thread computes them once for each cell of its column, takes
// those of the columns beside it from other lanes of its warp, and keeps them for the rows that
// follow. Where a thread computes a vector of cells (`vector`), it has as many columns side by
// side.
//
// Streaming with register queues ("2.5-D blocking": Nguyen et al., 3.5-D Blocking Optimization for
// Stencil Computations, SC 2010), for computed values as for loaded ones, with shuffles along x.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/staged_values.h"

namespace stencilc::plan {

struct StreamedValues {
  // A value at cells with the same offset from the thread's along the axes that are neither x nor
  // the streamed one. In each pass of the stream a thread computes one of them for each of its own
  // columns.
  struct Instance {
    int value = 0;
    ir::Offset beside = {};
    int ahead = 0;  // how far it stands from the cell that is updated, along the streamed axis
    int first = 0;  // the pass in which it is needed first; pass 0 updates the first cell
  };
  // The cells of a column that are read, along the streamed axis from the one that is updated.
  struct Column {
    int value = 0;
    // Nothing along the streamed axis. Along x from the first of the thread's own columns, which
    // stand at 0 .. width - 1; others come from other lanes.
    ir::Offset offset = {};
    int low = 0, high = 0;
  };
  StagedValues values;
  std::vector<Instance> instances;  // those that others read come before them
  std::vector<Column> columns;
  int width = 1;  // own columns of a thread
  // So many lanes at both ends of a warp have not all that their cells read, and update none.
  int left = 0, right = 0;

  bool empty() const { return instances.empty(); }
  // A column is, so many lanes to the right, an own one: that at the second offset.
  int lane(const ir::Offset& offset) const;
  ir::Offset own(ir::Offset offset) const;
  // Passes before the first cell is updated.
  int early() const;
  // The lanes of a warp that update cells, and these cells along x.
  int warp_lanes() const;
  int warp_cells() const { return warp_lanes() * width; }
};

// The axis along which threads stream, or -1: the grid has one axis.
int streamed_axis(const ir::Stencil& stencil);

// The blocks that a launch streams in: inside the grid, where all cells that are read are cells of
// it; or at its edge. There a read of a field may find another cell than the one at its offset, and
// values that are made of these fields, which have no boundary of their own, are left out.
enum class Blocks { inside, at_edge };

// What a launch streams of the values with these names, and t+1 of the fields that it is to keep
// along the stream; nothing, where it cannot: if it computes in colours, folds, has t+1 in tiles or
// recomputes it at other cells, or if a warp would have few cells left. `width`: the cells of a
// thread side by side.
StreamedValues streamed_values(const ir::Stencil& stencil, const Launch& launch, bool folds,
                               const std::vector<std::string>& names, int width = 1,
                               Blocks blocks = Blocks::inside);

// The fields whose t+1 a later update reads in neighbouring cells, and which a launch of both can
// keep in registers as far as the field and its readers go.
std::vector<std::string> streamable_fields(const ir::Stencil& stencil);
// Why t+1 of a field cannot be kept along a stream, whatever else the launch does; or empty.
std::string field_problem(const ir::Stencil& stencil, int field);
// Why these fields and values cannot be in registers along a stream, as a sentence; or empty.
std::string streams_problem(const ir::Stencil& stencil, const std::vector<std::string>& names);
// Why a launch cannot keep its staged fields along the stream; or empty.
std::string streaming_problem(const ir::Stencil& stencil, const Launch& launch,
                              const Streaming& streaming);

// Those of the names that a launch streams; none of the launches folds.
std::vector<std::string> streamed_names(const ir::Stencil& stencil,
                                        const std::vector<Launch>& launches,
                                        const std::vector<std::string>& names, int width = 1);

// The schedule of a launch with these values; where there are none: threads of one cell at a time,
// or of vectors as wide.
Schedule schedule_of(const Schedule& schedule, const StreamedValues& values, int axis);

}  // namespace stencilc::plan
