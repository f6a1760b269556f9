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

  // Declares what is kept from pass to pass. `inside`: no cell reads beyond the grid, so that
  // fields that are read in several rows are kept as well.
  void declare(bool inside, Names& names, kernel::Body& body);
  // The values that a pass needs. `at`, `i`: the cell that it updates, and its place. `pass`: its
  // number where that may be negative; null: it is not.
  void compute(const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i, bool inside,
               const kernel::ExprPtr& pass, Names& names, kernel::Body& body) const;
  // What the cell in work reads of them.
  CellContext read() const;
  // And of fields, where that is kept; else null.
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

  const Kept& kept(int value, const ir::Offset& offset) const;
  CellContext hand_over(const std::vector<plan::StagedRead>& reads, const ir::Offset& beside,
                        int ahead) const;
  // How far before its first row a block inside loads, and behind its last one.
  ir::Reach margin();
  void add_windows(Names& names);
  int first_row() const;
  bool needed_alike(const Instance& a, const Instance& b) const;
  // Values that are computed for the same cells.
  void compute_some(const std::vector<const Instance*>& group,
                    const std::vector<kernel::ExprPtr>& at, const kernel::ExprPtr& i, bool inside,
                    const kernel::ExprPtr& pass, Names& names, kernel::Body& body) const;
  void take(const Kept& beside, bool inside, kernel::Body& body) const;
  kernel::ExprPtr is_needed(const plan::StagedValue& value, const std::vector<kernel::ExprPtr>& at,
                            Names& names, kernel::Body& body) const;

  const Context& context_;
  const int axis_;  // the streamed one, or -1
  plan::StreamedValues streamed_;
  plan::Schedule schedule_;
  kernel::ExprPtr updates_;
  std::vector<Kept> kept_;
  std::vector<Window> windows_;
  int early_ = 0;
};

}  // namespace stencilc::lower
