#include "lower/spatial/staged_values.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ir/boundary.h"
#include "lower/boundary/edge_cell.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/read_anywhere.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

namespace {

constexpr int kAligned = 16;  // bytes: where an array begins
constexpr int kWarp = 32;
// Loops with more instructions stay loops: copies would only fill the instruction cache.
constexpr double kUnrolled = 400;
// Values of more instructions are computed apart from others, and by the same statements for cells
// of the block and around it: together they take too many registers, and apart too much code.
constexpr double kLight = 150;

ExprPtr less(const ExprPtr& a, const ExprPtr& b) { return kernel::bin(BinOp::lt, a, b); }
ExprPtr at_least(const ExprPtr& a, const ExprPtr& b) { return kernel::bin(BinOp::ge, a, b); }
ExprPtr minus(const ExprPtr& a, const ExprPtr& b) {
  const auto *left = kernel::as<kernel::Int>(a), *right = kernel::as<kernel::Int>(b);
  if (right && left) return index(left->value - right->value);
  return right ? kernel::add(a, -right->value) : kernel::bin(BinOp::sub, a, b);
}
// The value of a number, or -1.
int64_t number_of(const ExprPtr& expr) {
  const auto* number = kernel::as<kernel::Int>(expr);
  return number ? number->value : -1;
}
ExprPtr idiv(const ExprPtr& a, const ExprPtr& b) {
  return number_of(b) == 1 ? a : kernel::bin(BinOp::idiv, a, b);
}
ExprPtr mod(const ExprPtr& a, const ExprPtr& b) {
  return number_of(b) == 1 ? index(0) : kernel::bin(BinOp::mod, a, b);
}
ExprPtr at_most(const ExprPtr& a, const ExprPtr& most) {
  return kernel::pick(less(a, most), a, most);
}
ExprPtr not_below(const ExprPtr& a, const ExprPtr& least) {
  return kernel::pick(less(a, least), least, a);
}

}  // namespace

StagedValues::StagedValues(const Context& context, const plan::Schedule& schedule)
    : context_(context), schedule_(schedule) {
  if (context.launch.staged.empty() && (schedule.tile_values.empty() || recomputes(context)))
    return;
  staged_ = plan::staged_values(context.stencil, context.launch, schedule.tile_values);
  periodic_ = plan::periodic_axes(context.stencil, context.launch);
}

void StagedValues::allocate(kernel::Launch& launch, Body& body) {
  body.push_back(
      {kernel::Note{"Values of the cells of the block and of those around it, in shared memory."}});
  int place = 0;
  for (const plan::StagedValue& value : staged_.values) {
    Array array;
    int rows = 1, cells = 1;
    for (int a = 0; a < context_.rank(); ++a) {
      const int along = schedule_.tile()[a] + value.around.low[a] + value.around.high[a];
      array.cells.push_back(along);
      cells *= along;
      if (a > 0) rows *= along;
    }
    kernel::Buffer& buffer = array.buffer;
    buffer.name = context_.names.claim(value.name + "_tile");
    buffer.element = type_of(value.expr->type);
    buffer.writable = true;
    buffer.shared = true;
    buffer.registers = array.cells[0];
    buffer.rows = rows;
    body.push_back({kernel::Array{buffer, false, place}});
    place += (cells * kernel::bytes_of(buffer.element) + kAligned - 1) / kAligned * kAligned;
    arrays_.push_back(std::move(array));
  }
  launch.kernel.shared = place;
  ExprPtr number = kernel::place(kernel::Place::thread, 0);
  int before = schedule_.threads[0];
  for (int a = 1; a < context_.rank(); ++a) {
    if (schedule_.threads[a] > 1)
      number =
          kernel::add(number, kernel::mul(kernel::place(kernel::Place::thread, a), index(before)));
    before *= schedule_.threads[a];
  }
  thread_ = lower::declare("thread", number, context_.names, body);
  for (int a = 0; a < context_.rank(); ++a) {
    ExprPtr first = schedule_.threads[a] == 1 ? index(0) : kernel::place(kernel::Place::thread, a);
    if (schedule_.coarsen > 1 && a == schedule_.coarsen_axis && a > 0)
      first = kernel::mul(first, index(schedule_.coarsen));
    own_.push_back(schedule_.threads[a] == 1
                       ? first
                       : lower::declare("tile_" + context_.axes[a], first, context_.names, body));
  }
}

