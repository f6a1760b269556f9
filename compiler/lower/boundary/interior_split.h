// What a launch computes inside the grid and near its boundary: which cells are inside, and whether
// one variant serves both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lower/cell/cell.h"

namespace stencilc::lower {

// The interior of a grid: the cells all of whose reads stay inside.
class InteriorSplit {
 public:
  // By how far cells read in each direction, or as those of the launch do.
  InteriorSplit(const Context& context, const ir::Reach& margin)
      : context_(context), margin_(margin) {}
  explicit InteriorSplit(const Context& context) : InteriorSplit(context, context.launch.margin) {}

  // Are there cells outside of it? If not, no cell is an edge cell.
  bool has_edges() const { return margin_.low != ir::Offset{} || margin_.high != ir::Offset{}; }
  const ir::Reach& margin() const { return margin_; }
  // Its first cell along an axis, and the end of its cells: of the grid, and those in the box that
  // is computed.
  kernel::ExprPtr first(int axis) const { return kernel::index(margin_.low[axis]); }
  kernel::ExprPtr end(int axis) const {
    return kernel::add(context_.box.extent(axis), -margin_.high[axis]);
  }
  kernel::ExprPtr first_in_box(int axis) const {
    return context_.box.not_before(axis, first(axis));
  }
  kernel::ExprPtr end_in_box(int axis) const { return context_.box.not_behind(axis, end(axis)); }
  // Is a cell one of its along the axis? Null: all are.
  kernel::ExprPtr has(int axis, const kernel::ExprPtr& at) const;
  // Are those from `first` to before `end`? `first` null: they begin there.
  kernel::ExprPtr holds(int axis, const kernel::ExprPtr& first, const kernel::ExprPtr& end) const;

 private:
  const Context& context_;
  const ir::Reach margin_;
};

// What the cells of a launch compute: all of them, or (`edges` false) those whose reads stay
// inside.
std::vector<ir::ExprPtr> values_of(const Context& context, bool edges);

// Does an edge cell compute t+1 of other cells? It then reads cell by cell.
bool recomputes(const Context& context);

// Is what an edge cell computes what any cell does, under a condition?
bool serves_both(const Context& context);
// Is a value made of t+1 at cells where that is still t, because fewer are assigned? These have to
// be known before it is computed.
bool reads_unassigned(const Context& context);

// The flags of a variant that serves both, as names: is it for what is not inside, and a further
// one. Empty: there are none.
struct VariantFlags {
  std::string edge, further;
  operator EdgeFlags() const { return {edge, further}; }
};
// How inside and not inside are told apart.
struct Halves {
  kernel::ExprPtr inside;    // the condition
  bool one_variant = false;  // does one variant serve both?
  // Of such a variant: a further flag, and what both flags are where a block is not inside, but
  // this condition holds. The text is compiled once more for it.
  struct Between {
    std::string flag;
    kernel::ExprPtr condition;
    std::vector<bool> flags;
  };
  std::optional<Between> between = std::nullopt;
  // Are the vectors of what is inside aligned? Null: they are. A variant that serves both is
  // compiled once more for those that are not; it moves values one by one.
  kernel::ExprPtr aligned = nullptr;
  bool noted = true;  // does a comment name the kinds of boundary?
};
// The statements of what is inside and of what is not (`edges`).
kernel::Body inside_or_not(
    const Context& context, const Halves& halves,
    const std::function<kernel::Body(bool edges, const VariantFlags& flags)>& cells);

// "Edge blocks: `clamp` for u, `zero` and `periodic` for v."
std::string edge_note(const Context& context, const std::string& what = "Edge blocks");

// Do the statements read or write anything but registers and what is passed by value?
bool touch_memory(const Context& context, const kernel::Body& body);

}  // namespace stencilc::lower
