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

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

namespace {

constexpr int kAxis = 2;           // along which the block goes
constexpr int kAlignedPlane = 16;  // bytes: where planes begin
constexpr int kWarpSize = 32;

ExprPtr below(const ExprPtr& a, const ExprPtr& b) { return kernel::bin(BinOp::lt, a, b); }
ExprPtr from_on(const ExprPtr& a, int64_t least) { return kernel::bin(BinOp::ge, a, index(least)); }
ExprPtr part_of(const ExprPtr& a, int parts, BinOp op) {
  if (parts == 1) return op == BinOp::mod ? index(0) : a;
  return kernel::bin(op, a, index(parts));
}

ir::Offset planes_ahead(int planes) {
  ir::Offset offset = {};
  offset[kAxis] = planes;
  return offset;
}

// Registers of 32 bits for what is kept of columns: others are for addresses and sums.
int words_to_keep(const plan::Schedule& schedule) {
  constexpr int kRegisters = 65536, kMostOfThread = 255, kOthers = 54;
  const int all = std::min(kMostOfThread, kRegisters / schedule.block_threads());
  return all - kOthers;
}

// The place in a plane of rows of so many cells, at an offset from a cell of the block. What does
// not change from one access to the next stands in front.
ExprPtr place_in(int cells, const ir::Reach& around, const std::vector<ExprPtr>& local,
                 const ir::Offset& offset) {
  return kernel::add(kernel::add(kernel::mul(local[1], index(cells)), local[0]),
                     (around.low[1] + offset[1]) * cells + around.low[0] + offset[0]);
}

int words_of(size_t values, kernel::Type type) {
  return static_cast<int>(values) * std::max(1, kernel::bytes_of(type) / 4);
}

}  // namespace

MarchedValues::MarchedValues(const Context& context, const plan::Schedule& schedule)
    : context_(context),
      schedule_(schedule),
      marched_(plan::marched_values(context.stencil, context.launch, schedule)),
      wraps_(marched_.wraps == std::array{true, true, true} && !context.box.origin(kAxis)) {}

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
              : lower::declare("tile_" + context_.axes[1], y, context_.names, body),
          index(0)};
  int first_thread = 0;
  for (int level = 0; level < marched_.values.levels(); ++level)
    for (const Together& values : together(level, true)) add_rims(values, first_thread, body);
  add_parts(body);
}