void StagedValues::compute(const ThreadMapping& mapping, const ExprPtr& interior,
                           kernel::Launch& launch, Body& body) {
  if (empty()) return;
  allocate(launch, body);
  const ExprPtr inside =
      interior ? lower::declare("interior", interior, context_.names, body) : nullptr;
  for (int n = 0; n < staged_.levels(); ++n) {
    level(n, mapping, inside, body);
    body.push_back({kernel::Meet{}});
  }
}

void StagedValues::level(int number, const ThreadMapping& mapping, const ExprPtr& interior,
                         Body& body) const {
  Together all;
  for (size_t v = 0; v < staged_.values.size(); ++v)
    if (staged_.values[v].level == number) all.push_back(static_cast<int>(v));
  const Reading reading = reading_of(all);
  // Those that are computed for the same cells beyond the grid, where memory has some, and beyond
  // the box, where memory holds a piece.
  std::vector<Together> light;
  const auto as_far = [&](int a, int b) {
    const ir::Reach &one = staged_.values[a].beyond, &other = staged_.values[b].beyond;
    for (int axis = 0; axis < context_.rank(); ++axis)
      if (context_.box.origin(axis) &&
          staged_.values[a].around.high[axis] != staged_.values[b].around.high[axis])
        return false;
    for (int axis = 0; axis < context_.rank(); ++axis)
      if (!reading.checked[axis] &&
          (one.low[axis] != other.low[axis] || one.high[axis] != other.high[axis]))
        return false;
    return true;
  };
  const std::vector<Together> groups = staged_.together(number);
  for (const Together& values : groups) {
    const plan::StagedValue& one = staged_.values[values[0]];
    if (staged_.work_of(values) <= kLight) {
      auto same = std::ranges::find_if(
          light, [&](const Together& some) { return as_far(some[0], values[0]); });
      if (same == light.end()) same = light.insert(light.end(), Together{});
      same->insert(same->end(), values.begin(), values.end());
    } else if (one.cross || count_around(one) == 0) {
      own_cells(values, mapping, interior, reading, body);
    } else {
      cells_of(all_of(one), values, 0, mapping, interior, reading, body);
    }
  }
  for (const Together& values : light) own_cells(values, mapping, interior, reading, body);
  int first = 0;
  for (const Together& values : groups) {
    const plan::StagedValue& one = staged_.values[values[0]];
    const int around = count_around(one);
    if (around == 0 || (staged_.work_of(values) > kLight && !one.cross)) continue;
    cells_of(around_of(one), values, first, mapping, interior, reading, body);
    first = (first + (around + kWarp - 1) / kWarp * kWarp) % threads();
  }
  if (!interior) return;
  kernel::If edge{kernel::make(kernel::Type::boolean, kernel::Not{interior}), {}, {}};
  edge.share = 0;
  Names names = context_.names;
  for (const Together& values : groups) near_boundary(values, mapping, reading, names, edge.yes);
  body.push_back({std::move(edge)});
}

// ---- which cells ----

StagedValues::Coordinates StagedValues::own_cell(const ExprPtr& k) const {
  Coordinates local = own_;
  if (!k) return local;
  const int axis = schedule_.coarsen_axis;
  local[axis] =
      kernel::add(local[axis], kernel::mul(k, index(axis == 0 ? schedule_.threads[0] : 1)));
  return local;
}

// All cells that the value is needed for.
StagedValues::Shell StagedValues::all_of(const plan::StagedValue& value) const {
  Shell shell = around_of(value);
  const size_t last = shell.full.size() - 1;
  for (size_t a = 0; a <= last; ++a) {
    shell.before[a] = index(0);
    shell.inner[a] = a == last ? index(0) : shell.full[a];
    shell.outside[a] = a == last ? shell.full[a] : index(0);
  }
  shell.cross = false;
  return shell;
}

