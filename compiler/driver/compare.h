// Emitted code against the interpreter, bit for bit.
#pragma once

#include <string>
#include <vector>

#include "data/array.h"
#include "driver/library.h"
#include "interp/interpreter.h"

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
};

// The extents of a field: those of the axes it has.
data::Extents extents_of(const ir::Field& field, const data::Extents& extents);

data::Element element_of(ir::Type type);

// One run to compare: extents as wide as the rank, steps, and what data::generate fills the fields
// with.
struct Case {
  data::Extents extents;
  int64_t steps = 1;  // -1: as `iterate` says
  std::string data = "random";
  uint64_t seed = 1;
};
std::string print(const Case& test);  // "65 x 9, 3 steps of random data, seed 7"

// Sizes at which kernels go wrong: 1, the radius, 2*radius + 1, around the tile, primes; in every
// axis at once and one by one.
std::vector<Case> awkward_cases(const Compiled& compiled, uint64_t seed);

// Fields filled as the case says, outputs poisoned; params without a default at small numbers.
HostData make_data(const ir::Stencil& stencil, const Case& test);

// Calls the machine on the data. Returns what failed, or "".
std::string call(const Machine& machine, HostData& data, int64_t steps,
                 std::vector<double>& seconds);

// What the interpreter makes of the case.
interp::State expected(const ir::Stencil& stencil, const Case& test);

// Runs the case on the machine and compares every cell of every level with what is expected.
// Returns the first difference, or "". NaNs count as equal whatever their payload. `tolerance` is
// for machines whose exp, sin, ... are not the interpreter's: 0 asks for the same bits, otherwise
// the relative error allowed.
std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    const interp::State& expected, double tolerance);
// With what the interpreter makes of the compiled stencil itself.
std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    double tolerance);

// exp, log, sin, cos, tan, tanh or pow: the same bits on one machine only.
bool is_transcendental(const ir::Stencil& stencil);

}  // namespace stencilc::driver
