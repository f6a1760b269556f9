#include "lower/spatial/marched_values.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "ir/boundary.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/boundary/read_anywhere.h"
#include "lower/context/build.h"
#include "lower/spatial/loads_once.h"
#include "lower/spatial/march_places.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

namespace {

constexpr int kAlignedPlane = 16;  // bytes: where planes begin
constexpr int kWarpSize = 32;

ExprPtr from_on(const ExprPtr& a, int64_t least) { return kernel::bin(BinOp::ge, a, index(least)); }

}  // namespace

MarchedValues::MarchedValues(const Context& context, const plan::Schedule& schedule)
    : context_(context),
      schedule_(schedule),
      marched_(plan::marched_values(context.stencil, context.launch, schedule)),
      wraps_(marched_.wraps == std::array{true, true, true} && !context.box.origin(march::kAxis)) {}

// ---- declarations ----

void MarchedValues::allocate(const ThreadMapping& mapping, kernel::Launch& launch, Body& body) {
  block_ = mapping.block;
  body.push_back({kernel::Note{
      "Values of a plane of the block and of the cells around it, in shared memory."}});
  int place = 0;
  const auto planes_of = [&](const std::string& name, kernel::Type element, int cells, int slots) {
    kernel::Buffer buffer;
    buffer.name = context_.names.claim(name);
    buffer.element = element;
    buffer.writable = true;
    buffer.shared = true;
    buffer.registers = cells;
    buffer.rows = slots;
    body.push_back({kernel::Array{buffer, false, place}});
    const int bytes = cells * slots * kernel::bytes_of(element);
    place += (bytes + kAlignedPlane - 1) / kAlignedPlane * kAlignedPlane;
    return buffer;
  };
  for (size_t v = 0; v < marched_.of.size(); ++v) {
    const plan::MarchedValue& one = marched_.of[v];
    Kept kept;
    if (one.shared) {
      kept.cells = schedule_.tile()[0] + one.around.low[0] + one.around.high[0];
      kept.rows = schedule_.tile()[1] + one.around.low[1] + one.around.high[1];
      kept.planes = planes_of(value(v).name + "_plane", type_of(value(v).expr->type),
                              kept.cells * kept.rows, one.slots);
    }
    kept_.push_back(std::move(kept));
  }
  for (const plan::MarchedField& one : marched_.fields) {
    Copied copied;
    copied.memory = buffer_of(context_, ir::Read{one.field, one.level, {}});
    copied.cells = schedule_.tile()[0] + one.around.low[0] + one.around.high[0];
    copied.rows = schedule_.tile()[1] + one.around.low[1] + one.around.high[1];
    copied.planes = planes_of(copied.memory.name + "_planes", copied.memory.element,
                              copied.cells * copied.rows, one.slots());
    copied_.push_back(std::move(copied));
  }
  launch.kernel.shared = place;
  const ExprPtr x = kernel::place(kernel::Place::thread, 0),
                y = kernel::place(kernel::Place::thread, 1);
  own_ = {schedule_.threads[0] == 1
              ? index(0)
              : lower::declare("tile_" + context_.axes[0], x, context_.names, body),
          schedule_.threads[1] == 1
              ? index(0)
              : lower::declare("tile_" + context_.axes[1], kernel::mul(y, index(rows())),
                               context_.names, body),
          index(0)};
  body.push_back(
      {kernel::Note{"Cells beside the block of whose values a thread computes some, and of which "
                    "it copies some."}});
  int first_thread = 0;
  for (int level = 0; level < marched_.values.levels(); ++level)
    for (const Together& values : together(level, true)) add_rims(values, first_thread, body);
  add_parts(body);
}

// The coordinate of a cell near the block, or of the one that is it around a periodic axis.
ExprPtr MarchedValues::in_grid(int axis, const ExprPtr& local) const {
  return wrapped(axis, kernel::add(block_[axis], local));
}

ExprPtr MarchedValues::wrapped(int axis, const ExprPtr& there) const {
  if (!wraps(axis)) return there;
  return kernel::call(kernel::Type::index, index_map(ir::EdgeKind::around),
                      {there, context_.box.extent(axis)});
}

