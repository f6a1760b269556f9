#include "driver/system/input_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

bool has_axes(diag::Engine& engine, const std::vector<int64_t>& extents, int axes) {
  const auto given = static_cast<int>(extents.size());
  return given == axes ||
         bad_input(engine,
                   fmt::format("{} extent{} ({}) for {} ax{}s", given, given == 1 ? "" : "s",
                               fmt::join(extents, " x "), axes, axes == 1 ? "i" : "e"));
}

}  // namespace stencilc::driver
