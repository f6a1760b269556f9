// Collects what --explain says about a stencil; text.h and json.h print it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/explain/pieces.h"
#include "driver/pipeline/compile.h"
#include "driver/pipeline/field_use.h"
#include "ir/work.h"
#include "plan/machine/roofline.h"
#include "plan/search/alternatives.h"

namespace stencilc::driver {

// One kernel that takes part in a step.
struct KernelUse {
  std::string name;
  kernel::Launch::When when = kernel::Launch::always;
  std::array<int, 3> threads = {1, 1, 1}, cells = {1, 1, 1};  // per block
  int block_threads = 1;
  int most_steps = 1;  // per launch
  int shared = 0;      // bytes per block
  int points = 0;      // distinct points that a cell reads; 0 for a kernel over a list of points
  ir::Operations operations;
  // For each architecture: how many blocks a multiprocessor holds, if registers allow.
  std::vector<int> held;
  std::vector<std::string> without;  // parts of the schedule that the kernel ignores, and why
};

// What the model predicts for one device.
struct DeviceForecast {
  plan::Device device;
  std::optional<plan::Roofline> roofline;
  plan::Forecast forecast;           // without launches: there is no prediction
  std::vector<std::string> kernels;  // the kernels of its launches
  std::vector<plan::Alternative> others;
  std::vector<std::string> not_modelled;  // parts of schedules that the model was not fitted to
  std::vector<std::string> notes;         // what the prediction leaves out
  std::vector<MeshForecast> mesh;         // for pieces on several of them
  std::vector<std::string> advice;        // what would help
  // The predicted rate divided by that of the roofline; nothing if one of them is unknown.
  std::optional<double> of_roofline() const;
};

struct Explanation {
  ir::Stencil stencil;
  plan::Plan plan;
  std::vector<FieldUse> fields;
  // Of the values in memory, in any program that could have some: their names, their bytes at
  // `extents`, and at any.
  struct Workspace {
    std::vector<std::string> values;
    uint64_t bytes = 0;
    std::vector<int64_t> extents;
    std::string formula;
  };
  std::optional<Workspace> workspace;
  std::optional<Pieces> pieces;            // of a program that is emitted with --distributed
  std::vector<std::string> unused_blocks;  // `schedule` blocks that are not used, and why
  // Both are empty for the CPU.
  std::vector<KernelUse> kernels;
  std::vector<DeviceForecast> devices;
  std::string why_one;        // why the compiler chose one step per launch; or empty
  ir::Traffic traffic;        // per cell and step
  ir::Operations operations;  // per cell and step
  std::vector<std::string> advice;
};

Explanation explain(const Compiled& compiled, const CompileOptions& options);

// Advice for all devices.
std::vector<std::string> advice_for(const ir::Stencil& stencil, const CompileOptions& options);
// Advice for one device, from its prediction. `fitted`: the model was fitted to launches of several
// steps of such stencils.
std::vector<std::string> advice_for(const ir::Stencil& stencil, const plan::Schedule& schedule,
                                    const DeviceForecast& on, bool fitted);

}  // namespace stencilc::driver