ExprPtr MarchedValues::number_of_thread() const {
  if (schedule_.threads[1] == 1) return own_[0];
  const ExprPtr y = rows() == 1 ? own_[1] : kernel::place(kernel::Place::thread, 1);
  return kernel::add(own_[0], kernel::mul(y, index(schedule_.threads[0])));
}

int MarchedValues::count_around(int v) const {
  const plan::MarchedValue& one = place(v);
  const int beside_x = one.around.low[0] + one.around.high[0],
            beside_y = one.around.low[1] + one.around.high[1];
  return beside_y * (schedule_.tile()[0] + (one.cross ? 0 : beside_x)) +
         beside_x * schedule_.tile()[1];
}

// The rows before and behind the block, then the columns beside it. Other threads than those that
// have cells of other values begin.
void MarchedValues::add_rims(const Together& values, int& first_thread, Body& body) {
  const plan::MarchedValue& one = place(values[0]);
  const int cells = count_around(values[0]);
  if (cells == 0) return;
  const int threads = schedule_.block_threads();
  const int across = schedule_.tile()[0], along = schedule_.tile()[1];
  const int left = one.around.low[0], low = one.around.low[1];
  const int beside = left + one.around.high[0];
  const int width = across + (one.cross ? 0 : beside);
  const int in_rows = (low + one.around.high[1]) * width;
  const auto side = [&](const ExprPtr& number, int before, int inner) {
    return kernel::pick(march::below(number, index(before)), kernel::add(number, -before),
                        kernel::add(number, inner - before));
  };
  Names& names = context_.names;
  for (int done = 0; done < cells; done += threads) {
    Rim rim;
    rim.values = values;
    const int some = std::min(threads, cells - done);
    ExprPtr number = number_of_thread();
    if (first_thread > 0)
      number =
          kernel::add(number, kernel::pick(march::below(number, index(first_thread)),
                                           index(threads - first_thread), index(-first_thread)));
    number = lower::declare("rim", kernel::add(number, done), names, body);
    if (some < threads) rim.counts = march::below(number, index(cells));
    rim.share = static_cast<double>(some) / threads;
    ExprPtr x, y;
    if (done < in_rows) {
      x = kernel::add(march::part_of(number, width, BinOp::mod), one.cross ? 0 : -left);
      y = side(march::part_of(number, width, BinOp::idiv), low, along);
    }
    if (done + some > in_rows) {
      const ExprPtr other = kernel::add(number, -in_rows);
      const ExprPtr column = side(march::part_of(other, beside, BinOp::mod), left, across);
      const ExprPtr row = march::part_of(other, beside, BinOp::idiv);
      const ExprPtr is_row = march::below(number, index(in_rows));
      x = x ? kernel::pick(is_row, x, column) : column;
      y = y ? kernel::pick(is_row, y, row) : row;
    }
    rim.local = {lower::declare("rim_" + context_.axes[0], x, names, body),
                 lower::declare("rim_" + context_.axes[1], y, names, body), index(0)};
    rims_.push_back(std::move(rim));
    first_thread = (first_thread + (some + kWarpSize - 1) / kWarpSize * kWarpSize) % threads;
  }
}

void MarchedValues::declare(Names& names, Body& body) {
  for (size_t v = 0; v < kept_.size(); ++v) {
    const plan::MarchedValue& one = marched_.of[v];
    kept_[v].names.assign(rows(), {});
    for (int row = 0; row < rows(); ++row)
      for (int plane = one.low; plane <= one.lead; ++plane) {
        const ir::Offset offset = march::beside(march::planes_ahead(plane), row);
        std::string name = context_.name_at(value(v).name, offset);
        name = names.claim(offset == ir::Offset{} ? name + "_0" : name);
        kept_[v].names[row].push_back(name);
        if (plane == one.lead) continue;  // each pass declares the newest one
        const ExprPtr nothing = lower::constant(ir::Scalar{value(v).expr->type});
        body.push_back({kernel::Let{name, nothing, true}});
      }
  }
}

