// Which signs of a statement are operators, and which of them stand without blanks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/tokens.h"

namespace stencilc::format {

struct Role {
  enum Kind : uint8_t {
    other,       // a word, a number, a comma
    keyword,     // a word that an expression follows
    prefix,      // -a
    infix,       // a - b
    call,        // the `(` of f(a), the `[` of u[x]
    side_colon,  // x: clamp
    list,        // the braces of weights
    sides        // the braces of a boundary
  } kind = other;
  bool tight = false;    // of an infix: no blanks around it
  bool indexed = false;  // between brackets
  bool listed = false;   // between the braces of weights, not deeper
  int depth = 0;         // brackets and braces around it
};

// The roles of the tokens of one statement, or of a `side` of a boundary that has its own line.
// Those of comments say only where they stand.
//
// A product is tight as a part of a sum, and where its factors are at most three plain names and
// numbers; not where a factor is a power of a group. A sum is tight where its terms are at most
// three plain names and numbers, in parentheses or beside a comparison. Everything is tight in
// brackets and beside `..`. Powers are always tight.
std::vector<Role> roles_of(std::span<const Token> statement, bool side);

}  // namespace stencilc::format