// Those of them around the block.
StagedValues::Shell StagedValues::around_of(const plan::StagedValue& value) const {
  Shell shell;
  for (int a = 0; a < context_.rank(); ++a) {
    const int low = value.around.low[a], high = value.around.high[a], own = schedule_.tile()[a];
    shell.before.push_back(index(low));
    shell.inner.push_back(index(own));
    shell.outside.push_back(index(low + high));
    shell.full.push_back(index(low + own + high));
  }
  shell.cross = value.cross;
  return shell;
}

int StagedValues::count(const Shell& shell) const {
  int64_t count = 0;
  for (int a = 0; a < context_.rank(); ++a) count += number_of(size(shell, a));
  return static_cast<int>(count);
}

int StagedValues::count_around(const plan::StagedValue& value) const {
  return count(around_of(value));
}

// The cells beside the inner box along this axis, and along those after it in the inner box.
ExprPtr StagedValues::size(const Shell& shell, int axis) const {
  ExprPtr cells = shell.outside[axis];
  for (int a = 0; a < context_.rank(); ++a) {
    if (a == axis) continue;
    cells = kernel::mul(cells, a > axis || shell.cross ? shell.inner[a] : shell.full[a]);
  }
  return cells;
}

// Coordinates in the box of one of the cells.
StagedValues::Coordinates StagedValues::cell_of(const Shell& shell, const ExprPtr& number,
                                                Names& names, Body& body) const {
  constexpr const char* kPlaces[] = {"column", "row", "layer"};
  const int rank = context_.rank();
  std::vector<int> parts;
  for (int a = rank - 1; a >= 0; --a)
    if (number_of(size(shell, a)) != 0) parts.push_back(a);
  Coordinates result;
  for (int a = 0; a < rank; ++a) result.push_back(kernel::var(names.claim(kPlaces[a])));
  const bool one = parts.size() == 1;
  const auto name_of = [&](int a) { return kernel::as<kernel::Var>(result[a])->name; };
  if (!one)
    for (const ExprPtr& place : result)
      body.push_back({kernel::Let{kernel::as<kernel::Var>(place)->name, index(0), true}});
  Body* to = &body;
  ExprPtr left = number;
  for (size_t p = 0; p < parts.size(); ++p) {
    const int axis = parts[p];
    const bool last = p + 1 == parts.size();
    kernel::If part{last ? nullptr : less(left, size(shell, axis)), {}, {}};
    Body statements;
    Names inner_names = names;
    Names& of_part = one ? names : inner_names;
    ExprPtr rest = left;
    for (int a = 0; a < rank; ++a) {
      const bool outside = a == axis, inside = a > axis || shell.cross;
      const ExprPtr& cells = outside ? shell.outside[a] : inside ? shell.inner[a] : shell.full[a];
      ExprPtr place = a + 1 == rank ? rest : mod(rest, cells);
      if (a + 1 < rank) rest = idiv(rest, cells);
      if (outside) {
        // Those before the inner box, then those behind it.
        if (number_of(shell.before[a]) == 0)
          place = kernel::add(place, shell.inner[a]);
        else if (number_of(minus(shell.outside[a], shell.before[a])) != 0) {
          place = lower::declare("beside", place, of_part, statements);
          place = kernel::add(place,
                              kernel::pick(less(place, shell.before[a]), index(0), shell.inner[a]));
        }
      } else if (inside) {
        place = kernel::add(place, shell.before[a]);
      }
      if (one)
        statements.push_back({kernel::Let{name_of(a), place}});
      else
        statements.push_back({kernel::Assign{name_of(a), place}});
    }
    if (last) {
      append(*to, std::move(statements));
      break;
    }
    part.yes = std::move(statements);
    left = lower::declare("other", minus(left, size(shell, axis)), names, part.no);
    to->push_back({std::move(part)});
    to = &std::get<kernel::If>(to->back().node).no;
  }
  return result;
}

StagedValues::Coordinates StagedValues::in_grid(const ThreadMapping& mapping,
                                                const Coordinates& local, Names& names,
                                                Body& body) const {
  Coordinates at;
  for (int a = 0; a < context_.rank(); ++a)
    at.push_back(lower::declare(context_.axes[a] + "_there",
                                kernel::add(mapping.block[a], local[a]), names, body));
  return at;
}

