// The command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/pipeline/compile.h"
#include "driver/pipeline/param_values.h"

namespace stencilc::driver {

// What `stencilc bench` times, how, and where the results go.
struct BenchOptions {
  std::vector<std::string> words;      // of the command line, the first being `bench`
  std::vector<std::string> schedules;  // none: the compiler's choice
  bool all = false;                    // schedules
  int repeats = 7;
  double sustained = 2.5;  // seconds
  bool ncu = false, once = false, build_only = false;
  std::string json, plot, roofline;  // files; empty: none
};

// How long `stencilc tune` searches.
struct TuneOptions {
  double budget = 120;  // seconds
  int trials = 0;       // schedules; 0: as many as the budget allows
  int jobs = 0;         // that are built at once; 0: one for each core
};

struct Options {
  enum Command {
    compile,
    run,
    verify,
    bench_schedules,
    tune_schedules,
    reformat
  } command = compile;
  std::string input;   // "-": standard input
  std::string output;  // "-": standard output; empty: beside the input
  std::string header;
  std::string emit;  // a stage to print; empty: the files are written
  CompileOptions compilation;
  // sm_90, native; when the devices are found (archs.h), without native, each once.
  std::vector<std::string> archs;
  bool explain = false;  // --explain CODE
  std::string explain_code;
  bool explain_plan = false;  // --explain with an input: print what was decided, and why
  bool explain_json = false;  // --explain=json: the same as JSON
  bool check = false;         // --check: Clang judges what is emitted

  bool write_dependencies = false;  // -MD -MF -MT -MP
  std::string dependency_file;
  std::vector<std::string> dependency_targets;
  bool phony_dependencies = false;

  std::vector<std::string>
      warnings;           // of -W: unused-name, no-unused-name, error, error=unused-name
  std::string tune_file;  // --tune; empty: the one beside the input, if there is one
  bool untuned = false;   // --no-tune
  std::string color = "auto";
  int error_limit = 20;
  std::string format = "gnu";

  // run
  std::vector<int64_t> size;
  int64_t steps = 1;
  bool steps_given = false;
  std::vector<NameValue> inputs, outputs, params, points;
  std::vector<std::string> plots;  // u.png or u=file.png
  bool strict = false;             // inputs that would be rounded are refused
  uint64_t seed = 0;
  std::string target_name;

  BenchOptions bench;
  TuneOptions tune;
  std::vector<std::string> files;  // of `fmt`
};

}  // namespace stencilc::driver
