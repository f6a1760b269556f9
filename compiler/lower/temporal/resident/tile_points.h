// Sources and receivers of blocks that hold a resident tile: which of a thread's cells they belong
// to is found once, and each time step then adds to these cells, or stores what is there.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernel/module.h"
#include "lower/temporal/common/temporal_tile.h"
#include "lower/temporal/resident/tile_registers.h"

namespace stencilc::lower {

class TilePoints {
 public:
  TilePoints(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
             const TemporalTile& tile, const std::vector<Held>& held)
      : context_(context), schedule_(schedule), temporal_(temporal), tile_(tile), held_(held) {}

  // What the kernel takes for them: sorted entries, shares, and where samples go for each step.
  void take(kernel::Module& module, kernel::Launch& launch);
  // Declares sets of a thread's cells: of those that a list has points at.
  void mark(kernel::Body& body);
  // Adds to what step k has made, in the order of the statements and of each list. This and
  // sample() take a name of the body for each value that asks for the number of the step.
  void inject(const kernel::ExprPtr& k, Names& names, kernel::Body& body);
  // Stores the values of the samples that are taken before the updates of step k, or after them.
  void sample(bool after, const kernel::ExprPtr& k, Names& names, kernel::Body& body);

 private:
  // The entries of a list. `stored`: of the cells alone that the thread stores.
  struct List {
    int points = 0;
    bool stored = false;
    kernel::Type type = kernel::Type::f32;  // of the shares
    kernel::Buffer entries, weight;
    std::string count, here;
  };
  // A cell of a thread, which of them is found at run time.
  struct Found {
    kernel::ExprPtr number, i, key;
    std::vector<kernel::ExprPtr> at;
  };

  List& list_of(int points, ir::Type type, bool stored);
  int cells() const { return schedule_.vector * schedule_.rows * schedule_.planes; }
  kernel::ExprPtr extent(int axis) const { return context_.box.extent(axis); }
  std::vector<kernel::ExprPtr> place(const kernel::ExprPtr& number, Names& names,
                                     kernel::Body& body) const;
  kernel::ExprPtr key_of(const std::vector<kernel::ExprPtr>& at) const;
  kernel::ExprPtr any_near(const List& list, kernel::Body& body);
  kernel::ExprPtr is_stored(const std::vector<kernel::ExprPtr>& at) const;
  kernel::For over_cells(const List& list, Names& names, Found& found) const;
  kernel::For over_entries(const List& list, const Found& found, Names& names,
                           kernel::ExprPtr& number) const;
  const Held& held(int field, int level) const;
  template <class Make>
  void over_registers(const kernel::ExprPtr& number, Names names, kernel::Body& body,
                      const Make& make) const;
  kernel::ExprPtr value_in(const Held& one, const kernel::ExprPtr& number,
                           const std::string& wanted, Names& names, kernel::Body& body) const;
  void read_values(const ir::ExprPtr& value, const Found& found, Names& names, kernel::Body& body);
  kernel::ExprPtr value_at(const Context& own, const CellContext& here, const ir::ExprPtr& value,
                           const Found& found, Names& names, kernel::Body& body) const;

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const TemporalTile& tile_;
  const std::vector<Held>& held_;
  std::vector<List> lists_;
  kernel::ExprPtr end_;                                // of the tile, along the last axis
  std::vector<kernel::Buffer> sampled_;                // by sample
  std::map<std::pair<int, int>, kernel::ExprPtr> at_;  // by field and level: of the cell in work
};

}  // namespace stencilc::lower