StagedValues::Reading StagedValues::reading_of(const Together& values) const {
  Reading result;
  for (const int v : values) {
    const plan::StagedValue& value = staged_.values[v];
    for (int a = 0; a < context_.rank() && value.is_field(); ++a) {
      result.reach.low[a] = std::max(result.reach.low[a], value.margin.low[a]);
      result.reach.high[a] = std::max(result.reach.high[a], value.margin.high[a]);
      result.checked[a] = true;
    }
    for (const ir::ExprPtr& other : value.others) {
      const auto& read = *ir::as<ir::Read>(other);
      const auto& sides = context_.stencil.fields[read.field].boundary.sides;
      for (int a = 0; a < context_.rank(); ++a) {
        const bool low = sides[a][0].edge != ir::Edge::ghost,
                   high = sides[a][1].edge != ir::Edge::ghost;
        auto& [before, behind] = result.reach;
        if (low) before[a] = std::max(before[a], -read.offset[a]);
        if (high) behind[a] = std::max(behind[a], read.offset[a]);
        result.checked[a] = result.checked[a] || low || high;
      }
    }
  }
  return result;
}

// Does the cell read nothing beyond the grid?
ExprPtr StagedValues::is_inside(const Together& values, const Reading& reading,
                                const ExprPtr& interior, const Coordinates& at, Names& names,
                                Body& body) const {
  ExprPtr inside;
  for (int a = 0; a < context_.rank(); ++a) {
    if (reading.checked[a]) {
      if (interior) inside = kernel::both(inside, at_least(at[a], index(reading.reach.low[a])));
      inside = kernel::both(
          inside, less(at[a], kernel::add(context_.box.extent(a), -reading.reach.high[a])));
    } else {
      int low = 0, high = 0, around = 0;
      for (const int v : values) {
        low = std::max(low, staged_.values[v].beyond.low[a]);
        high = std::max(high, staged_.values[v].beyond.high[a]);
        around = std::max(around, staged_.values[v].around.low[a]);
      }
      if (low < around) inside = kernel::both(inside, at_least(at[a], index(-low)));
      inside = kernel::both(inside, less(at[a], kernel::add(context_.box.extent(a), high)));
    }
    int around = 0;
    for (const int v : values) around = std::max(around, staged_.values[v].around.high[a]);
    inside = kernel::both(inside, is_held(a, around, at));
  }
  return interior ? lower::declare("inside", inside, names, body) : inside;
}

// Where memory holds a piece of the grid: is the cell near enough to the end of the box that one of
// its cells needs the value? Others may read what is not in memory.
ExprPtr StagedValues::is_held(int axis, int around, const Coordinates& at) const {
  if (!context_.box.origin(axis)) return nullptr;
  return less(at[axis], kernel::add(context_.box.end(axis), around));
}

// Near the boundary: does any cell of the grid read the value there, and can it be computed?
ExprPtr StagedValues::is_needed(const plan::StagedValue& value, const Coordinates& at,
                                const Coordinates& local, Names& names, Body& body) const {
  ExprPtr all;
  const ir::Domain& domain = value.domain;
  for (int a = 0; a < context_.rank(); ++a) {
    // Of fields, what boundaries give beyond the grid is not kept.
    ir::Reach beyond = value.is_field() ? ir::Reach() : value.beyond;
    if (value.is_field() && periodic_[a]) beyond = value.around;
    const int low = domain.low[a] > 0 ? domain.low[a] : -beyond.low[a];
    if (low > -value.around.low[a]) all = kernel::both(all, at_least(at[a], index(low)));
    const int high = domain.high[a] > 0 ? -domain.high[a] : beyond.high[a];
    all = kernel::both(all, less(at[a], kernel::add(context_.box.extent(a), high)));
    all = kernel::both(all, is_held(a, value.around.high[a], at));
  }
  if (!value.cross) return lower::declare("needed", all, names, body);
  Coordinates in_block;  // along the axes on which there are cells around it
  for (int a = 0; a < context_.rank(); ++a) {
    if (value.around.low[a] + value.around.high[a] == 0) continue;
    const ExprPtr within =
        kernel::both(at_least(local[a], index(0)), less(local[a], index(schedule_.tile()[a])));
    in_block.push_back(lower::declare("in_block_" + context_.axes[a], within, names, body));
  }
  for (size_t n = 0; n < in_block.size(); ++n)
    for (size_t m = n + 1; m < in_block.size(); ++m)
      all = kernel::both(all, kernel::bin(BinOp::or_, in_block[n], in_block[m]));
  return lower::declare("needed", all, names, body);
}

