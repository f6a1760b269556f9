#include "lower/spatial/ghost_cells.h"

#include <string>
#include <utility>

#include "lower/boundary/read_anywhere.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/cell/cell.h"
#include "lower/context/build.h"
#include "lower/context/kernel_arguments.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::Fn;

namespace {

constexpr int kGhostThreads = 256;
constexpr int kGhostsOfOneCore = 2'000;

// The coordinates of the ghost cell at a place.
std::vector<ExprPtr> coordinates(const Context& context, int field, const ExprPtr& i, Body& body) {
  constexpr Fn kCoordinates[] = {Fn::ghost_x, Fn::ghost_y, Fn::ghost_z};
  std::vector<ExprPtr> at;
  for (int a = 0; a < context.rank(); ++a) {
    std::vector<ExprPtr> args = {i};
    add_ghost_shape(context, field, args);
    body.push_back({kernel::Let{
        context.axes[a], kernel::call(kernel::Type::index, kCoordinates[a], std::move(args))}});
    at.push_back(kernel::var(context.axes[a]));
  }
  return at;
}

ExprPtr number_of_ghosts(const Context& context, int field) {
  std::vector<ExprPtr> args;
  add_ghost_shape(context, field, args);
  return kernel::call(kernel::Type::index, Fn::ghost_cells, std::move(args));
}

// Is it a ghost cell of the box, which is cut along the last axis? Those beyond an end of the grid
// are those of the box that has its last cells. Null: the box is the grid.
ExprPtr of_box(const Context& context, const ExprPtr& at) {
  const int axis = context.rank() - 1;
  const Box& box = context.box;
  if (!box.is_cut(axis)) return nullptr;
  return kernel::both(kernel::either(kernel::bin(BinOp::ge, at, box.first(axis)),
                                     kernel::bin(BinOp::eq, box.first(axis), kernel::index(0))),
                      kernel::either(kernel::bin(BinOp::lt, at, box.end(axis)),
                                     kernel::bin(BinOp::eq, box.end(axis), box.extent(axis))));
}

// Stores the ghost cell at place i of each temporary, all of which have as many.
Body cell(const Context& context, const std::vector<plan::Stored>& stores, const ExprPtr& i,
          Names names) {
  Body body;
  const auto field_of = [&](const plan::Stored& one) {
    return context.stencil.updates[one.update].field;
  };
  const std::vector<ExprPtr> at = coordinates(context, field_of(stores[0]), i, body);
  for (const plan::Stored& one : stores) {
    const ir::Domain& domain = context.stencil.updates[one.update].cases[0].domain;
    // Where other axes have sides without values, cells near these are not computed.
    ExprPtr computed = of_box(context, at.back());
    for (int a = 0; a < context.rank(); ++a)
      computed = kernel::both(computed, in_domain(context, domain, a, at[a]));
    kernel::If guarded{computed, {}, {}};
    Body& to = computed ? guarded.yes : body;
    Names inner = names;
    Names& own = computed ? inner : names;
    ReadAnywhere anywhere(context, at, own, to);
    Cell values(
        context, at, [&](const ir::Read& read) { return anywhere(read); }, own, to);
    const ExprPtr value = values.value(one.value);
    to.push_back({kernel::Store{context.ghosts[field_of(one)], i, value, nullptr}});
    if (computed) body.push_back({std::move(guarded)});
  }
  return body;
}

// ghost_cells_of_flux, or of the first of several temporaries and so many more.
std::string kernel_name(const ir::Stencil& stencil, const plan::Launch& launch) {
  constexpr size_t kNamed = 4;
  std::string name = "ghost_cells_of";
  for (size_t n = 0; n < launch.stores.size(); ++n) {
    if (n == 1 && launch.stores.size() > kNamed)
      return name + "_and_" + std::to_string(launch.stores.size() - 1) + "_more";
    name += "_" + stencil.fields[stencil.updates[launch.stores[n].update].field].name;
  }
  return name;
}

}  // namespace

kernel::Launch lower_ghost_cells(const ir::Stencil& stencil,
                                 const std::vector<std::vector<plan::Stored>>& groups,
                                 plan::Target target, const Signature& signature,
                                 kernel::Module& module) {
  const auto field_of = [&](const plan::Stored& one) { return stencil.updates[one.update].field; };
  plan::Launch own;
  for (const std::vector<plan::Stored>& group : groups)
    own.stores.insert(own.stores.end(), group.begin(), group.end());
  kernel::Launch result;
  kernel::Kernel& kernel = result.kernel;
  kernel.name = kernel_name(stencil, own);
  kernel.rank = 1;
  kernel.threads[0] = kernel.tile[0] = kGhostThreads;
  Signature writing = signature;
  for (const plan::Stored& one : own.stores) writing.ghosts[field_of(one)].writable = true;
  Builder builder(signature);
  ContextOptions options;
  if (!signature.first.empty()) options.box = box_from(stencil.rank() - 1, signature);
  const Context bare(writing, stencil, own, target, builder, options);
  add_arguments(bare, module, result);
  const Context context = bare.with(invariants_of(bare));
  Body body = context.invariants.statements;
  ExprPtr i;
  if (target == plan::Target::cuda)
    i = declare("i",
                kernel::add(kernel::mul(kernel::place(kernel::Place::block, 0),
                                        kernel::index(kGhostThreads)),
                            kernel::place(kernel::Place::thread, 0)),
                context.names, body);
  Body* rest = &body;
  for (const std::vector<plan::Stored>& group : groups) {
    const int field = field_of(group[0]);
    const int number = static_cast<int>(result.ghosts_of.size());
    result.ghosts_of.push_back(field - static_cast<int>(module.grids.size()));
    const ExprPtr count = number_of_ghosts(context, field);
    if (target == plan::Target::cpu) {
      Names names = context.names;
      kernel::For loop{kernel::For::parallel,
                       names.claim("i"),
                       kernel::Type::index,
                       kernel::index(0),
                       count,
                       {},
                       kernel::bin(BinOp::gt, count, kernel::index(kGhostsOfOneCore))};
      loop.body = cell(context, group, kernel::var(loop.name), names);
      body.push_back({std::move(loop)});
      continue;
    }
    kernel::If has{kernel::bin(BinOp::lt, i, count), cell(context, group, i, context.names), {}};
    if (number + 1 == static_cast<int>(groups.size())) {
      rest->push_back({std::move(has)});
      break;
    }
    kernel::If row{
        kernel::bin(BinOp::eq, kernel::place(kernel::Place::block, 1), kernel::index(number)),
        {{std::move(has)}},
        {}};
    rest->push_back({std::move(row)});
    rest = &std::get<kernel::If>(rest->back().node).no;
  }
  for (const Builder::Named& one : builder.constants)
    kernel.constants.emplace_back(one.name, one.value);
  kernel.body = std::move(body);
  return result;
}

}  // namespace stencilc::lower
