// Temporal blocking by blocks that march: all time steps of a launch at once, each behind the last.
//
// before   a launch for each step: load the planes around z, compute plane z, store it
// after    for each plane n: what plane n-1 of t, n-2 of t+1, ... adds to sums, with the rows that
//                              other warps have lent
//                            load plane n of t
//                            step 1 completes plane n-1 of t+1 by the cells of plane n of t,
//                            step 2 completes plane n-2 of t+2 by those of plane n-1 of t+1 ...
//                            store plane n-steps of t+steps
//                            lend the rows at the ends of the warps; wait once for all
//
// Where a sum takes cells beside the own one from its newest plane, too, it cannot be complete
// before these are lent: each time step is then one more plane behind the last.
#include "lower/climb.h"

#include <algorithm>

#include "lower/bodies.h"
#include "lower/climb_plane.h"
#include "lower/standing.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

namespace {

void append(Body& to, Body from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

class Climb {
 public:
  Climb(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        strip_(context, schedule, temporal) {}

  Body run(kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = context_.names.claim("degree");
    kernel.most_steps = temporal_.steps;
    kernel.tile[0] = temporal_.stored_lanes() * schedule_.vector;
    kernel.tile[1] = temporal_.stored_rows(schedule_);
    launch.least[0] =
        strip_.wraps(0) ? strip_.cells() : std::max(temporal_.left, temporal_.right) + 1;
    launch.least[1] = schedule_.threads[1] * schedule_.rows;
    at_.steps = kernel::var(kernel.steps);
    Body body = context_.invariants;
    strip_.lay_out(kernel, body);
    march(body);
    return body;
  }

 private:
  ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  bool reads_inputs() const { return strip_.fields.size() != context_.stencil.fields.size(); }
  // Does all lie inside that a warp computes, in x and y?
  ExprPtr declare_interior(Body& body) {
    const ir::Reach& margin = context_.launch.margin;
    body.push_back({kernel::Note{
        "Where nothing that a warp computes lies near the rim, no cell needs a check."}});
    ExprPtr inside = kernel::var(context_.aligned, kernel::Type::boolean);
    const auto within = [&](const ExprPtr& first, int cells, int axis) {
      inside = kernel::both(
          inside, kernel::both(kernel::bin(BinOp::ge, first, index(margin.low[axis])),
                               kernel::bin(BinOp::le, kernel::add(first, cells + margin.high[axis]),
                                           extent(axis))));
    };
    within(strip_.first_cell, strip_.cells(), 0);
    within(strip_.y, schedule_.rows, 1);
    return declare("interior", inside, context_.names, body);
  }

  void march(Body& body) {
    Names& names = context_.names;
    const std::string& z = context_.axes[2];
    const ir::Reach& margin = context_.launch.margin;
    const int ahead = schedule_.ahead;
    ClimbPlane plane_text(context_, schedule_, temporal_, strip_);
    plane_text.declare_registers(body);
    const ExprPtr interior = declare_interior(body);
    const ExprPtr first = declare(
        "first_plane",
        kernel::bin(BinOp::sub, strip_.first, kernel::mul(at_.steps, index(temporal_.behind))),
        names, body);
    at_.place = declare("place", index(0), names, body, true);
    at_.turn = declare("turn", index(0), names, body, true);
    for (int n = 0; n < ahead; ++n) body.push_back(strip_.ask(kernel::add(first, n), index(n)));
    const ExprPtr last = kernel::mul(at_.steps, index(temporal_.back()));
    For loop{For::plain,
             names.claim("n"),
             kernel::Type::index,
             first,
             kernel::add(strip_.behind, last),
             {},
             nullptr,
             nullptr};
    at_.n = kernel::var(loop.name);
    Body& plane = loop.body;
    plane.push_back(strip_.ask(kernel::add(at_.n, ahead),
                               pick(kernel::bin(BinOp::ge, at_.place, index(2)),
                                    kernel::add(at_.place, -2), kernel::add(at_.place, ahead))));
    const ExprPtr low = kernel::add(last, margin.low[2] + 1);
    int beyond = std::max(margin.high[2], temporal_.held) - temporal_.back();
    beyond = std::max(beyond, plane_text.passing());
    planes_inside_ = declare(
        "inside_" + z,
        kernel::both(kernel::bin(BinOp::ge, at_.n, low),
                     kernel::bin(BinOp::lt, at_.n, kernel::add(extent(2), -std::max(0, beyond)))),
        names, plane);
    append(plane, texts(interior, plane_text));
    const auto turn = [&](const ExprPtr& which, const ExprPtr& value) {
      plane.push_back({kernel::Assign{kernel::as<kernel::Var>(which)->name, value}});
    };
    turn(at_.place, pick(kernel::bin(BinOp::eq, at_.place, index(ahead + 1)), index(0),
                         kernel::add(at_.place, 1)));
    turn(at_.turn, kernel::bin(BinOp::sub, index(1), at_.turn));
    plane.push_back({kernel::Meet{}});
    body.push_back({std::move(loop)});
  }

  // A plane inside, one with ends near the rim, and one near the ends of the march.
  Body texts(const ExprPtr& interior, ClimbPlane& plane) {
    const ExprPtr inside = kernel::both(interior, planes_inside_);
    if (serves_both(context_) && !reads_inputs()) {
      const std::string name = context_.names.claim("cells");
      context_.edge = context_.names.claim("edge");
      const std::string ends = context_.names.claim("ends");
      kernel::Twice twice{name, context_.edge, inside, plane.text(at_, true, true, ends),
                          edge_note(context_)};
      context_.edge.clear();
      if (kernel::used_names(twice.body).count(ends)) {
        twice.second = ends;
        twice.second_condition = planes_inside_;
      }
      return {{std::move(twice)}};
    }
    kernel::If planes{planes_inside_, {}, plane.text(at_, true, true, "")};
    planes.yes.push_back({kernel::If{interior, plane.text(at_, false, false, ""),
                                     plane.text(at_, true, false, "")}});
    return {{std::move(planes)}};
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  Strip strip_;
  ClimbPlace at_;
  ExprPtr planes_inside_;
};

}  // namespace

Body lower_climb(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
                 kernel::Launch& launch) {
  return Climb(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