// ---- statements ----

void StagedValues::own_cells(const Together& values, const ThreadMapping& mapping,
                             const ExprPtr& interior, const Reading& reading, Body& body) const {
  const bool several = schedule_.coarsen > 1;
  const bool rolled = staged_.work_of(values) * schedule_.coarsen > kUnrolled;
  // `checks`: each cell asks whether it reads beyond the grid, unless `inside_block` holds.
  const auto cells = [&](bool checks, const ExprPtr& inside_block, For::Mark mark, Body& to) {
    Names of_loop = context_.names;
    Names& names = several ? of_loop : context_.names;
    For loop = counted(mark, several ? names.claim("k") : "", index(schedule_.coarsen));
    loop.counts = true;
    Body each;
    const Coordinates local = own_cell(several ? kernel::var(loop.name) : nullptr);
    const Coordinates at = in_grid(mapping, local, names, each);
    kernel::If inside;
    if (checks) inside.condition = is_inside(values, reading, interior, at, names, each);
    if (checks && inside_block)
      inside.condition = kernel::bin(BinOp::or_, inside_block, inside.condition);
    store(values, at, local, nullptr, names, inside.condition ? inside.yes : each);
    if (inside.condition) each.push_back({std::move(inside)});
    if (!several) return append(to, std::move(each));
    loop.body = std::move(each);
    to.push_back({std::move(loop)});
  };
  // Without checks between them, nvcc loads once what several cells of a thread read.
  if (interior && several && !rolled) {
    kernel::If split{interior, {}, {}};
    cells(false, nullptr, For::unrolled, split.yes);
    cells(true, nullptr, For::rolled, split.no);
    body.push_back({std::move(split)});
    return;
  }
  cells(true, interior, rolled ? For::rolled : For::unrolled, body);
}

void StagedValues::cells_of(const Shell& shell, const Together& values, int first_thread,
                            const ThreadMapping& mapping, const ExprPtr& interior,
                            const Reading& reading, Body& body) const {
  const plan::StagedValue& first = staged_.values[values[0]];
  const int cells = count(shell);
  const int passes = (cells + threads() - 1) / threads();
  Names of_loop = context_.names;
  Names& names = passes > 1 ? of_loop : context_.names;
  // Other threads than those of other values.
  ExprPtr number = thread_;
  if (first_thread > 0)
    number =
        kernel::add(number, kernel::pick(less(number, index(first_thread)),
                                         index(threads() - first_thread), index(-first_thread)));
  For loop = counted(For::rolled, passes > 1 ? names.claim("pass") : "", index(passes));
  Body each;
  if (passes > 1)
    number = kernel::add(number, kernel::mul(kernel::var(loop.name), index(threads())));
  number = lower::declare("number", number, names, each);
  loop.counts = true;
  kernel::If counts{cells % threads() == 0 ? nullptr : less(number, index(cells)), {}, {}};
  counts.share = static_cast<double>(cells) / (passes * threads());
  Body& inner = counts.condition ? counts.yes : each;
  Coordinates local = cell_of(shell, number, names, inner);
  for (int a = 0; a < context_.rank(); ++a) local[a] = kernel::add(local[a], -first.around.low[a]);
  const Coordinates at = in_grid(mapping, local, names, inner);
  kernel::If inside{is_inside(values, reading, interior, at, names, inner), {}, {}};
  if (interior) inside.condition = kernel::bin(BinOp::or_, interior, inside.condition);
  store(values, at, local, nullptr, names, inside.condition ? inside.yes : inner);
  if (inside.condition) inner.push_back({std::move(inside)});
  if (counts.condition) each.push_back({std::move(counts)});
  if (passes == 1) return append(body, std::move(each));
  loop.body = std::move(each);
  body.push_back({std::move(loop)});
}

