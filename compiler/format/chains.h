// Decides which characters of a statement are operators, and which have no blanks around them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/tokens.h"

namespace stencilc::format {

struct Role {
  enum Kind : uint8_t {
    other,       // a word, a number, a comma
    keyword,     // a word before an expression
    prefix,      // -a
    infix,       // a - b
    call,        // the `(` of f(a), the `[` of u[x]
    side_colon,  // x: clamp
    list,        // the braces of weights
    sides        // the braces of a boundary
  } kind = other;
  bool tight = false;    // of an infix: without blanks around it
  bool indexed = false;  // between brackets
  bool listed = false;   // directly between the braces of weights
  int depth = 0;         // number of brackets and braces around it
};

// The roles of the tokens of one statement, or of a `side` of a boundary on a line of its own. For
// comments, only the position counts.
//
// A product has no blanks as a part of a sum, or if it has at most three factors that are plain
// names and numbers, unless a factor is a power of a group. A sum has no blanks if it has at most
// three terms that are plain names and numbers, in parentheses or beside a comparison. Nothing has
// blanks in brackets and beside `..`. Powers never have blanks.
std::vector<Role> roles_of(std::span<const Token> statement, bool side);

}  // namespace stencilc::format
