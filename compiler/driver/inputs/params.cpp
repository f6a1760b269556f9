#include "driver/inputs/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driver/pipeline/param_values.h"
#include "driver/system/input_errors.h"
#include "interp/interpreter.h"

namespace stencilc::driver {
namespace {

ir::Scalar made_up(ir::Type type, double value) {
  return ir::is_float(type) ? ir::make_real(type, value) : ir::make_integer(type, 1);
}

}  // namespace

bool set_params(const std::vector<NameValue>& given, const ir::Stencil& stencil, Missing missing,
                HostData& host, diag::Engine& engine) {
  for (const auto& [name, text] : given) {
    std::vector<std::string> known;
    for (const ir::Param& param : stencil.params) known.push_back(param.name);
    for (const ir::Weights& weights : stencil.weights) known.push_back(weights.name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      return unknown_input(engine,
                           fmt::format("the stencil `{}` has no param `{}`", stencil.name, name),
                           name, known);
  }
  for (const ir::Param& param : stencil.params) {
    host.params.push_back(missing == Missing::made_up && !param.has_default
                              ? made_up(param.type, 0.0625)
                              : param.value);
    const std::string* text = find(given, param.name);
    if (text && !set_param(*text, param, host.params.back(), engine)) return false;
  }
  for (const ir::Reduction& reduction : stencil.reductions)
    host.reductions.push_back(interp::identity(reduction));
  for (const ir::Weights& weights : stencil.weights) {
    host.weights.emplace_back();
    if (const std::string* text = find(given, weights.name)) {
      if (!set_weights(*text, weights, host.weights.back(), engine)) return false;
    } else if (missing == Missing::refused) {
      return bad_input(
          engine, fmt::format("the weights `{0}` have no values; give them with `--param {0}=...`",
                              weights.name));
    } else {
      host.weights.back().assign(weights.count(), made_up(weights.type, 1.0 / weights.count()));
    }
  }
  for (const ir::Param& param : stencil.params)
    if (missing == Missing::refused && !param.has_default && !find(given, param.name))
      return bad_input(
          engine,
          fmt::format("the param `{0}` has no value; give it with `--param {0}=...`", param.name));
  return true;
}

void compare_spacing(const ir::Stencil& stencil, const InputFacts& facts, HostData& host) {
  if (!facts.placement) return;
  for (int axis = 0; axis < stencil.rank(); ++axis)
    for (size_t p = 0; p < stencil.params.size(); ++p) {
      const ir::Param& param = stencil.params[p];
      if (param.name != "d" + stencil.axes[static_cast<size_t>(axis)]) continue;
      const ir::Scalar& value = host.params[p];
      const double given =
          ir::is_float(value.type) ? value.real : static_cast<double>(value.integer);
      const double spacing = facts.placement->spacing[static_cast<size_t>(axis)];
      if (std::abs(given - spacing) > 1e-6 * std::abs(spacing))
        host.notes.push_back(
            fmt::format("`{}` has the spacing {} along {}, and the param `{}` is {}; `--param "
                        "{}={}` takes that "
                        "of the file",
                        facts.placed_by, spacing, stencil.axes[static_cast<size_t>(axis)],
                        param.name, given, param.name, spacing));
    }
}

}  // namespace stencilc::driver
