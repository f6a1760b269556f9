// before   for each point: u_new[its cell] += ...              a launch of its own, at each step
// after    here = the cells of a thread that have points      once
//          at each step, for each cell in `here`: of the registers the one it is;
//                                                 for each point there: add; and back
#include "lower/temporal/resident/tile_points.h"

#include <algorithm>
#include <utility>

#include "ir/build.h"
#include "lower/boundary/grid_ends.h"
#include "lower/context/build.h"
#include "lower/points/sources_receivers.h"
#include "lower/temporal/common/at_step.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::Entry;
using kernel::ExprPtr;
using kernel::Fn;
using kernel::For;
using kernel::index;
using kernel::Type;

namespace {

const plan::Launch kNothing;  // is stored but by ourselves

ExprPtr converted(const ExprPtr& value, Type type) {
  return value->type == type ? value : kernel::make(type, kernel::Convert{value});
}

ExprPtr search(const kernel::Buffer& list, Entry::What what, std::vector<ExprPtr> args) {
  return kernel::make(what == Entry::any ? Type::boolean : Type::index,
                      Entry{what, list, std::move(args)});
}

}  // namespace

void TilePoints::take(kernel::Module& module, kernel::Launch& launch) {
  const ir::Stencil& stencil = context_.stencil;
  const auto add_buffer = [&](const kernel::Buffer& buffer, kernel::BufferArg arg) {
    for (size_t b = 0; b < launch.kernel.buffers.size(); ++b)
      if (launch.kernel.buffers[b].name == buffer.name) return b;
    launch.kernel.buffers.push_back(buffer);
    launch.buffer_args.push_back(arg);
    return launch.kernel.buffers.size() - 1;
  };
  const auto need = [&](const std::string& count) {
    for (const kernel::Param& known : launch.kernel.params)
      if (known.name == count) return;
    launch.kernel.params.push_back({count, Type::index});
  };
  const auto add = [&](int points, ir::Type type, bool stored) {
    const int found = places_of(context_, points, type, module);
    const kernel::Places& places = module.places[found];
    need(context_.point_counts[points]);
    for (const List& known : lists_)
      if (known.points == points && known.stored == stored && known.type == places.type)
        return found;
    List list{points, stored, places.type, {}, {}, places.name + "_count", ""};
    list.entries = {module.points[points].name, Type::i64, false};
    list.entries.entries = true;
    list.weight = {places.name + "_weight", places.type, false};
    list.here = context_.names.claim(stencil.points[points].name + (stored ? "_stored" : "_here"));
    const size_t owner = add_buffer(list.entries, {kernel::BufferArg::entries, found, 0});
    module.places[launch.buffer_args[owner].index].sorted = true;
    add_buffer(list.weight, {kernel::BufferArg::weight, found, 0});
    need(list.count);
    lists_.push_back(std::move(list));
    return found;
  };
  for (const ir::Injection& one : stencil.injections)
    add(one.points, stencil.fields[one.field].compute, false);
  for (size_t n = 0; n < stencil.samples.size(); ++n) {
    const ir::Type compute = ir::arithmetic(stencil.series[stencil.samples[n].series].type);
    const int found = add(stencil.samples[n].points, compute, true);
    sampled_.push_back({context_.sampled[n], type_of(compute), true});
    if (n == module.sampled.size())
      module.sampled.push_back({context_.sampled[n], found, type_of(compute), temporal_.steps});
    module.sampled[n].steps = std::max(module.sampled[n].steps, temporal_.steps);
    add_buffer(sampled_.back(), {kernel::BufferArg::sampled, static_cast<int>(n), 0});
  }
}

TilePoints::List& TilePoints::list_of(int points, ir::Type type, bool stored) {
  const Type weights = ir::is_float(type) ? type_of(type) : Type::f32;
  return *std::find_if(lists_.begin(), lists_.end(), [&](const List& one) {
    return one.points == points && one.stored == stored && one.type == weights;
  });
}

