// Programs that grow: for each construct of the language a text with n of them.
#pragma once

#include <span>
#include <string>

namespace stencilc::growth {

struct Shape {
  const char* name;
  const char* flags;  // of the command line, apart from the output
  int size;           // at which growth is measured first; then at 2, 4 and 8 times as many
  int most;           // as many as the limits of docs/language.md, or a million lines, allow
  std::string (*text)(int n);
  bool refused = false;    // are there errors in it?
  bool only_long = false;  // is it left to the long tests?
};

std::span<const Shape> shapes();

}  // namespace stencilc::growth
