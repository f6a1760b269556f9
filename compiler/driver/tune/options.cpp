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
      "Searches the fastest schedule of a stencil on this machine, and writes it down for later\n"
      "compiles.\n"
      "  stencilc tune laplace.stn --size 16384x16384      writes laplace.tune.json\n"
      "  stencilc laplace.stn --arch=native                uses it",
      kCommand);
  add_measure_options(app, options, texts);
  app.add_option("-o,--output", options.output,
                 "The tune file (default: beside the input, laplace.tune.json)");
  add_real(app, "--budget", options.tune.budget, "Seconds to search (120)", 1, 1e6);
  add_whole(app, "--trials", options.tune.trials, "Schedules to try at most", 1, 1000000);
  add_whole(app, "--jobs", options.tune.jobs, "Schedules built at once (default: one a core)", 1,
            1024);
  add_whole(app, "--repeats", options.bench.repeats, "Bursts of at least 20 ms (7)", 1, 1000);
  if (auto code = parse_measure_options(app, words, kCommand, texts, options)) return code;
  if (options.input == "-" && options.output.empty())
    return usage_error("a stencil from standard input has no place for a tune file; give `-o`",
                       kCommand);
  return {};
}

}  // namespace stencilc::driver
