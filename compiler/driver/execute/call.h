// Calls a compiled stencil on arrays in host memory.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "data/values/array.h"
#include "driver/execute/library.h"

namespace stencil {
class Communicator;
}

namespace stencilc::driver {

// The values of a series, packed as its type says: those of a step follow each other.
struct SeriesValues {
  ir::Type type = ir::Type::f32;
  std::vector<std::byte> bytes;

  size_t size() const { return bytes.size() / static_cast<size_t>(ir::bytes(type)); }
  ir::Scalar operator[](size_t i) const;
  void push_back(const ir::Scalar& value);  // of the type
  void set(size_t i, const ir::Scalar& value);
};

// The arguments and results of a call: the levels of each field, newest first, in the order of
// declaration; params, weights and reductions.
struct HostData {
  data::Extents extents;
  std::vector<data::Array> buffers;
  std::vector<ir::Scalar> params;
  std::vector<std::vector<ir::Scalar>> weights;
  std::vector<ir::Scalar> reductions;
  std::vector<std::vector<std::array<double, ir::kMaxRank>>> points;  // positions, for each list
  std::vector<SeriesValues> series;                                   // [t * points + p]
  std::vector<bool> linear;                                           // for each list of points
  int64_t series_steps = 0;
  int64_t first = 0;  // the number of the first step
  int64_t steps_taken = 0;
  // The processes that have the pieces, of which this is one, and the planes of the grid that it
  // has: buffers have those alone. Or null.
  stencil::Communicator* communicator = nullptr;
  data::Planes planes;
  std::vector<int> devices;        // that have a piece of the grid each; empty: one has it all
  std::vector<int64_t> cuts;       // the planes where pieces begin, and their end; empty: no pieces
  int64_t leg_steps = 0;           // of a piece between two exchanges, at most; what it was
  bool forgets = false;            // do pieces lose between legs what they may not rely on?
  int processes = 0;               // that have the pieces; 0: this one
  std::vector<std::string> notes;  // about the inputs, for the user
};

// The extents of a field along the axes that it has.
data::Extents extents_of(const ir::Field& field, const data::Extents& extents);

// The width of the halo that an array of the field has at both ends of each of its axes:
// ir::ghost_halo.
data::Extents halo_of(const ir::Stencil& stencil, size_t field);
// The planes of such an array that a process has: those of the grid, and at its ends the halo. All
// of them, if there is one process, or if the field does not have the last axis of the grid.
data::Planes planes_of(const ir::Stencil& stencil, size_t field, const HostData& host);
// The extents of an array of the field, halo included.
data::Extents array_extents(const ir::Stencil& stencil, size_t field, const data::Extents& extents);

data::Element element_of(ir::Type type);

// A run between two of its parts, as its watcher sees it.
class Look {
 public:
  virtual ~Look() = default;
  virtual int64_t done() const = 0;    // steps
  virtual bool content() const = 0;    // does the condition of `iterate until` hold?
  virtual double seconds() const = 0;  // that the steps took
  virtual std::vector<ir::Scalar> reductions() const = 0;
  // Copies the present levels into arrays of their extents, by slot as in HostData::buffers. What
  // is null is left out, as are inputs. Returns false if that fails, which ends the run.
  virtual bool fetch(const std::vector<data::Array*>& to) const = 0;
  // Begins to copy those levels while the run goes on; false where it cannot, and fetch() has to
  // do. After true another thread calls arrive() once, which waits for the values as fetch() does.
  // The run does not end before that, and the arrays stay until it has ended.
  virtual bool depart(const std::vector<bool>& slots) const = 0;
  virtual bool arrive(const std::vector<data::Array*>& to) const = 0;
  virtual bool fetch_series() const = 0;
  // The first values of a series, at most so many, as of the last fetch_series().
  virtual SeriesValues series(size_t index, size_t values) const = 0;
};
// Returns the steps of the next part; 0 ends the run.
using Watcher = std::function<int64_t(const Look& look)>;

// Calls the machine with the data. Returns what failed, or "". A watcher is asked before the first
// step and after each part; `steps` then has no meaning, and there is one run.
std::string call(const Machine& machine, HostData& data, int64_t steps,
                 std::vector<double>& seconds, const Watcher& watcher = {});

}  // namespace stencilc::driver
