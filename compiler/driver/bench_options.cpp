#include "driver/bench_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "driver/exit_codes.h"
#include "driver/option_words.h"

namespace stencilc::driver {
namespace {

constexpr const char* kCommand = "stencilc bench";

// What the options are in text, until it is looked at.
struct Texts {
  std::string size, all, fp = "canonical";
  std::vector<std::string> defines, params, points;
  bool no_fma = false;
};

void add_what(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("input", options.input, "The .stn file, or - for standard input")->required();
  app.add_option("--stencil", options.compilation.stencil, "The one of several in the file");
  app.add_option("-I,--include", options.compilation.folders, "Where files of `use` are looked for")
      ->allow_extra_args(false);
  app.add_option("--size", texts.size,
                 "Extents, x first (default: 16384x16384 and so many in other ranks; less on the "
                 "CPU)");
  app.add_option("--schedule", options.bench.schedules,
                 "A schedule to time; may be given several times (default: the compiler's choice)")
      ->allow_extra_args(false);
  app.add_option("--schedules", texts.all, "all: every preset and common changes to it")
      ->check(CLI::IsMember({"all"}));
  app.add_option("-D,--define", texts.defines, "name=value: the param is this constant")
      ->allow_extra_args(false);
  app.add_option("--param", texts.params, "name=value (default: as declared, else a small number)")
      ->allow_extra_args(false);
  app.add_option("--points", texts.points, "list=12,20;40,8 or list=file.npy (default: the middle)")
      ->allow_extra_args(false);
}

void add_how(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("--target", options.target_name, "cuda or cpu")
      ->check(CLI::IsMember({"cuda", "cpu"}));
  app.add_option("--arch", options.archs, "GPU architectures to build for: sm_90, or native")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--optimise", options.compilation.optimisation, "-O0 (naive) to -O3")
      ->check(CLI::Range(0, 3));
  app.add_option("--fp", texts.fp, "The order of roundings: canonical, or source as written")
      ->check(CLI::IsMember({"canonical", "source"}));
  app.add_flag("--no-fma", texts.no_fma, "Round every product");
  app.add_option("--steps", options.steps,
                 "Time steps of each run (default: as many as a burst takes)")
      ->check(CLI::PositiveNumber);
  app.add_option("--repeats", options.bench.repeats, "Bursts of at least 20 ms (7)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--sustained", options.bench.sustained,
                 "Seconds of runs back to back behind the bursts (2.5); 0: none")
      ->check(CLI::Range(0.0, 3600.0));
  app.add_flag("--ncu", options.bench.ncu,
               "Counts instructions with ncu, one run for each schedule");
  app.add_flag("--build-only", options.bench.build_only,
               "Builds what would be timed, into the cache, and runs nothing");
  app.add_flag("--once", options.bench.once, "One run of the last schedule, for ncu")->group("");
}

void add_outputs(CLI::App& app, Options& options) {
  app.add_option("--json", options.bench.json,
                 "The results as of Google Benchmark; - is standard output");
  app.add_option("--plot", options.bench.plot, "Bars, as .svg or .png");
  app.add_option("--roofline", options.bench.roofline, "The roofline, as .svg or .png");
  app.add_option("--color", options.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--error-limit", options.error_limit, "Stop after so many errors; 0: never")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--diagnostics-format", options.format, "gnu or json")
      ->check(CLI::IsMember({"gnu", "json"}));
}

bool is_picture(const std::string& file) {
  return file.empty() || file.ends_with(".svg") || file.ends_with(".png");
}

}  // namespace

std::optional<int> parse_bench_options(const std::vector<std::string>& words, Options& options) {
  options.command = Options::bench_schedules;
  options.bench.words = words;
  Texts texts;
  CLI::App app(
      "Builds a stencil with one or more schedules and times them, on values made on the device.\n"
      "  stencilc bench laplace.stn --size 16384x16384\n"
      "  stencilc bench laplace.stn --schedules=all --json laplace.json --plot laplace.svg",
      kCommand);
  add_what(app, options, texts);
  add_how(app, options, texts);
  add_outputs(app, options);
  const std::vector<std::string> known = normalised(words);
  try {
    app.parse(std::vector<std::string>(known.rbegin(), known.rend() - 1));
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what(), kCommand);
  }
  options.steps_given = app["--steps"]->count() > 0;
  options.bench.all = !texts.all.empty();
  for (const std::string& picture : {options.bench.plot, options.bench.roofline})
    if (!is_picture(picture))
      return usage_error(fmt::format("`{}`: a picture ends in .svg or .png", picture), kCommand);
  options.compilation.numerics = {
      texts.fp == "source" ? ir::Numerics::source : ir::Numerics::canonical, !texts.no_fma};
  if (options.target_name == "cpu") options.compilation.target = plan::Target::cpu;
  if (int code = collect_pairs(texts.defines, "-D", options.compilation.defines)) return code;
  if (int code = collect_pairs(texts.params, "--param", options.params)) return code;
  if (int code = collect_pairs(texts.points, "--points", options.points)) return code;
  return set_size(texts.size, options.size);
}

}  // namespace stencilc::driver
