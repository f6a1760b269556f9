// Values that a block computes once for each plane that it goes through along the slowest axis:
// those of a thread's own column in registers, those that others read in shared memory.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernel/module.h"
#include "lower/tile/register_window.h"
#include "lower/tile/thread_mapping.h"
#include "plan/schedule/marched_values.h"

namespace stencilc::lower {

// before   each cell: q_new[i] = g(x - 1) + g(x + 1) + g(z - 1) + g(z + 1)
// after    for k = -2 ..: g_zp1 = g(x, z + 1); g_tile[y][x + 1] = g_0; some: g_tile[y][0] = g(..);
//          st::sync();
//          from k = 0 on: q_new[i] = g_tile[y][x] + g_tile[y][x + 2] + g_zm1 + g_zp1;
//          g_zm1 = g_0; g_0 = g_zp1;
class MarchedValues {
 public:
  MarchedValues(const Context& context, const plan::Schedule& schedule);

  bool empty() const { return marched_.empty(); }
  // Do blocks at the ends of the axis compute what all others do?
  bool wraps(int axis) const { return axis < 2 ? marched_.wraps[axis] : wraps_; }
  // Of a cell near the grid: the coordinate of the one that is it around such an axis.
  kernel::ExprPtr wrapped(int axis, const kernel::ExprPtr& there) const;
  // And those at all ends?
  bool wraps() const { return wraps_; }
  // Passes before the first cell is updated.
  int early() const { return marched_.early(); }

  // Which cells a pass computes. early: inside, before it updates any.
  enum class Pass { early, inside, edge };
  using Coordinates = std::vector<kernel::ExprPtr>;  // along each axis
  // A cell that a thread updates in a pass, one in each of its rows, and its place in memory.
  struct OwnCell {
    Coordinates at;
    kernel::ExprPtr i;
  };
  using OwnCells = std::vector<OwnCell>;

  // Declares the planes, and the cells around the block that each thread computes.
  void allocate(const ThreadMapping& mapping, kernel::Launch& launch, kernel::Body& body);
  // Declares what is kept from pass to pass.
  void declare(Names& names, kernel::Body& body);
  // And what passes inside, from the one at `at` with the number `from` to before `end`, keep of
  // fields.
  void begin_inside(const std::vector<Coordinates>& at, const kernel::ExprPtr& from,
                    const kernel::ExprPtr& end, Names& names, kernel::Body& body);
  // The values of a pass with this number.
  void compute(Pass pass, const OwnCells& cells, const kernel::ExprPtr& k, Names& names,
               kernel::Body& body);
  // What the cell in a row of the thread reads of them.
  CellContext read(int row) const;
  // And of fields inside.
  kernel::ExprPtr tap(const ir::Read& read, int row, const OwnCell& cell) const;
  // What is computed for the cells in the rows of a thread, side by side: what they read together
  // from shared memory is loaded once, and none waits for another.
  void add_rows(std::vector<kernel::Body> cells, Names& names, kernel::Body& body) const;
  // The pass is over.
  void move_on(Pass pass, kernel::Body& body) const;

 private:
  using Together = std::vector<int>;  // values computed by the same statements
  struct Kept {
    kernel::Buffer planes;    // in shared memory
    int cells = 0, rows = 0;  // of a plane
    // Of the own column in each row of the thread, from `low` on.
    std::vector<std::vector<std::string>> names;
  };
  // The planes of a field in shared memory.
  struct Copied {
    kernel::Buffer planes, memory;
    int cells = 0, rows = 0;
  };
  // Some cells of the planes of these fields, one for each thread.
  struct Part {
    std::vector<int> fields;
    Coordinates local, at;   // in the block; in the grid
    kernel::ExprPtr counts;  // null: all threads have one
  };
  // Some of the cells around the block, one for each thread.
  struct Rim {
    Together values;
    int number = 0;          // counted over all threads and passes
    Coordinates local;       // of the cell, in the block
    kernel::ExprPtr counts;  // has the thread one? Null: all have
    double share = 1;        // of the threads that have
  };

