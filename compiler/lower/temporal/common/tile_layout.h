// Where the warps of a launch of several steps stand, and how rows come to them and wait. With two
// axes each warp streams on its own, along y. With three a block has a tile of rows, some in each
// warp, and streams along z.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lower/tile/register_tile.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::lower {

// A field that is stepped.
struct Stepped {
  int field = 0;
  kernel::Buffer row;     // a thread's part of the row in work; of a tile's: of all time steps
  kernel::Buffer ahead;   // of the block: rows that are on their way
  kernel::Buffer halo;    // and those at the ends of its warps, for the warps beside them
  kernel::Buffer held;    // and those that wait for what they stand for outside the grid
  std::string at;         // the function of a cell of t, wherever it lies, or of its place
  kernel::ExprPtr ghost;  // with places: what is in none
  std::string held_at;    // of a later time step, beyond the ends of the stream
  // Of a tile: which of the rows that its warps exchange is the n-th beside a warp's own, at
  // either end.
  std::array<std::vector<kernel::ExprPtr>, 2> beside;
  // Of a field that is read at t-1, too: the row of the time step before a step's that goes on, and
  // those of t-1 that are on their way; and of a tile, those of all other time steps, which wait.
  std::optional<kernel::Buffer> before, before_ahead;
  std::string before_at;  // the function of a cell of t-1, of a resident tile
  kernel::Buffer past;
};

// A field that no step makes, of which rows wait until all time steps have read them.
struct Waiting {
  int field = 0;
  kernel::Buffer row, ahead;  // a thread's part of the row that a step reads; rows of the block
};

// While it lives, the number of the step is that of t+k: it is declared where values need it.
class AtStep {
 public:
  AtStep(Context& context, const kernel::ExprPtr& k, Names& names, kernel::Body& body);
  ~AtStep() { context_.time = first_; }
  AtStep(const AtStep&) = delete;
  AtStep& operator=(const AtStep&) = delete;

 private:
  Context& context_;
  const std::string first_;
};

class TemporalTile {
 public:
  TemporalTile(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context), schedule_(schedule), temporal_(temporal) {}

  // Declares all of it. The kernel gets the shared memory it needs. Where warps or blocks stream,
  // behind what share_out() declares: which tile and rows a warp has of the kernel's stream, or
  // which tile and planes a block.
  void share_out(kernel::Kernel& kernel, kernel::Body& body);
  void lay_out(kernel::Kernel& kernel, kernel::Body& body);
  // Of a resident tile: declares where its tile lies; lay_out() does so, too, where that is not
  // known yet.
  void place_tile(kernel::Body& body);

  // The number as a constant of the kernel with that name, or another one where it is taken; as it
  // is, where it is below 2.
  kernel::ExprPtr constant(const std::string& wanted, int64_t value) const;
  // A product of such numbers, as it is spelt.
  using Factors = std::vector<std::pair<std::string, int64_t>>;
  std::string spelt(const Factors& factors) const;
  kernel::ExprPtr width() const { return constant("width", schedule_.vector); }
  kernel::ExprPtr stored_cells() const {
    return constant("stored_cells", temporal_.stored_cells(schedule_.vector));
  }
  kernel::ExprPtr margin_cells() const {
    return constant("margin_cells", temporal_.left_lanes * schedule_.vector);
  }
  kernel::ExprPtr row_cells() const { return constant("row_cells", cells()); }
  kernel::ExprPtr warp_rows() const { return constant("rows", schedule_.rows); }
  kernel::ExprPtr step_halo() const {
    return constant("step_halo", schedule_.threads[1] * halo_rows());
  }
  kernel::ExprPtr warps() const { return constant("warps", schedule_.threads[1]); }
  kernel::ExprPtr ring_depth() const { return constant("ring_depth", depth()); }
  kernel::ExprPtr prefetch_distance() const {
    return constant("prefetch_distance", schedule_.ahead);
  }
  // An array of a thread: rows that are vectors.
  void spell_registers(kernel::Buffer& buffer, const Factors& rows) const;
  // The kernel gets the constants.
  void give_constants(kernel::Kernel& kernel) const;

  // Is the axis periodic, for a field that is stepped?
  bool wraps(int axis) const;

  static constexpr int kLanes = 32;
  int cells() const { return kLanes * schedule_.vector; }
  kernel::ExprPtr own() const;  // a lane's first cell, from that of the tile on
  kernel::ExprPtr in_grid(const kernel::ExprPtr& at, int axis) const;
  kernel::ExprPtr in_rows(const kernel::ExprPtr& y) const;
  const Stepped& stepped(int field) const;

