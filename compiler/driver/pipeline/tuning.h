// Holds the contents of <name>.tune.json, which `stencilc tune` writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace stencilc::driver {

// The fastest schedule on a device for a grid size, and the compiler's own choice for comparison.
struct TunedEntry {
  std::string arch;    // sm_90; cpu
  std::string device;  // its name
  std::vector<int64_t> size;
  std::string schedule;
  double gcells = 0;  // cells and steps per nanosecond
  double fraction_of_copy = 0;
  std::string chosen_schedule;
  double chosen_gcells = 0;
  int tried = 0;  // schedules
  std::string date;
  int devices = 1;  // that had a piece of the grid each
};

// The number of cells of a grid.
double cells_of(const std::vector<int64_t>& size);

struct TunedStencil {
  std::string name;
  std::string digest;  // of the stencil that was tuned
  std::vector<TunedEntry> entries;
};

struct Tuning {
  std::string file;  // its name
  std::vector<TunedStencil> stencils;
};

// Equal for stencils that compute the same with the same names, whatever their layout in the file.
std::string digest_of(const ir::Stencil& stencil);

// The entries of a stencil, or null.
const TunedStencil* find_tuned(const Tuning& tuning, const std::string& name);

// The entry for one of the architectures whose grid size is nearest, or largest if no size is
// given; among equals, the one whose architecture is named first. Null if there is none. For
// several devices first those of about as many, then those of one for a grid like a piece.
const TunedEntry* find_entry(const TunedStencil& stencil, const std::vector<std::string>& archs,
                             const std::vector<int64_t>& size, int devices = 1);

// Adds the entry. It replaces an earlier one for the same architecture, devices and size, and all
// entries with another digest.
void put_entry(Tuning& tuning, const std::string& name, const std::string& digest,
               TunedEntry entry);

// "tuned on NVIDIA H200 at 512 x 512 (laplace.tune.json): 1.034 times as fast as ..."
std::string reason_of(const TunedEntry& entry, const std::string& file);

}  // namespace stencilc::driver
