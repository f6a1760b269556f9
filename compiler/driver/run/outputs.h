// Writes the results of `stencilc run`: arrays and pictures.
#pragma once

#include <vector>

#include "data/images/pixels.h"
#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/file_names.h"
#include "driver/inputs/input_facts.h"
#include "driver/run/plot_options.h"

namespace stencilc::driver {

// The newest level of a field, with its halo, and its place among the buffers.
size_t newest_slot(const ir::Stencil& stencil, int field);
const data::Array& newest(const ir::Stencil& stencil, const HostData& host, int field);
// The cells of an array without the halo.
data::Array without_halo(const data::Array& array, const data::Extents& halo);
// The same with another halo at the high ends of the axes.
data::Array without_halo(const data::Array& array, const data::Extents& low,
                         const data::Extents& high);

// Writes the files of --out and --plot and prints their names, unless --quiet is given. There is a
// run for each channel of the facts.
void write_outputs(const Options& options, const ir::Stencil& stencil,
                   const std::vector<HostData>& runs, const InputFacts& facts,
                   diag::Engine& engine);

// Writes a snapshot into a NetCDF file that has all of them, and is new with the first one. Returns
// what went wrong, or "".
std::string write_in_series(const std::string& names, const FileName& file, bool first,
                            const Options& options, const ir::Stencil& stencil,
                            const std::vector<HostData>& runs, const InputFacts& facts);

// A plot as pixels.
data::Pixels picture_of(const PlotOptions& plot, const Options& options, const ir::Stencil& stencil,
                        const std::vector<HostData>& runs, const InputFacts& facts);

// The file that lists the snapshots `u_%d.vti`: u.pvd.
std::string collection_name(const std::string& path);

// The time after so many steps: times a param `dt`, if there is one.
double time_of(const Options& options, const ir::Stencil& stencil, const HostData& run,
               int64_t steps);

}  // namespace stencilc::driver
