// What `stencilc bench` has measured, and what it is compared with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/array.h"
#include "driver/measure/rounds.h"
#include "ir/work.h"

namespace stencilc::driver {

inline constexpr double kGiga = 1e-9;  // what numbers of bytes, cells and operations are shown by

// Of the kernels of a step the most registers of a thread, and the bytes that one spills.
struct Resources {
  int registers = 0;
  int spilled = 0;
};

struct Result {
  std::string schedule;
  Times times;
  std::optional<Resources> resources;
  std::optional<double> instructions;  // of a thread, for each cell and step
};

// Where it was measured.
struct Place {
  std::string date;  // 2026-01-31T12:00:00+01:00
  std::string host;
  std::string device;    // its name
  std::string driver;    // of the GPU; "" on the CPU
  std::string clocks;    // the highest; "" where unknown
  std::string compiler;  // the first line that tells its version
  std::string command;
  int cores = 0;
  int64_t cache = 0;  // bytes of the largest cache of the CPU; 0: not known, or a GPU
};

struct Report {
  Place place;
  std::string stencil;
  std::string file;
  data::Extents extents;
  ir::Traffic traffic;
  ir::Arithmetic arithmetic;
  Times copy;              // its steps are copies
  int64_t copy_bytes = 0;  // read and written by one
  std::vector<Result> results;

  double cells() const;
  double copy_rate() const;  // bytes in a second
  // Cells and steps in a second, where a burst takes so many seconds; 0 for 0.
  double rate(const Result& result, double seconds) const;
  double byte_rate(const Result& result) const;
  double fraction_of_copy(const Result& result) const;
  // Does a cache hold what a step reads and stores? Then a copy of memory is no measure for it.
  bool fits_cache() const;
  std::string cache_note() const;  // a line that says so, or ""
  const Result* naive() const;     // null where there is none
};

}  // namespace stencilc::driver