// Cells that read beyond the grid, those outside of it among them.
void StagedValues::near_boundary(const Together& values, const ThreadMapping& mapping,
                                 const Reading& reading, Names& names, Body& body) const {
  const plan::StagedValue& first = staged_.values[values[0]];
  const Array& array = arrays_[values[0]];
  Shell shell;
  for (int a = 0; a < context_.rank(); ++a) {
    const std::string axis = "_" + context_.axes[a];
    const ExprPtr full = index(array.cells[a]);
    shell.full.push_back(full);
    if (!reading.checked[a]) {
      shell.before.push_back(index(0));
      shell.inner.push_back(full);
      shell.outside.push_back(index(0));
      continue;
    }
    const ExprPtr begin = lower::declare(
        "begin" + axis, kernel::add(mapping.block[a], -first.around.low[a]), names, body);
    const ExprPtr low = index(reading.reach.low[a]),
                  high = kernel::add(context_.box.extent(a), -reading.reach.high[a]);
    shell.before.push_back(lower::declare(
        "before" + axis, at_most(not_below(minus(low, begin), index(0)), full), names, body));
    const ExprPtr end =
        lower::declare("end" + axis, at_most(minus(high, begin), full), names, body);
    shell.inner.push_back(lower::declare(
        "inside" + axis, not_below(minus(end, shell.before[a]), index(0)), names, body));
    shell.outside.push_back(minus(full, shell.inner[a]));
  }
  ExprPtr cells = index(0);
  for (int a = context_.rank() - 1; a >= 0; --a) cells = kernel::add(cells, size(shell, a));
  cells = lower::declare("cells", cells, names, body);
  const ExprPtr passes = idiv(kernel::add(cells, threads() - 1), index(threads()));
  Names inner = names;
  For loop = counted(For::rolled, inner.claim("pass"), passes);
  const ExprPtr number = lower::declare(
      "number", kernel::add(kernel::mul(kernel::var(loop.name), index(threads())), thread_), inner,
      loop.body);
  kernel::If counts{less(number, cells), {}, {}};
  Coordinates local = cell_of(shell, number, inner, counts.yes);
  for (int a = 0; a < context_.rank(); ++a) local[a] = kernel::add(local[a], -first.around.low[a]);
  const Coordinates at = in_grid(mapping, local, inner, counts.yes);
  kernel::If needed{is_needed(first, at, local, inner, counts.yes), {}, {}};
  store(values, at, local, &mapping, inner, needed.yes);
  counts.yes.push_back({std::move(needed)});
  loop.body.push_back({std::move(counts)});
  body.push_back({std::move(loop)});
}

// Computes the values of the cell and stores them.
void StagedValues::store(const Together& values, const Coordinates& at, const Coordinates& local,
                         const ThreadMapping* mapping, Names& names, Body& body) const {
  const bool fields = staged_.values[values[0]].is_field() && mapping;
  const std::vector<ExprPtr> results = fields ? fields_of(values, at, local, *mapping, names, body)
                                              : lets_of(values, at, local, mapping, names, body);
  for (size_t n = 0; n < values.size(); ++n) {
    const ExprPtr place = load(values[n], local, {});
    const auto* to = kernel::as<kernel::Load>(place);
    body.push_back({kernel::Store{to->buffer, to->at, results[n], to->row}});
  }
}

