// What --explain says of pieces of a grid: what a leg reads, what neighbours exchange, and how
// efficient several GPUs are predicted to be.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/pipeline/compile.h"
#include "plan/model/mesh_leg.h"
#include "plan/model/one_step.h"

namespace stencilc::driver {

// What a leg reads of a field beside its window.
struct LegField {
  std::string name;
  bool cut = true;         // does the field have the axis that is cut?
  bool exchanged = false;  // after each leg; others are copied once
  int64_t low = 0, high = 0;
};

struct Pieces {
  int devices = 0;
  std::string axis;    // that is cut
  std::string planes;  // cells, rows or planes
  bool waits = false;  // do all pieces wait for each other after each step, for a reduction?
  std::array<int64_t, 3> extents = {};
  int64_t steps = 0;                // of a leg; 0: the pieces are too thin
  int64_t thinnest = 0, least = 0;  // planes of a piece, and what its neighbours read for one step
  std::vector<LegField> fields;
  int copies = 0;                             // of planes to a neighbour
  int64_t bytes_before = 0, bytes_after = 0;  // to the neighbour in front and behind, each leg
};
// For a program that is emitted with --distributed.
Pieces pieces_of(const Compiled& compiled, const CompileOptions& options);

// Devices that share a grid of `extents`, or each have one.
struct MeshForecast {
  bool shared = true;
  std::string why_not;  // there is no prediction; otherwise empty
  plan::Leg leg;
  plan::LegTime time;
  double one = 0;  // seconds of as many steps on one device
  double efficiency = 0;
};
// Both of them. `alone`: the forecast of one device.
std::vector<MeshForecast> mesh_forecasts(const Compiled& compiled, const ir::Stencil& stencil,
                                         const plan::Device& device, const plan::Forecast& alone,
                                         const Pieces& pieces);

// GPUs of one host, at most: more are taken to be several hosts.
inline constexpr int kHostDevices = 8;

}  // namespace stencilc::driver