  // Asks for a row, which is to lie in the place of the ring; and where it then lies. Of a tile,
  // for a plane, and that of t-1 in a place of its own, if there is one.
  kernel::Stmt prefetch(const kernel::ExprPtr& row, const kernel::ExprPtr& slot,
                        const kernel::ExprPtr& before_slot = nullptr, bool at_ends = true) const;
  // The same where warps stream: `near`, a constant, says whether the boundary may be; empty: it
  // may, or not, by the flag.
  kernel::Stmt prefetch_row(const kernel::ExprPtr& row, const kernel::ExprPtr& slot,
                            const std::string& near, bool flag) const;
  kernel::ExprPtr ahead_row(const kernel::ExprPtr& slot) const;
  int depth() const {  // of the ring
    if (is_tile()) return schedule_.ahead + 1 + temporal_.planes_behind();
    const int behind = temporal_.rows_behind();
    return schedule_.ahead + 1 +
           (holds_unassigned_rows ? std::max(behind, temporal_.unassigned_rows) : behind);
  }
  // Where row y of time step t+k waits.
  kernel::ExprPtr held_row(const kernel::ExprPtr& y, const kernel::ExprPtr& k) const;

  // Of a tile: its row in the place of a plane, and beside it what the first time step reads; where
  // that of plane z of time step t+k waits; and a row in the place of what is exchanged in one
  // of two buffers, those of a warp at its low end first.
  kernel::ExprPtr ahead_row(const kernel::ExprPtr& slot, const kernel::ExprPtr& r) const;
  kernel::ExprPtr held_row(const kernel::ExprPtr& z, const kernel::ExprPtr& k,
                           const kernel::ExprPtr& row) const;
  kernel::ExprPtr halo_row(const kernel::ExprPtr& parity, const kernel::ExprPtr& k,
                           const kernel::ExprPtr& row) const;
  kernel::ExprPtr halo_of(const kernel::ExprPtr& warp, int row) const;
  // Of a resident tile: of the n-th level that warps exchange of a field, in plane p.
  kernel::ExprPtr halo_level(const kernel::ExprPtr& parity, int n, const kernel::ExprPtr& p,
                             const kernel::ExprPtr& row) const;
  const std::vector<int>& exchanged_levels(int field) const;
  // Where a tile's row waits to be one of t-1: of time step t+k, in a place of the ring; and that
  // of t-1 itself, in the place of a plane that is on its way.
  kernel::ExprPtr past_row(const kernel::ExprPtr& k, const kernel::ExprPtr& slot,
                           const kernel::ExprPtr& row) const;
  kernel::ExprPtr before_row(const kernel::ExprPtr& slot, const kernel::ExprPtr& row) const;
  // Do rows beyond an end along y stand among those that are exchanged? Either the last warp's own
  // ones, or a constant in the place of those that nobody would read.
  bool halo_holds_ghosts(int field, int end) const;
  // Does the warp exchange its rows at that end? Null: it does.
  kernel::ExprPtr exchanges(int field, int end) const;
  kernel::ExprPtr row_of(const kernel::ExprPtr& warp, const kernel::ExprPtr& r) const;
  kernel::ExprPtr warp;
  // Makes rows beyond the ends along y, of cells 0 .. vector-1 of registers whose row `own` is the
  // warp's first one, in plane z. `skip_halo`: but for those that are exchanged. Of planes in
  // registers: of so many rows each, of the one that begins with row `first`.
  kernel::Body ghost_rows(int field, const kernel::Buffer& registers, int own, int cell,
                          const kernel::ExprPtr& z, bool skip_halo, const Names& names,
                          const kernel::ExprPtr& first = nullptr, int rows = 0) const;
  // Makes the plane so far beyond an end along z, of registers whose row n of the tile's plane 0 is
  // `row` of 0 and n: its rows first_row_of .. end_row_of-1, by those of planes inside.
  kernel::Body ghost_plane(int field, const kernel::Buffer& registers, int cell, int end,
                           int distance, int first_row_of, int end_row_of,
                           const std::function<kernel::ExprPtr(int, const kernel::ExprPtr&)>& row,
                           const Names& names) const;
  // Makes what stands beside the first and the last cell of a row, by what the row holds: `sides`
  // are those of a field, in row y. Of a tile: of so many rows from `first` on, in plane z.
  kernel::Body columns(int field, const kernel::Sides& sides, const kernel::ExprPtr& y,
                       const Names& names) const;
  kernel::Body columns(int field, const kernel::Sides& sides, int first, int rows,
                       const kernel::ExprPtr& z, const Names& names) const;
  // Of the row that is at `at` along the axes but the first, by statements of which several such
  // rows may stand side by side: their names are taken. `odd`: where rows end within a vector;
  // null: that is to be found out.
  kernel::Body columns_of_row(int field, const kernel::Sides& sides,
                              const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& odd,
                              Names& names) const;
  // Where a lane loads a row of such a tile, by the function `cell`.
  kernel::Stmt load_row(const kernel::Copy& to, const std::string& cell,
                        const std::vector<kernel::ExprPtr>& at, Names& names,
                        kernel::Body& body) const;