  const plan::StagedValue& value(int v) const { return marched_.values.values[v]; }
  const plan::MarchedValue& place(int v) const { return marched_.of[v]; }
  int rows() const { return schedule_.rows; }
  kernel::ExprPtr column(int v, int row, int plane) const;
  std::vector<Together> together(int level, bool around) const;
  std::string names_of(const Together& values) const;
  int count_around(int v) const;
  void add_rims(const Together& values, int& first_thread, kernel::Body& body);
  void add_parts(kernel::Body& body);
  // The slot of one of `slots` planes: the one so many after the oldest that a pass reads.
  kernel::ExprPtr slot(int slots, int plane) const;
  void declare_slots(Pass pass, const kernel::ExprPtr& k, Names& names, kernel::Body& body);
  void declare_arriving(const kernel::ExprPtr& z, Names& names, kernel::Body& body);
  kernel::ExprPtr arriving(const kernel::ExprPtr& z, int ahead) const;
  // Begins to copy planes.
  void copy_planes(const kernel::ExprPtr& z, const kernel::ExprPtr& ahead,
                   const kernel::ExprPtr& number, Names names, kernel::Body& body) const;
  void begin_pass(const OwnCells& cells, const kernel::ExprPtr& k, Names& names,
                  kernel::Body& body);
  kernel::ExprPtr number_of_thread() const;
  std::vector<Window> choose_windows(Names& names) const;
  void add_windows(int row, const Coordinates& at, std::vector<Window> windows, Names& names,
                   kernel::Body& body);
  // At an offset from the thread's cell in a row.
  kernel::ExprPtr held(const ir::Read& read, int row) const;
  kernel::ExprPtr in_grid(int axis, const kernel::ExprPtr& local) const;
  // Of the column of the cell at these coordinates, in memory.
  kernel::ExprPtr in_column(const ir::Read& read, const Coordinates& at,
                            const kernel::ExprPtr& i) const;
  int field_of(const ir::Read& read) const;
  kernel::ExprPtr copied(const ir::Read& read, const Coordinates& local, int row = 0) const;
  kernel::ExprPtr in_planes(const kernel::Buffer& planes, const std::string& name,
                            const ir::Offset& offset, const kernel::ExprPtr& at,
                            const kernel::ExprPtr& slot) const;
  kernel::ExprPtr load(int v, const Coordinates& local, const ir::Offset& offset) const;
  CellContext hand_over(const std::vector<plan::StagedRead>& reads, const Coordinates& local,
                        int row, int ahead) const;
  void own_column(const Together& values, Pass pass, int row, const OwnCell& cell,
                  const kernel::ExprPtr& plane, const kernel::ExprPtr& k, Names& names,
                  kernel::Body& body) const;
  void store_own(const Together& values, Pass pass, const kernel::ExprPtr& k,
                 kernel::Body& body) const;
  void around_block(const Rim& rim, Pass pass, const Coordinates& at, const kernel::ExprPtr& k,
                    Names& names, kernel::Body& body) const;
  std::vector<kernel::ExprPtr> results(const Together& values, Pass pass, const Coordinates& there,
                                       const Cell::Tap& tap, const CellContext& here, Names& names,
                                       kernel::Body& body) const;
  kernel::ExprPtr is_needed(const plan::StagedValue& value, const Coordinates& at, Names& names,
                            kernel::Body& body) const;
  // Null: in all passes of this kind.
  kernel::ExprPtr from(int first, Pass pass, const kernel::ExprPtr& k) const;

  const Context& context_;
  const plan::Schedule& schedule_;
  plan::MarchedValues marched_;
  const bool wraps_;        // around all ends
  std::vector<Kept> kept_;  // by value
  std::vector<Rim> rims_;
  std::vector<Copied> copied_;  // by field of `marched_`
  std::vector<Part> parts_;
  struct Column {
    std::vector<Window> windows;
    std::vector<std::string> next;  // by window: what the next pass reads; empty: it is not kept
  };
  std::vector<Column> columns_;                                // by row of the thread
  mutable std::map<std::string, std::string> names_of_loads_;  // by text, in a pass
  kernel::ExprPtr end_;                                        // of the passes inside
  std::map<int, std::string> arriving_;  // by planes ahead of a pass: a coordinate
  Coordinates block_, own_;              // the first cell of the block; the own one in the block
  std::map<std::pair<int, int>, kernel::ExprPtr> slots_;  // by their number and the plane
};

}  // namespace stencilc::lower
