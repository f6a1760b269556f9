#include "driver/parse_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "diag/diagnostic.h"
#include "driver/bench/options.h"
#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/format/format_command.h"
#include "driver/pipeline/pipeline.h"
#include "driver/system/exit_codes.h"
#include "driver/tune/options.h"
#include "emit/writer.h"
#include "generated/version.h"

namespace stencilc::driver {
namespace {

// The words that make the same output again: what does not change it is left out.
std::string remembered_command(const std::vector<std::string>& arguments) {
  std::string text = "stencilc";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const bool takes_value = word == "-MF" || word == "-MT" || word == "-o" || word == "-H";
    if (word == "-MD" || word.starts_with("--explain") || word == "-MP" || word == "--check" ||
        word.starts_with("--color") || word.starts_with("--diag") || word.starts_with("-W"))
      continue;
    if (takes_value && word != "-o") {
      ++i;
      continue;
    }
    // a folder is a matter of the machine, a name is not
    std::string shown = word[0] == '-' ? word : word.substr(word.find_last_of('/') + 1);
    text += " " + shown;
  }
  return text;
}

const std::vector<std::string> kCommands = {"run", "verify", "bench", "tune", "fmt"};

// A word that is neither a file nor looks like the name of one.
bool is_lost_command(const std::string& word) {
  std::error_code error;
  return word.find_first_of("-./@") == std::string::npos &&
         !exists(std::filesystem::symlink_status(word, error));
}

}  // namespace

