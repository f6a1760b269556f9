// Defines the pipeline of the compiler as a list of stages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/pipeline/compile.h"
#include "driver/pipeline/schedule_choice.h"

namespace stencilc::driver {

// One stencil of a program, and the input of the schedule stage.
struct Item : Compiled {
  Requested requested;
  plan::Device device;
};

// The state of a compilation. Each stage reads the results of the stages before it.
struct Work {
  const CompileOptions& options;
  const diag::Sources& sources;
  diag::Engine& engine;
  const ast::Program* program = nullptr;
  std::vector<Item> items;
  std::string dumped;  // the program after the stage of --dump-after
};

struct Stage {
  const char* name;  // as --dump-after has it
  const char* does;  // one line, for readers
  void (*run)(Work& work);
  std::string (*dump)(const Work& work);  // the program after the stage, as text
};

// All stages, in order.
std::span<const Stage> pipeline();

// Runs the stages from one to another, both included. Returns false after an error, or after the
// stage of --dump-after, whose result is then in work.dumped.
bool run_stages(Work& work, std::string_view from, std::string_view to);

// Runs the stages that rewrite kernels on a module that was lowered for the target, and verifies
// the kernels before them and after each. Throws std::logic_error if a kernel is not well formed.
void run_kernel_passes(kernel::Module& module, plan::Target target);

}  // namespace stencilc::driver
