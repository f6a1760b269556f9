#include "driver/inputs/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "driver/cli/report.h"
#include "interp/interpreter.h"

namespace stencilc::driver {
namespace {

ir::Scalar made_up(ir::Type type, double value) {
  return ir::is_float(type) ? ir::make_real(type, value) : ir::make_integer(type, 1);
}

// The number that all of the text is, as a value of the type; nothing after a report.
std::optional<ir::Scalar> number(std::string_view text, ir::Type type, const std::string& option,
                                 diag::Engine& engine) {
  const char* const end = text.data() + text.size();
  if (type == ir::Type::boolean && (text == "true" || text == "false"))
    return ir::make_integer(type, text == "true");
  int64_t whole = 0;  // exact, of however many digits
  if (const auto [next, error] = std::from_chars(text.data(), end, whole);
      !ir::is_float(type) && next == end && error == std::errc()) {
    const ir::Scalar held = ir::convert(ir::make_integer(ir::Type::i64, whole), type);
    if (held.integer == whole) return held;
  }
  double value = 0;
  const auto [next, error] = std::from_chars(text.data(), end, value);
  if (next != end || error == std::errc::invalid_argument) {
    bad_input(engine, fmt::format("`{}`: `{}` is no number", option, text));
    return {};
  }
  const ir::Scalar held = ir::convert(ir::Scalar{ir::Type::f64, value, 0}, type);
  const bool fits = ir::is_float(type) ? std::isfinite(held.real) || !std::isfinite(value)
                                       : static_cast<double>(held.integer) == value;
  if (error == std::errc() && fits) return held;
  bad_input(engine, fmt::format("`{}`: {} does not fit `{}`", option, text, ir::name(type)));
  return {};
}

bool set_param(const std::string& text, const ir::Param& param, ir::Scalar& out,
               diag::Engine& engine) {
  const auto value =
      number(text, param.type, fmt::format("--param {}={}", param.name, text), engine);
  if (value) out = *value;
  return value.has_value();
}

// `--param w=1,2,1`: the values of run-time weights, the last index fastest.
bool set_weights(const std::string& text, const ir::Weights& weights,
                 std::vector<ir::Scalar>& values, diag::Engine& engine) {
  const std::string option = fmt::format("--param {}={}", weights.name, text);
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    const auto value =
        number(std::string_view(text).substr(begin, comma - begin), weights.type, option, engine);
    if (!value) return false;
    values.push_back(*value);
    begin = comma + 1;
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

lint::Given given_values(const std::vector<NameValue>& given, const ir::Stencil& stencil) {
  lint::Given values;
  diag::Engine unsaid;
  for (const ir::Param& param : stencil.params) {
    const std::string* text = find(given, param.name);
    ir::Scalar value;
    if (text && set_param(*text, param, value, unsaid)) values.params[param.name] = value;
  }
  for (const ir::Weights& weights : stencil.weights) {
    const std::string* text = find(given, weights.name);
    std::vector<ir::Scalar> list;
    if (text && set_weights(*text, weights, list, unsaid)) values.weights[weights.name] = list;
  }
  return values;
}

}  // namespace stencilc::driver
