#include "sema/colors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

#include "diag/codes.h"
#include "sema/affine.h"
#include "sema/stages.h"

namespace stencilc::sema {
namespace {

using ir::Edge;

constexpr int64_t kMaxColors = 64;

int64_t remainder(int64_t value, int64_t count) { return (value % count + count) % count; }

void report_form(const ast::Range& at, const Scope& scope, diag::Engine& engine) {
  std::string sum = fmt::format("{}", fmt::join(scope.stencil.axes, " + "));
  if (scope.stencil.rank() > 1) sum = "(" + sum + ")";
  engine
      .report(diag::bad_colors, at,
              "the colour of a cell is the remainder of a sum of multiples of its coordinates")
      .help(fmt::format("write `color red, black by {} % 2;`", sum));
}

// The cell whose value is read at `index`, itself or one of the steps on the way back into the
// grid; nothing where no cell is.
std::optional<int> mapped(const std::array<ir::Side, 2>& sides, int index, int extent) {
  while (index < 0 || index >= extent) {
    const bool high = index >= extent;
    switch (sides[high].edge) {
      case Edge::clamp:
      case Edge::neumann:
        return high ? extent - 1 : 0;
      case Edge::reflect:
      case Edge::antireflect:
        index = high ? 2 * extent - 1 - index : -1 - index;
        break;
      case Edge::mirror:
        if (extent == 1) return 0;
        index = high ? 2 * (extent - 1) - index : -index;
        break;
      default:
        return {};
    }
  }
  return index;
}

// How far along one axis the cell that is read lies from the one that reads, over all grids.
std::set<int> distances(const std::array<ir::Side, 2>& sides, int offset) {
  std::set<int> result = {offset};
  for (int extent = 1; extent <= std::abs(offset) + 1; ++extent)
    for (int cell = 0; cell < extent; ++cell)
      if (const auto source = mapped(sides, cell + offset, extent)) result.insert(*source - cell);
  return result;
}

// Has the cell at this distance the colour of the one that reads it?
bool same_color(const ir::Offset& apart, const ir::Colors& colors) {
  int64_t sum = 0;
  for (int a = 0; a < ir::kMaxRank; ++a) sum += colors.factor[a] * apart[a];
  return apart != ir::Offset{} && sum % colors.count() == 0;
}

// May the read, somewhere near the rim, be one of another cell of the same colour?
bool meets_color_beyond(const ir::Read& read, const ir::Stencil& stencil) {
  const ir::Colors& colors = stencil.colors;
  const auto& sides = stencil.fields[read.field].boundary.sides;
  std::set<std::pair<int64_t, bool>> reached = {
      {0, false}};  // colours apart, and is it another cell
  for (int a = 0; a < ir::kMaxRank; ++a) {
    std::set<std::pair<int64_t, bool>> next;
    for (const int distance : distances(sides[a], read.offset[a]))
      for (const auto& [apart, other] : reached)
        next.emplace(remainder(apart + colors.factor[a] * distance, colors.count()),
                     other || distance != 0);
    reached = std::move(next);
  }
  return reached.count({0, true}) != 0;
}

}  // namespace

void analyse_colors(const ast::Item& item, Scope& scope, Expressions& expressions,
                    diag::Engine& engine) {
  const auto& color = std::get<ast::Color>(item.node);
  ir::Colors& colors = scope.stencil.colors;
  if (!colors.names.empty()) {
    engine.report(diag::bad_colors, item.at, "the colours are given twice")
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
    engine.report(diag::bad_colors, binary->right->at,
                  fmt::format("{} colours; there are from 2 to {}", *count, kMaxColors));
    return;
  }
  if (static_cast<int64_t>(color.names.size()) != *count) {
    engine
        .report(diag::bad_colors, color.names.back().at,
                fmt::format("{} name{} for the {} remainders of `% {}`", color.names.size(),
                            color.names.size() == 1 ? "" : "s", *count, *count))
        .help("give each remainder a name, the first that of 0");
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
        const bool inside = same_color(read->offset, stencil.colors);
        if (!inside && !meets_color_beyond(*read, stencil)) continue;
        const ast::Range at = site_of(node, scope.field_sites[read->field], scope);
        const std::string text = ir::print(node, stencil);
        if (inside) {
          engine
              .report(diag::bad_colors, at,
                      fmt::format("`{}` has the colour of the cell that reads it", text))
              .note("the cells of one colour are updated together, in no order")
              .help(fmt::format(
                  "use more colours, so that the cell has another one, or step the field: "
                  "`{}[t+1] = ...`",
                  stencil.fields[read->field].name));
        } else {
          engine
              .report(
                  diag::bad_colors, at,
                  fmt::format("beyond the rim `{}` is a cell of the colour that reads it", text))
              .note("its boundary there is declared here", scope.field_sites[read->field])
              .help("choose a boundary that stands for no cell, such as `zero`, or other colours");
        }
        break;
      }
    }
}

}  // namespace stencilc::sema