// ---- where they are ----

ExprPtr MarchedValues::column(int v, int row, int plane) const {
  return kernel::var(kept_[v].names[row][plane - place(v).low], type_of(value(v).expr->type));
}

ExprPtr MarchedValues::slot(int slots, int plane) const {
  return slots == 1 ? index(0) : slots_.at({slots, plane});
}

// Planes replace each other in turn. `k`, not below 0: the number of the pass.
void MarchedValues::declare_slots(Pass pass, const ExprPtr& k, Names& names, Body& body) {
  slots_.clear();
  // The first one with so many slots names the planes.
  const auto declare_of = [&](const std::string& name, int slots, int from, int to) {
    if (slots == 1) return;
    const auto named = [&](int plane, const ExprPtr& slot) {
      const ir::Offset offset = march::planes_ahead(plane);
      const std::string wanted =
          context_.name_at(name, offset) + (plane == 0 ? "_0_slot" : "_slot");
      return lower::declare(wanted, slot, names, body);
    };
    const auto [oldest, fresh] = slots_.try_emplace({slots, 0});
    if (fresh) oldest->second = named(from, march::part_of(k, slots, BinOp::mod));
    for (int plane = from + 1; plane <= to; ++plane) {
      const auto [known, other] = slots_.try_emplace({slots, plane - from});
      if (!other) continue;
      const ExprPtr next = kernel::add(slots_.at({slots, 0}), plane - from);
      known->second = named(
          plane, kernel::pick(march::below(next, index(slots)), next, kernel::add(next, -slots)));
    }
  };
  for (size_t v = 0; v < kept_.size(); ++v) {
    const plan::MarchedValue& one = marched_.of[v];
    if (one.shared) declare_of(value(v).name, one.slots, one.from, one.to);
  }
  for (size_t f = 0; f < copied_.size() && pass == Pass::inside; ++f) {
    const plan::MarchedField& one = marched_.fields[f];
    declare_of(copied_[f].memory.name, one.slots(), one.from, one.to);
  }
}

// The value at an offset from the cell with these coordinates in the block, in shared memory.
ExprPtr MarchedValues::load(int v, const Coordinates& local, const ir::Offset& offset) const {
  const Kept& kept = kept_[v];
  const plan::MarchedValue& one = place(v);
  return in_planes(kept.planes, value(v).name, offset,
                   march::place_in(kept.cells, one.around, local, offset),
                   slot(one.slots, offset[march::kAxis] - one.from));
}

ExprPtr MarchedValues::in_planes(const kernel::Buffer& planes, const std::string& name,
                                 const ir::Offset& offset, const ExprPtr& at,
                                 const ExprPtr& slot) const {
  ExprPtr load = kernel::make(planes.element, kernel::Load{planes, at, slot});
  const bool here = offset == ir::Offset{};
  names_of_loads_[kernel::print(load)] = context_.name_at(name, offset) + (here ? "_0" : "");
  return load;
}

void MarchedValues::add_rows(std::vector<Body> cells, Names& names, Body& body) const {
  Body all;
  for (size_t n = 0;; ++n) {
    const size_t before = all.size();
    for (Body& cell : cells)
      if (n < cell.size()) all.push_back(std::move(cell[n]));
    if (all.size() == before) break;
  }
  load_once(names_of_loads_, names, all);
  append(body, std::move(all));
}

// For what is computed so many planes ahead, for the cell with these coordinates in the block; of
// the thread's own column in a row, or (-1) not.
CellContext MarchedValues::hand_over(const std::vector<plan::StagedRead>& reads,
                                     const Coordinates& local, int row, int ahead) const {
  CellContext here;
  for (const plan::StagedRead& read : reads) {
    if (!read.expr->varies) continue;
    ir::Offset offset = read.offset;
    offset[march::kAxis] += ahead;
    const bool own = row >= 0 && offset[0] == 0 && offset[1] == 0;
    here.at_hand[context_.numbering().id(read.expr)] =
        own ? column(read.value, row, offset[march::kAxis])
            : load(read.value, local, march::beside(offset, std::max(row, 0)));
  }
  return here;
}

