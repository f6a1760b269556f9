#include "plan/model/mesh_leg.h"

#include <algorithm>

namespace stencilc::plan {
namespace {

// Kernels for pieces take so much longer than those for whole grids: about what a mesh of one piece
// loses.
constexpr double kWindow = 1.015;

// Where all planes come first: from the end of one launch to the begin of the next, with the waits
// of two streams between them, but without the copies.
constexpr double kHandOver = 10e-6;

// What legs take longer whose copies run beside the inner planes: for their launches and waits, and
// for each copy, which takes some of the memory's bandwidth.
struct Beside {
  double leg, copy;
  double border;  // planes computed twice, for each that a whole piece computes twice
};
constexpr Beside kByLaunches = {4e-6, 1.5e-6, 4};
constexpr Beside kCounted = {2e-6, 0.3e-6, 1};
// Around a periodic axis, where the first blocks have one of two borders.
constexpr Beside kByFirstBlocks = {3e-6, 1.5e-6, 1.75};

// What the thread of the caller needs for a piece and leg: for waits and events, for a launch, and
// for a copy; and for a piece of a recorded leg and its copies.
constexpr double kFeedPiece = 2e-6, kFeedLaunch = 3e-6, kFeedCopy = 2e-6;
constexpr double kReplayPiece = 1e-6, kReplayCopy = 1.2e-6;
constexpr int kPartsOfBorders = 3;  // two borders and the inner planes

double host_time(const Leg& leg) {
  const int copies = leg.sides * leg.copies;
  if (leg.graph) return leg.devices * (kReplayPiece + kReplayCopy * copies);
  const int parts = leg.form == LegForm::borders ? kPartsOfBorders : 1;
  return leg.devices * (kFeedPiece + kFeedLaunch * parts * leg.launches + kFeedCopy * copies);
}

// For the copies to so many neighbours, if there was nothing beside them.
double copy_time(const Leg& leg, int sides, const Link& link) {
  return sides * (leg.copies * link.latency + static_cast<double>(leg.bytes) / link.bandwidth);
}

}  // namespace

std::string_view name(LegForm form) {
  switch (form) {
    case LegForm::whole:
      return "whole";
    case LegForm::borders:
      return "borders";
    case LegForm::blocks:
      return "blocks";
  }
  return "";
}

LegTime time_of(const Leg& leg) {
  LegTime time;
  time.compute = kWindow * leg.compute;
  time.host = host_time(leg);
  if (leg.sides == 0 || leg.bytes == 0) {
    time.device = time.compute;
    return time;
  }
  const double plane = time.compute / static_cast<double>(leg.planes);
  // The first step of a leg computes the most planes beside the window, the last one none; launches
  // of several steps go through all of them.
  const double more = plane * leg.sides * static_cast<double>((leg.steps - 1) * leg.step_more);
  const int copies = leg.sides * leg.copies;
  // Links to other hosts work beside those of the host.
  const double copying = std::max(copy_time(leg, leg.sides - leg.to_hosts, kNvlink),
                                  copy_time(leg, leg.to_hosts, kNetwork));
  if (leg.form == LegForm::whole) {
    time.twice = more;
    time.exchange = kHandOver + copying;
    time.device = time.compute + time.twice + time.exchange;
    return time;
  }
  const bool late = leg.form == LegForm::blocks && !leg.wraps;  // is the high end the last?
  const Beside& beside = late                           ? kCounted
                         : leg.form == LegForm::borders ? kByLaunches
                                                        : kByFirstBlocks;
  time.twice = beside.border * more;
  time.exchange = beside.leg + beside.copy * copies;
  // The copies may take longer than what runs beside them.
  const double border = plane * leg.sides * static_cast<double>(leg.border) + more;
  // A piece follows the one before it by a whole leg and a copy, and that one follows it by its
  // border and a copy: two legs take as long as both.
  const double computed = late ? (time.compute + border) / 2 : border;
  time.device = std::max(time.compute + time.twice + time.exchange, computed + kHandOver + copying);
  time.exchange = time.device - time.compute - time.twice;
  return time;
}

LegForm chosen_form(const Leg& leg, int64_t cells, bool splits, bool counts) {
  // As in runtime/include/stencil/mesh_cuda.h.
  constexpr int64_t kAhead = 2, kLong = int64_t{1} << 30;
  if (!splits || leg.sides == 0 || leg.border == 0 || leg.planes <= 2 * (leg.border + kAhead))
    return LegForm::whole;
  const bool is_long = cells * leg.planes >= kLong / leg.steps;
  if (counts && !(leg.wraps && is_long)) return LegForm::blocks;
  return is_long ? LegForm::whole : LegForm::borders;
}

double efficiency(double one, const LegTime& leg, int devices, bool shared) {
  return leg.leg() > 0 ? one / (leg.leg() * (shared ? devices : 1)) : 0;
}

}  // namespace stencilc::plan
