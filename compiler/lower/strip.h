// Where the warps of a launch of several steps stand, and how rows come to them and wait.
#pragma once

#include <string>
#include <vector>

#include "lower/panes.h"
#include "plan/temporal.h"

namespace stencilc::lower {

// A field that is stepped.
struct Stepped {
  int field = 0;
  kernel::Buffer row;      // a thread's part of the row in work
  kernel::Buffer ahead;    // of the block: rows that are on their way
  kernel::Buffer held;     // and those that wait for what they stand for beyond the rim
  std::string at;          // the function of a cell of t, wherever it lies, or of its place
  kernel::ExprPtr beyond;  // with places: what is in none
  std::string held_at;     // of a later time step, beyond the ends of the march
};

class Strip {
 public:
  Strip(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context), schedule_(schedule), temporal_(temporal) {}

  // Declares all of it.
  void lay_out(kernel::Body& body);

  static constexpr int kLanes = 32;
  int cells() const { return kLanes * schedule_.vector; }
  kernel::ExprPtr own() const;  // a lane's first cell, from that of the strip on
  kernel::ExprPtr in_rows(const kernel::ExprPtr& y) const;
  const Stepped& stepped(int field) const;

  // Asks for a row, which is to lie in the place of the ring; and where it then lies.
  kernel::Stmt ask(const kernel::ExprPtr& row, const kernel::ExprPtr& place) const;
  kernel::ExprPtr ahead_row(const kernel::ExprPtr& place) const;
  // Where row y of time step t+k waits.
  kernel::ExprPtr held_row(const kernel::ExprPtr& y, const kernel::ExprPtr& k) const;
  // Makes what stands beside the first and the last cell of a row, by what the row holds: `sides`
  // are those of a field, in row y.
  kernel::Body columns(int field, const kernel::Sides& sides, const kernel::ExprPtr& y,
                       const Names& names);

  std::vector<Stepped> fields;
  kernel::ExprPtr first_cell;     // of the strip
  kernel::ExprPtr x;              // of a lane
  kernel::ExprPtr first, behind;  // the rows that the warp stores
  kernel::ExprPtr whole;          // does all of a lane's vector lie in the grid?
  kernel::ExprPtr stores;         // does a lane store? Null: all do

 private:
  kernel::ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  int depth() const { return schedule_.ahead + 1; }
  void stand(kernel::Body& body);
  kernel::Buffer shared(const std::string& name, kernel::Type element, int rows);
  void name_rows(kernel::Body& body);
  void declare_at(Stepped& one, kernel::Body& body);
  kernel::Local cell_of_held(const Stepped& one);
  void declare_ask(kernel::Body& body);

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  std::string ask_;
  kernel::ExprPtr lane_, warp_;
};

}  // namespace stencilc::lower
