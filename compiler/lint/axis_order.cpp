#include <fmt/format.h>

#include "diag/codes.h"
#include "lint/rules.h"

namespace stencilc::lint {
namespace {

const ast::Axes* axes_of(const ast::Stencil& stencil) {
  for (const ast::Item& item : stencil.items)
    if (const auto* axes = std::get_if<ast::Axes>(&item.node)) return axes;
  return nullptr;
}

// Orders in which the usually contiguous axis comes last.
bool is_reversed(const std::vector<std::string>& names) {
  using Names = std::vector<std::string>;
  return names == Names{"y", "x"} || names == Names{"z", "y", "x"} || names == Names{"j", "i"} ||
         names == Names{"k", "j", "i"};
}

}  // namespace

void find_axis_order(const Subject& subject, diag::Engine& engine) {
  const std::vector<std::string>& names = subject.stencil.axes;
  const ast::Axes* axes = axes_of(subject.text);
  if (!axes || !is_reversed(names)) return;
  const ast::Range at = {axes->names.front().at.begin, axes->names.back().at.end,
                         axes->names.front().at.file};
  engine
      .report(diag::axis_order, at,
              fmt::format("the first axis is the contiguous one in memory, which is `{}` here",
                          names.front()))
      .help(fmt::format("if neighbours along `{}` are adjacent in memory, write `axes {};`",
                        names.back(), fmt::join(names.rbegin(), names.rend(), ", ")));
}

}  // namespace stencilc::lint
