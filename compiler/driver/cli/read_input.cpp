#include "driver/cli/read_input.h"

#include <fmt/format.h>

#include <utility>

#include "diag/codes.h"
#include "driver/cli/archs.h"
#include "driver/cli/report.h"
#include "driver/cli/tuning_file.h"
#include "driver/system/files.h"

namespace stencilc::driver {

bool read_input(Options& options, diag::Sources& sources, diag::Engine& engine) {
  set_warnings(options.warnings, engine);
  sources.push_back({options.input == "-" ? "<stdin>" : options.input, ""});
  Text text = read_text(options.input, kMaxSource);
  if (!text.problem.empty()) {
    engine.report(text.too_large ? diag::size_limit : diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", options.input, text.problem));
    return false;
  }
  sources[0].text = std::move(text.text);
  options.compilation.size = options.size;
  const bool schedules =
      options.emit != "ast" && options.emit != "ir" && options.command != Options::tune_schedules;
  return find_devices(options, engine) && (!schedules || load_tuning(options, sources, engine));
}

}  // namespace stencilc::driver
