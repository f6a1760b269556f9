#include "passes/dead_code.h"

#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>

#include "kernel/uses.h"

namespace stencilc::passes {

using namespace kernel;  // its statements are what is looked at

namespace {

using NameSet = std::unordered_set<std::string>;

// The variables whose value is asked for anywhere.
void reads(const Body& body, Uses& uses) {
  for (const Stmt& stmt : body) {
    if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
      uses.in(assign->value);
    } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
      if (!loop->first) uses.names.insert(loop->name);
      for (const ExprPtr& expr : {loop->first, loop->last, loop->worth, loop->next}) uses.in(expr);
      reads(loop->body, uses);
    } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
      uses.in(branch->condition);
      reads(branch->yes, uses);
      reads(branch->no, uses);
    } else {
      uses.in(stmt);
    }
  }
}

// Takes out the assignments to variables that nobody reads.
void drop_assignments(Body& body, const NameSet& read) {
  std::erase_if(body, [&](const Stmt& stmt) {
    const auto* assign = std::get_if<Assign>(&stmt.node);
    return assign && !read.count(assign->name);
  });
  for (Stmt& stmt : body) {
    if (auto* local = std::get_if<Local>(&stmt.node)) drop_assignments(local->body, read);
    if (auto* variants = std::get_if<Variants>(&stmt.node)) drop_assignments(variants->body, read);
    if (auto* loop = std::get_if<For>(&stmt.node)) drop_assignments(loop->body, read);
    if (auto* branch = std::get_if<If>(&stmt.node)) {
      drop_assignments(branch->yes, read);
      drop_assignments(branch->no, read);
    }
  }
}

// Drops from the end on, so that what only a dropped value read goes, too. Returns the names that
// the body uses from outside.
NameSet prune(Body& body) {
  Uses uses;
  Body kept;
  for (auto stmt = body.rbegin(); stmt != body.rend(); ++stmt) {
    if (const auto* let = std::get_if<Let>(&stmt->node)) {
      if (uses.names.erase(let->name) == 0) continue;
      uses.in(let->value);
    } else if (const auto* array = std::get_if<Array>(&stmt->node)) {
      if (uses.names.erase(array->buffer.name) == 0) continue;
    } else if (auto* local = std::get_if<Local>(&stmt->node)) {
      if (uses.names.erase(local->name) == 0) {
        const auto before = std::next(stmt);
        if (before != body.rend() && std::holds_alternative<Note>(before->node)) stmt = before;
        continue;
      }
      NameSet inner = prune(local->body);
      uses.merge(std::move(inner));
    } else if (auto* variants = std::get_if<Variants>(&stmt->node)) {
      NameSet inner = prune(variants->body);
      uses.merge(std::move(inner));
      uses.in(variants->condition);
      uses.in(variants->aligned);
      for (const auto& one : variants->cases) uses.in(one.first);
      uses.names.insert(variants->takes.begin(), variants->takes.end());
    } else if (auto* loop = std::get_if<For>(&stmt->node)) {
      NameSet inner = prune(loop->body);
      if (!loop->first) uses.names.insert(loop->name);
      uses.merge(std::move(inner));
      for (const ExprPtr& expr : {loop->first, loop->last, loop->worth, loop->next}) uses.in(expr);
    } else if (auto* branch = std::get_if<If>(&stmt->node)) {
      const bool was_empty = branch->yes.empty() && branch->no.empty();
      for (Body* arm : {&branch->yes, &branch->no}) {
        NameSet inner = prune(*arm);
        uses.merge(std::move(inner));
      }
      if (!was_empty && branch->yes.empty() && branch->no.empty()) continue;
      uses.in(branch->condition);
    } else {
      if (const auto* assign = std::get_if<Assign>(&stmt->node)) {
        const auto* itself = std::get_if<kernel::Var>(&assign->value->node);
        if (itself && itself->name == assign->name) continue;  // `v[t+1] = v[t+1]` on some cells
        uses.names.insert(assign->name);
      }
      uses.in(*stmt);
    }
    kept.push_back(std::move(*stmt));
  }
  body.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  return std::move(uses.names);
}

}  // namespace

Body without_dead_code(Body body) {
  Uses uses;
  reads(body, uses);
  drop_assignments(body, uses.names);
  prune(body);
  return body;
}

void drop_dead_code(Module& module) {
  for (Launch& launch : module.launches)
    launch.kernel.body = without_dead_code(std::move(launch.kernel.body));
}

}  // namespace stencilc::passes
