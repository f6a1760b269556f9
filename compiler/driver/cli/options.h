// Holds the options of the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/execute/launcher.h"
#include "driver/pipeline/compile.h"
#include "driver/pipeline/param_values.h"

namespace stencilc::driver {

// The options of `stencilc bench`.
struct BenchOptions {
  std::vector<std::string> words;      // of the command line, starting with `bench`
  std::vector<std::string> schedules;  // empty: the compiler's choice
  bool all = false;                    // schedules
  int repeats = 7;
  double sustained = 2.5;  // seconds
  bool ncu = false, once = false, build_only = false;
  std::string json, plot, roofline;   // files; empty: none
  std::vector<int> devices;           // how many, for one table of all; empty: schedules are timed
  bool strong = false, weak = false;  // do devices share a grid, or does each have one?
};

// The options of `stencilc tune`.
struct TuneOptions {
  double budget = 120;  // seconds
  int trials = 0;       // schedules; 0: as many as the budget allows
  int jobs = 0;         // that are built at the same time; 0: one per core
  int devices = 1;      // with a piece of the grid each
};

// The options of `stencilc cache`.
struct CacheOptions {
  bool show = false, clear = false;
  std::optional<uint64_t> limit;  // bytes
};

// The options of `stencilc run` for runs that take long.
struct LongRunOptions {
  int64_t every = 0;               // steps between two snapshots; 0: there are none
  std::vector<std::string> films;  // u=film.gif:range=0..1
  std::string log;                 // a file; empty: none
  bool quiet = false;
  std::string checkpoint;         // a file; empty: none
  int64_t checkpoint_steps = 0;   // between two; 0: no such number
  double checkpoint_seconds = 0;  // likewise
  std::string resume;             // a checkpoint to go on from; empty: none
};

struct Options {
  enum Command {
    compile,
    run,
    verify,
    bench_schedules,
    tune_schedules,
    reformat,
    examine,  // doctor
    keep_cache
  } command = compile;
  std::string input;   // "-": standard input
  std::string output;  // "-": standard output; empty: the default
  std::string header;
  std::string emit;  // a stage to print; empty: write the output files
  CompileOptions compilation;
  // sm_90 or native; find_devices() replaces native and removes duplicates
  std::vector<std::string> archs;
  std::string generate;  // the man page, or the completion for a shell
  bool explain = false;  // --explain CODE
  std::string explain_code;
  bool explain_plan = false;  // --explain with an input: explain the schedule
  bool explain_json = false;  // --explain=json
  bool check = false;         // --check: check the output with Clang

  bool write_dependencies = false;  // -MD -MF -MT -MP
  std::string dependency_file;
  std::vector<std::string> dependency_targets;
  bool phony_dependencies = false;

  std::vector<std::string>
      warnings;           // of -W: unused-name, no-unused-name, error, error=unused-name
  std::string tune_file;  // --tune; empty: the one beside the input, if it exists
  bool untuned = false;   // --no-tune
  std::string color = "auto";
  int error_limit = 20;
  std::string format = "gnu";

  // Options of `run`.
  std::vector<int64_t> size;
  int64_t steps = 1;
  bool steps_given = false;
  int64_t first = 0;     // the number of the first step
  bool dry_run = false;  // only print what a run would do
  std::vector<NameValue> inputs, outputs, params, points, units;
  std::vector<std::string> plots;       // u.png or u=file.png
  std::vector<double> spacing, origin;  // for each axis; empty: not given
  bool strict = false;                  // refuse inputs that would be rounded
  uint64_t seed = 0;
  std::vector<int> devices;  // that have a piece of the grid each; empty or one: it is whole
  Launcher launcher = Launcher::none;
  LongRunOptions long_run;
  std::string target_name;

  std::vector<int> pieces;  // of `verify`: into how many a grid is cut; empty: it is not
  bool processes = false;   // of `verify`: is each piece computed by a process of its own?

  BenchOptions bench;
  TuneOptions tune;
  CacheOptions cache;
  bool json = false;               // of `doctor`
  std::vector<std::string> files;  // of `fmt`
};

}  // namespace stencilc::driver
