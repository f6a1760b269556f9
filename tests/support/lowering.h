// A stencil under a schedule, as lowering knows it before it makes kernels.
#pragma once

#include <string>
#include <utility>

#include "lower/signature.h"
#include "plan/syntax/parse_schedule.h"
#include "support/planned.h"

namespace stencilc::testing {

struct Lowering {
  ir::Stencil stencil;
  plan::Schedule schedule;
  plan::Plan plan;
  kernel::Module module;
  lower::Signature signature;
  lower::Builder builder;
  lower::Context context;

  explicit Lowering(ir::Stencil of, const std::string& text = "naive")
      : stencil(std::move(of)),
        schedule(plan::parse(text, stencil, plan::Target::cuda).schedule),
        plan(plan::make_plan(stencil, schedule, plan::Target::cuda)),
        signature(lower::claim_signature(stencil, plan, module)),
        builder(signature),
        context(signature, stencil, plan.launches().at(0), plan::Target::cuda, builder) {}
  Lowering(const Lowering&) = delete;  // the context has the builder of this one
  Lowering& operator=(const Lowering&) = delete;
};

}  // namespace stencilc::testing
