// The pipeline, from text to text.
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
#include "plan/schedule/schedule.h"
#include "sema/sema.h"

namespace stencilc::driver {

struct CompileOptions {
  plan::Target target = plan::Target::cuda;
  sema::Defines defines;
  sema::Defines params;  // of --param: no output depends on them, warnings do
  ir::Numerics numerics;
  std::vector<std::string> folders;  // of -I
  std::string stencil;   // the one of several that is meant; empty: the only one, or all
  std::string schedule;  // as --schedule gives it; empty: the text says it, or the compiler chooses
  bool own_choice = false;       // the compiler chooses, whatever the text and the tune file say
  int optimisation = 2;          // -O0 .. -O3
  std::optional<Tuning> tuning;  // of the tune file; none: there is none, or it is not wanted
  std::vector<int64_t> size;     // of the grids, about; empty: not known
  bool any_grid = false;         // launches of several steps on grids however small: to verify them
  std::vector<plan::Device> devices = {plan::any_device()};  // that the output is for: --arch
  bool devices_named = false;                                // by --arch, or of this machine
  bool line_directives = false;
  bool standalone = false;
  std::string file;            // stem of the output: "laplace"
  std::string header;          // name of the header, where it is another than the stem's
  std::string command;         // how to make the output again, for the header block
  std::string dump_after;      // the stage of --dump-after; empty: none
  bool verify_passes = false;  // are kernels verified behind every pass?
};

// One stencil, and the files it makes when it stands alone.
struct Compiled {
  ir::Stencil stencil;
  plan::Schedule schedule;
  kernel::Module module;
  std::string source, header, host_call;
};

// Texts to canonical stencil IR; the stencil that is meant, or all. None where there were errors.
std::vector<ir::Stencil> front_end(const diag::Sources& sources, const ast::Program& program,
                                   const CompileOptions& options, diag::Engine& engine);
// The only one; several are an error, and none was reported before.
std::optional<ir::Stencil> one_of(std::vector<ir::Stencil> stencils, diag::Engine& engine);
// Stencil IR to emitted text.
std::optional<Compiled> back_end(ir::Stencil stencil, const diag::Sources& sources,
                                 const CompileOptions& options, diag::Engine& engine);

// The program behind the stage options.dump_after, as text; empty after a report.
std::string dump(diag::Sources& sources, const CompileOptions& options, diag::Engine& engine);

// Both, for the stencil that is meant, or all. None where there were errors.
std::vector<Compiled> compile_all(diag::Sources& sources, const CompileOptions& options,
                                  diag::Engine& engine);
// The same where one stencil is wanted: several without a choice among them are an error.
std::optional<Compiled> compile(diag::Sources sources, const CompileOptions& options,
                                diag::Engine& engine);

// The files of several stencils together.
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

// What the stencils need from their caller, as JSON: --emit=manifest. Of one stencil an object, of
// several a list.
std::string manifest(const std::vector<Compiled>& stencils);

}  // namespace stencilc::driver
