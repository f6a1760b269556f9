// Holds the results of `stencilc bench`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/values/array.h"
#include "driver/measure/rounds.h"
#include "ir/work.h"

namespace stencilc::driver {

inline constexpr double kGiga = 1e-9;  // factor for printing bytes, cells and operations

// What the kernels of a step need on a GPU, by its machine code.
struct Resources {
  int registers = 0;  // the most per thread
  int spilled = 0;    // bytes that a thread stores, in the kernel that spills most
  // The fewest warps that a multiprocessor holds at once, of kernels that compute cells.
  std::optional<int> warps = std::nullopt;
  std::string unheld;  // a kernel of which a multiprocessor holds no block; or empty
};

struct Result {
  std::string schedule;
  Times times;
  std::optional<Resources> resources;
  std::optional<double> instructions;  // per thread, for each cell and step
};

// The machine of a measurement.
struct Place {
  std::string date;  // 2026-01-31T12:00:00+01:00
  std::string host;
  std::string device;    // its name
  std::string driver;    // of the GPU; "" on the CPU
  std::string clocks;    // the highest; "" if unknown
  std::string compiler;  // the line with its version
  std::string command;
  int cores = 0;
  int64_t cache = 0;  // bytes of the largest cache of a CPU; 0: unknown, or a GPU
};

struct Report {
  Place place;
  std::string stencil;
  std::string file;
  data::Extents extents;
  ir::Traffic traffic;
  ir::Arithmetic arithmetic;
  Times copy;              // a step is one copy
  int64_t copy_bytes = 0;  // read and written by one copy
  std::vector<Result> results;

  double cells() const;
  double copy_rate() const;  // bytes per second
  // Cells and steps per second, if a burst takes this many seconds; 0 for 0.
  double rate(const Result& result, double seconds) const;
  double byte_rate(const Result& result) const;
  double fraction_of_copy(const Result& result) const;
  // Whether a cache holds what a step reads and stores; then the bandwidth of a copy is no upper
  // limit.
  bool fits_cache() const;
  std::string cache_note() const;  // a line that says so, or ""
  const Result* naive() const;     // null if it was not measured
};

}  // namespace stencilc::driver
