#include "lower/lower.h"

#include <algorithm>
#include <set>
#include <string>

#include "lower/signature.h"
#include "lower/sweep.h"
#include "lower/traversals.h"

namespace stencilc::lower {
namespace {

// What a kernel is called after the fields it stores: update_ex_ey; step, where it stores all.
std::string kernel_name(const ir::Stencil& stencil, const plan::Launch& launch, bool folds) {
  if (launch.stores.empty()) return "reduce";
  std::string name = "update";
  for (const plan::Stored& stored : launch.stores)
    name += "_" + stencil.fields[stencil.updates[stored.update].field].name;
  if (launch.stores.size() == stencil.updates.size()) name = "step";
  if (launch.stores.size() > 3 && name != "step")
    name = "update_" + stencil.fields[stencil.updates[launch.stores[0].update].field].name +
           "_and_" + std::to_string(launch.stores.size() - 1) + "_more";
  return name + (folds ? "_and_reduce" : "");
}

// Every buffer a kernel may use, with where the host finds it: what it writes comes first.
void add_buffers(const Context& context, kernel::Launch& launch) {
  const ir::Stencil& stencil = context.stencil;
  const auto add = [&](const kernel::Buffer& buffer, kernel::BufferArg arg) {
    for (const kernel::Buffer& known : launch.kernel.buffers)
      if (known.name == buffer.name) return;
    launch.kernel.buffers.push_back(buffer);
    launch.buffer_args.push_back(arg);
  };
  const auto place = [](size_t f) { return static_cast<int>(f); };
  const auto last = [&](size_t f) {
    return static_cast<int>(context.levels[f].size()) - context.overwrites[f];
  };
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (context.launch.stores_field(stencil, place(f)))
      add(context.targets[f], {kernel::BufferArg::grid, place(f), last(f)});
  for (const plan::Combined& one : context.launch.combines)
    if (context.folds)
      add(context.partials[one.reduction], {kernel::BufferArg::partials, one.reduction, 0});
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    for (size_t level = 0; level < context.levels[f].size(); ++level)
      add(context.levels[f][level], {kernel::BufferArg::grid, place(f), static_cast<int>(level)});
    if (stencil.fields[f].role == ir::Role::stepped || stencil.fields[f].role == ir::Role::output)
      add(context.next[f], {kernel::BufferArg::grid, place(f), last(f)});
  }
  for (size_t r = 0; r < context.results.size(); ++r)
    add(context.results[r], {kernel::BufferArg::result, place(r), 0});
  for (size_t w = 0; w < context.weights.size(); ++w)
    add(context.weights[w], {kernel::BufferArg::weights, place(w), 0});
}

void add_params(const Context& context, const kernel::Module& module, kernel::Kernel& kernel) {
  for (size_t p = 0; p < context.params.size(); ++p)
    kernel.params.push_back({context.params[p], module.params[p].type});
  if (!context.time.empty()) kernel.params.push_back({context.time, kernel::Type::i64});
  if (!context.color.empty()) kernel.params.push_back({context.color, kernel::Type::index});
  for (const std::string& extent : context.extents)
    kernel.params.push_back({extent, kernel::Type::index});
  for (const std::string& stride : module.strides)
    kernel.params.push_back({stride, kernel::Type::index});
  for (const std::string& pitch : context.pitches)
    if (!pitch.empty()) kernel.params.push_back({pitch, kernel::Type::index});
}

// Takes away the arguments that the body never touches, and notes those it does.
void drop_unused(kernel::Module& module, kernel::Launch& launch) {
  kernel::Kernel& kernel = launch.kernel;
  const std::set<std::string> used = kernel::used_names(kernel.body);
  for (kernel::ScalarParam& param : module.params) param.used |= used.count(param.name) != 0;
  std::erase_if(kernel.params, [&](const kernel::Param& param) { return !used.count(param.name); });
  size_t kept = 0;
  for (size_t b = 0; b < kernel.buffers.size(); ++b) {
    if (!used.count(kernel.buffers[b].name)) continue;
    const kernel::BufferArg& arg = launch.buffer_args[b];
    if (arg.kind == kernel::BufferArg::grid) module.grids[arg.index].used = true;
    if (arg.kind == kernel::BufferArg::weights) module.weights[arg.index].used = true;
    kernel.buffers[kept] = kernel.buffers[b];
    launch.buffer_args[kept++] = arg;
  }
  kernel.buffers.resize(kept);
  launch.buffer_args.resize(kept);
}

kernel::Launch lower_launch(const ir::Stencil& stencil, const plan::Schedule& schedule,
                            const plan::Launch& launch, bool folds, const Signature& signature,
                            Names& kernels, kernel::Module& module, plan::Target target) {
  Context context(signature, stencil, launch, folds, target);
  kernel::Launch result;
  kernel::Kernel& kernel = result.kernel;
  kernel.name = kernel_name(stencil, launch, folds);
  if (!kernel.name.starts_with("step")) kernel.name = kernels.claim(kernel.name);
  kernel.rank = stencil.rank();
  for (int a = 0; a < 3; ++a) {
    kernel.threads[a] = schedule.threads[a];
    kernel.tile[a] = schedule.tile()[a];
  }
  add_buffers(context, result);
  add_params(context, module, kernel);
  lower_invariants(context);
  kernel.body =
      target == plan::Target::cpu ? lower_loops(context) : lower_blocks(context, schedule);
  if (folds)
    for (const plan::Combined& one : launch.combines) result.folds.push_back(one.reduction);
  drop_unused(module, result);
  return result;
}

// A multiple that extents have to be of, so that cells of one colour do not meet across a periodic
// rim.
std::vector<int> multiples(const ir::Stencil& stencil) {
  std::vector<int> result(stencil.rank(), 1);
  for (const ir::Field& field : stencil.fields)
    for (int a = 0; a < stencil.rank() && field.role == ir::Role::in_place; ++a) {
      if (field.boundary.sides[a][0].edge != ir::Edge::periodic) continue;
      while (stencil.colors.factor[a] * result[a] % stencil.colors.count() != 0) ++result[a];
    }
  return result;
}

}  // namespace

kernel::Module lower(const ir::Stencil& stencil, const plan::Schedule& schedule,
                     plan::Target target) {
  kernel::Module module;
  const Signature signature = claim_signature(stencil, schedule, module);
  Names kernels;
  module.steps = stencil.steps();
  module.time = stencil.uses_time();
  module.colors = stencil.colors.count();
  if (module.colors != 0) module.multiples = multiples(stencil);
  for (const plan::Launch& launch : schedule.stages.launches) {
    const auto add = [&](bool folds, kernel::Launch::When when) {
      module.launches.push_back(
          lower_launch(stencil, schedule, launch, folds, signature, kernels, module, target));
      module.launches.back().when = when;
    };
    if (launch.combines.empty()) {
      add(false, kernel::Launch::always);
    } else if (launch.every_step) {
      add(true, kernel::Launch::always);
    } else {
      if (!launch.stores.empty()) add(false, kernel::Launch::unasked);
      add(true, kernel::Launch::asked);
    }
  }
  lower_iterate(stencil, signature, module);
  return module;
}

}  // namespace stencilc::lower
