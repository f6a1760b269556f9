#include "run/phrase.h"

#include <algorithm>

namespace stencilc::run_test {
namespace {

Strength strength_of(const std::string& op) {
  if (op == "||") return or_;
  if (op == "&&") return and_;
  if (op == "+" || op == "-") return sum;
  if (op == "*" || op == "/" || op == "%") return product;
  return comparison;
}

// What holds for a phrase that both are parts of.
Phrase both_parts(const Phrase& a, const Phrase& b) {
  Phrase result;
  result.reads = a.reads + b.reads;
  result.reach = std::max(a.reach, b.reach);
  result.movable = a.movable && b.movable;
  return result;
}

}  // namespace

Phrase literal(const std::string& text) {
  Phrase result;
  result.text = text;
  return result;
}

Phrase number(int64_t value) {
  Phrase result = literal(std::to_string(value));
  result.whole = true;
  result.strength = value < 0 ? prefix : primary;
  return result;
}

std::string wrapped(const Phrase& phrase, Strength least) {
  return phrase.strength < least ? "(" + phrase.text + ")" : phrase.text;
}

bool is_floating(const Phrase& phrase) { return phrase.type && ir::is_float(*phrase.type); }

ir::Type common_type(const Phrase& a, const Phrase& b) {
  if (a.type && b.type) return ir::promote(*a.type, *b.type);
  const Phrase& typed = a.type ? a : b;
  const Phrase& other = a.type ? b : a;
  const ir::Type type = ir::arithmetic(*typed.type);
  return other.whole || ir::is_float(type) ? type : ir::Type::f32;
}

Phrase binary(const Phrase& a, const std::string& op, const Phrase& b) {
  Phrase result = both_parts(a, b);
  result.strength = strength_of(op);
  const auto next = static_cast<Strength>(result.strength + 1);
  const bool chains = result.strength != comparison;  // a < b < c is no expression
  result.text = wrapped(a, chains ? result.strength : next) + " " + op + " " + wrapped(b, next);
  result.type = result.strength <= comparison ? ir::Type::boolean : common_type(a, b);
  return result;
}

Phrase negated(const Phrase& a) {
  Phrase result = a;
  result.text = "-" + wrapped(a, prefix);
  result.strength = prefix;
  result.type = ir::arithmetic(*a.type);
  return result;
}

Phrase inverted(const Phrase& condition) {
  Phrase result = condition;
  result.text = "!" + wrapped(condition, prefix);
  result.strength = prefix;
  return result;
}

Phrase raised(const Phrase& a, int exponent) {
  Phrase result = a;
  result.text = wrapped(a, primary) + "^" + std::to_string(exponent);
  result.strength = power;
  result.type = ir::arithmetic(*a.type);
  return result;
}

Phrase chosen(const Phrase& condition, const Phrase& yes, const Phrase& no) {
  Phrase result = both_parts(both_parts(condition, yes), no);
  result.text = wrapped(condition, or_) + " ? " + wrapped(yes, or_) + " : " + wrapped(no, ternary);
  result.strength = ternary;
  const bool same = yes.type && no.type && *yes.type == *no.type;
  result.type = same ? *yes.type : common_type(yes, no);
  return result;
}

Phrase called(const std::string& name, const std::vector<Phrase>& args,
              std::optional<ir::Type> type) {
  Phrase result = args[0];
  for (size_t i = 1; i < args.size(); ++i) {
    const ir::Type common = common_type(result, args[i]);
    result = both_parts(result, args[i]);
    result.type = common;
  }
  if (args.size() == 1 && args[0].type) result.type = ir::arithmetic(*args[0].type);
  if (type) result.type = type;
  result.text = name + "(";
  for (size_t i = 0; i < args.size(); ++i) result.text += (i ? ", " : "") + args[i].text;
  result.text += ")";
  result.strength = primary;
  return result;
}

}  // namespace stencilc::run_test