// Where the cell with that number among the thread's is: along axes that wrap around, in the grid.
std::vector<ExprPtr> TilePoints::place(const ExprPtr& number, Names& names, Body& body) const {
  const int counts[] = {schedule_.vector, schedule_.rows, schedule_.planes};
  const ExprPtr first[] = {tile_.layout.x, tile_.layout.y, tile_.layout.z};
  std::vector<ExprPtr> at;
  int before = 1;
  for (int a = 0; a < context_.rank(); ++a) {
    ExprPtr own = before == 1 ? number : kernel::bin(BinOp::idiv, number, index(before));
    if (a + 1 < context_.rank()) own = kernel::bin(BinOp::mod, own, index(counts[a]));
    if (counts[a] == 1) own = index(0);
    before *= counts[a];
    ExprPtr cell = kernel::add(first[a], own);
    if (tile_.layout.wraps(a)) cell = kernel::call(Type::index, Fn::wrap, {cell, extent(a)});
    at.push_back(declare(context_.axes[a] + "_cell", cell, names, body));
  }
  return at;
}

ExprPtr TilePoints::key_of(const std::vector<ExprPtr>& at) const {
  ExprPtr key = at.back();
  for (size_t a = at.size() - 1; a-- > 0;)
    key = kernel::add(kernel::mul(key, extent(static_cast<int>(a))), at[a]);
  return key;
}

// May any lie in the rows, planes or cells that the block computes?
ExprPtr TilePoints::any_near(const List& list, Body& body) {
  const int last = context_.rank() - 1;
  const ExprPtr first = last == 0   ? tile_.layout.first_cell
                        : last == 1 ? tile_.layout.first_tile_row()
                                    : tile_.layout.z;
  const int count = last == 0   ? tile_.layout.cells()
                    : last == 1 ? temporal_.tile_rows(schedule_)
                                : schedule_.planes;
  const ExprPtr end = kernel::add(first, count);
  ExprPtr cells;  // of a row, or a plane
  for (int a = 0; a < last; ++a) cells = cells ? kernel::mul(cells, extent(a)) : extent(a);
  const auto key = [&](const ExprPtr& at) { return cells ? kernel::mul(at, cells) : at; };
  if (!end_)
    end_ = declare("tile_end",
                   kernel::pick(kernel::bin(BinOp::lt, end, extent(last)), end, extent(last)),
                   context_.names, body);
  const ExprPtr any = search(list.entries, Entry::any, {key(first), key(end_)});
  if (!tile_.layout.wraps(last)) return any;
  return kernel::either(any, kernel::either(kernel::bin(BinOp::lt, first, index(0)),
                                            kernel::bin(BinOp::gt, end, extent(last))));
}

// Does the thread store the cell?
ExprPtr TilePoints::is_stored(const std::vector<ExprPtr>& at) const {
  const auto within = [](const ExprPtr& cell, const ExprPtr& first, const ExprPtr& end) {
    return kernel::both(kernel::bin(BinOp::ge, cell, first), kernel::bin(BinOp::lt, cell, end));
  };
  ExprPtr stored = tile_.layout.parts[0].stores;
  if (at.size() > 1)
    stored = kernel::both(stored, within(at[1], tile_.layout.first_row, tile_.layout.end_row));
  if (at.size() > 2)
    stored = kernel::both(stored, within(at[2], tile_.layout.first, tile_.layout.end));
  return stored;
}

void TilePoints::mark(Body& body) {
  for (const List& list : lists_) {
    const std::string& name = context_.stencil.points[list.points].name;
    body.push_back({kernel::Note{"Which of a thread's cells, counted row by row, have `" + name +
                                 "`" + (list.stored ? " and are stored." : ".")}});
    body.push_back({kernel::Let{list.here, kernel::make(Type::i64, kernel::Int{0}), true}});
    kernel::If near{any_near(list, body), {}, {}};
    Names names = context_.names;
    For loop;
    loop.mark = For::rolled;
    loop.name = names.claim("cell");
    loop.first = index(0);
    loop.last = index(cells());
    const ExprPtr number = kernel::var(loop.name);
    const std::vector<ExprPtr> at = place(number, names, loop.body);
    ExprPtr counts;
    for (int a = 0; a < context_.rank(); ++a)
      if (!tile_.layout.wraps(a)) counts = kernel::both(counts, in_grid(context_, a, at[a]));
    if (list.stored) counts = kernel::both(counts, is_stored(at));
    if (counts) counts = declare("counts", counts, names, loop.body);
    const ExprPtr key = declare("key", key_of(at), names, loop.body);
    const ExprPtr has = kernel::bin(BinOp::ge, search(list.entries, Entry::first, {key}), index(0));
    loop.body.push_back({kernel::Assign{
        list.here,
        kernel::call(Type::i64, Fn::with,
                     {kernel::var(list.here, Type::i64), number, kernel::both(counts, has)})}});
    near.yes.push_back({std::move(loop)});
    body.push_back({std::move(near)});
  }
}

