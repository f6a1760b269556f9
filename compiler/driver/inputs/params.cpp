#include "driver/inputs/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

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
      return unknown_of(engine, stencil, "param", name, known);
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
          engine,
          fmt::format("the weights `{0}` have no values; give all {1} with `--param {0}=...`",
                      weights.name, weights.count()));
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

long double as_written(const ir::Scalar& value) {
  return std::strtold(ir::print(value).c_str(), nullptr);
}

void compare_spacing(const Options& options, const ir::Stencil& stencil, const InputFacts& facts,
                     HostData& host) {
  if (!facts.placement && options.spacing.empty()) return;
  const bool given = !options.spacing.empty();
  for (size_t axis = 0; axis < static_cast<size_t>(stencil.rank()); ++axis)
    for (size_t p = 0; p < stencil.params.size(); ++p) {
      const std::string& name = stencil.params[p].name;
      if (name != "d" + stencil.axes[axis]) continue;
      const auto own = static_cast<double>(as_written(host.params[p]));
      const double spacing = given ? options.spacing[axis] : facts.placement->spacing[axis];
      if (std::abs(own - spacing) <= 1e-6 * std::abs(spacing)) continue;
      const std::string who =
          given ? "`--spacing` has " : "`" + facts.placed_by + "` has the spacing ";
      host.notes.push_back(fmt::format(
          "{}{} along {}, and the param `{}` is {}; `--param {}={}` takes that of {}", who, spacing,
          stencil.axes[axis], name, own, name, spacing, given ? "`--spacing`" : "the file"));
    }
}

}  // namespace stencilc::driver