CellContext MarchedValues::read(int row) const {
  return hand_over(marched_.values.reads, own_, row, 0);
}

ExprPtr MarchedValues::held(const ir::Read& read, int row) const {
  const ExprPtr column =
      columns_.empty() ? nullptr : lower::held(context_, columns_[row].windows, march::kAxis, read);
  return column ? column : copied(read, own_, row);
}

ExprPtr MarchedValues::tap(const ir::Read& read, int row, const OwnCell& cell) const {
  const ExprPtr known = held(read, row);
  return known ? known : in_column(read, cell.at, cell.i);
}

// ---- what a pass computes ----

// Values of a level that are needed for the same cells and in the same passes.
std::vector<MarchedValues::Together> MarchedValues::together(int level, bool around) const {
  const auto alike = [&](int a, int b) {
    const plan::MarchedValue &one = place(a), &other = place(b);
    const plan::StagedValue &of_one = value(a), &of_other = value(b);
    if (of_one.beyond.low != of_other.beyond.low || of_one.beyond.high != of_other.beyond.high ||
        of_one.around.high != of_other.around.high || of_one.domain.low != of_other.domain.low ||
        of_one.domain.high != of_other.domain.high)
      return false;
    if (!around) return one.lead == other.lead && one.first == other.first;
    return one.to == other.to && one.first_plane == other.first_plane && one.cross == other.cross &&
           one.around.low == other.around.low && one.around.high == other.around.high;
  };
  std::vector<Together> groups;
  for (size_t n = 0; n < kept_.size(); ++n) {
    const int v = static_cast<int>(n);
    if (value(v).level != level || !value(v).expr->varies || (around && !place(v).shared)) continue;
    const auto same =
        std::ranges::find_if(groups, [&](const Together& group) { return alike(group[0], v); });
    if (same != groups.end())
      same->push_back(v);
    else
      groups.push_back({v});
  }
  return groups;
}

std::string MarchedValues::names_of(const Together& values) const {
  std::string text;
  for (const int v : values) text += (text.empty() ? "`" : ", `") + value(v).name + "`";
  return text;
}

ExprPtr MarchedValues::from(int first, Pass pass, const ExprPtr& k) const {
  return pass == Pass::inside || first <= -early() ? nullptr : from_on(k, first);
}

void MarchedValues::compute(Pass pass, const OwnCells& cells, const ExprPtr& k, Names& names,
                            Body& body) {
  if (!copied_.empty()) {
    if (pass == Pass::inside) body.push_back({kernel::Await{0}});
    body.push_back({kernel::Meet{}});
  }
  declare_slots(pass, kernel::add(k, early()), names, body);
  if (pass == Pass::inside) begin_pass(cells, k, names, body);
  for (int level = 0; level < marched_.values.levels(); ++level) {
    const bool early = pass == Pass::early;
    for (const Together& values : together(level, false)) {
      if (early && place(values[0]).first >= 0) continue;
      body.push_back({kernel::Note{"Of the thread's own column: " + names_of(values) + "."}});
      const int lead = place(values[0]).lead;
      ExprPtr plane = kernel::add(cells[0].at[march::kAxis], lead);
      if (pass == Pass::inside && lead != 0) plane = wrapped(march::kAxis, plane);
      if (lead != 0)
        plane = lower::declare(context_.axes[march::kAxis] + "_there", plane, names, body);
      std::vector<Body> by_row(rows());
      for (int row = 0; row < rows(); ++row)
        own_column(values, pass, row, cells[row], plane, k, names, by_row[row]);
      add_rows(std::move(by_row), names, body);
    }
    for (const Together& values : together(level, true))
      if (!early || place(values[0]).first_plane < 0) store_own(values, pass, k, body);
    for (const Rim& rim : rims_) {
      if (value(rim.values[0]).level != level || (early && place(rim.values[0]).first_plane >= 0))
        continue;
      body.push_back({kernel::Note{"Around the block: " + names_of(rim.values) + "."}});
      around_block(rim, pass, cells[0].at, k, names, body);
    }
    if (marched_.meets(level)) body.push_back({kernel::Meet{}});
  }
}

