// Where the warps of a launch of several steps stand. With two axes each warp streams on its own,
// along y. With three a block has a tile of rows, some in each warp, and streams along z, or it
// holds the tile.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lower/context/context.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::lower {

class TileLayout {
 public:
  TileLayout(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context), schedule_(schedule), temporal_(temporal) {}

  // Where warps or blocks stream: declares which tile and rows a warp has of the kernel's stream,
  // or which tile and planes a block.
  void share_out(kernel::Kernel& kernel, kernel::Body& body);
  // Of a resident tile: declares where it lies; map_threads() does so, too, where that is not known
  // yet.
  void place_tile(kernel::Body& body);
  // Declares the lane, and what of the tile it loads and stores: after share_out(), if there is a
  // stream.
  void map_threads(kernel::Body& body);

  // The number as a constant of the kernel with that name, or another one where it is taken; as it
  // is, where it is below 2.
  kernel::ExprPtr constant(const std::string& wanted, int64_t value) const;
  // A product of such numbers, as it is spelt.
  using Factors = std::vector<std::pair<std::string, int64_t>>;
  std::string spelt(const Factors& factors) const;
  // An array of a thread: rows that are vectors.
  void spell_registers(kernel::Buffer& buffer, const Factors& rows) const;
  // The kernel gets the constants.
  void give_constants(kernel::Kernel& kernel) const;
  kernel::ExprPtr width() const { return constant("width", schedule_.vector); }
  kernel::Count vector() const { return context_.count("width", schedule_.vector); }
  kernel::ExprPtr stored_cells() const {
    return constant("stored_cells", temporal_.stored_cells(schedule_.vector));
  }
  kernel::ExprPtr margin_cells() const {
    return constant("margin_cells", temporal_.left_lanes * schedule_.vector);
  }
  kernel::ExprPtr row_cells() const { return constant("row_cells", cells()); }
  kernel::ExprPtr warp_rows() const { return constant("rows", schedule_.rows); }
  kernel::ExprPtr warps() const { return constant("warps", schedule_.threads[1]); }

  static constexpr int kLanes = 32;
  int cells() const { return kLanes * schedule_.vector; }
  int tile_rows() const { return temporal_.tile_rows(schedule_); }
  bool is_tile() const { return context_.rank() == 3 || temporal_.resident_tile(); }
  // Do blocks stream?
  bool is_column() const { return is_tile() && !temporal_.resident_tile(); }
  // Is the axis periodic, for a field that is stepped?
  bool wraps(int axis) const;

  kernel::ExprPtr own() const;  // a lane's first cell, from that of the tile on
  // A row of a warp, as one of the tile.
  kernel::ExprPtr row_of(const kernel::ExprPtr& warp, const kernel::ExprPtr& r) const;
  kernel::ExprPtr extent(int axis) const { return context_.box.extent(axis); }
  kernel::ExprPtr in_grid(const kernel::ExprPtr& at, int axis) const;
  // Of a cell: wraps its coordinates around along periodic axes, and is it in the grid along all
  // others? Null: there are none.
  kernel::ExprPtr in_grid(std::vector<kernel::ExprPtr>& at, Names& names, kernel::Body& body) const;
  kernel::ExprPtr in_rows(const kernel::ExprPtr& y) const;  // along the last axis
  // The coordinate in a grid that goes round, of one less than an extent beyond the ends.
  kernel::ExprPtr wrapped(const kernel::ExprPtr& at, int axis) const;
  kernel::ExprPtr ends_with_vectors() const;

  kernel::ExprPtr warp;
  kernel::ExprPtr first_cell;                // of the tile
  kernel::ExprPtr x, y;                      // of a lane; and, in a tile, of its first row
  kernel::ExprPtr first, end;                // the rows, or of a tile planes, that the warp stores
  kernel::ExprPtr first_row, end_row;        // and the rows of a tile
  kernel::ExprPtr first_stored, end_stored;  // and its cells along x, where blocks stream
  kernel::ExprPtr z;                         // of a tile that blocks hold: its first plane
  const kernel::ExprPtr& first_tile_row() const { return below_; }  // of all that it computes
  // May what the tile computes lie near the boundary along x, its rows near the ends? Null: who
  // knows.
  std::array<kernel::ExprPtr, 2> at_boundary;
  kernel::ExprPtr whole;  // does all of a lane's vector lie in the grid?
  // Are a tile's vectors where those of memory are, and may one lie across the
  // end of a row? Null: it may. And what says that none does.
  kernel::ExprPtr aligned, corner;
  bool apart = false;  // is the text a function in front of the kernel, which is given `aligned`?
  // What the text asks: the argument of the kernel or of that function, or what was declared.
  kernel::ExprPtr vectors_aligned() const {
    return aligned && !apart ? aligned : kernel::var(context_.aligned, kernel::Type::boolean);
  }
  kernel::ExprPtr load_x, loads_whole;  // where a lane loads its vectors; does it load them whole?
  kernel::ExprPtr contiguous;           // or are their cells there, one after the other?
  // Cells of a lane's vector that are stored together: the first one, how many, and does the lane
  // store them? Null: all do.
  struct Part {
    int first = 0;
    kernel::Count width;
    kernel::ExprPtr stores;
  };
  std::vector<Part> parts;

  // Of a window: where its low end ends, for those that stream from there on and count it; null:
  // nobody asks.
  kernel::ExprPtr low_end;

 private:
  void declare_warp(kernel::Body& body);
  void begin_at_box(int axis, kernel::Body& body);
  void count_borders(kernel::Kernel& kernel, kernel::Part& part, int axis);
  void share_out_columns(kernel::Kernel& kernel, kernel::Body& body);
  void set_back(const kernel::ExprPtr& at, kernel::Body& body);
  struct Span {
    kernel::ExprPtr begin, first, end;
  };
  Span span_of(int axis, const kernel::ExprPtr& number, const kernel::ExprPtr& stored,
               const kernel::ExprPtr& before, const kernel::ExprPtr& cells, kernel::Body& body);
  void map_tile(kernel::Body& body);
  void map_row(kernel::Body& body);
  void map_column(kernel::Body& body);
  // Where a tile of so many cells along an axis begins, with so many before those it stores.
  kernel::ExprPtr first_of_tile(int axis, const kernel::ExprPtr& stored,
                                const kernel::ExprPtr& before, const kernel::ExprPtr& cells,
                                kernel::Body& body);
  bool stores_vectors() const {
    return (temporal_.lost_left | temporal_.lost_right) % schedule_.vector == 0;
  }
  std::string stored_of_tile() const;
  void declare_stores(kernel::Body& body);

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  kernel::ExprPtr lane_;
  kernel::ExprPtr below_;  // a tile's first row
};

}  // namespace stencilc::lower
