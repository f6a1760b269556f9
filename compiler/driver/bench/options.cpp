#include "driver/bench/options.h"

#include <fmt/format.h>

#include <charconv>

#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/measure/measure_options.h"

namespace stencilc::driver {
namespace {

constexpr const char* kCommand = "stencilc bench";

void add_schedules(CLI::App& app, Options& options, std::string& all) {
  app.add_option("--schedule", options.bench.schedules,
                 "Time this schedule; may be given several times (default: the schedule that a "
                 "compile takes)")
      ->type_name("SCHEDULE")
      ->allow_extra_args(false);
  add_choice(app, "--schedules", all, "Time every preset, and common changes to each", {"all"});
  add_whole(app, "--optimise", options.compilation.optimisation,
            "Same as -O0 to -O3: how the compiler chooses a schedule; -O0 takes naive", 0, 3);
  app.add_option("--tune", options.tune_file,
                 "Read the schedule from this file of `stencilc tune` (default: laplace.tune.json "
                 "beside laplace.stn, if it exists)")
      ->type_name("FILE");
  app.add_flag("--no-tune", options.untuned, "Ignore tune files");
  add_max_workspace(app, options.compilation.max_workspace);
}

void add_how(CLI::App& app, BenchOptions& bench) {
  add_whole(app, "--repeats", bench.repeats,
            "Measure each schedule this many times, for at least 20 ms each (default: 7)", 1, 1000);
  add_real(app, "--sustained", bench.sustained,
           "After that, run each schedule without a pause for this many seconds (default: 2.5; 0: "
           "not at all)",
           0, 3600);
  app.add_flag("--ncu", bench.ncu, "Count instructions with ncu, in one more run per schedule");
  app.add_flag("--build-only", bench.build_only,
               "Build everything into the cache, and run nothing");
  app.add_flag("--once", bench.once, "One run of the last schedule, for ncu")->group("");
}

void add_scaling(CLI::App& app, BenchOptions& bench) {
  const auto read = [&bench](const std::string& text) {
    constexpr int kMost = 1024;
    bench.devices.clear();
    for (const char *at = text.data(), *const end = at + text.size(); true; ++at) {
      int count = 0;
      const auto [next, error] = std::from_chars(at, end, count);
      if (error != std::errc() || count < 1 || count > kMost || (next != end && *next != ','))
        refuse_value("--devices", text,
                     fmt::format("write numbers of devices from 1 to {}, such as 1,2,4", kMost));
      bench.devices.push_back(count);
      at = next;
      if (at == end) break;
    }
  };
  app.add_option_function<std::string>(
         "--devices", read, "Time the program on one GPU, and in pieces on so many: 1,2,4")
      ->type_name("COUNTS");
  app.add_flag("--strong", bench.strong, "With --devices: they share a grid of --size");
  app.add_flag("--weak", bench.weak,
               "With --devices: each has a grid of --size (default: both, one after the other)");
}

// Why the options do not go together; or empty.
std::string scaling_conflict(const BenchOptions& bench) {
  if (bench.devices.empty())
    return bench.strong || bench.weak ? "`--strong` and `--weak` go with `--devices`" : "";
  const char* const other = bench.all                    ? "--schedules"
                            : bench.schedules.size() > 1 ? "--schedule"
                            : bench.ncu                  ? "--ncu"
                            : !bench.roofline.empty()    ? "--roofline"
                                                         : nullptr;
  if (other == nullptr) return "";
  return fmt::format("`--devices` times one schedule on several GPUs; {}",
                     bench.schedules.size() > 1 && !bench.all
                         ? "give one `--schedule`"
                         : fmt::format("leave out `{}`", other));
}

void add_outputs(CLI::App& app, BenchOptions& bench) {
  app.add_option("--json", bench.json,
                 "Write the results as JSON of the form of Google Benchmark; - is standard output")
      ->type_name("FILE");
  app.add_option("--plot", bench.plot, "Write a bar chart (.svg or .png)")->type_name("FILE");
  app.add_option("--roofline", bench.roofline, "Write a roofline chart (.svg or .png)")
      ->type_name("FILE");
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
      "Builds a stencil with one or more schedules and times each, beside a copy and `naive`.\n"
      "  stencilc bench laplace.stn --size 16384x16384\n"
      "  stencilc bench laplace.stn --schedules=all --json laplace.json --plot laplace.svg\n"
      "  stencilc bench laplace.stn --devices 1,2 --weak",
      kCommand);
  add_measure_options(app, options, texts);
  add_schedules(app, options, all);
  add_how(app, options.bench);
  add_scaling(app, options.bench);
  add_outputs(app, options.bench);
  if (auto code = parse_measure_options(app, words, kCommand, texts, options)) return code;
  options.bench.all = !all.empty();
  if (const std::string why = scaling_conflict(options.bench); !why.empty())
    return usage_error(why, kCommand);
  for (const std::string& picture : {options.bench.plot, options.bench.roofline})
    if (!is_picture(picture))
      return usage_error(
          fmt::format("`{}`: the name of a picture has to end in .svg or .png", picture), kCommand);
  return {};
}

}  // namespace stencilc::driver
