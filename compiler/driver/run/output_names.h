// Checks the names in --in, --out and --plot before anything is built or computed.
#pragma once

#include <string>
#include <vector>

#include "data/values/array.h"
#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/inputs/file_names.h"
#include "ir/ir.h"

namespace stencilc::driver {

int field_index(const ir::Stencil& stencil, const std::string& name);  // or -1

// Whether the lists of names, as in `r,g,b`, are those of fields, each once, or of a series.
bool known_fields(const ir::Stencil& stencil, const char* option,
                  const std::vector<NameValue>& list, diag::Engine& engine);

// The same of the levels of fields in --in, as in `u[t-1]`.
bool known_levels(const ir::Stencil& stencil, const std::vector<NameValue>& list,
                  diag::Engine& engine);

// Whether --out and --plot name fields, and files that can be written.
bool check_outputs(const Options& options, const ir::Stencil& stencil, diag::Engine& engine);

// Whether the slices of --plot are in the grid, and those in colour have three arrays, of which
// there are so many for each field.
bool check_plots(const Options& options, const ir::Stencil& stencil, const data::Extents& extents,
                 int channels, diag::Engine& engine);

// Whether all snapshots of such an output go into one file, along its axis of time.
bool is_one_file(const FileName& file, int64_t every);

// Whether a file is packed: `run.npz:compressed`.
bool is_compressed(const FileName& file);

}  // namespace stencilc::driver
