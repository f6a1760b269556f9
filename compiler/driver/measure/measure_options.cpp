#include "driver/measure/measure_options.h"

#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"

namespace stencilc::driver {

void add_measure_options(CLI::App& app, Options& options, MeasureTexts& texts) {
  app.add_option("input", options.input, "The .stn file, or - for standard input")->required();
  app.add_option("--stencil", options.compilation.stencil, "The one of several in the file");
  app.add_option("-I,--include", options.compilation.folders, "Where files of `use` are looked for")
      ->allow_extra_args(false);
  app.add_option("--size", texts.size,
                 "Extents, x first (default: 16384x16384 and so many in other ranks; less on the "
                 "CPU)");
  app.add_option("-D,--define", texts.defines, "name=value: the param is this constant")
      ->allow_extra_args(false);
  app.add_option("--param", texts.params, "name=value (default: as declared, else a small number)")
      ->allow_extra_args(false);
  app.add_option("--points", texts.points, "list=12,20;40,8 or list=file.npy (default: the middle)")
      ->allow_extra_args(false);
  add_choice(app, "--target", options.target_name, "What is built", {"cuda", "cpu"});
  app.add_option("--arch", options.archs, "GPU architectures to build for: sm_90, or native")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_choice(app, "--fp", texts.fp, "The order of roundings: canonical, or source as written",
             {"canonical", "source"});
  app.add_flag("--no-fma", texts.no_fma, "Round every product");
  add_whole(app, "--steps", options.steps,
            "Time steps of each run (default: as many as a burst takes)", 1);
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
