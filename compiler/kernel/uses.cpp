#include <set>
#include <string>

#include "kernel/build.h"

namespace stencilc::kernel {
namespace {

struct Uses {
  std::set<std::string> names;

  void in(const ExprPtr& expr) {
    if (!expr) return;
    if (const auto* node = as<Var>(expr)) names.insert(node->name);
    if (const auto* node = as<Load>(expr)) names.insert(node->buffer.name);
    for (const ExprPtr& child : children(*expr)) in(child);
  }
  void in(const Body& body) {
    for (const Stmt& stmt : body) std::visit([&](const auto& node) { one(node); }, stmt.node);
  }
  void one(const Let& node) { in(node.value); }
  void one(const Assign& node) { in(node.value); }
  void one(const Store& node) {
    names.insert(node.buffer.name);
    in(node.at);
    in(node.value);
  }
  void one(const Combine& node) {
    names.insert(node.buffer.name);
    for (const ExprPtr& expr : {node.value, node.x, node.extent, node.row}) in(expr);
  }
  void one(const For& node) {
    in(node.first);
    in(node.last);
    in(node.worth);
    in(node.next);
    in(node.body);
  }
  void one(const If& node) {
    in(node.condition);
    in(node.yes);
    in(node.no);
  }
  void one(const Note&) {}
  void one(const Line&) {}
};

}  // namespace

std::set<std::string> used_names(const Body& body) {
  Uses uses;
  uses.in(body);
  return std::move(uses.names);
}

}  // namespace stencilc::kernel