std::optional<int> parse_options(int argc, char** argv, Options& options) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!expand_response_files(arguments)) return kInputOutput;
  const std::vector<std::string> later = {"import"};
  if (!arguments.empty()) {
    if (arguments[0] == "run") options.command = Options::run;
    if (arguments[0] == "verify") options.command = Options::verify;
    if (arguments[0] == "bench") return parse_bench_options(arguments, options);
    if (arguments[0] == "tune") return parse_tune_options(arguments, options);
    if (arguments[0] == "fmt") return parse_format_options(arguments, options);
    if (std::find(later.begin(), later.end(), arguments[0]) != later.end())
      return usage_error(fmt::format("the command `{}` is not in this version", arguments[0]));
    if (options.command == Options::compile && is_lost_command(arguments[0]))
      return usage_error(fmt::format("there is no command and no file `{}`; {}", arguments[0],
                                     diag::suggestion(arguments[0], kCommands)));
  }
  options.compilation.command = remembered_command(arguments);
  std::vector<std::string> words = normalised(arguments);
  if (options.command != Options::compile) words.erase(words.begin());

  CLI::App app(
      "Compiles a stencil program (.stn) to CUDA, or to C++ for the CPU.\n"
      "  stencilc laplace.stn -o laplace.cu      writes laplace.cu and laplace.h\n"
      "  stencilc run laplace.stn --size 512x512 --steps 100 --plot u.png\n"
      "  stencilc verify laplace.stn             compares the emitted code with the interpreter\n"
      "  stencilc bench laplace.stn              times schedules, beside a copy\n"
      "  stencilc tune laplace.stn               searches the fastest schedule\n"
      "  stencilc fmt laplace.stn                brings the file into its one form",
      "stencilc");
  app.set_version_flag("--version", fmt::format("stencilc {}{}", kVersion,
                                                *kCommit ? fmt::format(" ({})", kCommit) : ""));
  app.add_option("input", options.input, "The .stn file, or - for standard input");
  app.add_option("-o,--output", options.output, "The output; - is standard output");
  app.add_option("-H,--header", options.header, "The header (default: beside the output)");
  add_choice(app, "--emit", options.emit, "A stage to print, instead of writing files",
             {"ast", "ir", "schedule", "kernel", "cu", "cpu", "header", "manifest"});
  std::vector<std::string> stages;
  for (const Stage& stage : pipeline()) stages.emplace_back(stage.name);
  add_choice(app, "--dump-after", options.compilation.dump_after,
             "Print the program behind this stage of the compiler, instead of writing files",
             stages);
  app.add_option("-I,--include", options.compilation.folders, "Where files of `use` are looked for")
      ->allow_extra_args(false);
  app.add_option("--stencil", options.compilation.stencil, "The one of several in the file");
  add_choice(app, "--target", options.target_name, "What the output is for", {"cuda", "cpu"});
  app.add_option("--arch", options.archs, "GPU architectures the file is for: sm_90, or native")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--schedule", options.compilation.schedule,
                 "naive or coarsened, and changes: coarsened,threads=32x8,coarsen=y4");
  app.add_option("--tune", options.tune_file,
                 "What `stencilc tune` wrote (default: beside the input)");
  app.add_flag("--no-tune", options.untuned, "Use no tune file");
  add_whole(app, "--optimise", options.compilation.optimisation, "-O0 (naive) to -O3", 0, 3);
  std::string fp = "canonical";
  add_choice(app, "--fp", fp, "The order of roundings: canonical, or source as written",
             {"canonical", "source", "fast"});
  bool no_fma = false;
  CLI::Option* explain = nullptr;
  app.add_flag("--no-fma", no_fma, "Round every product");
  std::vector<std::string> defines, params, inputs, outputs, points;
  app.add_option("-D,--define", defines, "name=value: the param is this constant")
      ->allow_extra_args(false);
  app.add_flag("--line-directives", options.compilation.line_directives,
               "#line, so that tools point at the .stn");
  app.add_flag("--standalone", options.compilation.standalone,
               "The output needs no runtime header");
  app.add_flag("--check", options.check, "Clang judges the output: syntax, warnings, layout");
  explain = app.add_option(
                   "--explain", options.explain_code,
                   "STN0201: what a diagnostic means; without, or json: what was decided, and why")
                ->expected(0, 1);
  app.add_flag("--write-dependencies", options.write_dependencies, "-MD: write a depfile");
  app.add_option("--dependency-file", options.dependency_file, "-MF: its name");
  app.add_option("--dependency-target", options.dependency_targets, "-MT: what depends")
      ->allow_extra_args(false);
  app.add_flag("--phony-dependencies", options.phony_dependencies,
               "-MP: a rule without commands for each input");
  app.add_option("--warning", options.warnings, "-Wname, -Wno-name, -Wall, -Werror, -Werror=name")
      ->allow_extra_args(false);
  add_diagnostics_options(app, options.color, options.error_limit, options.format);
  bool fail_on_nan = false;
  std::string size;
  CLI::Option* steps = nullptr;
  if (options.command != Options::verify)
    app.add_option("--size", size,
                   options.command == Options::run
                       ? "Extents, x first: 1024x768 (default: those of the inputs)"
                       : "Extents, about: which tuning counts, and what is predicted for");
  if (options.command == Options::run) {
    steps = add_whole(app, "--steps", options.steps, "Time steps", 0);
    app.add_option(
           "--in", inputs,
           "field=file.png, file.npy, gauss, random, checkerboard, ramp, zero or constant:V")
        ->allow_extra_args(false);
    app.add_option("--out", outputs, "field=file.npy or file.png")->allow_extra_args(false);
    app.add_option("--plot", options.plots, "A picture of a field: u.png, or u=file.png")
        ->allow_extra_args(false);
    app.add_flag("--strict", options.strict, "Refuse inputs that a field would round");
    app.add_flag("--fail-on-nan", fail_on_nan, "An error where cells are not finite in the end");
    app.add_option("--param", params, "name=value")->allow_extra_args(false);
    app.add_option("--points", points, "list=12,20;40,8 or list=file.npy")->allow_extra_args(false);
    add_whole(app, "--seed", options.seed, "Of random inputs", 0);
  }
  if (const auto code = parse_words(app, words, "stencilc")) return code;
  if (fail_on_nan) options.warnings.push_back("error=not-finite");
  options.steps_given = steps && steps->count() > 0;
  // `--explain STN0201`, or `--explain` beside an input, whose name may stand behind it.
  options.explain = explain->count() > 0;
  const auto is_code = [](const std::string& word) {
    return !word.empty() && word != "-" && word.find_first_of("./") == std::string::npos;
  };
  options.explain_json = options.explain_code == "json";
  if (options.explain && (options.explain_json || !is_code(options.explain_code))) {
    if (options.input.empty() && !options.explain_json) options.input = options.explain_code;
    options.explain = false;
    options.explain_plan = true;
  }
  if (options.explain) return {};
  if (options.input.empty()) return usage_error("no input file");
  if (fp == "fast")
    return usage_error("`--fp=fast` is not in this version; the orders are canonical and source");
  options.compilation.numerics = {fp == "source" ? ir::Numerics::source : ir::Numerics::canonical,
                                  !no_fma};
  if (options.emit == "cu" && options.target_name == "cpu")
    return usage_error("`--emit=cu` prints CUDA, and `--target=cpu` is not; write `--emit=cpu`");
  if (options.emit == "cpu" && options.target_name == "cuda")
    return usage_error("`--emit=cpu` prints C++, and `--target=cuda` is not; write `--emit=cu`");
  if (options.emit == "cpu" || options.target_name == "cpu")
    options.compilation.target = plan::Target::cpu;
  if (int code = collect_pairs(defines, "-D", options.compilation.defines)) return code;
  if (int code = collect_pairs(params, "--param", options.params)) return code;
  options.compilation.params = options.params;
  if (int code = collect_pairs(inputs, "--in", options.inputs)) return code;
  if (int code = collect_pairs(points, "--points", options.points)) return code;
  if (int code = collect_pairs(outputs, "--out", options.outputs)) return code;
  return set_size(size, options.size);
}

}  // namespace stencilc::driver
