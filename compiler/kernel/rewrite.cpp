#include "kernel/rewrite.h"

#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>

#include "kernel/build.h"
#include "kernel/ring.h"

namespace stencilc::kernel {
namespace {

struct Changer {
  std::function<bool(Buffer&, bool)> change;
  std::map<std::string, std::string> names;  // of variables
  // What became of shared parts. The old ones stay alive, so that no new one has their address.
  std::unordered_map<const Expr*, std::pair<ExprPtr, ExprPtr>> exprs;
  std::unordered_map<const Ring*, std::pair<RingPtr, RingPtr>> rings;

  void in(Body& body) {
    for (Stmt& stmt : body) std::visit([&](auto& node) { one(node); }, stmt.node);
  }

 private:
  template <class... Exprs>
  void in(ExprPtr& first, Exprs&... others) {
    replace(first);
    (replace(others), ...);
  }
  void replace(ExprPtr& expr) {
    if (!expr) return;
    const auto [place, fresh] = exprs.try_emplace(expr.get(), expr, expr);
    if (fresh) {
      Expr copy = *expr;
      bool changed = false;
      if (auto* load = std::get_if<Load>(&copy.node)) changed = change(load->buffer, true);
      if (auto* beside = std::get_if<Beside>(&copy.node)) changed = change(beside->buffer, true);
      if (auto* entry = std::get_if<Entry>(&copy.node)) changed = change(entry->list, true);
      if (auto* var = std::get_if<Var>(&copy.node)) changed = rename(var->name);
      replace_children(copy, [&](ExprPtr& child) {
        const ExprPtr before = child;
        replace(child);
        changed |= child != before;
      });
      if (changed) exprs[expr.get()].second = std::make_shared<const Expr>(std::move(copy));
    }
    expr = ExprPtr(exprs[expr.get()].second);
  }
  void ring(RingPtr& ring) {
    const auto [place, fresh] = rings.try_emplace(ring.get(), ring, ring);
    if (fresh) {
      Ring copy = *ring;
      bool changed = false;
      for (Ring::Grid& grid : copy.grids) {
        changed |= change(grid.memory, true);
        for (ExprPtr* expr : {&grid.pitch, &grid.stride, &grid.ghost}) changed |= differs(*expr);
        for (ExprPtr& at : grid.at) changed |= differs(at);
      }
      for (ExprPtr* expr : {&copy.stages, &copy.mapped, &copy.origin, &copy.planes})
        changed |= differs(*expr);
      for (ExprPtr& extent : copy.extents) changed |= differs(extent);
      if (changed) place->second.second = std::make_shared<const Ring>(std::move(copy));
    }
    ring = RingPtr(rings[ring.get()].second);
  }
  bool rename(std::string& name) const {
    const auto other = names.find(name);
    if (other == names.end()) return false;
    name = other->second;
    return true;
  }
  bool differs(ExprPtr& expr) {
    const ExprPtr before = expr;
    replace(expr);
    return expr != before;
  }

  void one(Let& node) { in(node.value); }
  void one(Assign& node) { in(node.value); }
  void one(Store& node) {
    change(node.buffer, false);
    in(node.row, node.at, node.value);
  }
  void one(Combine& node) {
    change(node.buffer, false);
    in(node.value, node.x, node.extent, node.row);
  }
  void one(Array&) {}
  void one(Transpose&) {}
  void one(AsyncCopy& node) {
    change(node.from, true);
    in(node.to_row, node.to_at, node.from_at, node.pitch, node.whole, node.ghost, node.there,
       node.follow);
    for (ExprPtr& at : node.at) in(at);
  }
  void one(Commit&) {}
  void one(Await&) {}
  void one(Follow&) {}
  void one(Meet&) {}
  void one(CountLowEnd&) {}
  void one(Copy& node) {
    change(node.from, true);
    change(node.to, false);
    in(node.to_row, node.to_at, node.from_row, node.from_at);
  }
  void one(Fill& node) {
    one(node.copy);
    in(node.whole, node.edge, node.extent);
    for (ExprPtr& at : node.at) in(at);
  }
  void one(FillCells& node) {
    in(node.to_row, node.to_at);
    for (ExprPtr& at : node.at) in(at);
  }
  void one(FillRow& node) {
    change(node.from, true);
    in(node.to_row, node.to_at, node.x, node.whole, node.edge, node.extent);
    for (ExprPtr& at : node.at) in(at);
  }
  void one(Sides& node) {
    change(node.from, true);
    in(node.own, node.row, node.from_at, node.edge, node.whole);
    for (ExprPtr& at : node.at) in(at);
  }
  void one(StoreRow& node) {
    one(node.copy);
    in(node.whole, node.limit, node.edge);
  }
  void one(Local& node) { in(node.body); }
  void one(Perform& node) {
    for (ExprPtr& arg : node.args) in(arg);
  }
  void one(Return& node) { in(node.value); }
  void one(Variants& node) {
    in(node.condition, node.aligned);
    for (auto& [where, flags] : node.cases) in(where);
    in(node.body);
  }
  void one(Part& node) { in(node.part, node.rows, node.origin); }
  void one(FastDivision& node) { in(node.body); }
  void one(RingPtr& node) { ring(node); }
  void one(Source& node) {
    ring(node.ring);
    in(node.edge);
  }
  void one(Stage& node) {
    ring(node.ring);
    in(node.n, node.edge);
  }
  void one(StageEnd& node) {
    ring(node.ring);
    in(node.n, node.edge);
  }
  void one(For& node) {
    in(node.first, node.last, node.worth, node.next);
    in(node.body);
  }
  void one(If& node) {
    in(node.condition);
    in(node.yes);
    in(node.no);
  }
  void one(Note&) {}
  void one(Line&) {}
};

}  // namespace

void change_buffers(Body& body, const std::function<bool(Buffer& buffer, bool loads)>& change) {
  Changer{change, {}, {}, {}}.in(body);
}

void rename_variables(Body& body, const std::map<std::string, std::string>& names) {
  Changer{[](Buffer&, bool) { return false; }, names, {}, {}}.in(body);
}

}  // namespace stencilc::kernel