std::vector<ExprPtr> MarchedValues::results(const Together& values, Pass pass,
                                            const Coordinates& there, const Cell::Tap& tap,
                                            const CellContext& here, Names& names,
                                            Body& body) const {
  Cell::Tap reads = tap;
  if (pass == Pass::edge || (pass == Pass::early && wraps_)) {
    const auto taps = std::make_shared<ReadAnywhere>(context_, there, names, body);
    reads = [taps](const ir::Read& read) { return (*taps)(read); };
  }
  Cell cell(context_, there, reads, names, body, here);
  std::vector<ExprPtr> results;
  for (const int v : values) {
    ExprPtr result = cell.value(value(v).expr);
    if (values.size() > 1) result = cell.named(result, value(v).name);
    results.push_back(std::move(result));
  }
  return results;
}

// Of the thread's column in the newest plane.
void MarchedValues::own_column(const Together& values, Pass pass, int row, const OwnCell& cell,
                               const ExprPtr& plane, const ExprPtr& k, Names& names,
                               Body& body) const {
  const auto& [at, i] = cell;
  const plan::MarchedValue& first = place(values[0]);
  const ir::Offset ahead = march::planes_ahead(first.lead);
  Coordinates there = at;
  there[march::kAxis] = plane;
  kernel::If some{from(first.first, pass, k), {}, {}};
  const bool asks = some.condition || pass == Pass::edge;
  for (const int v : values)
    if (asks)
      body.push_back({kernel::Let{kept_[v].names[row].back(),
                                  lower::constant(ir::Scalar{value(v).expr->type}), true}});
  if (pass == Pass::edge)
    some.condition = kernel::both(some.condition, is_needed(value(values[0]), there, names, body));
  Names inner = names;
  Names& of_values = asks ? inner : names;
  Body& to = asks ? some.yes : body;
  const ExprPtr i_there = wraps_ && pass == Pass::inside && first.lead != 0
                              ? linear(context_, there)
                              : shifted(context_, i, ahead);
  std::vector<plan::StagedRead> reads;
  for (const int v : values)
    reads.insert(reads.end(), value(v).reads.begin(), value(v).reads.end());
  const auto tap = [&](const ir::Read& read) {
    ir::Read moved = read;
    moved.offset[march::kAxis] += first.lead;
    const ExprPtr known = pass == Pass::inside ? held(moved, row) : nullptr;
    return known ? known : in_column(read, there, i_there);
  };
  const std::vector<ExprPtr> all =
      results(values, pass, there, tap, hand_over(reads, own_, row, first.lead), of_values, to);
  for (size_t n = 0; n < values.size(); ++n) {
    const std::string& name = kept_[values[n]].names[row].back();
    if (asks)
      to.push_back({kernel::Assign{name, all[n]}});
    else
      to.push_back({kernel::Let{name, all[n]}});
  }
  if (asks) body.push_back({std::move(some)});
}

void MarchedValues::store_own(const Together& values, Pass pass, const ExprPtr& k,
                              Body& body) const {
  kernel::If some{from(place(values[0]).first_plane, pass, k), {}, {}};
  Body& to = some.condition ? some.yes : body;
  for (const int v : values)
    for (int row = 0; row < rows(); ++row) {
      const ExprPtr there = load(v, own_, march::beside(march::planes_ahead(place(v).to), row));
      const auto* where = kernel::as<kernel::Load>(there);
      to.push_back(
          {kernel::Store{where->buffer, where->at, column(v, row, place(v).to), where->row}});
    }
  if (some.condition) body.push_back({std::move(some)});
}

