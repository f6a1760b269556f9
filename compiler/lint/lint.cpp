#include "lint/lint.h"

#include <algorithm>

#include "lint/rules.h"

namespace stencilc::lint {
namespace {

void judge(const Subject& subject, diag::Engine& engine) {
  find_axis_order(subject, engine);
  find_write_only(subject, engine);
  find_self_assignments(subject, engine);
  find_double_literals(subject, engine);
  find_float_equality(subject, engine);
  find_weight_sums(subject, engine);
  find_late_widening(subject, engine);
  find_unstable(subject, engine);
  report_separable(subject, engine);
}

}  // namespace

void lint(const ast::Program& program, const std::vector<ir::Stencil>& stencils,
          diag::Engine& engine, const Given& given) {
  bool stepped = false;
  for (const ir::Stencil& stencil : stencils) {
    const auto text = std::ranges::find(program.stencils, stencil.name,
                                        [](const ast::Stencil& one) { return one.name.name; });
    if (text == program.stencils.end()) continue;
    judge({program, *text, stencil, given}, engine);
    stepped |= stencil.steps();
  }
  for (const ast::Const& constant : program.constants) {  // of this file, not of those it uses
    if (constant.name.at.file != program.stencils[0].name.at.file) continue;
    judge_weight_array(constant, stepped, engine);
    judge_constant(constant, engine);
  }
}

}  // namespace stencilc::lint
