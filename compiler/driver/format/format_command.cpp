#include "driver/format/format_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "diag/codes.h"
#include "diag/excerpt.h"
#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/cli/read_input.h"
#include "driver/cli/report.h"
#include "driver/system/exit_codes.h"
#include "driver/system/files.h"
#include "format/format.h"
#include "format/tokens.h"
#include "parse/parse.h"

namespace stencilc::driver {
namespace {

// Files of functions or of comments alone are formatted, too.
bool has_syntax_errors(const diag::Engine& engine) {
  return std::ranges::any_of(engine.all(), [](const diag::Diagnostic& d) {
    return d.severity == diag::Severity::error && d.code != diag::empty_file;
  });
}

// The formatted text. Throws where its tokens are not those of the source, which is a bug.
std::string formatted(const diag::Source& source) {
  auto text = format::formatted(source.text);
  if (!text || !format::same_tokens(source.text, *text))
    throw std::logic_error(fmt::format(
        "formatting would change the meaning of `{}`; the file is unchanged", source.name));
  return std::move(*text);
}

int format_file(const std::string& file, const Options& options) {
  Options own = options;
  own.input = file;
  diag::Engine engine;
  diag::Sources sources;
  if (!read_input(own, sources, engine)) return finish(engine, sources, own);
  parse::parse(sources, 0, engine);
  if (has_syntax_errors(engine)) return finish(engine, sources, own);
  const std::string text = formatted(sources[0]);
  if (options.check) {
    if (text == sources[0].text) return kOk;
    std::cout << diag::printable(sources[0].name) << '\n';
    return kDiagnostics;
  }
  diag::Engine output;
  const std::string why = write_text(file, text);
  if (!why.empty())
    output.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", file, why));
  return finish(output, sources, own);
}

}  // namespace

std::optional<int> parse_format_options(const std::vector<std::string>& words, Options& options) {
  options.command = Options::reformat;
  CLI::App app("Formats .stn files in place.", "stencilc fmt");
  app.add_option("files", options.files,
                 "The files; - reads standard input and writes standard output")
      ->required()
      ->type_name("FILE");
  app.add_flag("--check", options.check,
               "List the files that are not formatted, and change none of them");
  add_diagnostics_options(app, options.color, options.error_limit, options.format);
  if (const auto code = parse_words(app, {words.begin() + 1, words.end()}, "stencilc fmt"))
    return code;
  return {};
}

int format_command(const Options& options) {
  int code = kOk;
  for (const std::string& file : options.files) code = std::max(code, format_file(file, options));
  return code;
}

}  // namespace stencilc::driver
