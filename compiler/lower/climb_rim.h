// What stands for planes beyond the ends of the march of a launch of several steps.
#pragma once

#include <vector>

#include "lower/panes.h"
#include "lower/strip.h"

namespace stencilc::lower {

class ClimbRim {
 public:
  ClimbRim(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
           const Strip& strip)
      : context_(context), schedule_(schedule), temporal_(temporal), strip_(strip) {}

  // Is all that a step assigns one box of cells, less than the grid? And does a cell lie in it?
  bool one_box() const;
  kernel::ExprPtr in_box(const std::vector<kernel::ExprPtr>& at) const;
  // Does the first plane of a time step stand for those before it?
  bool has_first() const { return temporal_.behind > 0 && temporal_.held > 0; }
  // Declares registers for a plane before the first one, as those of the panes.
  std::vector<Pane> planes_before(const std::vector<Pane>& panes, Names& names,
                                  kernel::Body& body) const;
  // Makes plane z, which is below 0, by plane 0 in `panes`.
  void fill_before(const std::vector<Pane>& panes, const std::vector<Pane>& before, int z,
                   const Names& names, kernel::Body& body) const;
  // Keeps plane z of time step t+k, whose first row is `row` of the registers, if planes behind the
  // last one stand for it, and makes it if it is one of these.
  kernel::Body hold(const kernel::ExprPtr& z, const kernel::ExprPtr& k, const kernel::ExprPtr& row,
                    const Names& names) const;

 private:
  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const Strip& strip_;
};

}  // namespace stencilc::lower
