#include "ir/label.h"

#include <bit>
#include <initializer_list>

namespace stencilc::ir {
namespace {

struct Visit {
  std::vector<int64_t>& to;
  void add(std::initializer_list<int64_t> words) { to.insert(to.end(), words); }
  void operator()(const Constant& n) {
    add({n.value.integer, static_cast<int64_t>(std::bit_cast<uint64_t>(n.value.real))});
  }
  void operator()(const ParamRef& n) { add({n.param}); }
  void operator()(const Coordinate& n) { add({n.axis, n.offset}); }
  void operator()(const Extent& n) { add({n.axis}); }
  void operator()(const Time&) {}
  void operator()(const WeightRef& n) { add({n.array, n.element}); }
  void operator()(const SeriesRef& n) { add({n.series}); }
  void operator()(const ReductionRef& n) { add({n.reduction}); }
  void operator()(const Read& n) { add({n.field, n.level, n.offset[0], n.offset[1], n.offset[2]}); }
  void operator()(const GhostRef& n) { add({n.field}); }
  void operator()(const Apply& n) { add({static_cast<int64_t>(n.op)}); }
  void operator()(const Cast& n) { add({n.saturate}); }
  void operator()(const Named& n) { add({n.let, n.offset[0], n.offset[1], n.offset[2]}); }
  void operator()(const Sum& n) { add({n.bias != nullptr}); }
};

}  // namespace

void add_label(const Expr& expr, std::vector<int64_t>& to) {
  to.push_back(static_cast<int64_t>(expr.node.index()));
  to.push_back(static_cast<int64_t>(expr.type));
  std::visit(Visit{to}, expr.node);
}

size_t LabelHash::operator()(const std::vector<int64_t>& words) const {
  uint64_t hash = 0;
  for (const int64_t word : words) {
    hash = (hash ^ static_cast<uint64_t>(word)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace stencilc::ir
