#include "driver/system/input_errors.h"

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

}  // namespace stencilc::driver
