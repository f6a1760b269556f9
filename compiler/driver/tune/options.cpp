#include "driver/tune/options.h"

#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/measure/measure_options.h"

namespace stencilc::driver {

std::optional<int> parse_tune_options(const std::vector<std::string>& words, Options& options) {
  constexpr const char* kCommand = "stencilc tune";
  options.command = Options::tune_schedules;
  options.bench.words = words;
  options.bench.sustained = 0;
  MeasureTexts texts;
  CLI::App app(
      "Searches for the fastest schedule of a stencil on this machine, and saves it for later\n"
      "compiles.\n"
      "  stencilc tune laplace.stn --size 16384x16384      writes laplace.tune.json\n"
      "  stencilc laplace.stn --arch=native                reads it",
      kCommand);
  add_measure_options(app, options, texts);
  app.add_option("-o,--output", options.output,
                 "Write the tune file here (default: laplace.tune.json beside laplace.stn)")
      ->type_name("FILE");
  add_real(app, "--budget", options.tune.budget, "Search for this many seconds (default: 120)", 1,
           1e6);
  add_whole(app, "--trials", options.tune.trials, "Try at most this many schedules", 1, 1000000);
  add_whole(app, "--jobs", options.tune.jobs,
            "Build this many schedules at the same time (default: one per core)", 1, 1024);
  add_whole(app, "--repeats", options.bench.repeats,
            "Measure each schedule this many times, for at least 20 ms each (default: 7)", 1, 1000);
  add_whole(app, "--devices", options.tune.devices,
            "Tune for so many GPUs, each with a piece of the grid (default: 1)", 1, 1024);
  if (auto code = parse_measure_options(app, words, kCommand, texts, options)) return code;
  if (options.input == "-" && options.output.empty())
    return usage_error(
        "`-o` is needed: a stencil from standard input has no name for its tune file", kCommand);
  return {};
}

}  // namespace stencilc::driver
