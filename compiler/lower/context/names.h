// Names of emitted code. Every name is claimed here, once, so that none collides with another, with
// C++ or with CUDA.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace stencilc::lower {

class Names {
 public:
  // The name itself where it is free and harmless, otherwise with `_` and a number after it: int
  // -> int_, u -> u_2.
  std::string claim(const std::string& wanted);
  // The same for a name of the global scope, where functions of the C library and types of CUDA
  // are.
  std::string claim_global(const std::string& wanted);

 private:
  // Every scope begins with the names around it, so that sets are copied more often than names are
  // claimed: copies share a tree, and a claim makes those nodes on the path to its place anew that
  // others have, too. The tree is ordered by hashes, which keep it shallow.
  struct Node;
  using Tree = std::shared_ptr<Node>;
  static const Node* find(const Tree& tree, size_t hash, const std::string& name);
  static void put(Tree& tree, size_t hash, const std::string& name, int number);
  bool take(const std::string& name);  // false: it is taken

  Tree taken_;
  Tree next_;  // the number that comes next, by what stands before it
};

}  // namespace stencilc::lower
