// The pipeline: what becomes of a program, stage by stage.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/pipeline/compile.h"
#include "driver/pipeline/schedule_choice.h"

namespace stencilc::driver {

// One stencil of a program, and what the schedule stage decides from.
struct Item : Compiled {
  Requested requested;
  plan::Device device;
};

// A program in work. Each stage reads what the stages before it have made.
struct Work {
  const CompileOptions& options;
  const diag::Sources& sources;
  diag::Engine& engine;
  const ast::Program* program = nullptr;
  std::vector<Item> items;
  std::string dumped;  // what there was behind the stage of --dump-after
};

struct Stage {
  const char* name;  // as --dump-after has it
  const char* does;  // one line, for readers
  void (*run)(Work& work);
  std::string (*dump)(const Work& work);  // the program behind the stage, as text
};

// All stages, in their order.
std::span<const Stage> pipeline();

// Runs the stages from one to another, both included. False where one reported an error, or where
// the stage of --dump-after is among them: what is behind it is then in work.dumped.
bool run_stages(Work& work, std::string_view from, std::string_view to);

// The stages that rewrite kernels, on a module that was lowered for the target; kernels are
// verified behind each of them. A kernel that breaks a rule is a std::logic_error.
void run_kernel_passes(kernel::Module& module, plan::Target target);

}  // namespace stencilc::driver
