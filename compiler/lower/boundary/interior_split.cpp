#include "lower/boundary/interior_split.h"

#include <algorithm>

#include "lower/boundary/grid_ends.h"
#include "lower/boundary/unassigned_cells.h"

namespace stencilc::lower {
namespace {

// `clamp`, or `periodic` and `zero` where the sides differ.
std::string kinds_of(const ir::Boundary& boundary, int rank) {
  std::vector<std::string> names;
  for (int a = 0; a < rank; ++a)
    for (const ir::Side& side : boundary.sides[a]) {
      const std::string name = "`" + std::string(ir::name(side.edge)) + "`";
      if (side.given && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  std::string text;
  for (size_t n = 0; n < names.size(); ++n)
    text += (n == 0 ? "" : n + 1 == names.size() ? " and " : ", ") + names[n];
  return text;
}

}  // namespace

std::string edge_note(const Context& context, const std::string& what) {
  std::string text = what + ": ";
  std::vector<std::string> kinds;
  for (const ir::Field& field : context.stencil.fields) {
    if (!field.boundary.given()) continue;
    kinds.push_back(kinds_of(field.boundary, context.rank()) + " for " + field.name);
  }
  if (kinds.empty()) return what + ".";
  for (size_t k = 0; k < kinds.size() && k < 3; ++k) text += (k ? ", " : "") + kinds[k];
  return text + (kinds.size() > 3 ? ", ..." : "") + ".";
}

std::vector<ir::ExprPtr> values_of(const Context& context, bool edges) {
  if (!edges) return context.roots();
  std::vector<ir::ExprPtr> result;
  for (const plan::Stored& stored : context.launch.stores)
    for (const ir::Case& one : context.stencil.updates[stored.update].cases) {
      result.push_back(one.value);
      if (one.domain.mask) result.push_back(one.domain.mask);
    }
  return result;
}

bool recomputes(const Context& context) {
  for (const ir::ExprPtr& node : ir::nodes_of(values_of(context, true)))
    if (const auto* read = ir::as<ir::Read>(node);
        read && read->level == 1 && read->offset != ir::Offset{} &&
        context.launch.stores_field(context.stencil, read->field))
      return true;
  return false;
}

bool serves_both(const Context& context) {
  if (recomputes(context)) return false;
  return std::all_of(
      context.launch.stores.begin(), context.launch.stores.end(), [&](const plan::Stored& stored) {
        const ir::Update& update = context.stencil.updates[stored.update];
        const ir::Domain* box = only_box(update);
        const bool stepped = context.stencil.fields[update.field].role != ir::Role::output;
        return box && !stored.skipped && (stepped || box->everywhere());
      });
}

bool reads_unassigned(const Context& context) {
  const ir::Stencil& stencil = context.stencil;
  for (const plan::Stored& stored : context.launch.stores) {
    const ir::Case& made = stencil.updates[stored.update].cases[0];
    for (const ir::ExprPtr& node : ir::nodes_of({made.value})) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read || read->level != 1 || !context.launch.stores_field(stencil, read->field)) continue;
      const ir::Domain& own = stencil.updates[stencil.update_of(read->field)].cases[0].domain;
      for (int a = 0; a < context.rank(); ++a)
        if (own.low[a] > made.domain.low[a] || own.high[a] > made.domain.high[a]) return true;
    }
  }
  return false;
}

kernel::ExprPtr InteriorSplit::has(int axis, const kernel::ExprPtr& at) const {
  const int low = margin_.low[axis], high = margin_.high[axis];
  return kernel::both(low != 0 ? kernel::bin(kernel::BinOp::ge, at, kernel::index(low)) : nullptr,
                      high != 0 ? before_end(context_, axis, 1, kernel::add(at, high)) : nullptr);
}

kernel::ExprPtr InteriorSplit::holds(int axis, const kernel::ExprPtr& first,
                                     const kernel::ExprPtr& end) const {
  return span_in_grid(context_, axis, first, margin_.low[axis],
                      kernel::add(end, margin_.high[axis]));
}

kernel::Body inside_or_not(
    const Context& context, const Halves& halves,
    const std::function<kernel::Body(bool edges, const VariantFlags& flags)>& cells) {
  kernel::Body body;
  if (halves.one_variant) {
    const std::string name = context.names.claim("cells");
    VariantFlags flags{context.names.claim("edge"), ""};
    if (halves.between) flags.further = context.names.claim(halves.between->flag);
    kernel::Variants variants{name, flags.edge, halves.inside, cells(true, flags),
                              edge_note(context)};
    if (halves.between) {
      variants.further = {flags.further};
      variants.cases = {{halves.between->condition, halves.between->flags}};
    }
    variants.aligned = halves.aligned;
    body.push_back({std::move(variants)});
    return body;
  }
  kernel::If split{kernel::both(halves.inside, halves.aligned), cells(false, {}), {}};
  if (halves.noted) split.no.push_back({kernel::Note{edge_note(context)}});
  append(split.no, cells(true, {}));
  body.push_back({std::move(split)});
  return body;
}

bool touch_memory(const Context& context, const kernel::Body& body) {
  const std::set<std::string> used = kernel::used_names(body);
  const auto any = [&](const std::vector<kernel::Buffer>& buffers) {
    return std::any_of(buffers.begin(), buffers.end(),
                       [&](const kernel::Buffer& buffer) { return used.count(buffer.name) != 0; });
  };
  return std::any_of(context.levels.begin(), context.levels.end(), any) || any(context.targets) ||
         any(context.next) || any(context.partials) || any(context.results) || any(context.series);
}

}  // namespace stencilc::lower
