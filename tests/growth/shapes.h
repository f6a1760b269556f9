// Programs that grow: for each construct of the language a text with n of them.
#pragma once

#include <span>
#include <string>

namespace stencilc::growth {

struct Shape {
  const char* name;
  int size;  // at which growth is measured first; then at 2, 4 and 8 times as many
  int most;  // as many as the limits of docs/language.md, or a million lines, allow
  std::string (*text)(int n);
  enum Kind {
    plain,
    planned,    // the short tests have it with a schedule that the compiler chooses, too
    refused,    // it is full of mistakes
    only_long,  // the short tests leave it out
  } kind = plain;
};

std::span<const Shape> shapes();

}  // namespace stencilc::growth
