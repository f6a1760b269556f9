#include "driver/cli/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "diag/codes.h"
#include "diag/render.h"
#include "driver/system/exit_codes.h"

namespace stencilc::driver {
namespace {

bool use_color(const std::string& when) {
  if (when != "auto") return when == "always";
  if (const char* none = std::getenv("NO_COLOR"); none && *none) return false;
  if (const char* force = std::getenv("CLICOLOR_FORCE"); force && *force && *force != '0')
    return true;
  return isatty(STDERR_FILENO) != 0;
}

// The name in "no-unused-name" or "error=unused-name", and its level: 0 off, 1 warning, 2 error.
struct Warning {
  std::string name;
  int level;
};
Warning parts_of(const std::string& word) {
  if (word.starts_with("no-")) return {word.substr(3), 0};
  if (word.starts_with("error=")) return {word.substr(6), 2};
  return {word, 1};
}

int exit_code(const diag::Engine& engine) {
  int code = kOk;
  for (const diag::Diagnostic& d : engine.all()) {
    if (d.severity != diag::Severity::error) continue;
    if (d.code == diag::nesting_limit || d.code == diag::size_limit ||
        d.code == diag::radius_limit || d.code == diag::memory_limit)
      return kLimit;
    const bool file = d.code == diag::cannot_read || d.code == diag::cannot_write;
    code = file && code != kDiagnostics ? kInputOutput : kDiagnostics;
  }
  return code;
}

}  // namespace

std::string unknown_warning(const std::vector<std::string>& warnings) {
  for (const std::string& word : warnings) {
    const diag::Row* row = diag::find_row(parts_of(word).name);
    if (word != "all" && word != "error" && (!row || row->severity != diag::Severity::warning))
      return parts_of(word).name;
  }
  return "";
}

void set_warnings(const std::vector<std::string>& warnings, diag::Engine& engine) {
  for (const std::string& word : warnings) {
    if (word == "all") {
      for (const diag::Row& row : diag::table())
        if (row.opt_in) engine.set_level(row.code, 1);
      continue;
    }
    if (word == "error") {
      for (const diag::Row& row : diag::table())
        if (row.severity == diag::Severity::warning && !row.opt_in) engine.set_level(row.code, 2);
      continue;
    }
    const auto [name, level] = parts_of(word);
    engine.set_level(diag::find_row(name)->code, level);
  }
}

int finish(const diag::Engine& engine, const diag::Sources& sources, const Options& options) {
  int errors = 0;
  const bool color = use_color(options.color);
  std::vector<const diag::Diagnostic*> sorted;  // by position in the file
  for (const diag::Diagnostic& d : engine.all()) sorted.push_back(&d);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const diag::Diagnostic* a, const diag::Diagnostic* b) {
                     return std::pair(a->at.file, a->at.begin) < std::pair(b->at.file, b->at.begin);
                   });
  for (const diag::Diagnostic* one : sorted) {
    const diag::Diagnostic& d = *one;
    if (d.severity == diag::Severity::error && options.error_limit != 0 &&
        ++errors > options.error_limit) {
      std::cerr << "stencilc: " << engine.errors() << " errors; stopped after "
                << options.error_limit << " (--error-limit)\n";
      break;
    }
    std::cerr << (options.format == "json" ? diag::render_json(d, sources) + "\n"
                                           : diag::render_gnu(d, sources, color));
  }
  return exit_code(engine);
}

}  // namespace stencilc::driver
