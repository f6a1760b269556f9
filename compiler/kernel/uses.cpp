#include <iterator>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "kernel/build.h"
#include "kernel/ring.h"

namespace stencilc::kernel {
namespace {

using NameSet = std::unordered_set<std::string>;

struct Uses {
  NameSet names;

  void merge(NameSet other) {
    if (other.size() > names.size()) names.swap(other);
    names.merge(other);
  }
  void in(const ExprPtr& expr) {
    if (!expr) return;
    if (const auto* node = as<Var>(expr)) names.insert(node->name);
    if (const auto* node = as<Load>(expr)) names.insert(node->buffer.name);
    if (const auto* node = as<Beside>(expr)) names.insert(node->buffer.name);
    if (const auto* node = as<Entry>(expr)) names.insert(node->list.name);
    for_each_child(*expr, [&](const ExprPtr& child) { in(child); });
  }
  void in(const Stmt& stmt) {
    std::visit([&](const auto& node) { one(node); }, stmt.node);
  }
  void in(const Body& body) {
    for (const Stmt& stmt : body) in(stmt);
  }
  void one(const Let& node) { in(node.value); }
  void one(const Assign& node) { in(node.value); }
  void one(const Store& node) {
    names.insert(node.buffer.name);
    in(node.row);
    in(node.at);
    in(node.value);
  }
  void one(const Combine& node) {
    names.insert(node.buffer.name);
    for (const ExprPtr& expr : {node.value, node.x, node.extent, node.row}) in(expr);
  }
  void one(const Array&) {}
  void one(const Transpose& node) { names.insert({node.cells.name, node.bits.name}); }
  void one(const AsyncCopy& node) {
    names.insert({node.to.name, node.from.name, node.local});
    for (const ExprPtr& expr : {node.to_row, node.to_at, node.from_at, node.pitch, node.whole,
                                node.beyond, node.there, node.follow})
      in(expr);
    for (const ExprPtr& at : node.at) in(at);
  }
  void one(const Commit&) {}
  void one(const Follow&) {}
  void one(const Meet&) {}
  void one(const Await&) {}
  void one(const Copy& node) {
    names.insert({node.to.name, node.from.name});
    for (const ExprPtr& expr : {node.to_row, node.to_at, node.from_row, node.from_at}) in(expr);
  }
  void one(const Fill& node) {
    one(node.copy);
    in(node.whole);
    names.insert(node.cell);
    for (const ExprPtr& at : node.at) in(at);
  }
  void one(const FillRow& node) {
    names.insert({node.to.name, node.from.name, node.row, node.cell});
    for (const ExprPtr& expr : {node.to_row, node.to_at, node.x, node.whole, node.edge}) in(expr);
    for (const ExprPtr& at : node.at) in(at);
  }
  void one(const Sides& node) {
    names.insert({node.to.name, node.from.name});
    for (const ExprPtr& expr : {node.row, node.own, node.from_at, node.edge, node.whole}) in(expr);
    names.insert(node.cell);
    for (const ExprPtr& at : node.at) in(at);
  }
  void one(const StoreRow& node) {
    one(node.copy);
    in(node.whole);
    in(node.limit);
  }
  void one(const Local& node) { in(node.body); }
  void one(const Perform& node) {
    names.insert({node.local, node.flag_of});
    for (const ExprPtr& arg : node.args) in(arg);
  }
  void one(const Return& node) { in(node.value); }
  void one(const Twice& node) {
    in(node.condition);
    for (const auto& text : node.texts) in(text.first);
    names.insert(node.takes.begin(), node.takes.end());
    in(node.body);
  }
  void one(const Part& node) {
    in(node.part);
    in(node.rows);
  }
  void one(const Usually& node) { in(node.body); }
  void one(const RingPtr& node) {
    for (const Ring::Grid& grid : node->grids) {
      names.insert({grid.planes.name, grid.map});
      for (const ExprPtr& at : grid.at) in(at);
    }
    in(node->stages);
    in(node->mapped);
  }
  void one(const Source& node) {
    const bool boxes = node.ring->kind == Ring::boxes;
    if (boxes && !node.rim) return;
    for (const Ring::Grid& grid : node.ring->grids) {
      if (node.rim) names.insert(grid.cell);
      if (!boxes) names.insert(grid.memory.name);
      if (!grid.from.empty()) names.insert(grid.from);
      for (const ExprPtr& expr : {grid.beyond, grid.pitch, grid.stride}) in(expr);
    }
    for (const ExprPtr& extent : node.ring->extents) in(extent);
    in(node.edge);
  }
  void one(const StageEnd& node) {
    in(node.n);
    in(node.edge);
  }
  void one(const Stage& node) {
    in(node.n);
    in(node.edge);
  }
  void one(const For& node) {
    if (!node.first) names.insert(node.name);
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

namespace {

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
    if (auto* twice = std::get_if<Twice>(&stmt.node)) drop_assignments(twice->body, read);
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
    } else if (auto* twice = std::get_if<Twice>(&stmt->node)) {
      NameSet inner = prune(twice->body);
      uses.merge(std::move(inner));
      uses.in(twice->condition);
      for (const auto& text : twice->texts) uses.in(text.first);
      uses.names.insert(twice->takes.begin(), twice->takes.end());
    } else if (auto* loop = std::get_if<For>(&stmt->node)) {
      NameSet inner = prune(loop->body);
      if (!loop->first) uses.names.insert(loop->name);
      uses.merge(std::move(inner));
      for (const ExprPtr& expr : {loop->first, loop->last, loop->worth, loop->next}) uses.in(expr);
    } else if (auto* branch = std::get_if<If>(&stmt->node)) {
      for (Body* arm : {&branch->yes, &branch->no}) {
        NameSet inner = prune(*arm);
        uses.merge(std::move(inner));
      }
      uses.in(branch->condition);
    } else {
      if (const auto* assign = std::get_if<Assign>(&stmt->node)) uses.names.insert(assign->name);
      uses.in(*stmt);
    }
    kept.push_back(std::move(*stmt));
  }
  body.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  return std::move(uses.names);
}

}  // namespace

Body without_unused(Body body) {
  Uses uses;
  reads(body, uses);
  drop_assignments(body, uses.names);
  prune(body);
  return body;
}

std::set<std::string> used_names(const Body& body) {
  Uses uses;
  uses.in(body);
  return {uses.names.begin(), uses.names.end()};
}

}  // namespace stencilc::kernel
