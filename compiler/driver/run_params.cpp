#include "driver/run_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "driver/report.h"
#include "interp/interpreter.h"

namespace stencilc::driver {
namespace {

bool is_weights(const ir::Stencil& stencil, const std::string& name) {
  return std::any_of(stencil.weights.begin(), stencil.weights.end(),
                     [&](const ir::Weights& weights) { return weights.name == name; });
}

ir::Scalar made_up(ir::Type type, double value) {
  return ir::is_float(type) ? ir::make_real(type, value) : ir::make_integer(type, 1);
}

bool set_param(const std::string& text, const ir::Param& param, ir::Scalar& out,
               diag::Engine& engine) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return bad_input(engine, fmt::format("`--param {}={}` gives no number", param.name, text));
  out = ir::convert(ir::Scalar{ir::Type::f64, value, 0}, param.type);
  if (!ir::is_float(param.type) && static_cast<double>(out.integer) != value)
    return bad_input(engine, fmt::format("`--param {}={}` does not fit `{}`", param.name, text,
                                         ir::name(param.type)));
  return true;
}

// `--param w=1,2,1`: the values of run-time weights, the last index fastest.
bool set_weights(const std::string& text, const ir::Weights& weights,
                 std::vector<ir::Scalar>& values, diag::Engine& engine) {
  const char *at = text.data(), *end = at + text.size();
  for (;;) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && *next != ','))
      return bad_input(engine,
                       fmt::format("`--param {}={}`: numbers with commas between them are expected",
                                   weights.name, text));
    values.push_back(ir::convert(ir::Scalar{ir::Type::f64, value, 0}, weights.type));
    if (next == end) break;
    at = next + 1;
  }
  if (static_cast<int>(values.size()) == weights.count()) return true;
  return bad_input(engine, fmt::format("{} values for `{}`, which holds {}", values.size(),
                                       weights.name, weights.count()));
}

// The last of the name wins.
const std::string* find(const std::vector<NameValue>& given, const std::string& name) {
  const auto found = std::find_if(given.rbegin(), given.rend(),
                                  [&](const NameValue& one) { return one.first == name; });
  return found == given.rend() ? nullptr : &found->second;
}

}  // namespace

bool set_params(const std::vector<NameValue>& given, const ir::Stencil& stencil, Missing missing,
                HostData& host, diag::Engine& engine) {
  for (const auto& [name, text] : given) {
    const bool known = std::any_of(stencil.params.begin(), stencil.params.end(),
                                   [&](const ir::Param& param) { return param.name == name; });
    if (!known && !is_weights(stencil, name))
      return bad_input(engine,
                       fmt::format("the stencil `{}` has no param `{}`", stencil.name, name));
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
          engine, fmt::format("the weights `{0}` have no values; give them by `--param {0}=...`",
                              weights.name));
    } else {
      host.weights.back().assign(weights.count(), made_up(weights.type, 1.0 / weights.count()));
    }
  }
  for (const ir::Param& param : stencil.params)
    if (missing == Missing::refused && !param.has_default && !find(given, param.name))
      return bad_input(
          engine,
          fmt::format("the param `{0}` has no value; give it by `--param {0}=...`", param.name));
  return true;
}

}  // namespace stencilc::driver
