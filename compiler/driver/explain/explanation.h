// What --explain says of a stencil, as a value: explanation_text.h and explanation_json.h print it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/pipeline/compile.h"
#include "driver/pipeline/field_use.h"
#include "ir/work.h"
#include "plan/machine/roofline.h"
#include "plan/search/alternatives.h"

namespace stencilc::driver {

// One kernel of a step.
struct KernelUse {
  std::string name;
  kernel::Launch::When when = kernel::Launch::always;
  std::array<int, 3> threads = {1, 1, 1}, cells = {1, 1, 1};  // of a block
  int block_threads = 1;
  int most_steps = 1;  // of a launch
  int shared = 0;      // bytes of a block
  int points = 0;      // distinct ones that a cell reads; 0 of a kernel for a list of points
  ir::Operations operations;
  // By architecture: the blocks that a multiprocessor holds, if registers allow.
  std::vector<int> held;
  std::vector<std::string> without;  // what is asked for, and why the kernel does without it
};

// What the model says of a device.
struct DeviceForecast {
  plan::Device device;
  std::optional<plan::Roofline> roofline;
  plan::Forecast forecast;           // no launches: nothing is predicted
  std::vector<std::string> kernels;  // the names of its launches
  std::vector<plan::Alternative> others;
  std::vector<std::string> unweighed;  // parts of schedules that the model is not fitted to
  std::vector<std::string> notes;      // what the prediction leaves out
  std::vector<std::string> advice;     // what would help
  // Of the rate that is predicted, what the roofline allows; nothing where one is unknown, or of
  // another card.
  std::optional<double> of_roofline() const;
};

struct Explanation {
  ir::Stencil stencil;
  plan::Schedule schedule;
  std::vector<FieldUse> fields;
  std::vector<std::string> passed_over;  // blocks of the text that do not count, and why
  // For GPUs; empty, and without devices, on the CPU.
  std::vector<KernelUse> kernels;
  std::vector<DeviceForecast> devices;
  std::string why_one;        // why a launch takes one step, where nobody asks for more; or empty
  ir::Traffic traffic;        // of a cell in a step
  ir::Operations operations;  // of a cell in a step
  std::vector<std::string> advice;
};

Explanation explain(const Compiled& compiled, const CompileOptions& options);

// What would help on any device.
std::vector<std::string> advice_for(const ir::Stencil& stencil, const CompileOptions& options);
// What would help on this one.
std::vector<std::string> advice_for(const ir::Stencil& stencil, const plan::Schedule& schedule,
                                    const DeviceForecast& on);

}  // namespace stencilc::driver
