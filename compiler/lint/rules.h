// The rules, one function each. Their rows are in diag/codes_lint.cpp.
#pragma once

#include "ast/ast.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"
#include "lint/lint.h"

namespace stencilc::lint {

// One stencil, as it is written and as it is computed.
struct Subject {
  const ast::Program& program;
  const ast::Stencil& text;
  const ir::Stencil& stencil;
  const Given& given;
};

void find_unstable(const Subject& subject, diag::Engine& engine);
void find_weight_sums(const Subject& subject, diag::Engine& engine);
void find_write_only(const Subject& subject, diag::Engine& engine);
void find_double_literals(const Subject& subject, diag::Engine& engine);
void find_axis_order(const Subject& subject, diag::Engine& engine);
void find_float_equality(const Subject& subject, diag::Engine& engine);
void find_self_assignments(const Subject& subject, diag::Engine& engine);
void find_late_widening(const Subject& subject, diag::Engine& engine);
void report_separable(const Subject& subject, diag::Engine& engine);

// For a constant outside of stencils.
void judge_weight_array(const ast::Const& array, bool stepped, diag::Engine& engine);
void judge_constant(const ast::Const& constant, diag::Engine& engine);

}  // namespace stencilc::lint
