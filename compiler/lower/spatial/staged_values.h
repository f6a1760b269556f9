// Values that the threads of a block compute once for all of its cells and keep in shared memory.
#pragma once

#include <array>
#include <vector>

#include "kernel/module.h"
#include "lower/tile/thread_mapping.h"
#include "plan/schedule/staged_values.h"

namespace stencilc::lower {

// before   each cell: q_new[i] = flux(x) - flux(x - 1)
// after    each thread: flux[y][x + 1] = flux(x); some: flux[y][0] = flux(block_x - 1)
//          st::sync();
//          each cell: q_new[i] = flux[y][x + 1] - flux[y][x]
class StagedValues {
 public:
  StagedValues(const Context& context, const plan::Schedule& schedule);

  bool empty() const { return staged_.values.empty(); }
  // What the cells of the launch read besides.
  std::vector<ir::ExprPtr> roots() const { return empty() ? context_.roots() : staged_.others; }
  // Declares the arrays; all threads of the block compute the values and wait for each other.
  // `interior`: the block and what it reads lie inside the grid; null: no cell reads beyond it.
  void compute(const ThreadMapping& mapping, const kernel::ExprPtr& interior,
               kernel::Launch& launch, kernel::Body& body);
  // The values that the k-th cell of the thread reads; of its only one, where k is null. Of a cell
  // near the boundary: reads of fields go by their boundaries.
  CellContext read_by(const kernel::ExprPtr& k) const;
  CellContext read_near_boundary_by(const kernel::ExprPtr& k, const ThreadMapping& mapping) const;

 private:
  using Coordinates = std::vector<kernel::ExprPtr>;  // along each axis
  using Together = std::vector<int>;                 // values computed by the same statements
  struct Array {
    kernel::Buffer buffer;
    std::vector<int> cells;  // along each axis
  };
  // The cells of a box that are not in another one inside of it, counted along each axis.
  struct Shell {
    Coordinates before, inner, outside, full;
    bool cross = false;  // only those beside the inner box along one axis
  };

  // How far values read along each axis on which cells beyond the grid have no memory, or not both
  // at the low end and at the high one.
  struct Reading {
    ir::Reach reach;
    std::array<bool, 3> checked = {};
  };

  int threads() const { return schedule_.block_threads(); }
  void allocate(kernel::Launch& launch, kernel::Body& body);
  void level(int number, const ThreadMapping& mapping, const kernel::ExprPtr& interior,
             kernel::Body& body) const;
  void own_cells(const Together& values, const ThreadMapping& mapping,
                 const kernel::ExprPtr& interior, const Reading& reading, kernel::Body& body) const;
  // `first_thread`: the one that has the first of the cells.
  void cells_of(const Shell& shell, const Together& values, int first_thread,
                const ThreadMapping& mapping, const kernel::ExprPtr& interior,
                const Reading& reading, kernel::Body& body) const;
  void near_boundary(const Together& values, const ThreadMapping& mapping, const Reading& reading,
                     Names& names, kernel::Body& body) const;
  // `mapping`: the cell may read beyond the grid; null: it does not.
  void store(const Together& values, const Coordinates& at, const Coordinates& local,
             const ThreadMapping* mapping, Names& names, kernel::Body& body) const;
  std::vector<kernel::ExprPtr> lets_of(const Together& values, const Coordinates& at,
                                       const Coordinates& local, bool anywhere, Names& names,
                                       kernel::Body& body) const;
  std::vector<kernel::ExprPtr> fields_of(const Together& values, const Coordinates& at,
                                         const Coordinates& local, const ThreadMapping& mapping,
                                         Names& names, kernel::Body& body) const;

  Shell all_of(const plan::StagedValue& value) const;
  Shell around_of(const plan::StagedValue& value) const;
  int count(const Shell& shell) const;
  int count_around(const plan::StagedValue& value) const;
  kernel::ExprPtr size(const Shell& shell, int axis) const;
  Coordinates cell_of(const Shell& shell, const kernel::ExprPtr& number, Names& names,
                      kernel::Body& body) const;
  Coordinates in_grid(const ThreadMapping& mapping, const Coordinates& local, Names& names,
                      kernel::Body& body) const;
  Reading reading_of(const Together& values) const;
  kernel::ExprPtr is_inside(const Together& values, const Reading& reading,
                            const kernel::ExprPtr& interior, const Coordinates& at, Names& names,
                            kernel::Body& body) const;
  kernel::ExprPtr is_held(int axis, int around, const Coordinates& at) const;
  kernel::ExprPtr is_needed(const plan::StagedValue& value, const Coordinates& at,
                            const Coordinates& local, Names& names, kernel::Body& body) const;
  kernel::ExprPtr load(int value, const Coordinates& local, const ir::Offset& offset) const;
  CellContext hand_over(const std::vector<plan::StagedRead>& reads, const Coordinates& local,
                        bool fields) const;
  CellContext::Staged staged_of(const ThreadMapping& mapping, const Coordinates& local) const;
  Coordinates own_cell(const kernel::ExprPtr& k) const;

  const Context& context_;
  const plan::Schedule& schedule_;
  plan::StagedValues staged_;
  std::array<bool, 3> periodic_ = {};  // are the staged fields, along each axis?
  std::vector<Array> arrays_;          // by value
  kernel::ExprPtr thread_;             // its number in the block
  Coordinates own_;                    // where its first cell stands in the block
};

}  // namespace stencilc::lower
