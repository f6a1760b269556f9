#include <set>

#include "kernel/build.h"

namespace stencilc::kernel {
namespace {

struct Verifier {
  const Kernel& kernel;
  std::vector<std::string> problems;
  std::vector<std::set<std::string>> scopes = {{}};
  std::set<std::string> mutable_names;

  bool declared(const std::string& name) const {
    for (const auto& scope : scopes)
      if (scope.count(name)) return true;
    return false;
  }
  void declare(const std::string& name) {
    if (declared(name)) problems.push_back("`" + name + "` is declared twice");
    scopes.back().insert(name);
  }

  void check(const ExprPtr& expr) {
    if (!expr) {
      problems.push_back("an expression is missing");
      return;
    }
    for (const ExprPtr& child : children(*expr)) check(child);
    if (const auto* node = as<Var>(expr); node && !declared(node->name))
      problems.push_back("`" + node->name + "` is used and not declared");
    if (const auto* node = as<Bin>(expr); node && node->left && node->right && node->left->type != node->right->type)
      problems.push_back("the operands of an operator have two types");
    if (const auto* node = as<Fma>(expr); node && (node->a->type != node->b->type || node->b->type != node->c->type))
      problems.push_back("the operands of an fma have two types");
    if (const auto* node = as<Pick>(expr); node && (node->yes->type != node->no->type || node->condition->type != Type::boolean))
      problems.push_back("the arms of a selection have two types, or its condition is no condition");
    if (const auto* node = as<Load>(expr); node && node->at && node->at->type != Type::index)
      problems.push_back("`" + node->buffer.name + "` is indexed by a value that is no index");
  }

  void check(const Body& body) {
    scopes.emplace_back();
    for (const Stmt& stmt : body) std::visit([&](const auto& node) { one(node); }, stmt.node);
    scopes.pop_back();
  }
  void one(const Let& node) {
    check(node.value);
    declare(node.name);
    if (node.mutable_) mutable_names.insert(node.name);
  }
  void one(const Assign& node) {
    check(node.value);
    if (!declared(node.name)) problems.push_back("`" + node.name + "` is assigned and not declared");
    if (!mutable_names.count(node.name)) problems.push_back("`" + node.name + "` is assigned and constant");
  }
  void one(const Store& node) {
    check(node.at);
    check(node.value);
    if (!node.buffer.writable) problems.push_back("`" + node.buffer.name + "` is stored to and read only");
    if (node.value && node.value->type != node.buffer.element)
      problems.push_back("a value of another type is stored to `" + node.buffer.name + "`");
  }
  void one(const For& node) {
    check(node.first);
    check(node.last);
    scopes.emplace_back();
    declare(node.name);
    check(node.body);
    scopes.pop_back();
  }
  void one(const If& node) {
    check(node.condition);
    check(node.yes);
    check(node.no);
  }
  void one(const Note&) {}
  void one(const Line&) {}
};

}  // namespace

std::vector<std::string> verify(const Kernel& kernel) {
  Verifier verifier{kernel, {}, {{}}, {}};
  for (const Buffer& buffer : kernel.buffers) verifier.declare(buffer.name);
  for (const Param& param : kernel.params) verifier.declare(param.name);
  verifier.check(kernel.body);
  return verifier.problems;
}

}  // namespace stencilc::kernel