// A loop over the thread's cells at which the list has points.
For TilePoints::over_cells(const List& list, Names& names, Found& found) const {
  For loop;
  loop.name = names.claim("cell");
  const ExprPtr here = kernel::var(list.here, Type::i64);
  found.number = kernel::var(loop.name);
  loop.first = kernel::call(Type::index, Fn::next_in, {here, index(-1)});
  loop.next = kernel::call(Type::index, Fn::next_in, {here, found.number});
  found.at = place(found.number, names, loop.body);
  found.i = declare("i", linear_of_any(context_, found.at), names, loop.body);
  found.key = declare("key", key_of(found.at), names, loop.body);
  return loop;
}

// And one over the entries of such a cell, in their order: `number` is one's in its list.
For TilePoints::over_entries(const List& list, const Found& found, Names& names,
                             ExprPtr& number) const {
  For loop;
  loop.name = names.claim("e");
  const ExprPtr at = kernel::var(loop.name);
  loop.first = search(list.entries, Entry::first, {found.key});
  loop.next = search(list.entries, Entry::next, {at});
  number = declare("n", search(list.entries, Entry::number, {at}), names, loop.body);
  return loop;
}

const Held& TilePoints::held(int field, int level) const {
  return *std::find_if(held_.begin(), held_.end(),
                       [&](const Held& one) { return one.field == field && one.level == level; });
}

// Loops over all cells of the thread, of which one has the number: p, r, v, body.
template <class Make>
void TilePoints::over_registers(const ExprPtr& number, Names names, Body& body,
                                const Make& make) const {
  For planes =
      unrolled(names.claim("p"), 0, tile_.layout.constant("tile_planes", schedule_.planes));
  For rows = unrolled(names.claim("r"), 0, tile_.layout.warp_rows());
  For row = unrolled(names.claim("v"), 0, tile_.layout.width());
  const int rank = context_.rank();
  const ExprPtr p = rank > 2 ? kernel::var(planes.name) : nullptr;
  const ExprPtr r = rank > 1 ? kernel::var(rows.name) : index(0);
  const ExprPtr v = kernel::var(row.name);
  const ExprPtr of_rows = p ? kernel::add(kernel::mul(p, tile_.layout.warp_rows()), r) : r;
  const ExprPtr own = kernel::add(kernel::mul(of_rows, tile_.layout.width()), v);
  kernel::If one{kernel::bin(BinOp::eq, own, number), {}, {}};
  make(p, r, v, one.yes);
  row.body.push_back({std::move(one)});
  Body all = {{std::move(row)}};
  for (For* loop : {rank > 1 ? &rows : nullptr, rank > 2 ? &planes : nullptr}) {
    if (!loop) continue;
    loop->body = std::move(all);
    all = {{std::move(*loop)}};
  }
  append(body, std::move(all));
}

ExprPtr TilePoints::value_in(const Held& one, const ExprPtr& number, const std::string& wanted,
                             Names& names, Body& body) const {
  const std::string name = names.claim(wanted);
  const ExprPtr p = context_.rank() > 2 ? index(0) : nullptr;
  body.push_back({kernel::Let{name, one.value(p, index(0), index(0)), true}});
  over_registers(number, names, body,
                 [&](const ExprPtr& plane, const ExprPtr& r, const ExprPtr& v, Body& to) {
                   to.push_back({kernel::Assign{name, one.value(plane, r, v)}});
                 });
  return kernel::var(name, one.registers.element);
}

// What the value reads of the cell that is in registers.
void TilePoints::read_values(const ir::ExprPtr& value, const Found& found, Names& names,
                             Body& body) {
  at_.clear();
  for (const ir::ExprPtr& node : ir::nodes_of({value})) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || context_.stencil.fields[read->field].role == ir::Role::input) continue;
    ExprPtr& known = at_[{read->field, read->level}];
    const Held& one = held(read->field, read->level);
    if (!known) known = value_in(one, found.number, one.registers.name + "_here", names, body);
  }
}

