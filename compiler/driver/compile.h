// The pipeline, from text to text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "emit/emit.h"
#include "ir/ir.h"
#include "ir/numerics.h"
#include "kernel/module.h"
#include "plan/schedule.h"
#include "sema/sema.h"

namespace stencilc::driver {

struct CompileOptions {
  plan::Target target = plan::Target::cuda;
  sema::Defines defines;
  ir::Numerics numerics;
  std::string schedule;  // as --schedule gives it; empty: the compiler chooses
  int optimisation = 2;  // -O0 .. -O3
  bool line_directives = false;
  bool standalone = false;
  std::string file;     // stem of the output: "laplace"
  std::string header;   // name of the header, where it is another than the stem's
  std::string command;  // how to make the output again, for the header block
};

struct Compiled {
  ir::Stencil stencil;
  plan::Schedule schedule;
  kernel::Module module;
  std::string source, header, host_call;
};

// Text to canonical stencil IR. Nothing where there were errors.
std::optional<ir::Stencil> front_end(const diag::Sources& sources, const ast::Program& program,
                                     const CompileOptions& options, diag::Engine& engine);
// Stencil IR to emitted text.
std::optional<Compiled> back_end(ir::Stencil stencil, const diag::Sources& sources,
                                 const CompileOptions& options, diag::Engine& engine);

// Both, for the one source.
std::optional<Compiled> compile(const diag::Sources& sources, const CompileOptions& options,
                                diag::Engine& engine);

// The lines of the header block: what, how, why.
std::vector<std::string> story(const ir::Stencil& stencil, const plan::Schedule& schedule,
                               const CompileOptions& options, const std::string& source_name);

// What the stencil needs from its caller, as JSON: --emit=manifest.
std::string manifest(const Compiled& compiled);

}  // namespace stencilc::driver
