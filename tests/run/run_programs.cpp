// stencilc-run-tests: compiles examples and generated programs under many schedules, runs them on
// awkward sizes and compares every bit with the interpreter.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>

#include "run/compile_only.h"
#include "run/covering.h"
#include "run/trials.h"

namespace stencilc::run_test {
namespace {

struct Options {
  std::string programs = "examples", boundary, seeds = "1..20", schedules, step_range, part = "1/1",
              list, work;
  std::vector<std::string> examples, only;
  bool transcendental = false, show = false, no_poison = false, compile_only = false,
       canonical = false;
  int seconds = 60;
  Settings settings;
};

// "3..7" or "3"
bool read_range(const std::string& text, uint64_t& first, uint64_t& last) {
  const size_t dots = text.find("..");
  try {
    first = std::stoull(text);
    last = dots == std::string::npos ? first : std::stoull(text.substr(dots + 2));
  } catch (const std::exception&) {
    return false;
  }
  return first <= last;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// "1..5,8": the seeds 1 to 5, and 8
std::vector<uint64_t> read_seeds(const std::string& text) {
  std::vector<uint64_t> seeds;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    uint64_t first = 0, last = 0;
    if (!read_range(text.substr(begin, end - begin), first, last)) return {};
    for (uint64_t seed = first; seed <= last; ++seed) seeds.push_back(seed);
    begin = end + 1;
  }
  return seeds;
}

bool is_chosen(const Program& program, const Options& options) {
  if (options.canonical && program.numerics.order != ir::Numerics::canonical) return false;
  if (!options.boundary.empty() && program.boundary != options.boundary) return false;
  return options.only.empty() ||
         std::any_of(options.only.begin(), options.only.end(),
                     [&](const std::string& only) { return program.name.starts_with(only + ","); });
}

std::vector<Program> choose(const Options& options) {
  std::vector<Program> programs;
  std::vector<std::filesystem::path> folders(options.examples.begin(), options.examples.end());
  if (folders.empty()) folders = {"examples"};
  std::vector<Program> written;
  if (options.programs == "covering") return {};
  if (options.programs == "launch-steps")
    written = programs_of_launch_steps(folders);
  else if (options.programs != "random" && options.programs != "real")
    written = example_programs(folders.front());
  for (Program& program : written)
    if (is_chosen(program, options)) programs.push_back(std::move(program));
  const bool real = options.programs == "real";
  if (options.programs == "random" || real || options.programs == "all")
    for (const uint64_t seed : read_seeds(options.seeds))
      programs.push_back(real ? real_seeded_program(seed, options.transcendental)
                              : seeded_program(seed, options.transcendental));
  const Settings& settings = options.settings;
  if (options.programs == "launch-steps") return programs;
  // Every n-th one is in a part, so that no part is empty where there are as many programs.
  int number = 0;
  std::erase_if(programs,
                [&](const Program&) { return number++ % settings.parts != settings.part; });
  return programs;
}

bool read_launch_steps(Options& options) {
  Settings& settings = options.settings;
  if (!options.step_range.empty()) {
    uint64_t first = 0, last = 0;
    constexpr uint64_t kMost = 64;
    if (!read_range(options.step_range, first, last) || first < 1 || last > kMost) return false;
    settings.step_range = {static_cast<int>(first), static_cast<int>(last)};
  }
  char more = 0;
  if (std::sscanf(options.part.c_str(), "%d/%d%c", &settings.part, &settings.parts, &more) != 2 ||
      settings.part-- < 1 || settings.part >= settings.parts)
    return false;
  settings.with_large |= settings.large;
  settings.repeated_cells = std::max<int64_t>(settings.large_cells / 12, 1);
  return !settings.with_large || settings.where != Where::executor;
}

void declare(CLI::App& app, Options& options) {
  Settings& settings = options.settings;
  app.add_option(
         "--programs", options.programs,
         "examples, random, all: both, real: random ones shaped like applications, launch-steps: "
         "the examples with every boundary, or covering: the rows of a list of pairs")
      ->check(CLI::IsMember({"examples", "random", "all", "real", "launch-steps", "covering"}));
  app.add_option("--list", options.list, "of covering: the list, or `-` to make it and print it");
  app.add_option("--examples", options.examples,
                 "the folder of the examples; of launch-steps several");
  app.add_option("--only", options.only, "some of the examples: laplace,life")->delimiter(',');
  app.add_flag("--canonical", options.canonical, "the examples in canonical order alone");
  app.add_option("--boundary", options.boundary, "one of the boundaries of launch-steps, or own");
  app.add_option("--seeds", options.seeds, "of random and real programs: 1..200, or 3,17,40..44");
  app.add_flag("--transcendental", options.transcendental, "let exp, sin, ... into them");
  const std::map<std::string, Where> targets = {
      {"executor", Where::executor}, {"cpu", Where::cpu}, {"cuda", Where::cuda}};
  app.add_option("--target", settings.where, "executor, cpu or cuda")
      ->transform(CLI::CheckedTransformer(targets));
  app.add_option("--schedules", options.schedules, "separated by `;`; all of them by default");
  app.add_option("--share", options.settings.share,
                 "besides the first three schedules every program takes each n-th of them only, "
                 "and the next program others")
      ->check(CLI::PositiveNumber);
  app.add_flag("--in-turn", settings.in_turn,
               "and of the first three one, the next program another");
  app.add_option("--launch-steps", options.step_range,
                 "so many steps per launch, 1..8 or 3, in every form, instead of the schedules");
  app.add_option(
      "--part", options.part,
      "one of several parts, of launch-steps of the schedules, else of the programs: 3/12");
  app.add_option(
      "--most-work", settings.most_work,
      "of launch-steps leave out what has more reads times cells of a thread times steps");
  app.add_option("--every", settings.every, "of what is built about each n-th is run")
      ->check(CLI::PositiveNumber);
  app.add_flag("--large", settings.large, "large grids, each schedule against the first");
  app.add_flag("--with-large", settings.with_large, "build what --large takes, but do not run it");
  app.add_option("--large-cells", settings.large_cells, "about so many cells")
      ->check(CLI::PositiveNumber);
  app.add_option("--repeats", settings.repeats,
                 "and one of each program so often, on a twelfth of it");
  app.add_option("--arch", settings.archs, "for nvcc; by default that of the GPU");
  app.add_option("--jobs", settings.jobs, "threads")->check(CLI::Range(1, 256));
  app.add_option("--run-jobs", settings.run_jobs, "threads that run what is built; as --jobs says")
      ->check(CLI::Range(1, 256));
  app.add_flag("--verbose", settings.verbose, "a line for each schedule of a program");
  app.add_flag("--keep-going", settings.keep_going, "do not stop at the first difference");
  app.add_flag("--build-only", settings.build_only, "build the libraries and run nothing");
  app.add_flag("--compile-only", options.compile_only,
               "only stencilc: each program in a process of its own, for one architecture or the "
               "CPU and one size of grids, the next one for others");
  app.add_option("--seconds", options.seconds, "of --compile-only: so long at most a program")
      ->check(CLI::PositiveNumber);
  app.add_flag("--no-poison", options.no_poison, "do not fill fresh memory");
  app.add_flag("--unoptimized", settings.unoptimized,
               "compile for the CPU target with -O0, not with -O3 as users do");
  app.add_flag("--some-sizes", settings.some_sizes,
               "of the awkward sizes a quarter in turn, and two grids with blocks inside and at "
               "the boundary");
  app.add_flag("--wide", settings.wide, "index by 64 bits, whatever the grid");
  app.add_option("--most-cells", settings.most_cells, "leave larger cases out");
  app.add_option("--work", options.work, "where libraries are built, and kept for the next time");
  app.add_flag("--show", options.show, "print the programs and run nothing");
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs compiled stencils and compares every bit with the interpreter.");
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  options.settings.schedules = split(options.schedules);
  if (!read_launch_steps(options)) {
    std::cerr
        << "--launch-steps takes 1..8, --part takes 3/12, --large takes --target cuda or cpu\n";
    return 2;
  }
  options.settings.poison = !options.no_poison;
  if (options.list == "-") {
    std::cout << print(make_covering());
    return 0;
  }
  const std::vector<Program> programs = choose(options);
  if (programs.empty() && options.list.empty()) {
    std::cerr << "no programs are chosen\n";
    return 2;
  }
  if (options.show) {
    for (const Program& program : programs)
      std::cout << "// " << program.name << ' ' << print(program.numerics) << '\n' << program.text;
    return 0;
  }
  if (options.compile_only) {
    const CompileOnly how = {options.settings.jobs, options.seconds, options.settings.verbose,
                             options.settings.keep_going};
    return static_cast<int>(compile_only(programs, how));
  }
  if (options.settings.poison) mallopt(M_PERTURB, 0x80);  // what malloc returns is filled with 0x7F
  setenv("OMP_WAIT_POLICY", "passive", 0);  // several pools of threads share the cores
  setenv("OMP_NUM_THREADS", "3", 0);
  const bool keep = !options.work.empty();
  std::string work = options.work;
  if (!keep) {
    work = (std::filesystem::temp_directory_path() / "stencilc-run-XXXXXX").string();
    if (mkdtemp(work.data()) == nullptr) {
      std::cerr << "no temporary folder " << work << "\n";
      return 2;
    }
  }
  options.settings.work_folder = work;
  const Outcome outcome = options.list.empty() ? run_trials(programs, options.settings)
                                               : run_covering(options.list, options.settings);
  std::error_code ignored;
  if (!keep) std::filesystem::remove_all(options.settings.work_folder, ignored);
  return static_cast<int>(outcome);
}

}  // namespace
}  // namespace stencilc::run_test

int main(int argc, char** argv) { return stencilc::run_test::main(argc, argv); }
