#include "driver/run/long_run_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>

#include "data/files/netcdf.h"
#include "diag/codes.h"
#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/inputs/file_names.h"
#include "driver/inputs/points.h"
#include "driver/run/numbered.h"
#include "driver/run/output_names.h"
#include "driver/run/outputs.h"
#include "driver/run/plot_options.h"
#include "driver/system/input_errors.h"

namespace stencilc::driver {

namespace {

// "100", or "10min".
void read_interval(const std::string& text, LongRunOptions& options) {
  const std::string option = "--checkpoint-every";
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  const std::string unit(next, end);
  constexpr std::pair<const char*, double> kUnits[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
  const auto found = std::ranges::find(kUnits, unit, [](const auto& one) { return one.first; });
  if (error != std::errc() || number < 1 || (!unit.empty() && found == std::end(kUnits)))
    refuse_value(option, text, "write a number of steps, or a time such as `30s`, `10min` or `2h`");
  options.checkpoint_steps = unit.empty() ? number : 0;
  options.checkpoint_seconds = unit.empty() ? 0 : static_cast<double>(number) * found->second;
}

}  // namespace

void add_long_run_options(CLI::App& app, LongRunOptions& options) {
  add_whole(app, "--every", options.every,
            "Write the files of --out and --plot every N steps, with the number of the step in "
            "their names: u_%06d.npy",
            1);
  app.add_option("--animate", options.films,
                 "With --every: draw the snapshots as a film: u=film.gif or u=film.mp4; options as "
                 "for --plot, and fps=25")
      ->type_name("FIELD=FILE")
      ->allow_extra_args(false);
  app.add_option("--log", options.log,
                 "With --every: write a line of JSON for each snapshot, with the smallest and the "
                 "largest value of each field")
      ->type_name("FILE");
  app.add_option("--checkpoint", options.checkpoint,
                 "Write the state of the run to this file, at the end and when it is interrupted; "
                 "the one before is kept as FILE.previous")
      ->type_name("FILE");
  app.add_option_function<std::string>(
         "--checkpoint-every",
         [&options](const std::string& text) { read_interval(text, options); },
         "With --checkpoint: also write it every N steps, or every 30s, 10min or 2h")
      ->type_name("N|TIME");
  app.add_option("--resume", options.resume,
                 "Go on from a checkpoint, up to the --steps of the whole run")
      ->type_name("FILE");
  app.add_flag("--quiet", options.quiet, "Print nothing but warnings and errors");
}

std::optional<int> check_long_run_options(const Options& options) {
  const LongRunOptions& own = options.long_run;
  if (!own.films.empty() && own.every == 0)
    return usage_error("`--animate` needs `--every N`: a film shows every N-th step");
  if (!own.log.empty() && own.every == 0)
    return usage_error("`--log` needs `--every N`: it has a line for every N-th step");
  if (own.checkpoint.empty() && (own.checkpoint_steps > 0 || own.checkpoint_seconds > 0))
    return usage_error("`--checkpoint-every` needs `--checkpoint FILE`");
  return std::nullopt;
}

bool takes_parts(const LongRunOptions& options) {
  return options.every != 0 || !options.checkpoint.empty() || !options.resume.empty();
}

bool check_long_run(const Options& options, const ir::Stencil& stencil, diag::Engine& engine) {
  const LongRunOptions& own = options.long_run;
  if (!takes_parts(own)) return true;
  if (!stencil.steps()) {
    const char* const option = own.every != 0            ? "every"
                               : !own.checkpoint.empty() ? "checkpoint"
                                                         : "resume";
    return bad_input(engine,
                     fmt::format("`--{}`: the stencil `{}` takes no time steps, but a single pass",
                                 option, stencil.name));
  }
  for (const std::string& film : own.films)
    if (std::error_code error;
        !own.resume.empty() && std::filesystem::exists(plot_path(film), error))
      return bad_input(engine, fmt::format("`--animate {}`: the film is there, and a run that is "
                                           "resumed cannot add to it; choose another name",
                                           film));
  if (own.every == 0) return true;
  const bool writes = std::ranges::any_of(
      options.outputs, [&](const NameValue& one) { return !is_series(stencil, one.first); });
  if (!writes && options.plots.empty() && own.films.empty() && own.log.empty())
    return bad_input(engine,
                     "`--every` has no effect without `--out` of a field, `--plot`, `--animate` or "
                     "`--log`");
  return true;
}

bool goes_on_in_series(const Options& options, int64_t step, diag::Engine& engine) {
  const int64_t every = options.long_run.every;
  for (const auto& [names, text] : options.outputs) {
    const FileName file = file_name(text);
    if (std::error_code error;
        !is_one_file(file, every) || !std::filesystem::exists(file.path, error))
      continue;
    const auto refuse = [&, names = names](const std::string& why) {
      return bad_input(engine, fmt::format("`--out {}={}`: {}; move the file away, or choose "
                                           "another name",
                                           names, file.path, why));
    };
    const data::Result<std::vector<int64_t>> steps = data::netcdf_steps(file.path);
    if (!steps.ok()) return refuse("the earlier snapshots cannot be continued: " + steps.error());
    for (const int64_t one : *steps)
      if (one > options.first + step && (one - options.first) % every != 0)
        return refuse(
            fmt::format("it has a snapshot of step {}, which a run with `--every {}` does not take",
                        one, every));
  }
  return true;
}

namespace {

constexpr int64_t kMostNames = 200'000;  // that are compared; a run of more files has other cares

struct NamedFile {
  std::string path, option;
};

std::vector<NamedFile> named_files(const Options& options, const ir::Stencil& stencil) {
  std::vector<NamedFile> files;
  const LongRunOptions& own = options.long_run;
  for (const auto& [names, text] : options.outputs) {
    const std::string option = fmt::format("--out {}={}", names, text);
    const FileName file = file_name(text);
    files.push_back({file.path, option});
    if (own.every != 0 && file.kind == FileKind::vti && !is_series(stencil, names))
      files.push_back({collection_name(file.path), option});
  }
  for (const std::string& plot : options.plots)
    files.push_back({plot_path(plot), "--plot " + plot});
  for (const std::string& film : own.films) files.push_back({plot_path(film), "--animate " + film});
  if (!own.log.empty()) files.push_back({own.log, "--log " + own.log});
  if (!own.checkpoint.empty())
    for (const char* more : {"", ".previous", ".tmp"})
      files.push_back({own.checkpoint + more, "--checkpoint " + own.checkpoint});
  return files;
}

}  // namespace

bool check_names_differ(const Options& options, const ir::Stencil& stencil, diag::Engine& engine) {
  const int64_t every = options.long_run.every;
  const int64_t steps =
      options.steps_given || !stencil.iterate.given ? options.steps : stencil.iterate.limit;
  std::map<std::string, std::string> seen;
  const auto is_new = [&](const std::string& path, const std::string& option) {
    const auto [other, added] =
        seen.emplace(std::filesystem::path(path).lexically_normal().string(), option);
    return added || bad_input(engine, other->second == option
                                          ? fmt::format("`{}` would overwrite its own file", option)
                                          : fmt::format("`{}` would overwrite the file of `{}`",
                                                        option, other->second));
  };
  std::vector<NamedFile> many;
  for (const auto& [path, option] : named_files(options, stencil)) {
    if (every != 0 && has_number(path))
      many.push_back({path, option});
    else if (!is_new(path, option))
      return false;
  }
  if (many.empty()) return true;
  const int64_t most = kMostNames / static_cast<int64_t>(many.size());
  for (int64_t n = 1; n <= std::min(steps / every, most); ++n)
    for (const auto& [path, option] : many)
      if (!is_new(numbered(path, options.first + n * every), option)) return false;
  return true;
}

bool check_folders(const Options& options, const ir::Stencil& stencil, diag::Engine& engine) {
  for (const NamedFile& file : named_files(options, stencil)) {
    if (file.path == "-") continue;
    const std::string path = numbered(file.path, options.first + options.long_run.every);
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    const std::string folder = parent.empty() ? "." : parent.string();
    const auto refuse = [&](const std::string& why) {
      engine.report(diag::cannot_write, diag::nowhere,
                    fmt::format("cannot write `{}`: {}", path, why));
      return false;
    };
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(folder, error);
    if (!std::filesystem::exists(status))
      return refuse(fmt::format("there is no directory `{0}`; `mkdir -p {0}` makes it", folder));
    if (!std::filesystem::is_directory(status))
      return refuse(fmt::format("`{}` is not a directory", folder));
    if (std::filesystem::is_directory(path, error)) return refuse("it is a directory");
    // A device or a pipe is written in place, and a file is replaced by another one of its folder.
    if (!std::filesystem::exists(path, error) && ::access(folder.c_str(), W_OK) != 0)
      return refuse(
          fmt::format("the directory `{}` takes no files: {}", folder, std::strerror(errno)));
  }
  return true;
}

}  // namespace stencilc::driver
