// Kernels that are made of texts.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "driver/pipeline/pipeline.h"
#include "kernel/ring.h"
#include "lower/lower.h"
#include "plan/syntax/parse_schedule.h"
#include "support/planned.h"

namespace stencilc::testing {

// Of a stencil with axes such as "x, y" under a legal schedule, after all passes; none of the
// kernels breaks a rule after any of them.
inline kernel::Module lowered(const std::string& axes, const std::string& items,
                              const std::string& schedule, const plan::Device& device = gpu()) {
  const ir::Stencil stencil = on(axes, items);
  const bool cpu = schedule.starts_with("loops");
  const plan::Target target = cpu ? plan::Target::cpu : plan::Target::cuda;
  const plan::Choice choice = plan::parse(schedule, stencil, target, device);
  EXPECT_EQ(choice.problem, "") << schedule;
  kernel::Module module = lower::lower(stencil, plan::make_plan(stencil, choice.schedule, target));
  EXPECT_NO_THROW(driver::run_kernel_passes(module, target));
  return module;
}

// The ring or the tile of a launch; null: it has none.
inline kernel::RingPtr ring_of(const kernel::Launch& launch) {
  for (const kernel::Stmt& stmt : launch.kernel.body)
    if (const auto* ring = std::get_if<kernel::RingPtr>(&stmt.node)) return *ring;
  return nullptr;
}

}  // namespace stencilc::testing