ExprPtr TilePoints::value_at(const Context& own, const CellContext& here, const ir::ExprPtr& value,
                             const Found& found, Names& names, Body& body) const {
  const auto tap = [&](const ir::Read& read) -> ExprPtr {
    const auto known = at_.find({read.field, read.level});
    return known != at_.end() ? known->second : interior_tap(own, found.at, found.i, read);
  };
  return Cell(own, found.at, tap, names, body, here).value(value);
}

void TilePoints::inject(const ExprPtr& k, Names& outer, Body& body) {
  for (const ir::Injection& one : context_.stencil.injections) {
    const ir::Field& field = context_.stencil.fields[one.field];
    const List& list = list_of(one.points, field.compute, false);
    const Held& made = held(one.field, 1);
    const Context own(context_, kNothing, {.roots = {{one.value}}});
    CellContext here;
    if (one.value->counts) here = at_step(own, k, outer, body);
    Names names = outer;
    Found found;
    For cells = over_cells(list, names, found);
    read_values(one.value, found, names, cells.body);
    const ExprPtr sum = value_in(made, found.number, "sum", names, cells.body);
    ExprPtr n;
    For entries = over_entries(list, found, names, n);
    const int corners = lower::corners(context_.stencil, one.points);
    const ExprPtr point = corners == 1 ? n : kernel::bin(BinOp::idiv, n, index(corners));
    here.point = declare(
        "p", kernel::add(kernel::mul(k, kernel::var(context_.point_counts[one.points])), point),
        names, entries.body);
    const ExprPtr value = value_at(own, here, one.value, found, names, entries.body);
    const ExprPtr old = converted(sum, type_of(field.compute));
    const ExprPtr added =
        corners > 1 ? kernel::make(old->type, kernel::Fma{kernel::load(list.weight, n), value, old})
                    : kernel::bin(BinOp::add, old, value, !ir::is_float(field.compute));
    entries.body.push_back(
        {kernel::Assign{kernel::as<kernel::Var>(sum)->name, converted(added, sum->type)}});
    cells.body.push_back({std::move(entries)});
    over_registers(found.number, names, cells.body,
                   [&](const ExprPtr& p, const ExprPtr& r, const ExprPtr& v, Body& to) {
                     to.push_back({kernel::Store{made.registers, kernel::add(v, made.left), sum,
                                                 made.row(p, r)}});
                   });
    body.push_back(
        {kernel::Note{"The values that `" + context_.stencil.points[one.points].name + "` add."}});
    body.push_back({std::move(cells)});
  }
}

void TilePoints::sample(bool after, const ExprPtr& k, Names& outer, Body& body) {
  for (size_t s = 0; s < context_.stencil.samples.size(); ++s) {
    const ir::Sample& one = context_.stencil.samples[s];
    if (one.after != after) continue;
    const ir::Type compute = ir::arithmetic(context_.stencil.series[one.series].type);
    const List& list = list_of(one.points, compute, true);
    const Context own(context_, kNothing, {.roots = {{one.value}}});
    CellContext here;
    if (one.value->counts) here = at_step(own, k, outer, body);
    Names names = outer;
    Found found;
    For cells = over_cells(list, names, found);
    read_values(one.value, found, names, cells.body);
    ExprPtr n;
    For entries = over_entries(list, found, names, n);
    const int corners = lower::corners(context_.stencil, one.points);
    const ExprPtr point = corners == 1 ? n : kernel::bin(BinOp::idiv, n, index(corners));
    here.point = declare(
        "p", kernel::add(kernel::mul(k, kernel::var(context_.point_counts[one.points])), point),
        names, entries.body);
    const ExprPtr value = value_at(own, here, one.value, found, names, entries.body);
    entries.body.push_back(
        {kernel::Store{sampled_[s], kernel::add(kernel::mul(k, kernel::var(list.count)), n),
                       converted(value, type_of(compute)), nullptr}});
    cells.body.push_back({std::move(entries)});
    body.push_back(
        {kernel::Note{"The values at `" + context_.stencil.points[one.points].name + "`."}});
    body.push_back({std::move(cells)});
  }
}

}  // namespace stencilc::lower
