// Planes of t-1 of a launch of several steps in space. A lane reads its own cells of them alone:
// they wait in shared memory, and no other lane has to know.
#include "lower/boundary/interior_split.h"
#include "lower/temporal/stream_3d/plane_steps.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

Before PlaneSteps::take_before(const std::set<int>& fields, int planes, const ExprPtr& k,
                               const ExprPtr& r, Names& names, Body& body) const {
  Before result;
  const int depth = temporal_.past(), back = depth > 0 ? planes % depth : 0;
  ExprPtr slot = at_.past;
  if (!slot)
    slot = index(0);
  else if (back > 0)
    slot = kernel::pick(kernel::bin(BinOp::lt, slot, index(back)), kernel::add(slot, depth - back),
                        kernel::add(slot, -back));
  for (const int field : fields) {
    const Stepped& one = tile_.rows.stepped(field);
    kernel::Buffer to = *one.before;
    to.name = names.claim(to.name);
    const ExprPtr row = tile_.layout.row_of(tile_.layout.warp, r);
    const auto copy = [&](const kernel::Buffer& from, const ExprPtr& from_row) {
      return Body{{kernel::Copy{to, index(0), from, tile_.layout.own(), schedule_.vector, 1,
                                nullptr, from_row}}};
    };
    body.push_back({kernel::Array{to}});
    body.push_back(
        {kernel::If{kernel::bin(BinOp::eq, k, index(0)),
                    copy(*one.before_ahead, tile_.rows.before_row(at_.prior, row)),
                    copy(one.past, tile_.rows.past_row(kernel::add(k, -1), slot, row))}});
    result[field] = to;
  }
  return result;
}

// What was there is what the time step behind has just read, or will no more. The sooner it is
// done, the sooner registers are free for sums.
void PlaneSteps::let_wait(const ExprPtr& k, const Names& names, Body& body) const {
  if (temporal_.before_bytes == 0) return;
  // Near the ends of the stream the last time step's may stand for planes beyond them.
  const ExprPtr more = kernel::bin(BinOp::lt, kernel::add(k, 1), at_.steps);
  const bool held = near_ends_ && temporal_.past_is_held();
  kernel::If waits{!held         ? more
                   : flags_.ends ? kernel::either(flags_.ends, more)
                                 : nullptr,
                   {},
                   {}};
  over_rows(names, waits.yes, [&](const ExprPtr& r, Names&, Body& to) {
    for (const Stepped& one : tile_.rows.fields)
      if (one.before)
        to.push_back(
            {kernel::Copy{one.past, tile_.layout.own(), one.row, index(0), schedule_.vector, 1,
                          tile_.rows.past_row(k, at_.past ? at_.past : index(0),
                                              tile_.layout.row_of(tile_.layout.warp, r)),
                          row_at(k, r)}});
  });
  if (waits.condition)
    body.push_back({std::move(waits)});
  else
    append(body, std::move(waits.yes));
}

}  // namespace stencilc::lower
