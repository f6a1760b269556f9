#include "lower/context/context.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_set>
#include <utility>

namespace stencilc::lower {

using kernel::ExprPtr;

kernel::Type type_of(ir::Type type) {
  constexpr std::array kTypes = {kernel::Type::boolean, kernel::Type::i8,  kernel::Type::u8,
                                 kernel::Type::i16,     kernel::Type::u16, kernel::Type::i32,
                                 kernel::Type::i64,     kernel::Type::f16, kernel::Type::bf16,
                                 kernel::Type::f32,     kernel::Type::f64};
  return kTypes[static_cast<size_t>(type)];
}

ExprPtr constant(const ir::Scalar& value) {
  const kernel::Type type = type_of(value.type);
  return ir::is_float(value.type) ? kernel::make(type, kernel::Real{value.real})
                                  : kernel::make(type, kernel::Int{value.integer});
}

namespace {
// Stored values and folds, as the launch has spelt them out.
std::vector<ir::ExprPtr> inner_roots(const plan::Launch& launch, bool folds) {
  std::vector<ir::ExprPtr> roots;
  const auto add = [&](const ir::ExprPtr& expr) {
    if (expr) roots.push_back(expr);
  };
  for (const plan::Stored& stored : launch.stores) {
    if (stored.skipped) continue;
    add(stored.value);
    add(stored.when);
  }
  for (const plan::Combined& one : launch.combines) {
    if (!folds || one.skipped) continue;
    add(one.value);
    add(one.mask);
  }
  return roots;
}

// And what only cells near the boundary compute.
std::vector<ir::ExprPtr> all_roots(const ir::Stencil& stencil, const plan::Launch& launch,
                                   bool folds) {
  std::vector<ir::ExprPtr> roots = inner_roots(launch, folds);
  std::unordered_set<const ir::Expr*> known;
  for (const ir::ExprPtr& root : roots) known.insert(root.get());
  const auto add = [&](const ir::ExprPtr& expr) {
    if (expr && known.insert(expr.get()).second) roots.push_back(expr);
  };
  const auto statement = [&](const ir::ExprPtr& value, const ir::Domain& domain) {
    add(value);
    add(domain.mask);
  };
  for (const plan::Stored& stored : launch.stores)
    for (const ir::Case& one : stencil.updates[stored.update].cases)
      statement(one.value, one.domain);
  for (const plan::Combined& one : launch.combines)
    if (folds)
      statement(stencil.reductions[one.reduction].value, stencil.reductions[one.reduction].domain);
  return roots;
}
}  // namespace

Context::Context(const Signature& signature, const ir::Stencil& s, const plan::Launch& l,
                 plan::Target t, Builder& b, const ContextOptions& options)
    : Signature(signature),
      stencil(s),
      launch(l),
      folds(options.folds),
      host(options.host),
      target(t),
      box(options.box.value_or(Box(extents))),
      builder(b),
      names(b.names),
      numbering_(std::make_shared<Numbering>(
          options.roots ? *options.roots : lower::all_roots(s, l, options.folds))) {
  for (size_t f = 0; f < targets.size(); ++f) {
    next.push_back(targets[f]);
    next.back().writable = false;
    // The oldest level and t+1 in one buffer are one argument of the kernel that stores it.
    if (overwrites[f] && launch.stores_field(stencil, static_cast<int>(f)))
      levels[f].back() = targets[f];
  }
}

namespace {
ContextOptions in_kernel(const Context& kernel, ContextOptions options) {
  if (!options.box) options.box = kernel.box;
  return options;
}
}  // namespace

Context::Context(const Context& kernel, const plan::Launch& l, ContextOptions options)
    : Context(kernel, kernel.stencil, l, kernel.target, kernel.builder,
              in_kernel(kernel, std::move(options))) {}

Context Context::with(Invariants values) const {
  Context result = *this;
  result.invariants = std::move(values);
  return result;
}

kernel::Count Builder::count(const std::string& wanted, int value) {
  if (value < 2) return value;
  for (const Named& one : constants)
    if (one.wanted == wanted && one.value == value) return {value, one.name};
  const std::string name = names.claim(wanted);
  constants.push_back({wanted, name, value});
  return {value, name};
}

std::vector<ir::ExprPtr> Context::roots() const { return inner_roots(launch, folds); }

std::vector<ir::ExprPtr> Context::all_roots() const {
  return lower::all_roots(stencil, launch, folds);
}

std::string Context::name_at(const std::string& base, const ir::Offset& offset) const {
  std::string name = base;
  for (int a = 0; a < rank(); ++a)
    if (offset[a] != 0)
      name += "_" + axes[a] + (offset[a] < 0 ? "m" : "p") + std::to_string(std::abs(offset[a]));
  return name;
}

}  // namespace stencilc::lower
