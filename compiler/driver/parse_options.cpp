#include "driver/parse_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "diag/diagnostic.h"
#include "driver/bench/options.h"
#include "driver/cache/cache_command.h"
#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/complete/complete.h"
#include "driver/doctor/doctor_command.h"
#include "driver/format/format_command.h"
#include "driver/pipeline/pipeline.h"
#include "driver/run/long_run_options.h"
#include "driver/system/exit_codes.h"
#include "driver/tune/options.h"
#include "emit/writer.h"
#include "generated/version.h"

namespace stencilc::driver {
namespace {

// The command line that makes the same output again, without what does not change it.
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
    // Folders differ between machines, so only the name stays.
    std::string shown = word[0] == '-' ? word : word.substr(word.find_last_of('/') + 1);
    text += " " + shown;
  }
  return text;
}

const std::vector<std::string> kCommands = {"run", "verify", "bench", "tune",
                                            "fmt", "doctor", "cache"};

// Whether a word is likely a misspelled command: it is not a file, and does not look like one.
bool is_lost_command(const std::string& word) {
  std::error_code error;
  return word.find_first_of("-./@") == std::string::npos &&
         !exists(std::filesystem::symlink_status(word, error));
}

std::string command_name(Options::Command command) {
  return command == Options::run      ? "stencilc run"
         : command == Options::verify ? "stencilc verify"
                                      : "stencilc";
}

// What `--help` says first.
std::string description(Options::Command command) {
  if (command == Options::run)
    return "Compiles a stencil program, runs it on the GPU (or on the CPU), and writes the "
           "results.\n"
           "  stencilc run laplace.stn --size 512x512 --steps 100 --plot u.png\n"
           "  stencilc run laplace.stn --in u=photo.png --steps 100 --out u=result.npy";
  if (command == Options::verify)
    return "Runs the emitted code and the interpreter on many small grids, and compares every "
           "bit.\n"
           "  stencilc verify laplace.stn\n"
           "  stencilc verify laplace.stn --target cpu";
  return "Compiles a stencil program (.stn) to CUDA, or to C++ for the CPU.\n"
         "  stencilc laplace.stn -o laplace.cu    writes laplace.cu and laplace.h\n"
         "  stencilc laplace.stn --explain        prints which schedule it chose, and why\n"
         "Other commands (`stencilc COMMAND --help` lists their options):\n"
         "  stencilc run laplace.stn              runs the program and writes results and "
         "pictures\n"
         "  stencilc verify laplace.stn           compares the emitted code with the interpreter\n"
         "  stencilc bench laplace.stn            times one or more schedules\n"
         "  stencilc tune laplace.stn             searches for the fastest schedule\n"
         "  stencilc fmt laplace.stn              formats the file\n"
         "  stencilc doctor                       says which tools are installed\n"
         "  stencilc cache                        shows or clears the cache of built programs";
}

}  // namespace

