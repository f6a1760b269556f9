// Names and layout of generated programs.
#pragma once

#include <set>
#include <string>

#include "run/random.h"

namespace stencilc::run_test {

// Hands out names, each once: plain ones, and in a wild program words of C++ and CUDA and names
// that emitted code uses itself.
class RandomNames {
 public:
  RandomNames(Random& random, bool wild) : random_(random), wild_(wild) {}

  // Keeps a name from being handed out.
  void reserve(const std::string& name) { taken_.insert(name); }
  // A free name, the one wished for if possible.
  std::string claim(const std::string& wish);

 private:
  Random& random_;
  bool wild_;
  std::set<std::string> taken_;
};

// The same tokens with other blanks: tabs, line ends, comments, or none where none is needed.
std::string rearranged(const std::string& text, Random& random);

}  // namespace stencilc::run_test
