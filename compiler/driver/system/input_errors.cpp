#include "driver/system/input_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "diag/codes.h"

namespace stencilc::driver {

bool bad_input(diag::Engine& engine, const std::string& text) {
  engine.report(diag::bad_input_data, diag::nowhere, text);
  return false;
}

bool unknown_input(diag::Engine& engine, const std::string& text, const std::string& name,
                   const std::vector<std::string>& known) {
  diag::Diagnostic& report = engine.report(diag::bad_input_data, diag::nowhere, text);
  if (const std::string help = diag::suggestion(name, known); !help.empty()) report.help(help);
  return false;
}

bool unknown_of(diag::Engine& engine, const ir::Stencil& stencil, const std::string& kind,
                const std::string& name, const std::vector<std::string>& known) {
  const auto has = [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& one) { return one.name == name; });
  };
  const std::string text = fmt::format("the stencil `{}` has no {} `{}`", stencil.name, kind, name);
  std::string other;
  if (has(stencil.params)) other = fmt::format("it is a param: `--param {}=...`", name);
  if (has(stencil.weights)) other = fmt::format("these are weights: `--param {}=...`", name);
  if (has(stencil.points)) other = fmt::format("it is a list of points: `--points {}=...`", name);
  if (has(stencil.fields)) other = fmt::format("it is a field: `--in {}=...`", name);
  if (has(stencil.series)) other = fmt::format("it is a series: `--in {}=...`", name);
  if (other.empty()) return unknown_input(engine, text, name, known);
  engine.report(diag::bad_input_data, diag::nowhere, text).help(other);
  return false;
}

bool has_axes(diag::Engine& engine, const std::vector<int64_t>& extents, int axes) {
  const auto given = static_cast<int>(extents.size());
  return given == axes ||
         bad_input(engine,
                   fmt::format("{} extent{} ({}) for {} ax{}s", given, given == 1 ? "" : "s",
                               fmt::join(extents, " x "), axes, axes == 1 ? "i" : "e"));
}

}  // namespace stencilc::driver