// By their expressions: of lets of cells that may lie anywhere, of fields of cells inside.
std::vector<ExprPtr> StagedValues::lets_of(const Together& values, const Coordinates& at,
                                           const Coordinates& local, bool anywhere, Names& names,
                                           Body& body) const {
  std::vector<plan::StagedRead> reads;
  for (const int v : values)
    reads.insert(reads.end(), staged_.values[v].reads.begin(), staged_.values[v].reads.end());
  Cell::Tap tap;
  if (anywhere) {
    const auto taps = std::make_shared<ReadAnywhere>(context_, at, names, body);
    tap = [taps](const ir::Read& read) { return (*taps)(read); };
  } else {
    const ExprPtr i = lower::declare("i", linear(context_, at), names, body);
    tap = [this, &at, i](const ir::Read& read) { return interior_tap(context_, at, i, read); };
  }
  Cell computed(context_, at, std::move(tap), names, body, hand_over(reads, local, true));
  std::vector<ExprPtr> results;
  for (const int v : values) {
    ExprPtr result = computed.value(staged_.values[v].expr);
    if (values.size() > 1) result = computed.named(result, staged_.values[v].name);
    results.push_back(std::move(result));
  }
  return results;
}

// By their statements and boundaries, of a cell of the grid. Beyond the ends of an axis along which
// they are periodic they are what they are at the other end.
std::vector<ExprPtr> StagedValues::fields_of(const Together& values, const Coordinates& at,
                                             const Coordinates& local, const ThreadMapping& mapping,
                                             Names& names, Body& body) const {
  Coordinates there = at;
  for (int a = 0; a < context_.rank(); ++a)
    if (periodic_[a])
      there[a] = lower::declare("at_" + context_.axes[a],
                                kernel::call(kernel::Type::index, index_map(ir::EdgeKind::around),
                                             {at[a], context_.box.extent(a)}),
                                names, body);
  const ExprPtr i = lower::declare("i", linear(context_, there), names, body);
  CellContext here;
  here.staged = staged_of(mapping, local);
  std::vector<ExprPtr> results;
  for (const int v : values)
    results.push_back(next_of_cell(context_, staged_.values[v].field, there, i, names, body, here));
  return results;
}

// The value of the cell at an offset from the one at these coordinates in the block.
ExprPtr StagedValues::load(int value, const Coordinates& local, const ir::Offset& offset) const {
  const Array& array = arrays_[value];
  const auto along = [&](int axis) {
    return kernel::add(local[axis], staged_.values[value].around.low[axis] + offset[axis]);
  };
  ExprPtr row = index(0);
  for (int a = context_.rank() - 1; a > 0; --a)
    row = kernel::add(kernel::mul(row, index(array.cells[a])), along(a));
  return kernel::make(array.buffer.element, kernel::Load{array.buffer, along(0), row});
}

CellContext StagedValues::hand_over(const std::vector<plan::StagedRead>& reads,
                                    const Coordinates& local, bool fields) const {
  CellContext here;
  for (const plan::StagedRead& read : reads)
    if ((fields || !staged_.values[read.value].is_field()) && read.expr->varies)
      here.at_hand[context_.numbering().id(read.expr)] = load(read.value, local, read.offset);
  return here;
}

// Along axes on which fields are periodic the block holds what lies beyond the grid, and along
// others what is inside.
CellContext::Staged StagedValues::staged_of(const ThreadMapping& mapping,
                                            const Coordinates& local) const {
  return
      [this, block = mapping.block, local](const ir::Read& read, const Coordinates* at, Names&,
                                           Body&) -> ExprPtr {
        const auto found = std::ranges::find_if(
            staged_.values, [&](const plan::StagedValue& one) { return one.field == read.field; });
        if (found == staged_.values.end()) return nullptr;
        const int value = static_cast<int>(found - staged_.values.begin());
        ir::Offset offset = read.offset;
        Coordinates place = local;
        for (int a = 0; a < context_.rank(); ++a) {
          if (offset[a] == 0 || periodic_[a]) continue;
          if (!at) return nullptr;
          place[a] = minus((*at)[a], block[a]);
          offset[a] = 0;
        }
        return load(value, place, offset);
      };
}

CellContext StagedValues::read_by(const ExprPtr& k) const {
  return empty() ? CellContext() : hand_over(staged_.reads, own_cell(k), true);
}

CellContext StagedValues::read_near_boundary_by(const ExprPtr& k,
                                                const ThreadMapping& mapping) const {
  if (empty()) return {};
  CellContext here = hand_over(staged_.reads, own_cell(k), false);
  here.staged = staged_of(mapping, own_cell(k));
  return here;
}

}  // namespace stencilc::lower
