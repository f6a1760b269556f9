// Pieces of expressions: a text, and what the generator must know of it to put it into another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/type.h"

namespace stencilc::run_test {

// How strongly a phrase holds together; a weaker one needs parentheses inside a stronger one.
enum Strength { ternary, or_, and_, comparison, sum, product, prefix, power, primary };

struct Phrase {
  std::string text;
  std::optional<ir::Type> type;  // none: a literal, which adopts the type of what it meets
  bool whole = false;            // of a literal: no fraction
  Strength strength = primary;
  int reads = 0;        // of fields, after inlining
  int reach = 0;        // the largest offset of a read
  bool movable = true;  // every field in it has a boundary, so it may stand beside the cell
};

Phrase literal(const std::string& text);  // not negative
Phrase number(int64_t value);

// In parentheses where it is weaker than `least`.
std::string wrapped(const Phrase& phrase, Strength least);

// a op b; `op` is one of + - * / %, a comparison, && or ||.
Phrase binary(const Phrase& a, const std::string& op, const Phrase& b);
Phrase negated(const Phrase& a);               // -a
Phrase inverted(const Phrase& condition);      // !a
Phrase raised(const Phrase& a, int exponent);  // a^2
Phrase chosen(const Phrase& condition, const Phrase& yes, const Phrase& no);
// name(a, b); the type is the arithmetic one of all arguments, unless it is given.
Phrase called(const std::string& name, const std::vector<Phrase>& args,
              std::optional<ir::Type> type = {});

// The type two operands compute in.
ir::Type common_type(const Phrase& a, const Phrase& b);
bool is_floating(const Phrase& phrase);

}  // namespace stencilc::run_test
