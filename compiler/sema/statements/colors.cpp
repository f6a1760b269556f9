#include "sema/statements/colors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diag/codes.h"
#include "sema/dependences/coloring.h"
#include "sema/dependences/stages.h"
#include "sema/statements/affine.h"

namespace stencilc::sema {
namespace {

void report_form(const ast::Range& at, const Scope& scope, diag::Engine& engine) {
  ir::Colors example = scope.stencil.colors;
  if (example.count() < 2) example.names = {"red", "black"};
  example.factor.fill(1);
  engine
      .report(
          diag::bad_colors, at,
          "the colour of a cell has to be the remainder of a sum of multiples of its coordinates")
      .help(fmt::format("for example `{}`", print(example, scope.stencil)));
}

// The reads of fields that are updated in place.
std::vector<ir::Read> reads_in_place(const ir::Stencil& stencil) {
  std::vector<ir::Read> reads;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases)
      for (const ir::ExprPtr& node : ir::nodes_of({one.value, one.domain.mask}))
        if (const auto* read = ir::as<ir::Read>(node);
            read && stencil.fields[read->field].role == ir::Role::in_place)
          reads.push_back(*read);
  return reads;
}

}  // namespace

void analyse_colors(const ast::Item& item, Scope& scope, Expressions& expressions,
                    diag::Engine& engine) {
  const auto& color = std::get<ast::Color>(item.node);
  ir::Colors& colors = scope.stencil.colors;
  if (!colors.names.empty()) {
    engine.report(diag::bad_colors, item.at, "the colours are declared twice")
        .help("name all of them in one `color` statement");
    return;
  }
  for (const ast::Ident& name : color.names) colors.names.push_back(name.name);
  expressions.start_statement();
  const auto* binary = std::get_if<ast::Binary>(&color.value->node);
  if (!binary || binary->op != ast::Binary::mod) return report_form(color.value->at, scope, engine);
  const auto count = expressions.constant_integer(binary->right, {}, "the number of colours");
  const Operand operand = expressions.evaluate(binary->left, {});
  if (!count || operand.kind == Operand::failed) return;
  const auto form = operand.kind == Operand::typed ? affine(operand.expr) : std::nullopt;
  if (!form || form->extent != Affine{}.extent) return report_form(binary->left->at, scope, engine);
  if (*count < 2 || *count > kMaxColors) {
    engine.report(
        diag::bad_colors, binary->right->at,
        fmt::format("the number of colours is {}; it has to be from 2 to {}", *count, kMaxColors));
    return;
  }
  if (static_cast<int64_t>(color.names.size()) != *count) {
    engine
        .report(diag::bad_colors, color.names.back().at,
                fmt::format("{} name{} for the {} remainders of `% {}`", color.names.size(),
                            color.names.size() == 1 ? "" : "s", *count, *count))
        .help("give each remainder a name; the first name is for 0");
    return;
  }
  for (int a = 0; a < ir::kMaxRank; ++a) colors.factor[a] = remainder(form->axis[a], *count);
  colors.shift = remainder(form->constant, *count);
}

void check_colors(const Scope& scope, diag::Engine& engine) {
  const ir::Stencil& stencil = scope.stencil;
  if (stencil.colors.names.empty()) return;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      std::vector<ir::ExprPtr> parts = {one.value};
      if (one.domain.mask) parts.push_back(one.domain.mask);
      for (const ir::ExprPtr& node : ir::nodes_of(parts)) {
        const auto* read = ir::as<ir::Read>(node);
        if (!read || stencil.fields[read->field].role != ir::Role::in_place) continue;
        const ir::Boundary& boundary = stencil.fields[read->field].boundary;
        const bool inside = same_color(read->offset, stencil.colors);
        if (!inside && !meets_color_outside(*read, boundary, stencil.colors)) continue;
        const ast::Range at = site_of(node, scope.field_sites[read->field], scope);
        const std::string text = ir::print(node, stencil);
        const auto [enough, most] = fewest_colors(reads_in_place(stencil), stencil);
        const std::string rule =
            enough ? fmt::format("write `{}`", print(*enough, stencil))
                   : fmt::format("no rule of {} colours or fewer separates the cells", most);
        if (inside) {
          engine
              .report(diag::bad_colors, at,
                      fmt::format("`{}` has the colour of the cell that reads it", text))
              .note("the cells of one colour are updated at the same time, in no order")
              .help(fmt::format("{}{} step the field: `{}[t+1] = ...`", rule, enough ? ", or" : ";",
                                stencil.fields[read->field].name));
        } else {
          engine
              .report(
                  diag::bad_colors, at,
                  fmt::format("outside the grid `{}` stands for a cell of the colour that reads it",
                              text))
              .note("its boundary there is declared here", scope.field_sites[read->field])
              .help(fmt::format("{}{} choose a boundary that does not read a cell, such as `zero`",
                                rule, enough ? ", or" : ";"));
        }
        break;
      }
    }
}

}  // namespace stencilc::sema
