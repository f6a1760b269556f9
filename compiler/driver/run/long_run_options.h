// The options of `stencilc run` for runs that take long.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "ir/ir.h"

namespace stencilc::driver {

void add_long_run_options(CLI::App& app, LongRunOptions& options);

// What is wrong with them on the command line, reported, as an exit code.
std::optional<int> check_long_run_options(const Options& options);

// Whether there are snapshots or checkpoints: of one run, not of one for each colour of a picture.
bool takes_parts(const LongRunOptions& options);

// Whether they fit the program, before anything is built.
bool check_long_run(const Options& options, const ir::Stencil& stencil, diag::Engine& engine);

// Whether files of all snapshots, which an earlier run has written, can be continued behind the
// step of a checkpoint.
bool goes_on_in_series(const Options& options, int64_t step, diag::Engine& engine);

// Whether each file is written once, in all steps of the run.
bool check_names_differ(const Options& options, const ir::Stencil& stencil, diag::Engine& engine);

// Whether the folders of all files are there, and take files: a long run should not end with results
// that have no place.
bool check_folders(const Options& options, const ir::Stencil& stencil, diag::Engine& engine);

}  // namespace stencilc::driver
