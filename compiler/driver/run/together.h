// What the processes of a run write together: each has some planes of the fields.
#pragma once

#include <string>
#include <vector>

#include "driver/cli/options.h"
#include "driver/execute/call.h"

namespace stencilc::driver {

// The options of what is written behind the last step; with `--every` the fields are written
// already.
Options last_outputs(const Options& options, const ir::Stencil& stencil);
// Whether each process writes its planes of an output of `last_outputs`: the first one need not
// gather the field. `runs`: of a picture, one on each colour.
bool is_written_together(const ir::Stencil& stencil, const NameValue& output, size_t runs);
// The fields that the first process gathers and writes behind the last step.
std::vector<int> gathered_fields(const Options& options, const ir::Stencil& stencil, size_t runs);

// The first process gets the whole newest levels of these fields. Returns what failed, or "".
std::string gather(const ir::Stencil& stencil, const std::vector<int>& fields, HostData& host);

// The same of an array of a field: `own` has the planes of each process, and `whole`, which is null
// but in the first one, gets the extents of all.
std::string gather_level(const ir::Stencil& stencil, size_t field, const HostData& host,
                         const data::Array& own, data::Array* whole);

// One .npy file of the newest level of a field, into which each process writes its planes: all of
// it, or none. The folder is one that all of them can write to. Returns what failed, or "".
std::string write_npy_together(const ir::Stencil& stencil, int field, const HostData& host,
                               const std::string& path);

}  // namespace stencilc::driver