void MarchedValues::around_block(const Rim& rim, Pass pass, const Coordinates& at, const ExprPtr& k,
                                 Names& names, Body& body) const {
  const plan::MarchedValue& first = place(rim.values[0]);
  kernel::If some{kernel::both(from(first.first_plane, pass, k), rim.counts), {}, {}};
  some.share = rim.share;
  Names of_cells = names;
  Names& inner = some.condition ? of_cells : names;
  Body& cells = some.condition ? some.yes : body;
  Coordinates there;
  for (int a = 0; a < march::kAxis; ++a)
    there.push_back(lower::declare(
        context_.axes[a] + "_there",
        pass == Pass::inside ? in_grid(a, rim.local[a]) : kernel::add(block_[a], rim.local[a]),
        inner, cells));
  there.push_back(first.to == 0
                      ? at[march::kAxis]
                      : lower::declare(context_.axes[march::kAxis] + "_there",
                                       kernel::add(at[march::kAxis], first.to), inner, cells));
  kernel::If needed;
  if (pass == Pass::edge) needed.condition = is_needed(value(rim.values[0]), there, inner, cells);
  Body& to = needed.condition ? needed.yes : cells;
  ExprPtr i;
  if (pass != Pass::edge) i = lower::declare("i", linear(context_, there), inner, to);
  std::vector<plan::StagedRead> reads;
  for (const int v : rim.values)
    reads.insert(reads.end(), value(v).reads.begin(), value(v).reads.end());
  const auto tap = [&](const ir::Read& read) {
    ir::Read moved = read;
    moved.offset[march::kAxis] += first.to;
    const ExprPtr known = pass == Pass::inside ? copied(moved, rim.local) : nullptr;
    return known ? known : interior_tap(context_, there, i, read);
  };
  const std::vector<ExprPtr> all =
      results(rim.values, pass, there, tap, hand_over(reads, rim.local, -1, first.to), inner, to);
  for (size_t n = 0; n < rim.values.size(); ++n) {
    const int v = rim.values[n];
    const ExprPtr target = load(v, rim.local, march::planes_ahead(first.to));
    const auto* where = kernel::as<kernel::Load>(target);
    to.push_back({kernel::Store{where->buffer, where->at, all[n], where->row}});
  }
  if (needed.condition) cells.push_back({std::move(needed)});
  if (some.condition) body.push_back({std::move(some)});
}

// Near the boundary: does any cell of the grid read the value there, and can it be computed?
ExprPtr MarchedValues::is_needed(const plan::StagedValue& value, const Coordinates& at,
                                 Names& names, Body& body) const {
  ExprPtr all;
  for (int a = 0; a < context_.rank(); ++a) {
    const ir::Domain& domain = value.domain;
    const int low = domain.low[a] > 0 ? domain.low[a] : -value.beyond.low[a];
    const int high = domain.high[a] > 0 ? -domain.high[a] : value.beyond.high[a];
    all = kernel::both(all, from_on(at[a], low));
    all = kernel::both(all, march::below(at[a], kernel::add(context_.box.extent(a), high)));
    // Where memory holds a piece of the grid, others than those that its box needs may not be
    // there.
    if (context_.box.origin(a))
      all = kernel::both(
          all, march::below(at[a], kernel::add(context_.box.end(a), value.around.high[a])));
  }
  return lower::declare("needed", all, names, body);
}

void MarchedValues::move_on(Pass pass, Body& body) const {
  const auto move = [&](const std::vector<std::string>& names, kernel::Type type) {
    for (size_t n = 0; n + 1 < names.size(); ++n)
      body.push_back({kernel::Assign{names[n], kernel::var(names[n + 1], type)}});
  };
  for (const auto& [ahead, name] : arriving_)
    if (pass == Pass::inside) {
      const ExprPtr next = kernel::add(kernel::var(name), 1);
      body.push_back(
          {kernel::Assign{name, kernel::pick(march::below(next, context_.box.extent(march::kAxis)),
                                             next, index(0))}});
    }
  if (pass == Pass::inside)
    for (const Column& column : columns_)
      for (const Window& window : column.windows)
        move(window.names, buffer_of(context_, ir::Read{window.field, window.level, {}}).element);
  for (size_t v = 0; v < kept_.size(); ++v)
    if (value(v).expr->varies && (pass != Pass::early || marched_.of[v].first < 0))
      for (const std::vector<std::string>& names : kept_[v].names)
        move(names, type_of(value(v).expr->type));
}

}  // namespace stencilc::lower
