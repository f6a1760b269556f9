#include "driver/measure/measure_options.h"

#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"

namespace stencilc::driver {

void add_measure_options(CLI::App& app, Options& options, MeasureTexts& texts) {
  app.add_option("input", options.input, "The .stn file, or - for standard input")
      ->required()
      ->type_name("FILE");
  app.add_option("--stencil", options.compilation.stencil,
                 "Take the stencil of this name, if the file has several")
      ->type_name("NAME");
  app.add_option("-I,--include", options.compilation.folders,
                 "Search this folder for the files that `use` names, after the folder of the file "
                 "itself")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  app.add_option("--size", texts.size,
                 "The grid size, x first (default: 268435456, 16384x16384 or 768x768x768; smaller "
                 "on the CPU)")
      ->type_name("SIZE");
  app.add_option("-D,--define", texts.defines, "Compile the param NAME as the constant VALUE")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--param", texts.params,
                 "Give the param NAME this value (default: its default in the file, else a small "
                 "number)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--points", texts.points,
                 "Give a list of points: list=12,20;40,8 or list=file.npy (default: one point in "
                 "the middle)")
      ->type_name("LIST=POINTS")
      ->allow_extra_args(false);
  add_choice(app, "--target", options.target_name, "Time CUDA code on the GPU, or C++ on the CPU",
             {"cuda", "cpu"});
  app.add_option("--arch", options.archs,
                 "The GPU architectures to build for: sm_80,sm_90, or native for the GPUs of this "
                 "machine")
      ->type_name("ARCH")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_choice(app, "--fp", texts.fp,
             "The order in which sums are rounded: source is the order of the text, canonical is "
             "the order that the compiler fixes (default)",
             {"canonical", "source"});
  app.add_flag("--no-fma", texts.no_fma, "Do not fuse multiplications and additions into FMAs");
  add_whole(app, "--steps", options.steps,
            "Take this many time steps in each run (default: enough for 20 ms)", 1);
  add_diagnostics_options(app, options.color, options.error_limit, options.format);
}

std::optional<int> parse_measure_options(CLI::App& app, const std::vector<std::string>& words,
                                         const std::string& command, const MeasureTexts& texts,
                                         Options& options) {
  const std::vector<std::string> known = normalised(words);
  if (const auto code = parse_words(app, {known.begin() + 1, known.end()}, command)) return code;
  options.steps_given = app["--steps"]->count() > 0;
  options.compilation.numerics = {
      texts.fp == "source" ? ir::Numerics::source : ir::Numerics::canonical, !texts.no_fma};
  if (options.target_name == "cpu") options.compilation.target = plan::Target::cpu;
  if (int code = collect_pairs(texts.defines, "-D", options.compilation.defines)) return code;
  if (int code = collect_pairs(texts.params, "--param", options.params)) return code;
  options.compilation.params = options.params;
  if (int code = collect_pairs(texts.points, "--points", options.points)) return code;
  return set_size(texts.size, options.size);
}

}  // namespace stencilc::driver
