// Checks the names in --in, --out and --plot before anything is built or computed.
#pragma once

#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/inputs/file_names.h"
#include "ir/ir.h"

namespace stencilc::driver {

int field_index(const ir::Stencil& stencil, const std::string& name);  // or -1

// Whether the lists of names, as in `r,g,b`, are those of fields, each once, or of a series.
bool known_fields(const ir::Stencil& stencil, const char* option,
                  const std::vector<NameValue>& list, diag::Engine& engine);

// Whether --out and --plot name fields, and files that can be written.
bool check_outputs(const Options& options, const ir::Stencil& stencil, diag::Engine& engine);

// `--plot u=file.png`, or `u.png` for the field u.
struct PlotName {
  std::string name, path;
  bool named = false;  // with `=`
};
PlotName plot_name(const std::string& plot);

// Whether a file is packed: `run.npz:compressed`.
bool is_compressed(const FileName& file);

}  // namespace stencilc::driver
