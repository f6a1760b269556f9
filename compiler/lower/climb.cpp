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
#include <array>
#include <set>

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
    kernel.tile[0] = temporal_.stored_cells(schedule_.vector);
    kernel.tile[1] = temporal_.stored_rows(schedule_);
    launch.least[0] =
        strip_.wraps(0) ? strip_.cells() : std::max(temporal_.left, temporal_.right) + 1;
    launch.least[1] =
        schedule_.threads[1] * schedule_.rows + (strip_.wraps(1) ? temporal_.above : 0);
    if (strip_.wraps(2))
      launch.least[2] =
          temporal_.steps * std::max(temporal_.behind, temporal_.back()) + schedule_.ahead;
    if (schedule_.whole) launch.most = strip_.cells();
    at_.steps = kernel::var(kernel.steps);
    Body body = context_.invariants;
    strip_.lay_out(kernel, body);
    march(body);
    return body;
  }

 private:
  ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  bool reads_inputs() const { return strip_.fields.size() != context_.stencil.fields.size(); }
  // Does one text serve all warps and planes?
  bool is_one_text() const { return serves_both(context_) && !reads_inputs(); }
  bool limits(int axis) const {
    return ClimbRim(context_, schedule_, temporal_, strip_).limits(axis);
  }
  // Is it the same near the ends of an axis, too, because what lies beyond is loaded as any other?
  bool goes_round(int axis) const {
    if (!is_one_text() || !strip_.wraps(axis) || limits(axis)) return false;
    return std::none_of(strip_.fields.begin(), strip_.fields.end(), [&](const Stepped& one) {
      const auto& sides = context_.stencil.fields[one.field].boundary.sides[axis];
      return plan::is_open(sides[0]) || plan::is_open(sides[1]);
    });
  }
  // Does all lie inside that a warp computes, along x or y?
  ExprPtr within(const ExprPtr& first, int cells, int axis) const {
    const ir::Reach& margin = context_.launch.margin;
    return kernel::both(
        kernel::bin(BinOp::ge, first, index(margin.low[axis])),
        kernel::bin(BinOp::le, kernel::add(first, cells + margin.high[axis]), extent(axis)));
  }
  // Are rows beyond the ends along y read as all others, because they stand among them?
  bool lends_all() const {
    if (!is_one_text() || limits(1)) return false;
    const auto open = [&](const Stepped& one, int end) {
      return plan::is_open(context_.stencil.fields[one.field].boundary.sides[1][end]) &&
             !strip_.lends_beyond(one.field, end);
    };
    return std::none_of(strip_.fields.begin(), strip_.fields.end(),
                        [&](const Stepped& one) { return open(one, 0) || open(one, 1); });
  }
  void declare_standing(Body& body) {
    Names& names = context_.names;
    const ExprPtr aligned = kernel::var(context_.aligned, kernel::Type::boolean);
    const ExprPtr inside_x =
        declare("inside_" + context_.axes[0],
                kernel::both(aligned, within(strip_.first_cell, strip_.cells(), 0)), names, body);
    const ExprPtr inside_y = goes_round(1) || lends_all()
                                 ? nullptr
                                 : declare("inside_" + context_.axes[1],
                                           within(strip_.y, schedule_.rows, 1), names, body);
    if (!is_one_text()) {
      body.push_back({kernel::Note{
          "Where nothing that a warp computes lies near the rim, no cell needs a check."}});
      interior_ = declare("interior", kernel::both(inside_x, inside_y), names, body);
      return;
    }
    body.push_back({kernel::Note{
        "What a warp computes lies inside, near ends of rows that vectors fill, or anywhere."}});
    const ExprPtr even = kernel::both(
        aligned, kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, extent(0), index(schedule_.vector)),
                             index(0)));
    ExprPtr near = pick(inside_x, index(0), pick(even, index(1), index(2)));
    if (inside_y) near = pick(inside_y, near, index(2));
    near_ = declare("near", near, names, body);
  }

  void march(Body& body) {
    Names& names = context_.names;
    const std::string& z = context_.axes[2];
    const ir::Reach& margin = context_.launch.margin;
    const int ahead = schedule_.ahead;
    ClimbPlane plane_text(context_, schedule_, temporal_, strip_);
    plane_text.declare_registers(body);
    declare_standing(body);
    const ExprPtr first = declare(
        "first_plane",
        kernel::bin(BinOp::sub, strip_.first, kernel::mul(at_.steps, index(temporal_.behind))),
        names, body);
    at_.place = declare("place", index(0), names, body, true);
    // Before the first plane nothing came: that place is no one's yet, and its cells are no matter.
    at_.before = declare("before", index(ahead + 1), names, body, true);
    at_.turn = declare("turn", index(0), names, body, true);
    const int past = temporal_.past();
    if (past > 1) at_.past = declare("past", index(0), names, body, true);
    if (past > 0) at_.prior = declare("prior", index(0), names, body, true);
    for (int n = 0; n < ahead; ++n)
      body.push_back(strip_.ask(kernel::add(first, n), index(n), past > 0 ? index(n) : nullptr));
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
                                    kernel::add(at_.place, -2), kernel::add(at_.place, ahead)),
                               !at_.prior ? nullptr
                                          : pick(kernel::bin(BinOp::eq, at_.prior, index(0)),
                                                 index(ahead), kernel::add(at_.prior, -1))));
    const ExprPtr low = kernel::add(last, margin.low[2] + 1);
    int beyond = std::max(margin.high[2], temporal_.held) - temporal_.back();
    beyond = std::max(beyond, plane_text.passing());
    if (!goes_round(2))
      planes_inside_ = declare(
          "inside_" + z,
          kernel::both(kernel::bin(BinOp::ge, at_.n, low),
                       kernel::bin(BinOp::lt, at_.n, kernel::add(extent(2), -std::max(0, beyond)))),
          names, plane);
    append(plane, texts(plane_text));
    const auto turn = [&](const ExprPtr& which, const ExprPtr& value) {
      plane.push_back({kernel::Assign{kernel::as<kernel::Var>(which)->name, value}});
    };
    turn(at_.before, at_.place);
    turn(at_.place, pick(kernel::bin(BinOp::eq, at_.place, index(ahead + 1)), index(0),
                         kernel::add(at_.place, 1)));
    turn(at_.turn, kernel::bin(BinOp::sub, index(1), at_.turn));
    const auto next = [&](const ExprPtr& which, int places) {
      turn(which,
           pick(kernel::bin(BinOp::eq, which, index(places - 1)), index(0), kernel::add(which, 1)));
    };
    if (at_.prior) next(at_.prior, ahead + 1);
    if (at_.past) next(at_.past, past);
    plane.push_back({kernel::Meet{}});
    body.push_back({std::move(loop)});
  }

  // A plane inside, one with ends near the rim, and one near the ends of the march.
  Body texts(ClimbPlane& plane) {
    if (is_one_text()) return one_text(plane);
    kernel::If planes{planes_inside_, {}, plane.text(at_, true, true, {})};
    planes.yes.push_back({kernel::If{interior_, plane.text(at_, false, false, {}),
                                     plane.text(at_, true, false, {})}});
    return {{std::move(planes)}};
  }

  // One text for all, compiled for each of the places where a warp can stand: with the flags alone
  // that it uses, and where texts are the same for the last of them.
  Body one_text(ClimbPlane& plane) {
    const std::string name = context_.names.claim("cells");
    context_.edge = context_.names.claim("edge");
    const std::array names = {context_.edge, context_.names.claim("corner"),
                              context_.names.claim("ends")};
    const auto flag = [&](int n) { return kernel::var(names[n], kernel::Type::boolean); };
    Body body = plane.text(at_, true, true, {flag(0), flag(1), flag(2)});
    context_.edge.clear();
    const std::set<std::string> used = kernel::used_names(body);
    kernel::Twice twice;
    std::vector<int> flags;
    for (int n = 0; n < 3; ++n)
      if (used.count(names[n])) flags.push_back(n);
    twice.name = name;
    twice.flag = names[flags[0]];
    for (size_t n = 1; n < flags.size(); ++n) twice.further.push_back(names[flags[n]]);
    twice.body = std::move(body);
    twice.note = edge_note(context_);
    // In the n-th text n flags hold; in the last one all.
    const auto values = [&](int text) {
      std::vector<bool> result;
      for (const int n : flags) result.push_back(n < text);
      return result;
    };
    for (int text = 0; text < 3; ++text) {
      if (values(text) == values(text + 1)) continue;
      const ExprPtr here = text == 2   ? nullptr
                           : text == 0 ? kernel::bin(BinOp::eq, near_, index(0))
                                       : kernel::bin(BinOp::le, near_, index(text));
      const ExprPtr condition = kernel::both(here, planes_inside_);
      if (!twice.condition)
        twice.condition = condition;
      else if (condition)
        twice.texts.push_back({condition, values(text)});
    }
    return {{std::move(twice)}};
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  Strip strip_;
  ClimbPlace at_;
  // Where a warp stands: a number, or does it stand inside? And are planes inside? Null: they are.
  ExprPtr near_, interior_, planes_inside_;
};

}  // namespace

Body lower_climb(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
                 kernel::Launch& launch) {
  return Climb(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
