// Values that the threads of a launch compute once for each cell of their column while they stream
// along the slowest axis, and keep in registers.
#pragma once

#include <string>
#include <vector>

#include "kernel/module.h"
#include "lower/tile/register_window.h"
#include "lower/tile/thread_mapping.h"
#include "plan/schedule/streamed_values.h"

namespace stencilc::lower {

// before   each cell: q_new[i] = g(x - 1, y) + g(x, y - 1)
// after    for k = -1 ..: g_0 = g(x, y + k); g_xm1_0 = st::from_left(g_0, 1);
//                         from k = 0 on: q_new[i] = g_xm1_0 + g_ym1;
//                         g_ym1 = g_0;
// With `vector=2` g_0 and g_xp1 are the thread's own, and g_xm1 = st::from_left(g_xp1, 1).
class StreamedValues {
 public:
  StreamedValues(const Context& context, const plan::Schedule& schedule);

  bool empty() const { return streamed_.empty(); }
  // The schedule of the launch, whose blocks are as wide as what their warps update.
  const plan::Schedule& schedule() const { return schedule_; }
  // Passes before the first cell is updated.
  int early() const { return early_; }

  // Declares where the thread stands. All threads of a warp stay until the end of the kernel.
  ThreadMapping map(kernel::Launch& launch, kernel::Body& body);
  // Does the thread update cells? Null: all do.
  kernel::ExprPtr updates() const { return updates_; }

  // Is all that the threads of the block load inside the grid, and in memory?
  kernel::ExprPtr is_inside(const ThreadMapping& mapping, kernel::Body& body);

  // The cells side by side that a thread updates in a pass.
  int width() const { return streamed_.width; }

  // The most rows of a value or field that are kept.
  int longest_queue() const;

  // How a variant of the kernel reads memory.
  struct Variant {
    bool inside = false;   // no cell reads beyond the grid
    bool vectors = false;  // fields and results move as vectors
  };
  // Declares what is kept from pass to pass; inside, that is also fields that are read in several
  // rows.
  void declare(const ThreadMapping& mapping, const Variant& variant, Names& names,
               kernel::Body& body);
  // One of the cells that a pass updates, of which `at` is the first.
  std::vector<kernel::ExprPtr> cell(std::vector<kernel::ExprPtr> at, int number) const;
  // The values that a pass needs. `at`, `i`: the first cell that it updates, and its place.
  // `pass`: its number where that may be negative; null: it is not.
  void compute(const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i,
               const kernel::ExprPtr& pass, Names& names, kernel::Body& body) const;
  // What a cell reads of them: the one with that number, of which `at` are the coordinates.
  CellContext read(int number, const std::vector<kernel::ExprPtr>& at) const;
  // And of fields, at an offset from the first cell, where that is kept; else null.
  kernel::ExprPtr held(const ir::Read& read) const;
  // The pass is over.
  void move_on(kernel::Body& body) const;

 private:
  using Instance = plan::StreamedValues::Instance;
  struct Kept {  // a column of a value
    plan::StreamedValues::Column column;
    std::vector<std::string> names;  // from `low` on
    kernel::Type type = kernel::Type::index;
    kernel::ExprPtr at(int along) const { return kernel::var(names[along - column.low], type); }
  };

  const plan::StreamedValues& of_variant() const { return variant_.inside ? streamed_ : at_edge_; }
  const Kept& kept(int value, const ir::Offset& offset) const;
  // The value beside a cell of the pass, so many columns to the right of the first one and `ahead`
  // rows further.
  kernel::ExprPtr known(int value, ir::Offset offset, const ir::Offset& beside, int ahead,
                        int number) const;
  CellContext hand_over(const std::vector<plan::StagedRead>& reads, const ir::Offset& beside,
                        int ahead, int number) const;
  // What is kept of fields for such a cell near the boundary, which stands at these coordinates.
  CellContext::Staged staged_of(const std::vector<kernel::ExprPtr>& at, const ir::Offset& beside,
                                int ahead, int number) const;
  // How far before its first row a block inside loads, and behind its last one.
  ir::Reach margin();
  void add_windows(Names& names);
  void load_windows(const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i, Names& names,
                    kernel::Body& body) const;
  std::vector<ir::Read> loads_of(const Instance& one) const;
  int first_row() const;
  bool needed_alike(const Instance& a, const Instance& b) const;
  // Values that are computed for the same cells.
  void compute_some(const std::vector<const Instance*>& group, int number,
                    const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i,
                    const kernel::ExprPtr& pass, Names& names, kernel::Body& body) const;
  void take(const Kept& beside, kernel::Body& body) const;
  kernel::ExprPtr is_needed(const plan::StagedValue& value, const std::vector<kernel::ExprPtr>& at,
                            Names& names, kernel::Body& body) const;

  const Context& context_;
  const int axis_;                           // the streamed one, or -1
  plan::StreamedValues streamed_, at_edge_;  // in blocks inside, and in others
  plan::Schedule schedule_;
  kernel::ExprPtr updates_;
  Variant variant_;
  std::vector<kernel::ExprPtr> columns_;  // where the thread's cells stand along x
  std::vector<Kept> kept_;
  std::vector<Window> windows_;
  int early_ = 0;
};

}  // namespace stencilc::lower
