// Predicts how long pieces of a grid on several devices take for a leg, which is some steps and the
// copies of planes after them.
//
// Times are in seconds. Its costs are fitted to the legs of two H200s joined by NVLink
// (bench/results/2026-11-29-h200x2-all.txt, and -waits.txt for borders that are counted);
// docs/multi-gpu.md compares them with the measured efficiencies.
#pragma once

#include <cstdint>
#include <string_view>

namespace stencilc::plan {

// How a leg and the copies of planes follow each other: MeshForm of the runtime.
enum class LegForm {
  whole,    // all planes of a piece, then copies
  borders,  // first the planes that neighbours read, by launches of their own
  blocks,   // the same, counted in one launch
};
std::string_view name(LegForm form);

// What joins two devices that are neighbours.
struct Link {
  double bandwidth;  // bytes per second that a device sends
  double latency;    // of each copy
};
// Measured between GPUs of one host: copies of whole planes, and what each copy adds to a leg.
inline constexpr Link kNvlink = {334e9, 3.5e-6};
// Between hosts: 400 Gbit/s for each GPU by the data sheet; the latency is assumed, not measured.
inline constexpr Link kNetwork = {50e9, 10e-6};

// A leg of one piece; each device has one.
struct Leg {
  LegForm form = LegForm::whole;
  int devices = 2;        // of a host
  int64_t planes = 1;     // of the piece
  int64_t steps = 1;      // of the leg
  double compute = 0;     // for the planes of the piece, as a grid of its own
  int64_t step_more = 0;  // planes that it computes beside the window for each further step
  int64_t border = 0;     // planes that a neighbour reads
  int sides = 1;          // neighbours
  int to_hosts = 0;       // of these, on other hosts
  int copies = 1;         // to each of them
  int64_t bytes = 0;      // to each of them
  int launches = 1;       // of the leg, if all planes of a piece are computed together
  bool graph = false;     // are legs recorded and replayed?
  bool wraps = false;     // is the axis that is cut periodic?
};

// The parts of its time.
struct LegTime {
  double compute = 0;   // as given
  double twice = 0;     // planes that a neighbour computes, too
  double exchange = 0;  // beyond that: what copies and what comes with them add
  double device = 0;    // of these together
  double host = 0;      // what one thread needs to ask for the legs of all pieces
  double leg() const { return device > host ? device : host; }
};
LegTime time_of(const Leg& leg);

// The form that the mesh chooses. `cells`: of a plane. `splits`: may parts of a piece be computed
// side by side? `counts`: can a launch count the planes at the borders?
LegForm chosen_form(const Leg& leg, int64_t cells, bool splits, bool counts);

// The time of one device over that of all, times their number where they share one grid.
double efficiency(double one, const LegTime& leg, int devices, bool shared);

}  // namespace stencilc::plan
