#include "kernel/uses.h"

#include <cctype>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "kernel/build.h"
#include "kernel/ring.h"

namespace stencilc::kernel {
namespace {

struct Collector {
  std::unordered_set<std::string>& names;

  void in(const ExprPtr& expr) {
    if (!expr) return;
    if (const auto* node = as<Var>(expr)) names.insert(node->name);
    if (const auto* node = as<Int>(expr); node && !node->name.empty()) names.insert(node->name);
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
  void one(const Array& node) {
    for (const Count& count : {node.buffer.rows, node.buffer.registers, node.place})
      in_text(count.text);
  }
  // The identifiers of it.
  void in_text(const std::string& text) {
    std::string name;
    for (size_t n = 0; n <= text.size(); ++n) {
      const char c = n < text.size() ? text[n] : ' ';
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
        name += c;
      } else {
        names.insert(std::exchange(name, ""));
      }
    }
  }
  void one(const Transpose& node) { names.insert({node.cells.name, node.bits.name}); }
  void one(const AsyncCopy& node) {
    names.insert({node.to.name, node.from.name, node.local});
    for (const ExprPtr& expr : {node.to_row, node.to_at, node.from_at, node.pitch, node.whole,
                                node.ghost, node.there, node.follow})
      in(expr);
    for (const ExprPtr& at : node.at) in(at);
  }
  void one(const Commit&) {}
  void one(const Follow&) {}
  void one(const Meet&) {}
  void one(const CountLowEnd&) {}
  void one(const Await&) {}
  void one(const Copy& node) {
    names.insert({node.to.name, node.from.name});
    for (const ExprPtr& expr : {node.to_row, node.to_at, node.from_row, node.from_at}) in(expr);
  }
  void one(const Fill& node) {
    one(node.copy);
    in(node.whole);
    in(node.edge);
    in(node.extent);
    names.insert(node.cell);
    for (const ExprPtr& at : node.at) in(at);
  }
  void one(const FillCells& node) {
    names.insert({node.to.name, node.cell});
    for (const ExprPtr& expr : {node.to_row, node.to_at}) in(expr);
    for (const ExprPtr& at : node.at) in(at);
  }
  void one(const FillRow& node) {
    names.insert({node.to.name, node.from.name, node.row, node.cell});
    for (const ExprPtr& expr :
         {node.to_row, node.to_at, node.x, node.whole, node.edge, node.extent})
      in(expr);
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
    for (const ExprPtr& expr : {node.whole, node.limit, node.edge}) in(expr);
  }
  void one(const Local& node) { in(node.body); }
  void one(const Perform& node) {
    names.insert({node.local, node.flag_of});
    for (const ExprPtr& arg : node.args) in(arg);
  }
  void one(const Return& node) { in(node.value); }
  void one(const Variants& node) {
    in(node.condition);
    for (const auto& one : node.cases) in(one.first);
    in(node.aligned);
    names.insert(node.takes.begin(), node.takes.end());
    in(node.body);
  }
  void one(const Part& node) {
    in(node.part);
    in(node.rows);
    in(node.origin);
  }
  void one(const FastDivision& node) { in(node.body); }
  void one(const RingPtr& node) {
    for (const Ring::Grid& grid : node->grids) {
      names.insert({grid.planes.name, grid.map});
      for (const ExprPtr& at : grid.at) in(at);
    }
    in(node->stages);
    in(node->mapped);
    in(node->origin);
    in(node->planes);
  }
  void one(const Source& node) {
    const bool boxes = node.ring->kind == Ring::boxes;
    if (boxes && !node.boundary) return;
    for (const Ring::Grid& grid : node.ring->grids) {
      if (node.boundary) names.insert(grid.cell);
      if (!boxes) names.insert(grid.memory.name);
      if (!grid.from.empty()) names.insert(grid.from);
      for (const ExprPtr& expr : {grid.ghost, grid.pitch, grid.stride}) in(expr);
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

void Uses::in(const ExprPtr& expr) { Collector{names}.in(expr); }
void Uses::in(const Stmt& stmt) { Collector{names}.in(stmt); }
void Uses::in(const Body& body) { Collector{names}.in(body); }
void Uses::merge(std::unordered_set<std::string> other) {
  if (other.size() > names.size()) names.swap(other);
  names.merge(other);
}

std::set<std::string> used_names(const Body& body) {
  Uses uses;
  uses.in(body);
  return {uses.names.begin(), uses.names.end()};
}

}  // namespace stencilc::kernel
