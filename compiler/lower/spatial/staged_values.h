// Values that the threads of a block compute once for all of its cells and keep in shared memory.
#pragma once

#include <vector>

#include "kernel/module.h"
#include "lower/tile/thread_mapping.h"
#include "plan/schedule/staged_values.h"

namespace stencilc::lower {

// before   each cell: q_new[i] = flux(x) - flux(x - 1)
// after    the block: for (...) flux[row][column] = flux(block_x - 1 + column); st::sync();
//          each cell: q_new[i] = flux[y][x + 1] - flux[y][x]
class StagedValues {
 public:
  StagedValues(const Context& context, const plan::Schedule& schedule);

  bool empty() const { return staged_.values.empty(); }
  // What the cells of the launch read besides.
  std::vector<ir::ExprPtr> roots() const {
    return empty() ? context_.roots() : staged_.others;
  }
  // Declares the arrays and the number of the thread, for all variants of the kernel.
  void allocate(kernel::Launch& launch, kernel::Body& body);
  // All threads of the block compute the values and wait for each other. `edges`: the block may
  // reach beyond the grid; if not, but `ends`, it may have fewer cells than others.
  void compute(const ThreadMapping& mapping, bool edges, bool ends, Names names,
               kernel::Body& body) const;
  // The values that the k-th cell of the thread reads; of its only one, where k is null.
  CellContext read_by(const kernel::ExprPtr& k) const;

 private:
  struct Array {
    kernel::Buffer buffer;
    std::vector<kernel::Count> cells;  // along each axis
  };
  using Together = std::vector<int>;  // values computed in one loop

  std::vector<Together> together(int level) const;
  kernel::For loop_of(const Together& values, const ThreadMapping& mapping, bool edges, bool ends,
                      Names& names) const;
  void cell(const Together& values, const std::vector<kernel::ExprPtr>& at,
            const std::vector<kernel::ExprPtr>& local, bool edges, Names& names,
            kernel::Body& body) const;
  kernel::ExprPtr needed(const plan::StagedValue& value, const std::vector<kernel::ExprPtr>& at,
                         const std::vector<kernel::ExprPtr>& local, bool edges, bool ends) const;
  // Where the cell at an offset from the one at these coordinates in the block stands in the array.
  kernel::ExprPtr load(int value, const std::vector<kernel::ExprPtr>& local,
                       const ir::Offset& offset) const;
  CellContext hand_over(const std::vector<plan::StagedRead>& reads,
                        const std::vector<kernel::ExprPtr>& local) const;

  const Context& context_;
  const plan::Schedule& schedule_;
  plan::StagedValues staged_;
  std::vector<Array> arrays_;  // by value
  kernel::ExprPtr thread_;     // its number in the block
  // Where its first cell stands in the block, along each axis.
  std::vector<kernel::ExprPtr> own_;
};

}  // namespace stencilc::lower
