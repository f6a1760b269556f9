// stencilc verify: compares the emitted code with the interpreter.
#include "driver/verify/verify_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "diag/codes.h"
#include "driver/cli/read_input.h"
#include "driver/cli/report.h"
#include "driver/verify/compare.h"
#include "plan/syntax/print_schedule.h"
#include "plan/syntax/schedule_block.h"

namespace stencilc::driver {
namespace {

struct Setting {
  const char* name;
  bool late, descending;
};
constexpr Setting kSettings[] = {{"copies at once, threads ascending", false, false},
                                 {"copies late, threads descending", true, true}};

// Of a whole grid, or in so many pieces.
std::vector<Case> all_cases(const Compiled& compiled, const Options& options) {
  if (options.pieces.empty()) return awkward_cases(compiled, 1);
  std::vector<Case> cases;
  for (const int count : options.pieces) {
    const uint64_t seed = static_cast<uint64_t>(count);
    for (Case& test : options.processes ? cases_in_processes(compiled, count, seed)
                                        : cases_in_pieces(compiled, count, seed))
      cases.push_back(std::move(test));
  }
  return cases;
}

// All cases on one machine. Returns how many were compared.
int compare_all(const Compiled& compiled, const Machine& machine, const std::string& setting,
                const Options& options, double tolerance, diag::Engine& engine) {
  int count = 0;
  for (const Case& test : all_cases(compiled, options)) {
    ++count;
    const std::string difference = compare(compiled, machine, test, tolerance);
    if (difference.empty()) continue;
    engine.report(diag::check_failed, diag::nowhere, fmt::format("{}: {}", print(test), difference))
        .note("the emitted code ran on " + setting);
    return count;
  }
  return count;
}

// Runs all cases on every available machine; without the GPU of this machine if the code is for
// another one.
void verify_one(const Compiled& compiled, const Options& options, bool gpu, diag::Engine& engine) {
  const bool cpu = options.compilation.target == plan::Target::cpu;
  std::vector<std::pair<std::string, Machine>> machines;
  if (cpu || gpu)
    machines.emplace_back(cpu ? "the CPU target" : "the GPU",
                          build(compiled, options.compilation.target, options.archs));
  if (!cpu)
    for (const Setting& setting : kSettings)
      machines.emplace_back(fmt::format("the executor ({})", setting.name),
                            execute(compiled, setting.late, setting.descending));
  int count = 0;
  for (const auto& [name, machine] : machines) {
    if (!machine.call) {
      const bool executor = machine.tool_missing && name.starts_with("the executor");
      if (executor && count > 0) {  // the GPU has already agreed
        std::cerr << fmt::format("stencilc: note: not run on the executor: {}\n", machine.problem);
        break;
      }
      diag::Diagnostic& report =
          engine.report(machine.tool_missing ? diag::tool_missing : diag::build_failed,
                        diag::nowhere, machine.problem);
      if (executor)
        report.help(kHowToAddClang)
            .help("`--target cpu` verifies the code for the CPU, without Clang");
      break;
    }
    // Only a GPU has other functions for exp, sin and the like.
    const double tolerance = name == "the GPU" && is_transcendental(compiled.stencil) ? 1e-3 : 0;
    count += compare_all(compiled, machine, name, options, tolerance, engine);
    if (engine.has_errors()) break;
  }
  if (!engine.has_errors())
    std::cout << fmt::format(
        "{}: {} runs {}with the schedule `{}` agree with the interpreter in every bit\n",
        compiled.stencil.name, count,
        options.pieces.empty() ? ""
                               : fmt::format("in {} pieces {}", fmt::join(options.pieces, ", "),
                                             options.processes ? "of as many processes " : ""),
        plan::print(compiled.plan.schedule, compiled.stencil));
}

// A GPU for which the block is used, or null.
const plan::Device* device_of(const ir::ScheduleBlock& block, const ir::Stencil& stencil) {
  for (const plan::Device& device : plan::devices())
    if (plan::block_for(stencil, plan::Target::cuda, device) == &block) return &device;
  return nullptr;
}

// Verifies the `schedule` blocks for other GPUs.
void verify_others(const Compiled& compiled, const diag::Sources& sources, const Options& options,
                   diag::Engine& engine) {
  const ir::Stencil& stencil = compiled.stencil;
  const plan::Target target = options.compilation.target;
  for (const ir::ScheduleBlock& block : stencil.schedules) {
    const plan::Device* device = device_of(block, stencil);
    if (!device || plan::block_for(stencil, target, options.compilation.devices.front()) == &block)
      continue;
    CompileOptions own = options.compilation;
    own.devices = {*device};
    const std::optional<Compiled> other = back_end(stencil, sources, own, engine);
    if (other) verify_one(*other, options, false, engine);
    if (engine.has_errors()) return;
  }
}

}  // namespace

int verify_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  Options named = options;
  if (!read_input(named, sources, engine)) return finish(engine, sources, options);
  named.compilation.file = "stencil";
  named.compilation.command = "stencilc " + options.input;
  named.compilation.any_grid = true;
  named.compilation.distributed = !options.pieces.empty();
  const bool cuda = named.compilation.target == plan::Target::cuda, gpu = cuda && has_gpu();
  // Without --schedule and --arch, all blocks of the file are verified.
  const bool all = cuda && named.compilation.schedule.empty() && options.archs.empty();
  for (const Compiled& compiled : compile_all(sources, named.compilation, engine)) {
    verify_one(compiled, named, gpu, engine);
    if (all && !engine.has_errors()) verify_others(compiled, sources, named, engine);
  }
  return finish(engine, sources, options);
}

}  // namespace stencilc::driver