  // Where row y lies, which has arrived so many rows before the last one.
  kernel::ExprPtr ahead_row(const kernel::ExprPtr& slot, const kernel::ExprPtr& rows_back,
                            Names& names, kernel::Body& body) const;

  std::vector<Stepped> fields;
  std::vector<Waiting> inputs;
  kernel::ExprPtr first_cell;                // of the tile
  kernel::ExprPtr x, y;                      // of a lane; and, in a tile, of its first row
  kernel::ExprPtr first, end;                // the rows, or of a tile planes, that the warp stores
  kernel::ExprPtr first_row, end_row;        // and the rows of a tile
  kernel::ExprPtr first_stored, end_stored;  // and its cells along x, where blocks stream
  kernel::ExprPtr z;                         // of a tile that blocks hold: its first plane
  const kernel::ExprPtr& first_tile_row() const { return below_; }  // of all that it computes
  // Of a tile: are columns outside the grid made by selection and not by branches, and is it said
  // whether a plane that is prefetched may lie beyond an end?
  bool selects_columns = false, prefetch_tells_ends = false;
  // Do rows wait for cells that no step assigns, though the plan has them pass through sums?
  bool holds_unassigned_rows = false;
  // May what the tile computes lie near the boundary along x, its rows near the ends? Null: who
  // knows.
  std::array<kernel::ExprPtr, 2> at_boundary;
  kernel::ExprPtr whole;  // does all of a lane's vector lie in the grid?
  // Are a tile's vectors where those of memory are, and may one lie across the
  // end of a row? Null: it may. And what says that none does.
  kernel::ExprPtr aligned, corner;
  kernel::ExprPtr ends_with_vectors() const;
  // Cells of a lane's vector that are stored together: the first one, how many, and does the lane
  // store them? Null: all do.
  struct Part {
    int first = 0, width = 0;
    kernel::ExprPtr stores;
  };
  std::vector<Part> parts;

