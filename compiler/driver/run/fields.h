// Fills the fields of `stencilc run` from files and generators.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/input_facts.h"

namespace stencilc::driver {

// What the levels of a field start with: an array of a file, which several levels may share, or
// what a generator makes.
struct LevelSource {
  std::shared_ptr<data::Array> array;  // null: generated
  data::Extents extents;               // of the file
  std::string file;                    // of the array
  std::string generator;               // "gauss"
  bool made_up = false;                // there is no --in for it
};
// [field][level], the newest level first.
using LevelSources = std::vector<std::vector<LevelSource>>;

// Reads the files of --in, and sets the extents, the planes of this process and the facts; false
// after an error. Allocates nothing but the arrays of the files. Also checks the names in --out and
// --plot, before anything is built or computed. Of a program that runs on each colour of a picture
// it reads for the run of `facts.channel`.
bool read_levels(const Options& options, const ir::Stencil& stencil, LevelSources& levels,
                 HostData& host, InputFacts& facts, diag::Engine& engine);

// Sets the buffers from what read_levels() has found; false after an error.
bool fill_levels(const Options& options, const ir::Stencil& stencil, LevelSources levels,
                 HostData& host, diag::Engine& engine);

}  // namespace stencilc::driver