std::vector<CommandRow> all_commands() {
  return recorded([] {
    std::vector<std::string> names = {""};
    names.insert(names.end(), kCommands.begin(), kCommands.end());
    for (std::string& name : names) {
      std::string program = "stencilc";
      std::vector<char*> words = {program.data()};
      if (!name.empty()) words.push_back(name.data());
      Options unused;
      (void)parse_options(static_cast<int>(words.size()), words.data(), unused);
    }
  });
}

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
    if (arguments[0] == "doctor") return parse_doctor_options(arguments, options);
    if (arguments[0] == "cache") return parse_cache_options(arguments, options);
    if (std::find(later.begin(), later.end(), arguments[0]) != later.end())
      return usage_error(fmt::format("the command `{}` is not supported yet", arguments[0]));
    if (options.command == Options::compile && is_lost_command(arguments[0]))
      return usage_error(fmt::format("there is no command and no file `{}`; {}", arguments[0],
                                     diag::suggestion(arguments[0], kCommands)));
  }
  options.compilation.command = remembered_command(arguments);
  std::vector<std::string> words = normalised(arguments);
  if (options.command != Options::compile) words.erase(words.begin());

  const std::string command = command_name(options.command);
  const bool compiles = options.command == Options::compile;  // and writes or prints what it made
  CLI::App app(description(options.command), command);
  app.set_version_flag("--version", fmt::format("stencilc {}{}", kVersion,
                                                *kCommit ? fmt::format(" ({})", kCommit) : ""));
  app.add_option("input", options.input, "The .stn file, or - for standard input")
      ->type_name("FILE");
  if (compiles) {
    app.add_option("-o,--output", options.output,
                   "Write the output to this file; - is standard output (default: laplace.cu, or "
                   "laplace.cpp for the CPU, in the current folder)")
        ->type_name("FILE");
    app.add_option("-H,--header", options.header,
                   "Write the header to this file (default: the name of the output with .h)")
        ->type_name("FILE");
    add_choice(
        app, "--emit", options.emit,
        "Print this stage of the compilation instead of writing the output files; so builds a "
        "shared library and writes its header",
        {"ast", "ir", "schedule", "kernel", "cu", "cpu", "header", "manifest", "so"});
    std::vector<std::string> stages;
    for (const Stage& stage : pipeline()) stages.emplace_back(stage.name);
    add_choice(
        app, "--dump-after", options.compilation.dump_after,
        "Print the program after this stage of the compiler instead of writing the output files",
        stages);
  }
  app.add_option("-I,--include", options.compilation.folders,
                 "Search this folder for the files that `use` names, after the folder of the file "
                 "itself")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  app.add_option("--stencil", options.compilation.stencil,
                 "Compile only the stencil of this name, if the file has several")
      ->type_name("NAME");
  add_choice(app, "--target", options.target_name,
             "Make CUDA code for GPUs, or C++ code for the CPU", {"cuda", "cpu"});
  app.add_option(
         "--arch", options.archs,
         "The GPU architectures to compile for: sm_80,sm_90, or native for the GPUs of this "
         "machine")
      ->type_name("ARCH")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--schedule", options.compilation.schedule,
                 "Use this schedule: naive or coarsened, then changes to it, such as "
                 "coarsened,threads=32x8,coarsen=y4 (default: the compiler chooses)")
      ->type_name("SCHEDULE");
  app.add_option("--tune", options.tune_file,
                 "Read the schedule from this file of `stencilc tune` (default: laplace.tune.json "
                 "beside laplace.stn, if it exists)")
      ->type_name("FILE");
  app.add_flag("--no-tune", options.untuned, "Ignore tune files");
  add_max_workspace(app, options.compilation.max_workspace);
  add_whole(app, "--optimise", options.compilation.optimisation,
            "Same as -O0 to -O3: how the compiler chooses a schedule; -O0 takes naive", 0, 3);
  std::string fp = "canonical";
  add_choice(app, "--fp", fp,
             "The order in which sums are rounded: source is the order of the text, canonical is "
             "the order that the compiler fixes (default)",
             {"canonical", "source"});
  bool no_fma = false;
  CLI::Option* explain = nullptr;
  app.add_flag("--no-fma", no_fma, "Do not fuse multiplications and additions into FMAs");
  std::vector<std::string> defines, params, inputs, outputs, points, units;
  app.add_option("-D,--define", defines, "Compile the param NAME as the constant VALUE")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  if (compiles) {
    app.add_flag("--line-directives", options.compilation.line_directives,
                 "Emit #line, so that debuggers and profilers show lines of the .stn file");
    app.add_flag("--distributed", options.compilation.distributed,
                 "Emit a call for a piece of the grid, for grids that are cut into pieces");
    app.add_flag("--standalone", options.compilation.standalone,
                 "Put the runtime into the header, so that the output needs no other file");
    app.add_flag("--check", options.check,
                 "Check the output with Clang: syntax, warnings and clang-format");
    add_choice(app, "--generate", options.generate,
               "Print the man page, or the completion for a shell, made from the options",
               generated_kinds());
    explain =
        app.add_option("--explain", options.explain_code,
                       "Print which schedule the compiler chose, and why; --explain=json prints "
                       "it as JSON, --explain=STN0201 explains a diagnostic")
            ->type_name("[WHAT]")
            ->expected(0, 1);
    add_devices(app, options.devices,
                "With --explain: predict how efficient so many GPUs are, each with a piece of the "
                "grid");
    app.add_flag("--write-dependencies", options.write_dependencies,
                 "Same as -MD: also write a dependency file for make or ninja");
    app.add_option("--dependency-file", options.dependency_file,
                   "Same as -MF: the name of the dependency file")
        ->type_name("FILE");
    app.add_option("--dependency-target", options.dependency_targets,
                   "Same as -MT: the target in the dependency file (default: the output)")
        ->type_name("TARGET")
        ->allow_extra_args(false);
    app.add_flag("--phony-dependencies", options.phony_dependencies,
                 "Same as -MP: add an empty rule for each input to the dependency file");
  }
  app.add_option("--warning", options.warnings,
                 "Same as -Wname, -Wno-name, -Wall, -Werror and -Werror=name: turn warnings on, "
                 "off, or into errors")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_diagnostics_options(app, options.color, options.error_limit, options.format);
  bool fail_on_nan = false;
  std::string size;
  CLI::Option* steps = nullptr;
  if (options.command != Options::verify)
    app.add_option("--size", size,
                   options.command == Options::run
                       ? "The grid size, x first: 1024x768 (default: the size of the inputs)"
                       : "The grid size to plan for: 1024x768. The output runs on every size")
        ->type_name("SIZE");
  if (options.command == Options::verify) {
    CLI::Option* const pieces =
        app.add_option("--pieces", options.pieces,
                       "Cut the grids into so many pieces, each with memory of its own: 1,2,3")
            ->type_name("COUNTS")
            ->delimiter(',')
            ->check(CLI::Range(1, 64))
            ->allow_extra_args(false);
    app.add_flag("--processes", options.processes,
                 "Compute each piece in a process of its own; they send each other messages")
        ->needs(pieces);
  }
  if (options.command == Options::run) {
    steps = add_whole(app, "--steps", options.steps, "Take this many time steps", 0);
    add_whole(app, "--first", options.first,
              "The number of the first step, which `t` and series count (default: 0)", 0,
              INT64_MAX / 2);
    app.add_flag("--dry-run", options.dry_run,
                 "Only print what would be read, made up and written, and the memory it takes");
    app.add_option(
           "--in", inputs,
           "Fill a field from a .npy, .npz, .png, .vti, .nc or .h5 file, or with gauss, random, "
           "random:LOW..HIGH, checkerboard, ramp, zero, constant:V or wild; several fields: "
           "r,g,b=photo.png; one level of a field: u[t-1]=before.npy; one time of a series: "
           "u=run.nc:step=300")
        ->type_name("FIELD=SOURCE")
        ->allow_extra_args(false);
    app.add_option("--out", outputs,
                   "Write a field to a .npy, .npz, .png, .vti, .nc or .h5 file; several fields: "
                   "u,v=run.npz")
        ->type_name("FIELD=FILE")
        ->allow_extra_args(false);
    app.add_option(
           "--plot", options.plots,
           "Draw a field: u=file.png, u.png for the field u, several as u,v=file.svg; options "
           "follow: u.png:range=-1..1:map=magma:log:diverging:slice=z=12:channels")
        ->type_name("FIELD=FILE")
        ->allow_extra_args(false);
    add_reals(
        app, "--spacing", options.spacing,
        "The distance of neighbouring cells along each axis, for .vti and .nc files: 0.1,0.1,0.25");
    add_reals(app, "--origin", options.origin,
              "The position of the first cell along each axis, for .vti and .nc files");
    app.add_option("--unit", units,
                   "The unit of an axis, of a field, or of the time, for .nc files: x=m, time=s")
        ->type_name("NAME=UNIT")
        ->allow_extra_args(false);
    app.add_flag("--strict", options.strict,
                 "Refuse input values that the type of the field cannot hold exactly");
    app.add_flag("--fail-on-nan", fail_on_nan,
                 "Fail if a result holds NaN or infinite values at the end");
    app.add_option("--param", params, "Give the param NAME this value")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("--points", points, "Give a list of points: list=12,20;40,8 or list=file.npy")
        ->type_name("LIST=POINTS")
        ->allow_extra_args(false);
    add_whole(app, "--seed", options.seed, "The seed of random inputs", 0);
    add_devices(app, options.devices,
                "Run on so many GPUs, each with a piece of the grid, or on those of a list: 0,2. "
                "With --target=cpu the pieces are in memory");
    add_long_run_options(app, options.long_run);
    CLI::Option* const mpi = app.add_flag_callback(
        "--mpi", [&] { options.launcher = Launcher::mpi; },
        "This process is one of those that mpirun has started, each with a piece of the grid");
    app.add_flag_callback(
           "--tcp", [&] { options.launcher = Launcher::environment; },
           "The same without MPI: as torchrun, Slurm or RANK, WORLD_SIZE and MASTER_ADDR say")
        ->excludes(mpi);
  }
  if (const auto code = parse_words(app, words, command)) return code;
  if (fail_on_nan) options.warnings.push_back("error=not-finite");
  options.steps_given = steps && steps->count() > 0;
  // `--explain STN0201` explains a diagnostic. `--explain` with an input explains the schedule, and
  // the word after it may be the input.
  options.explain = explain != nullptr && explain->count() > 0;
  const auto is_code = [](const std::string& word) {
    return !word.empty() && word != "-" && word.find_first_of("./") == std::string::npos;
  };
  options.explain_json = options.explain_code == "json";
  if (options.explain && (options.explain_json || !is_code(options.explain_code))) {
    if (options.input.empty() && !options.explain_json) options.input = options.explain_code;
    options.explain = false;
    options.explain_plan = true;
  }
  if (options.explain || !options.generate.empty()) return {};
  if (options.input.empty()) return usage_error("no input file");
  options.compilation.numerics = {fp == "source" ? ir::Numerics::source : ir::Numerics::canonical,
                                  !no_fma};
  if (options.launcher != Launcher::none && !options.devices.empty())
    return usage_error(
        "`--devices` gives one process several GPUs; with `--mpi` or `--tcp` each process takes "
        "one");
  if (const auto code = check_long_run_options(options)) return code;
  if (compiles && !options.devices.empty() && !options.explain_plan)
    return usage_error(
        "`--devices` goes with `--explain` or `stencilc run`; `--distributed` emits code for any "
        "number of pieces");
  if (compiles && options.devices.size() > 1) {
    options.compilation.distributed = true;
    options.compilation.gpus = static_cast<int>(options.devices.size());
  }
  if (options.emit == "so" && options.compilation.distributed)
    return usage_error(
        "`--emit=so` builds a library for callers with the whole grid; with `--distributed`, "
        "compile the output yourself");
  // The header of a library goes with it, and is enough to call it.
  if (options.emit == "so") options.compilation.standalone = true;
  if (options.emit == "cu" && options.target_name == "cpu")
    return usage_error("`--emit=cu` does not go with `--target=cpu`; write `--emit=cpu`");
  if (options.emit == "cpu" && options.target_name == "cuda")
    return usage_error("`--emit=cpu` does not go with `--target=cuda`; write `--emit=cu`");
  if (options.emit == "cpu" || options.target_name == "cpu")
    options.compilation.target = plan::Target::cpu;
  if (int code = collect_pairs(defines, "-D", options.compilation.defines)) return code;
  if (int code = collect_pairs(params, "--param", options.params)) return code;
  options.compilation.params = options.params;
  if (int code = collect_pairs(inputs, "--in", options.inputs)) return code;
  if (int code = collect_pairs(points, "--points", options.points)) return code;
  if (int code = collect_pairs(outputs, "--out", options.outputs)) return code;
  if (int code = collect_pairs(units, "--unit", options.units)) return code;
  return set_size(size, options.size);
}

}  // namespace stencilc::driver
