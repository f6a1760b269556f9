#include "driver/cli/tuning_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "diag/codes.h"
#include "driver/pipeline/tuning_text.h"
#include "driver/system/files.h"

namespace stencilc::driver {

std::string tune_file_of(const std::string& input) {
  return input == "-" ? "" : std::filesystem::path(input).replace_extension(".tune.json").string();
}

bool load_tuning(Options& options, diag::Sources& sources, diag::Engine& engine) {
  if (options.untuned) return true;
  const bool named = !options.tune_file.empty();
  const std::string file = named ? options.tune_file : tune_file_of(options.input);
  std::error_code error;
  if (!named && (file.empty() || !std::filesystem::exists(file, error))) return true;
  Text text = read_text(file, kMaxSource);
  if (!text.problem.empty()) {
    engine.report(text.too_large ? diag::size_limit : diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", file, text.problem));
    return false;
  }
  const auto place = static_cast<uint16_t>(sources.size());
  sources.push_back({file, std::move(text.text)});
  return read_tuning(sources, place, options.compilation.tuning.emplace(), engine);
}

}  // namespace stencilc::driver
