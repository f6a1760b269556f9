// libFuzzer: any bytes through the parser, the analysis, the lint and the fixing of roundings, the
// reading of schedules, and what they report through both renderers. scripts/fuzz builds and runs
// it.
#include <cstdint>
#include <string>

#include "ast/ast.h"
#include "diag/render.h"
#include "ir/numerics.h"
#include "lint/lint.h"
#include "parse/parse.h"
#include "passes/canonicalise.h"
#include "plan/syntax/schedule_block.h"
#include "sema/sema.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stencilc;
  const diag::Sources sources = {
      {"fuzz.stn", std::string(reinterpret_cast<const char*>(data), size)}};
  diag::Engine engine;
  const ast::Program program = parse::parse(sources, 0, engine);
  if (!engine.has_errors()) ast::print(program);
  std::vector<ir::Stencil> stencils = sema::analyse(program, {}, engine);
  if (!stencils.empty()) lint::lint(program, stencils, engine);
  for (ir::Stencil& stencil : stencils) {
    passes::canonicalise(stencil, {});
    ir::infer_levels(stencil);
    ir::print(stencil);
    plan::check_blocks(stencil, engine);
  }
  for (const diag::Diagnostic& d : engine.all()) {
    diag::render_gnu(d, sources, false);
    diag::render_json(d, sources);
  }
  return 0;
}
