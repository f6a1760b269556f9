#include "driver/bench/options.h"

#include <fmt/format.h>

#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/measure/measure_options.h"

namespace stencilc::driver {
namespace {

constexpr const char* kCommand = "stencilc bench";

void add_schedules(CLI::App& app, Options& options, std::string& all) {
  app.add_option("--schedule", options.bench.schedules,
                 "A schedule to time; may be given several times (default: the one of a compile)")
      ->allow_extra_args(false);
  add_choice(app, "--schedules", all, "Every preset and common changes to it", {"all"});
  add_whole(app, "--optimise", options.compilation.optimisation, "-O0 (naive) to -O3", 0, 3);
  app.add_option("--tune", options.tune_file,
                 "What `stencilc tune` wrote (default: beside the input)");
  app.add_flag("--no-tune", options.untuned, "Use no tune file");
}

void add_how(CLI::App& app, BenchOptions& bench) {
  add_whole(app, "--repeats", bench.repeats, "Bursts of at least 20 ms (7)", 1, 1000);
  add_real(app, "--sustained", bench.sustained,
           "Seconds of runs back to back behind the bursts (2.5); 0: none", 0, 3600);
  app.add_flag("--ncu", bench.ncu, "Counts instructions with ncu, one run for each schedule");
  app.add_flag("--build-only", bench.build_only,
               "Builds what would be timed, into the cache, and runs nothing");
  app.add_flag("--once", bench.once, "One run of the last schedule, for ncu")->group("");
}

void add_outputs(CLI::App& app, BenchOptions& bench) {
  app.add_option("--json", bench.json, "The results as of Google Benchmark; - is standard output");
  app.add_option("--plot", bench.plot, "Bars, as .svg or .png");
  app.add_option("--roofline", bench.roofline, "The roofline, as .svg or .png");
}

bool is_picture(const std::string& file) {
  return file.empty() || file.ends_with(".svg") || file.ends_with(".png");
}

}  // namespace

std::optional<int> parse_bench_options(const std::vector<std::string>& words, Options& options) {
  options.command = Options::bench_schedules;
  options.bench.words = words;
  MeasureTexts texts;
  std::string all;
  CLI::App app(
      "Builds a stencil with one or more schedules and times them, on values made on the device.\n"
      "  stencilc bench laplace.stn --size 16384x16384\n"
      "  stencilc bench laplace.stn --schedules=all --json laplace.json --plot laplace.svg",
      kCommand);
  add_measure_options(app, options, texts);
  add_schedules(app, options, all);
  add_how(app, options.bench);
  add_outputs(app, options.bench);
  if (auto code = parse_measure_options(app, words, kCommand, texts, options)) return code;
  options.bench.all = !all.empty();
  for (const std::string& picture : {options.bench.plot, options.bench.roofline})
    if (!is_picture(picture))
      return usage_error(fmt::format("`{}`: a picture ends in .svg or .png", picture), kCommand);
  return {};
}

}  // namespace stencilc::driver