// Fields that are copied as far around the block have one text.
void MarchedValues::add_parts(Body& body) {
  std::vector<std::vector<int>> groups;
  for (size_t f = 0; f < copied_.size(); ++f) {
    const ir::Reach& around = marched_.fields[f].around;
    const auto same = std::ranges::find_if(groups, [&](const std::vector<int>& group) {
      const ir::Reach& other = marched_.fields[group[0]].around;
      return other.low == around.low && other.high == around.high;
    });
    if (same != groups.end())
      same->push_back(static_cast<int>(f));
    else
      groups.push_back({static_cast<int>(f)});
  }
  const int threads = schedule_.block_threads();
  Names& names = context_.names;
  for (const std::vector<int>& group : groups) {
    const ir::Reach& around = marched_.fields[group[0]].around;
    const int width = copied_[group[0]].cells, cells = width * copied_[group[0]].rows;
    for (int done = 0; done < cells; done += threads) {
      Part part;
      part.fields = group;
      const ExprPtr number =
          lower::declare("copied", kernel::add(number_of_thread(), done), names, body);
      if (done + threads > cells) part.counts = below(number, index(cells));
      part.local = {lower::declare("copied_" + context_.axes[0],
                                   kernel::add(part_of(number, width, BinOp::mod), -around.low[0]),
                                   names, body),
                    lower::declare("copied_" + context_.axes[1],
                                   kernel::add(part_of(number, width, BinOp::idiv), -around.low[1]),
                                   names, body),
                    index(0)};
      for (int a = 0; a < kAxis; ++a)
        part.at.push_back(
            lower::declare("from_" + context_.axes[a], in_grid(a, part.local[a]), names, body));
      parts_.push_back(std::move(part));
    }
  }
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
  return schedule_.threads[1] == 1
             ? own_[0]
             : kernel::add(own_[0], kernel::mul(own_[1], index(schedule_.threads[0])));
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
    return kernel::pick(below(number, index(before)), kernel::add(number, -before),
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
          kernel::add(number, kernel::pick(below(number, index(first_thread)),
                                           index(threads - first_thread), index(-first_thread)));
    number = lower::declare("rim", kernel::add(number, done), names, body);
    if (some < threads) rim.counts = below(number, index(cells));
    rim.share = static_cast<double>(some) / threads;
    ExprPtr x, y;
    if (done < in_rows) {
      x = kernel::add(part_of(number, width, BinOp::mod), one.cross ? 0 : -left);
      y = side(part_of(number, width, BinOp::idiv), low, along);
    }
    if (done + some > in_rows) {
      const ExprPtr other = kernel::add(number, -in_rows);
      const ExprPtr column = side(part_of(other, beside, BinOp::mod), left, across);
      const ExprPtr row = part_of(other, beside, BinOp::idiv);
      const ExprPtr is_row = below(number, index(in_rows));
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
    kept_[v].names.clear();
    for (int plane = one.low; plane <= one.lead; ++plane) {
      const ir::Offset offset = planes_ahead(plane);
      std::string name = context_.name_at(value(v).name, offset);
      kept_[v].names.push_back(names.claim(plane == 0 ? name + "_0" : name));
      if (plane == one.lead) continue;  // each pass declares the newest one
      const ExprPtr nothing = lower::constant(ir::Scalar{value(v).expr->type});
      body.push_back({kernel::Let{kept_[v].names.back(), nothing, true}});
    }
  }
}

// Columns of fields, in registers. The newest plane of one that is not copied is loaded a pass
// before it is read.
void MarchedValues::add_windows(const Coordinates& at, Names& names, Body& body) {
  std::vector<ir::ExprPtr> reads = marched_.values.others;
  int taken = 0;
  for (size_t v = 0; v < kept_.size(); ++v) {
    taken += words_of(kept_[v].names.size(), type_of(value(v).expr->type));
    for (const ir::ExprPtr& read : value(v).others)
      reads.push_back(ir::displace(read, planes_ahead(marched_.of[v].lead)));
  }
  std::map<std::tuple<int, int>, std::set<int>> planes;
  std::erase_if(reads, [&](const ir::ExprPtr& expr) {
    const auto& read = *ir::as<ir::Read>(expr);
    if (read.offset[0] != 0 || read.offset[1] != 0 ||
        (read.level == 1 && context_.launch.stores_field(context_.stencil, read.field)))
      return true;
    planes[{read.field, read.level}].insert(read.offset[kAxis]);
    return false;
  });
  // Few reads of a column cost more registers than they save loads.
  std::erase_if(reads, [&](const ir::ExprPtr& expr) {
    const auto& read = *ir::as<ir::Read>(expr);
    const std::set<int>& all = planes.at({read.field, read.level});
    return 2 * static_cast<int>(all.size()) <= *all.rbegin() - *all.begin() + 1;
  });
  std::vector<Window> all = windows_of(context_, reads, kAxis, false, names);
  const auto words = [&](const Window& one) {
    return words_of(one.names.size(),
                    buffer_of(context_, ir::Read{one.field, one.level, {}}).element);
  };
  const auto is_copied = [&](const Window& one, int plane) {
    return field_of({one.field, one.level, planes_ahead(plane)}) >= 0;
  };
  // Those first that would be loads from memory, without planes that shared memory has but for the
  // oldest one of these, from which they come.
  std::vector<Window> chosen, others;
  for (const Window& one : all)
    if (is_copied(one, one.low) && is_copied(one, one.high)) others.push_back(one);
  std::ranges::stable_sort(all, {}, words);
  const auto take = [&](const Window& one, int before) {
    if (taken - before + words(one) > words_to_keep(schedule_)) return false;
    taken += words(one) - before;
    return true;
  };
  for (Window one : all) {
    if (is_copied(one, one.low) && is_copied(one, one.high)) continue;
    if (is_copied(one, one.high)) {
      while (is_copied(one, one.high - 1)) --one.high;
      one.names.resize(one.high - one.low + 1);
    }
    if (take(one, 0)) chosen.push_back(std::move(one));
  }
  // If there is room, also what saves loads from shared memory.
  for (const Window& one : others)
    if (take(one, 0)) chosen.push_back(one);
  for (Window& one : chosen) {
    const auto whole = std::ranges::find_if(all, [&](const Window& other) {
      return other.field == one.field && other.level == one.level;
    });
    if (whole->high > one.high && take(*whole, words(one))) one = *whole;
  }
  const ExprPtr i = lower::declare("i", linear(context_, at), names, body);
  for (Window& one : chosen) {
    for (int plane = one.low; plane < one.high; ++plane)
      body.push_back(
          {kernel::Let{one.names[plane - one.low],
                       in_column({one.field, one.level, planes_ahead(plane)}, at, i), true}});
    std::string next;
    if (!is_copied(one, one.high)) {
      next = names.claim(buffer_of(context_, ir::Read{one.field, one.level, {}}).name + "_next");
      body.push_back({kernel::Let{
          next, in_column({one.field, one.level, planes_ahead(one.high)}, at, i), true}});
    }
    next_.push_back(std::move(next));
    windows_.push_back(std::move(one));
  }
}

void MarchedValues::begin_inside(const Coordinates& at, const ExprPtr& from, const ExprPtr& end,
                                 Names& names, Body& body) {
  end_ = end;
  windows_.clear();
  next_.clear();
  if (!copied_.empty()) {
    int most = 0;  // planes
    for (const plan::MarchedField& one : marched_.fields) most = std::max(most, one.to - one.from);
    Names of_loop = names;
    kernel::For loop = counted(kernel::For::rolled, of_loop.claim("plane_number"), index(most + 1));
    const ExprPtr n = kernel::var(loop.name);
    copy_planes(kernel::add(at[kAxis], n), n, kernel::add(kernel::add(from, n), early()), of_loop,
                loop.body);
    body.push_back({std::move(loop)});
    body.push_back({kernel::Commit{}});
  }
  add_windows(at, names, body);
  declare_arriving(at, names, body);
}

// Around a periodic axis: where the planes are that the next pass reads first. Each pass moves them
// on by one.
void MarchedValues::declare_arriving(const Coordinates& at, Names& names, Body& body) {
  arriving_.clear();
  if (!wraps_) return;
  const auto add = [&](int ahead) {
    const auto [known, fresh] = arriving_.try_emplace(ahead);
    if (!fresh) return;
    known->second = names.claim("from_" + context_.axes[kAxis]);
    body.push_back(
        {kernel::Let{known->second, wrapped(kAxis, kernel::add(at[kAxis], ahead)), true}});
  };
  for (const plan::MarchedField& one : marched_.fields) add(one.to + 1);
  for (size_t w = 0; w < windows_.size(); ++w)
    if (!next_[w].empty()) add(windows_[w].high + 1);
}

// The coordinate of the plane so many ahead of the cells of a pass.
ExprPtr MarchedValues::arriving(const ExprPtr& z, int ahead) const {
  const auto known = arriving_.find(ahead);
  return known == arriving_.end() ? wrapped(kAxis, kernel::add(z, ahead))
                                  : kernel::var(known->second);
}

// Of each field the plane that is `ahead` after the oldest one that a pass at `z - ahead` reads, or
// (null) the newest one of the pass after that at `z`. `number`: that of the pass, plus `ahead`; of
// the pass after it.
void MarchedValues::copy_planes(const ExprPtr& z, const ExprPtr& ahead, const ExprPtr& number,
                                Names names, Body& body) const {
  for (const Part& part : parts_) {
    kernel::If some{part.counts, {}, {}};
    Body& to = some.condition ? some.yes : body;
    Names inner = names;
    Names& of_part = some.condition ? inner : names;
    std::map<int, ExprPtr> places;  // by plane
    for (const int f : part.fields) {
      const plan::MarchedField& one = marched_.fields[f];
      const Copied& copied = copied_[f];
      kernel::If there{ahead ? below(ahead, index(one.to - one.from + 1)) : nullptr, {}, {}};
      const int last = ahead ? 0 : one.to - one.from;
      const int plane = ahead ? one.from : one.to + 1;
      ExprPtr& place = places[plane];
      if (!place) {
        const ExprPtr from_z =
            ahead ? wrapped(kAxis, kernel::add(z, plane)) : arriving(z, plane);
        place = lower::declare("place", linear(context_, {part.at[0], part.at[1], from_z}),
                               of_part, to);
      }
      const ExprPtr slot = part_of(kernel::add(number, last), one.slots(), BinOp::mod);
      kernel::AsyncCopy copy;
      copy.to = copied.planes;
      copy.from = copied.memory;
      copy.to_row = slot;
      copy.to_at = place_in(copied.cells, one.around, part.local, {});
      copy.from_at = place;
      copy.whole = kernel::make(kernel::Type::boolean, kernel::Int{1});
      if (there.condition) {
        there.yes.push_back({std::move(copy)});
        to.push_back({std::move(there)});
      } else {
        to.push_back({std::move(copy)});
      }
    }
    if (some.condition) body.push_back({std::move(some)});
  }
}

// ---- where they are ----

ExprPtr MarchedValues::column(int v, int plane) const {
  return kernel::var(kept_[v].names[plane - place(v).low], type_of(value(v).expr->type));
}

ExprPtr MarchedValues::slot(int slots, int plane) const {
  return slots == 1 ? index(0) : slots_.at({slots, plane});
}

// Planes replace each other in turn. `k`, not below 0: the number of the pass.
void MarchedValues::declare_slots(Pass pass, const ExprPtr& k, Names& names, Body& body) {
  slots_.clear();
  const auto declare_of = [&](int slots, int planes) {
    if (slots == 1) return;
    const auto [oldest, fresh] = slots_.try_emplace({slots, 0});
    if (fresh) oldest->second = lower::declare("slot", part_of(k, slots, BinOp::mod), names, body);
    for (int plane = 1; plane <= planes; ++plane) {
      const auto [known, other] = slots_.try_emplace({slots, plane});
      if (!other) continue;
      const ExprPtr next = kernel::add(slots_.at({slots, 0}), plane);
      known->second = lower::declare(
          "slot", kernel::pick(below(next, index(slots)), next, kernel::add(next, -slots)), names,
          body);
    }
  };
  for (size_t v = 0; v < kept_.size(); ++v) {
    const plan::MarchedValue& one = marched_.of[v];
    if (one.shared) declare_of(one.slots, one.to - one.from);
  }
  for (const plan::MarchedField& one : marched_.fields)
    if (pass == Pass::inside) declare_of(one.slots(), one.to - one.from);
}

// The value at an offset from the cell with these coordinates in the block, in shared memory.
ExprPtr MarchedValues::load(int v, const Coordinates& local, const ir::Offset& offset) const {
  const Kept& kept = kept_[v];
  const plan::MarchedValue& one = place(v);
  return kernel::make(kept.planes.element,
                      kernel::Load{kept.planes, place_in(kept.cells, one.around, local, offset),
                                   slot(one.slots, offset[kAxis] - one.from)});
}

// For what is computed so many planes ahead: of the own column (`local` null), or of a cell with
// these coordinates in the block.
CellContext MarchedValues::hand_over(const std::vector<plan::StagedRead>& reads,
                                     const Coordinates* local, int ahead) const {
  CellContext here;
  for (const plan::StagedRead& read : reads) {
    if (!read.expr->varies) continue;
    ir::Offset offset = read.offset;
    offset[kAxis] += ahead;
    const bool own = !local && offset[0] == 0 && offset[1] == 0;
    here.at_hand[context_.numbering().id(read.expr)] =
        own ? column(read.value, offset[kAxis]) : load(read.value, local ? *local : own_, offset);
  }
  return here;
}

CellContext MarchedValues::read() const {
  CellContext here = hand_over(marched_.values.reads, nullptr, 0);
  here.names_shared = true;
  return here;
}

ExprPtr MarchedValues::held(const ir::Read& read, const Coordinates& local, bool own) const {
  const ExprPtr column =
      own && !windows_.empty() ? lower::held(context_, windows_, kAxis, read) : nullptr;
  return column ? column : copied(read, local);
}

ExprPtr MarchedValues::in_column(const ir::Read& read, const Coordinates& at,
                                 const ExprPtr& i) const {
  const ir::Field& field = context_.stencil.fields[read.field];
  if (!wraps_ || read.offset[kAxis] == 0 || !ir::has_all_axes(context_.stencil, field))
    return interior_tap(context_, at, i, read);
  Coordinates there = at;
  there[kAxis] = wrapped(kAxis, kernel::add(at[kAxis], read.offset[kAxis]));
  return kernel::load(buffer_of(context_, read), linear(context_, there));
}

ExprPtr MarchedValues::tap(const ir::Read& read, const Coordinates& at, const ExprPtr& i) const {
  const ExprPtr known = held(read, own_, true);
  return known ? known : in_column(read, at, i);
}

// The field whose planes have it, or -1.
int MarchedValues::field_of(const ir::Read& read) const {
  const int plane = read.offset[kAxis];
  const auto found = std::ranges::find_if(marched_.fields, [&](const plan::MarchedField& one) {
    return one.field == read.field && one.level == read.level && plane >= one.from &&
           plane <= one.to;
  });
  return found == marched_.fields.end() ? -1 : static_cast<int>(found - marched_.fields.begin());
}

ExprPtr MarchedValues::copied(const ir::Read& read, const Coordinates& local) const {
  const int f = field_of(read);
  if (f < 0) return nullptr;
  const plan::MarchedField& one = marched_.fields[f];
  const kernel::Buffer& planes = copied_[f].planes;
  return kernel::make(
      planes.element,
      kernel::Load{planes, place_in(copied_[f].cells, one.around, local, read.offset),
                   slot(one.slots(), read.offset[kAxis] - one.from)});
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

ExprPtr MarchedValues::from(int first, Pass pass, const ExprPtr& k) const {
  return pass == Pass::inside || first <= -early() ? nullptr : from_on(k, first);
}

// Begins to copy what the next pass reads, and takes what has come of columns.
void MarchedValues::begin_pass(const Coordinates& at, const ExprPtr& i, const ExprPtr& k,
                               Names& names, Body& body) {
  kernel::If goes_on{below(kernel::add(k, 1), end_), {}, {}};
  if (!copied_.empty())
    copy_planes(at[kAxis], nullptr, kernel::add(k, 1 + early()), names, goes_on.yes);
  for (size_t w = 0; w < windows_.size(); ++w) {
    const Window& window = windows_[w];
    if (next_[w].empty()) {
      body.push_back(
          {kernel::Let{window.names.back(),
                       copied({window.field, window.level, planes_ahead(window.high)}, own_)}});
      continue;
    }
    const kernel::Type type = buffer_of(context_, ir::Read{window.field, window.level, {}}).element;
    body.push_back({kernel::Let{window.names.back(), kernel::var(next_[w], type)}});
    const ir::Read newest = {window.field, window.level, planes_ahead(window.high + 1)};
    ExprPtr from = arriving_.contains(window.high + 1)
                       ? kernel::load(buffer_of(context_, newest),
                                      linear(context_, {at[0], at[1],
                                                        arriving(at[kAxis], window.high + 1)}))
                       : in_column(newest, at, i);
    goes_on.yes.push_back({kernel::Assign{next_[w], std::move(from)}});
  }
  if (!goes_on.yes.empty()) body.push_back({std::move(goes_on)});
  if (!copied_.empty()) body.push_back({kernel::Commit{}});
}

void MarchedValues::compute(Pass pass, const Coordinates& at, const ExprPtr& i, const ExprPtr& k,
                            Names& names, Body& body) {
  if (!copied_.empty()) {
    if (pass == Pass::inside) body.push_back({kernel::Await{0}});
    body.push_back({kernel::Meet{}});
  }
  declare_slots(pass, kernel::add(k, early()), names, body);
  if (pass == Pass::inside) begin_pass(at, i, k, names, body);
  for (int level = 0; level < marched_.values.levels(); ++level) {
    const bool early = pass == Pass::early;
    for (const Together& values : together(level, false))
      if (!early || place(values[0]).first < 0) own_column(values, pass, at, i, k, names, body);
    for (const Together& values : together(level, true))
      if (!early || place(values[0]).first_plane < 0) store_own(values, pass, k, body);
    for (const Rim& rim : rims_)
      if (value(rim.values[0]).level == level && (!early || place(rim.values[0]).first_plane < 0))
        around_block(rim, pass, at, k, names, body);
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
void MarchedValues::own_column(const Together& values, Pass pass, const Coordinates& at,
                               const ExprPtr& i, const ExprPtr& k, Names& names, Body& body) const {
  const plan::MarchedValue& first = place(values[0]);
  const ir::Offset ahead = planes_ahead(first.lead);
  Coordinates there = at;
  if (first.lead != 0) {
    const ExprPtr plane = kernel::add(at[kAxis], first.lead);
    there[kAxis] =
        lower::declare(context_.axes[kAxis] + "_there",
                       pass == Pass::inside ? wrapped(kAxis, plane) : plane, names, body);
  }
  kernel::If some{from(first.first, pass, k), {}, {}};
  const bool asks = some.condition || pass == Pass::edge;
  for (const int v : values)
    if (asks)
      body.push_back({kernel::Let{kept_[v].names.back(),
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
    moved.offset[kAxis] += first.lead;
    const ExprPtr known = pass == Pass::inside ? held(moved, own_, true) : nullptr;
    return known ? known : in_column(read, there, i_there);
  };
  const std::vector<ExprPtr> all =
      results(values, pass, there, tap, hand_over(reads, nullptr, first.lead), of_values, to);
  for (size_t n = 0; n < values.size(); ++n) {
    const std::string& name = kept_[values[n]].names.back();
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
  for (const int v : values) {
    const ExprPtr there = load(v, own_, planes_ahead(place(v).to));
    const auto* where = kernel::as<kernel::Load>(there);
    to.push_back({kernel::Store{where->buffer, where->at, column(v, place(v).to), where->row}});
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
  for (int a = 0; a < kAxis; ++a)
    there.push_back(lower::declare(
        context_.axes[a] + "_there",
        pass == Pass::inside ? in_grid(a, rim.local[a]) : kernel::add(block_[a], rim.local[a]),
        inner, cells));
  there.push_back(first.to == 0 ? at[kAxis]
                                : lower::declare(context_.axes[kAxis] + "_there",
                                                 kernel::add(at[kAxis], first.to), inner, cells));
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
    moved.offset[kAxis] += first.to;
    const ExprPtr known = pass == Pass::inside ? held(moved, rim.local, false) : nullptr;
    return known ? known : interior_tap(context_, there, i, read);
  };
  const std::vector<ExprPtr> all =
      results(rim.values, pass, there, tap, hand_over(reads, &rim.local, first.to), inner, to);
  for (size_t n = 0; n < rim.values.size(); ++n) {
    const int v = rim.values[n];
    const ExprPtr target = load(v, rim.local, planes_ahead(first.to));
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
    all = kernel::both(all, below(at[a], kernel::add(context_.box.extent(a), high)));
    // Where memory holds a piece of the grid, others than those that its box needs may not be
    // there.
    if (context_.box.origin(a))
      all = kernel::both(all, below(at[a], kernel::add(context_.box.end(a), value.around.high[a])));
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
          {kernel::Assign{name, kernel::pick(below(next, context_.box.extent(kAxis)), next,
                                             index(0))}});
    }
  for (const Window& window : windows_)
    if (pass == Pass::inside)
      move(window.names, buffer_of(context_, ir::Read{window.field, window.level, {}}).element);
  for (size_t v = 0; v < kept_.size(); ++v)
    if (value(v).expr->varies && (pass != Pass::early || marched_.of[v].first < 0))
      move(kept_[v].names, type_of(value(v).expr->type));
}

}  // namespace stencilc::lower
