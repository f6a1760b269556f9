// A compiled stencil, called on arrays of the host.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "data/array.h"
#include "driver/execute/library.h"

namespace stencilc::driver {

// What a call takes and gives: the levels of each field, newest first, fields as declared; values
// of params, weights and reductions.
struct HostData {
  data::Extents extents;
  std::vector<data::Array> buffers;
  std::vector<ir::Scalar> params;
  std::vector<std::vector<ir::Scalar>> weights;
  std::vector<ir::Scalar> reductions;
  std::vector<std::vector<std::array<double, ir::kMaxRank>>> points;  // places, for each list
  std::vector<std::vector<ir::Scalar>> series;                        // [series][t * points + p]
  std::vector<bool> linear;                                           // [points]
  int64_t series_steps = 0;
  int64_t first = 0;  // the number of the first step
  int64_t steps_taken = 0;
  std::vector<std::string> notes;  // on the inputs, for the user
};

// The extents of a field: those of the axes it has.
data::Extents extents_of(const ir::Field& field, const data::Extents& extents);

// The cells beyond each end of the axes it has that an array of the field holds: ir::ghost_halo.
data::Extents halo_of(const ir::Stencil& stencil, size_t field);
// The extents with them: those of an array of the field.
data::Extents array_extents(const ir::Stencil& stencil, size_t field, const data::Extents& extents);

data::Element element_of(ir::Type type);

// Calls the machine on the data. Returns what failed, or "".
std::string call(const Machine& machine, HostData& data, int64_t steps,
                 std::vector<double>& seconds);

}  // namespace stencilc::driver
