// The compilation pipeline, from the text of a program to the text of the output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "driver/pipeline/tuning.h"
#include "emit/emit.h"
#include "ir/ir.h"
#include "ir/numerics.h"
#include "kernel/module.h"
#include "plan/search/plan.h"
#include "sema/sema.h"

namespace stencilc::driver {

struct CompileOptions {
  plan::Target target = plan::Target::cuda;
  sema::Defines defines;
  sema::Defines params;  // of --param: only warnings depend on them
  ir::Numerics numerics;
  std::vector<std::string> folders;  // of -I
  std::string stencil;               // the stencil to compile; empty: the only one, or all
  std::string schedule;     // of --schedule; empty: that of the file, or the compiler's choice
  bool own_choice = false;  // take the compiler's choice, whatever the file and the tune file say
  int optimisation = 2;     // -O0 .. -O3
  std::optional<Tuning> tuning;           // the tune file, if there is one and it is used
  std::vector<int64_t> size;              // the approximate grid size; empty: unknown
  std::optional<uint64_t> max_workspace;  // bytes of values in memory at that size, at most
  bool any_grid =
      false;  // use launches of several steps on small grids, too, in order to verify them
  std::vector<plan::Device> devices = {plan::any_device()};  // the devices of --arch
  bool devices_named = false;  // named by --arch, or found on this machine
  bool boxes = false;          // launches compute boxes of the grid that the host lists
  // And memory holds a piece of the grid, planes (rows in 2-D) from one on: those of the box and at
  // either end as many as the widest read of a launch reaches, in all its steps; one at least,
  // where points that are `linear` are sampled. Beyond the ends of the grid there are planes where
  // the last axis is `periodic`, copies of those at the other end, and where a side is `ghost`; the
  // host fills them. All other boundaries read within the reach of the box. Coordinates and offsets
  // have one type, of 32 bits where the piece and each axis of the grid allow it. Grids of one axis
  // come in one piece.
  bool pieces = false;
  // A call takes some steps of one piece (--distributed): a leg. It computes a window of the grid,
  // and beside it what later steps and launches of the leg read. Boxes and pieces, too.
  bool distributed = false;
  int gpus = 2;  // of --devices: that have the pieces
  bool line_directives = false;
  bool standalone = false;
  std::string file;            // stem of the output: "laplace"
  std::string header;          // name of the header, if it differs from the stem
  std::string command;         // the command for the header comment
  std::string dump_after;      // the stage of --dump-after; empty: none
  bool verify_passes = false;  // verify kernels after every pass
};

// One stencil and its output files.
struct Compiled {
  ir::Stencil stencil;
  plan::Plan plan;
  kernel::Module module;
  std::string source, header, host_call;
};

// Compiles texts to canonical stencil IR, for the chosen stencil or for all. Empty after an error.
std::vector<ir::Stencil> front_end(const diag::Sources& sources, const ast::Program& program,
                                   const CompileOptions& options, diag::Engine& engine);
// The only stencil. Reports an error if there are several; does nothing after earlier errors.
std::optional<ir::Stencil> one_of(std::vector<ir::Stencil> stencils, diag::Engine& engine);
// Compiles stencil IR to emitted code.
std::optional<Compiled> back_end(ir::Stencil stencil, const diag::Sources& sources,
                                 const CompileOptions& options, diag::Engine& engine);

// The program after the stage options.dump_after, as text; empty after an error.
std::string dump(diag::Sources& sources, const CompileOptions& options, diag::Engine& engine);

// Both, for the chosen stencil or for all. Empty after an error.
std::vector<Compiled> compile_all(diag::Sources& sources, const CompileOptions& options,
                                  diag::Engine& engine);
// The same for one stencil; several without a choice are an error.
std::optional<Compiled> compile(diag::Sources sources, const CompileOptions& options,
                                diag::Engine& engine);

// The output files for several stencils together.
struct Files {
  std::string source, header;
};
Files files_of(const std::vector<Compiled>& stencils, const CompileOptions& options,
               diag::Engine& engine);

// How the texts of modules are emitted.
emit::Options emit_options(const std::vector<kernel::Module>& modules,
                           const CompileOptions& options);
// Are the texts within the limit? Reports that they are not.
bool fits(const std::string& source, const std::string& header, diag::Engine& engine);

// The schedule as --schedule takes it; below it, where a line of the text or a tune file asks for
// it, which.
std::string schedule_text(const Compiled& compiled);

// What a calling program has to know, as JSON, for --emit=manifest: an object for one stencil, a
// list for several.
std::string manifest(const std::vector<Compiled>& stencils, plan::Target target);

}  // namespace stencilc::driver
