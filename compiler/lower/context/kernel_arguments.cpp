#include "lower/context/kernel_arguments.h"

#include <string>
#include <unordered_set>

namespace stencilc::lower {
namespace {

// Every buffer a kernel may use, with where the host finds it: what it writes comes first.
void add_buffers(const Context& context, const kernel::Module& module, kernel::Launch& launch) {
  const ir::Stencil& stencil = context.stencil;
  std::unordered_set<std::string> known;
  for (const kernel::Buffer& buffer : launch.kernel.buffers) known.insert(buffer.name);
  const auto add = [&](const kernel::Buffer& buffer, kernel::BufferArg arg) {
    if (!known.insert(buffer.name).second) return;
    launch.kernel.buffers.push_back(buffer);
    launch.buffer_args.push_back(arg);
  };
  const auto place = [](size_t f) { return static_cast<int>(f); };
  const auto last = [&](size_t f) { return slot_of(context, place(f), 1); };
  const auto temporary = [&](size_t f, kernel::BufferArg::Kind kind) {
    return kernel::BufferArg{kind, place(f - module.grids.size()), 0};
  };
  const auto target = [&](size_t f) {
    return stencil.fields[f].temporary
               ? temporary(f, kernel::BufferArg::temporary)
               : kernel::BufferArg{kernel::BufferArg::grid, place(f), last(f)};
  };
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (context.launch.stores_field(stencil, place(f))) add(context.targets[f], target(f));
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (!context.earlier[f].name.empty())
      add(context.earlier[f], {kernel::BufferArg::grid, place(f), last(f) + 1});
  for (const plan::Combined& one : context.launch.combines)
    if (context.folds)
      add(context.partials[one.reduction], {kernel::BufferArg::partials, one.reduction, 0});
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    for (size_t level = 0; level < context.levels[f].size(); ++level)
      add(context.levels[f][level],
          stencil.fields[f].temporary
              ? target(f)
              : kernel::BufferArg{kernel::BufferArg::grid, place(f), static_cast<int>(level)});
    if (stencil.fields[f].role == ir::Role::stepped || stencil.fields[f].role == ir::Role::output)
      add(context.next[f], target(f));
    if (!context.ghosts[f].name.empty())
      add(context.ghosts[f], temporary(f, kernel::BufferArg::ghosts));
  }
  for (size_t r = 0; r < context.results.size(); ++r)
    add(context.results[r], {kernel::BufferArg::result, place(r), 0});
  for (size_t w = 0; w < context.weights.size(); ++w)
    add(context.weights[w], {kernel::BufferArg::weights, place(w), 0});
  for (size_t n = 0; n < context.tables.size(); ++n)
    add(context.tables[n], {kernel::BufferArg::table, place(n), 0});
  for (size_t s = 0; s < context.series.size(); ++s)
    add(context.series[s], {kernel::BufferArg::series, place(s), 0});
}

void add_params(const Context& context, const kernel::Module& module, kernel::Kernel& kernel) {
  for (size_t p = 0; p < context.params.size(); ++p)
    kernel.params.push_back({context.params[p], module.params[p].type});
  if (!context.time.empty()) kernel.params.push_back({context.time, kernel::Type::i64});
  if (!context.color.empty()) kernel.params.push_back({context.color, kernel::Type::index});
  if (!context.aligned.empty()) kernel.params.push_back({context.aligned, kernel::Type::boolean});
  if (!context.mapped.empty()) kernel.params.push_back({context.mapped, kernel::Type::boolean});
  for (const std::string& extent : context.extents)
    kernel.params.push_back({extent, kernel::Type::index});
  for (const std::string& stride : module.strides)
    kernel.params.push_back({stride, kernel::Type::index});
  for (const std::string& pitch : context.pitches)
    if (!pitch.empty()) kernel.params.push_back({pitch, kernel::Type::index});
}

// The kernel is given where the box begins and ends, and what memory holds.
void add_bounds(const Context& context, kernel::Launch& launch) {
  std::vector<std::string> names;
  for (int a = 0; a < context.rank(); ++a) {
    if (!context.box.is_cut(a)) continue;
    launch.cuts[a] = {context.first[a], context.end[a]};
    names.insert(names.end(), {context.first[a], context.end[a]});
  }
  if (context.box.origin(context.rank() - 1))
    names.insert(names.end(), {context.origin, context.planes});
  for (const std::string& name : names) launch.kernel.params.push_back({name, kernel::Type::index});
}

}  // namespace

int slot_of(const Context& context, int field, int level) {
  return level == 1 ? static_cast<int>(context.levels[field].size()) - context.overwrites[field]
                    : -level;
}

Box box_from(int axis, const Signature& signature) {
  Box box(signature.extents);
  const int rank = static_cast<int>(signature.axes.size());
  for (int a = axis; a < rank; ++a) box.cut(a, signature.first[a], signature.end[a]);
  if (!signature.origin.empty())
    box.hold(rank - 1, signature.origin, signature.planes, signature.wraps);
  return box;
}

void add_arguments(const Context& context, const kernel::Module& module, kernel::Launch& launch) {
  add_buffers(context, module, launch);
  add_params(context, module, launch.kernel);
  add_bounds(context, launch);
}

}  // namespace stencilc::lower