 private:
  // One of these rows: the row of the registers that is the last one inside at that end, and how
  // far it lies beyond the end.
  struct GhostRow {
    int last, end, distance;
  };
  kernel::Body ghost_row(int field, const kernel::Buffer& registers, const GhostRow& which,
                         plan::GhostSource kind, int cell, const kernel::ExprPtr& z,
                         const kernel::ExprPtr& first, int rows, const Names& names) const;
  kernel::ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  bool is_tile() const { return context_.rank() == 3 || temporal_.resident_tile; }
  int tile_rows() const { return temporal_.tile_rows(schedule_); }
  void map_threads(kernel::Body& body);
  void declare_warp(kernel::Body& body);
  void share_out_columns(kernel::Kernel& kernel, kernel::Body& body);
  void set_back(const kernel::ExprPtr& at, kernel::Body& body);
  struct Span {
    kernel::ExprPtr begin, first, end;
  };
  Span span_of(int axis, const kernel::ExprPtr& number, const kernel::ExprPtr& stored,
               const kernel::ExprPtr& before, const kernel::ExprPtr& cells, kernel::Body& body);
  // Do blocks stream?
  bool is_column() const { return is_tile() && !temporal_.resident_tile; }
  void map_tile(kernel::Body& body);
  void map_row(kernel::Body& body);
  void map_column(kernel::Body& body);
  // Where a tile of so many cells along an axis begins, with so many before those it stores.
  kernel::ExprPtr first_of_tile(int axis, const kernel::ExprPtr& stored,
                                const kernel::ExprPtr& before, const kernel::ExprPtr& cells,
                                kernel::Body& body);
  kernel::Body columns_at_ends(
      int field, const kernel::Sides& sides, const kernel::ExprPtr& odd,
      const std::function<kernel::Body(int end, int distances, const kernel::ExprPtr& last)>& make)
      const;
  ir::Read read_of(int field) const;
  void make_beside(int field, const kernel::Sides& sides, const std::vector<kernel::ExprPtr>& row,
                   int end, int distance, const kernel::ExprPtr& last, Names& names,
                   kernel::Body& body) const;
  kernel::ExprPtr wrapped(const kernel::ExprPtr& at, int axis) const;
  void wrap_once(kernel::Body& body) const;
  kernel::Buffer shared(const std::string& name, kernel::Type element, const Factors& rows,
                        kernel::Body& body);
  void note_ring(kernel::Body& body) const;
  void name_rows(kernel::Body& body);
  bool is_constant(int field, int end) const;
  int halo_rows() const { return temporal_.halo_rows(schedule_); }  // rows of a warp
  void declare_beside(Stepped& one, kernel::Body& body);
  void lay_constant(const Stepped& one, int end, kernel::Body& body);
  void name_resident_field(Stepped& one, kernel::Body& body);
  int halo_places(int field) const;
  std::string declare_cell(int field, int level, const std::string& wanted, kernel::Body& body);
  void declare_at(Stepped& one, kernel::Body& body);
  kernel::Local cell_of_held(const Stepped& one);
  void declare_before_at(kernel::Body& body);
  void name_inputs(kernel::Body& body);
  void declare_prefetch(kernel::Body& body);
  // What holds inside, and need not be asked there.
  kernel::ExprPtr unless_inside(int axis, const kernel::ExprPtr& condition) const;
  bool prefetch_tells_boundary() const;
  kernel::ExprPtr from_x() const;
  kernel::ExprPtr prefetch_whole() const;
  kernel::ExprPtr near_ends(const kernel::ExprPtr& row, const kernel::ExprPtr& inside) const;
  bool stores_vectors() const {
    return (temporal_.lost_left | temporal_.lost_right) % schedule_.vector == 0;
  }
  std::string stored_of_tile() const;
  void declare_stores(kernel::Body& body);
  kernel::Body copies_of_plane(const kernel::ExprPtr& plane, const kernel::ExprPtr& slot,
                               const Names& names) const;
  kernel::ExprPtr in_plane_from(const kernel::ExprPtr& start, const kernel::ExprPtr& z) const;
  kernel::AsyncCopy copy_of(const Stepped& one, const std::vector<kernel::ExprPtr>& at,
                            const std::vector<kernel::ExprPtr>& from, const kernel::ExprPtr& row,
                            const kernel::ExprPtr& inside) const;
  // `beside`: of rows beside the tile, at that end.
  kernel::AsyncCopy copy_of_row(const Stepped& one, const kernel::ExprPtr& row,
                                const kernel::ExprPtr& slot) const;
  kernel::AsyncCopy copy_of_input(const Waiting& one, const kernel::ExprPtr& row,
                                  const kernel::ExprPtr& slot) const;
  kernel::AsyncCopy copy_before(const Stepped& one, const kernel::ExprPtr& row,
                                const kernel::ExprPtr& slot) const;
  // A row of a tile, and of the grid; and where in a plane it begins, if the grid goes round.
  struct RowOfTile {
    kernel::ExprPtr row, at, start;
  };
  kernel::AsyncCopy copy_of_plane_before(const Stepped& one, const kernel::ExprPtr& plane,
                                         const RowOfTile& row) const;
  kernel::AsyncCopy copy_of_plane(const Stepped& one, const kernel::ExprPtr& plane,
                                  const kernel::ExprPtr& slot, const RowOfTile& row,
                                  std::optional<int> beside) const;
  void declare_beside_tile(kernel::Body& body);
  bool is_laid(int field, int end) const;
  kernel::Body constant_rows(
      const kernel::Buffer& to, const kernel::ExprPtr& constant, int places,
      const std::function<kernel::ExprPtr(const kernel::ExprPtr&)>& row) const;
  void lay_beside_tile(const kernel::ExprPtr& at_end, kernel::Body& body);
  kernel::AsyncCopy of_rows(kernel::AsyncCopy copy, const kernel::ExprPtr& is_there) const;
  void declare_starts(kernel::Body& body);

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  std::string prefetch_;
  std::string before_at_;  // the function of where a row of t-1 has a cell, or any
  kernel::ExprPtr lane_;
  kernel::ExprPtr below_;         // a tile's first row
  kernel::ExprPtr from_, loads_;  // where a lane loads its vectors; does it load them whole?
  kernel::ExprPtr follow_;        // or are their cells there, one behind the other?
  // Where it is one variant: does a warp copy rows beside the tile, and from which row of it on?
  kernel::ExprPtr copies_beside_, beside_row_;
  // Where rows begin in a plane that a lane copies: a warp's own, and those beside the tile at each
  // end.
  kernel::Buffer starts_;
  std::array<kernel::Buffer, 2> starts_beside_;
  mutable std::vector<std::vector<int>> exchanged_levels_;  // [field]: found when asked for
  bool laid_ = false;            // rows beside a tile that are not in the grid: before the stream
  kernel::ExprPtr before_slot_;  // of the plane of t-1 that comes with the one that is prefetched
  kernel::ExprPtr from_plane_;   // where that is, if the grid goes round
  // And what stands for it by maps of indices, one beyond each end, if it may lie there.
  using Maps = std::array<std::optional<kernel::Fn>, 2>;
  std::map<Maps, kernel::ExprPtr> mapped_planes_;
  Maps maps_of_planes(const Stepped& one) const;
  kernel::ExprPtr mapped_plane(const Maps& by, const kernel::ExprPtr& plane) const;
  int shared_ = 0;  // bytes of it
};

}  // namespace stencilc::lower
