#include "driver/pipeline/param_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "driver/system/input_errors.h"

namespace stencilc::driver {
namespace {

// The number that is all of the text, as a value of the type; nothing after an error.
std::optional<ir::Scalar> number(std::string_view text, ir::Type type, const std::string& option,
                                 diag::Engine& engine) {
  const char* const end = text.data() + text.size();
  if (type == ir::Type::boolean && (text == "true" || text == "false"))
    return ir::make_integer(type, text == "true");
  int64_t whole = 0;  // exact, whatever the number of digits
  if (const auto [next, error] = std::from_chars(text.data(), end, whole);
      !ir::is_float(type) && next == end && error == std::errc()) {
    const ir::Scalar held = ir::convert(ir::make_integer(ir::Type::i64, whole), type);
    if (held.integer == whole) return held;
  }
  double value = 0;
  const auto [next, error] = std::from_chars(text.data(), end, value);
  if (next != end || error == std::errc::invalid_argument) {
    bad_input(engine, fmt::format("`{}`: `{}` is not a number", option, text));
    return {};
  }
  const ir::Scalar held = ir::convert(ir::Scalar{ir::Type::f64, value, 0}, type);
  const bool fits = ir::is_float(type) ? std::isfinite(held.real) || !std::isfinite(value)
                                       : static_cast<double>(held.integer) == value;
  if (error == std::errc() && fits) return held;
  bad_input(engine, fmt::format("`{}`: {} does not fit `{}`", option, text, ir::name(type)));
  return {};
}

}  // namespace

bool set_param(const std::string& text, const ir::Param& param, ir::Scalar& out,
               diag::Engine& engine) {
  const auto value =
      number(text, param.type, fmt::format("--param {}={}", param.name, text), engine);
  if (value) out = *value;
  return value.has_value();
}

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
  return bad_input(engine, fmt::format("{} values are given for `{}`, which has {}", values.size(),
                                       weights.name, weights.count()));
}

const std::string* find(const std::vector<NameValue>& given, const std::string& name) {
  const auto found = std::find_if(given.rbegin(), given.rend(),
                                  [&](const NameValue& one) { return one.first == name; });
  return found == given.rend() ? nullptr : &found->second;
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
