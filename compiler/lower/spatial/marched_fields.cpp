// What a block that goes through planes reads of fields: planes of them that are copied into shared
// memory, and columns in registers.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "lower/context/build.h"
#include "lower/spatial/march_places.h"
#include "lower/spatial/marched_values.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

namespace {

// Registers of 32 bits for what is kept of columns: others are for addresses and sums.
int words_to_keep(const plan::Schedule& schedule) {
  constexpr int kRegisters = 65536, kMostOfThread = 255, kOthers = 54, kOthersOfRow = 42;
  const int all = std::min(kMostOfThread, kRegisters / schedule.block_threads());
  return all - kOthers - kOthersOfRow * (schedule.rows - 1);
}

}  // namespace

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
      if (done + threads > cells) part.counts = march::below(number, index(cells));
      part.local = {
          lower::declare("copied_" + context_.axes[0],
                         kernel::add(march::part_of(number, width, BinOp::mod), -around.low[0]),
                         names, body),
          lower::declare("copied_" + context_.axes[1],
                         kernel::add(march::part_of(number, width, BinOp::idiv), -around.low[1]),
                         names, body),
          index(0)};
      for (int a = 0; a < march::kAxis; ++a)
        part.at.push_back(
            lower::declare("from_" + context_.axes[a], in_grid(a, part.local[a]), names, body));
      parts_.push_back(std::move(part));
    }
  }
}

// Columns of fields, in registers. The newest plane of one that is not copied is loaded a pass
// before it is read.
std::vector<Window> MarchedValues::choose_windows(Names& names) const {
  std::vector<ir::ExprPtr> reads = marched_.values.others;
  int taken = 0;
  for (size_t v = 0; v < kept_.size(); ++v) {
    taken += march::words_of(kept_[v].names[0].size(), type_of(value(v).expr->type));
    for (const ir::ExprPtr& read : value(v).others)
      reads.push_back(ir::displace(read, march::planes_ahead(marched_.of[v].lead)));
  }
  std::map<std::tuple<int, int>, std::set<int>> planes;
  std::erase_if(reads, [&](const ir::ExprPtr& expr) {
    const auto& read = *ir::as<ir::Read>(expr);
    if (read.offset[0] != 0 || read.offset[1] != 0 ||
        (read.level == 1 && context_.launch.stores_field(context_.stencil, read.field)))
      return true;
    planes[{read.field, read.level}].insert(read.offset[march::kAxis]);
    return false;
  });
  // Few reads of a column cost more registers than they save loads.
  std::erase_if(reads, [&](const ir::ExprPtr& expr) {
    const auto& read = *ir::as<ir::Read>(expr);
    const std::set<int>& all = planes.at({read.field, read.level});
    return 2 * static_cast<int>(all.size()) <= *all.rbegin() - *all.begin() + 1;
  });
  std::vector<Window> all = windows_of(context_, reads, march::kAxis, false, names);
  const auto words = [&](const Window& one) {
    return march::words_of(one.names.size(),
                           buffer_of(context_, ir::Read{one.field, one.level, {}}).element);
  };
  const auto is_copied = [&](const Window& one, int plane) {
    return field_of({one.field, one.level, march::planes_ahead(plane)}) >= 0;
  };
  // Those first that would be loads from memory, without planes that shared memory has but for the
  // oldest one of these, from which they come.
  std::vector<Window> chosen, others;
  for (const Window& one : all)
    if (is_copied(one, one.low) && is_copied(one, one.high)) others.push_back(one);
  std::ranges::stable_sort(all, {}, words);
  const auto take = [&](const Window& one, int before) {
    if ((taken - before + words(one)) * rows() > words_to_keep(schedule_)) return false;
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
  return chosen;
}

void MarchedValues::add_windows(int row, const Coordinates& at, std::vector<Window> windows,
                                Names& names, Body& body) {
  const ExprPtr i = lower::declare("i", linear(context_, at), names, body);
  for (Window& one : windows) {
    const std::string memory = buffer_of(context_, ir::Read{one.field, one.level, {}}).name;
    for (int plane = one.low; plane <= one.high && row > 0; ++plane)
      one.names[plane - one.low] =
          names.claim(context_.name_at(memory, march::beside(march::planes_ahead(plane), row)));
    for (int plane = one.low; plane < one.high; ++plane)
      body.push_back({kernel::Let{
          one.names[plane - one.low],
          in_column({one.field, one.level, march::planes_ahead(plane)}, at, i), true}});
    std::string next;
    if (field_of({one.field, one.level, march::planes_ahead(one.high)}) < 0) {
      next = names.claim(memory + "_next");
      body.push_back({kernel::Let{
          next, in_column({one.field, one.level, march::planes_ahead(one.high)}, at, i), true}});
    }
    columns_[row].next.push_back(std::move(next));
    columns_[row].windows.push_back(std::move(one));
  }
}

void MarchedValues::begin_inside(const std::vector<Coordinates>& at, const ExprPtr& from,
                                 const ExprPtr& end, Names& names, Body& body) {
  end_ = end;
  columns_.assign(rows(), {});
  const ExprPtr& z = at[0][march::kAxis];
  if (!copied_.empty()) {
    body.push_back({kernel::Note{"The planes of fields that the first pass reads."}});
    int most = 0;  // planes
    for (const plan::MarchedField& one : marched_.fields) most = std::max(most, one.to - one.from);
    Names of_loop = names;
    kernel::For loop = counted(kernel::For::rolled, of_loop.claim("plane_number"), index(most + 1));
    const ExprPtr n = kernel::var(loop.name);
    copy_planes(kernel::add(z, n), n, kernel::add(kernel::add(from, n), early()), of_loop,
                loop.body);
    body.push_back({std::move(loop)});
    body.push_back({kernel::Commit{}});
  }
  const std::vector<Window> windows = choose_windows(names);
  for (int row = 0; row < rows(); ++row) add_windows(row, at[row], windows, names, body);
  declare_arriving(z, names, body);
}

// Around a periodic axis: where the planes are that the next pass reads first. Each pass moves them
// on by one.
void MarchedValues::declare_arriving(const ExprPtr& z, Names& names, Body& body) {
  arriving_.clear();
  if (!wraps_) return;
  const auto add = [&](int ahead) {
    const auto [known, fresh] = arriving_.try_emplace(ahead);
    if (!fresh) return;
    known->second = names.claim("from_" + context_.axes[march::kAxis]);
    body.push_back(
        {kernel::Let{known->second, wrapped(march::kAxis, kernel::add(z, ahead)), true}});
  };
  for (const plan::MarchedField& one : marched_.fields) add(one.to + 1);
  for (size_t w = 0; w < columns_[0].windows.size(); ++w)
    if (!columns_[0].next[w].empty()) add(columns_[0].windows[w].high + 1);
}

// The coordinate of the plane so many ahead of the cells of a pass.
ExprPtr MarchedValues::arriving(const ExprPtr& z, int ahead) const {
  const auto known = arriving_.find(ahead);
  return known == arriving_.end() ? wrapped(march::kAxis, kernel::add(z, ahead))
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
      kernel::If there{ahead ? march::below(ahead, index(one.to - one.from + 1)) : nullptr, {}, {}};
      const int last = ahead ? 0 : one.to - one.from;
      const int plane = ahead ? one.from : one.to + 1;
      ExprPtr& place = places[plane];
      if (!place) {
        const ExprPtr from_z =
            ahead ? wrapped(march::kAxis, kernel::add(z, plane)) : arriving(z, plane);
        place = lower::declare("place", linear(context_, {part.at[0], part.at[1], from_z}), of_part,
                               to);
      }
      const ExprPtr slot = march::part_of(kernel::add(number, last), one.slots(), BinOp::mod);
      kernel::AsyncCopy copy;
      copy.to = copied.planes;
      copy.from = copied.memory;
      copy.to_row = slot;
      copy.to_at = march::place_in(copied.cells, one.around, part.local, {});
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

ExprPtr MarchedValues::in_column(const ir::Read& read, const Coordinates& at,
                                 const ExprPtr& i) const {
  const ir::Field& field = context_.stencil.fields[read.field];
  if (!wraps_ || read.offset[march::kAxis] == 0 || !ir::has_all_axes(context_.stencil, field))
    return interior_tap(context_, at, i, read);
  Coordinates there = at;
  there[march::kAxis] =
      wrapped(march::kAxis, kernel::add(at[march::kAxis], read.offset[march::kAxis]));
  return kernel::load(buffer_of(context_, read), linear(context_, there));
}

// The field whose planes have it, or -1.
int MarchedValues::field_of(const ir::Read& read) const {
  const int plane = read.offset[march::kAxis];
  const auto found = std::ranges::find_if(marched_.fields, [&](const plan::MarchedField& one) {
    return one.field == read.field && one.level == read.level && plane >= one.from &&
           plane <= one.to;
  });
  return found == marched_.fields.end() ? -1 : static_cast<int>(found - marched_.fields.begin());
}

ExprPtr MarchedValues::copied(const ir::Read& read, const Coordinates& local, int row) const {
  const int f = field_of(read);
  if (f < 0) return nullptr;
  const plan::MarchedField& one = marched_.fields[f];
  const ir::Offset offset = march::beside(read.offset, row);
  return in_planes(copied_[f].planes, copied_[f].memory.name, offset,
                   march::place_in(copied_[f].cells, one.around, local, offset),
                   slot(one.slots(), offset[march::kAxis] - one.from));
}

// Begins to copy what the next pass reads, and takes what has come of columns.
void MarchedValues::begin_pass(const OwnCells& cells, const ExprPtr& k, Names& names, Body& body) {
  kernel::If goes_on{march::below(kernel::add(k, 1), end_), {}, {}};
  const ExprPtr& z = cells[0].at[march::kAxis];
  if (!copied_.empty()) copy_planes(z, nullptr, kernel::add(k, 1 + early()), names, goes_on.yes);
  for (int row = 0; row < rows(); ++row) {
    const Column& column = columns_[row];
    for (size_t w = 0; w < column.windows.size(); ++w) {
      const Window& window = column.windows[w];
      if (column.next[w].empty()) {
        body.push_back({kernel::Let{
            window.names.back(),
            copied({window.field, window.level, march::planes_ahead(window.high)}, own_, row)}});
        continue;
      }
      const ir::Read newest = {window.field, window.level, march::planes_ahead(window.high + 1)};
      const kernel::Buffer memory = buffer_of(context_, newest);
      body.push_back(
          {kernel::Let{window.names.back(), kernel::var(column.next[w], memory.element)}});
      const auto& [at, i] = cells[row];
      ExprPtr from =
          arriving_.contains(window.high + 1)
              ? kernel::load(memory, linear(context_, {at[0], at[1], arriving(z, window.high + 1)}))
              : in_column(newest, at, i);
      goes_on.yes.push_back({kernel::Assign{column.next[w], std::move(from)}});
    }
  }
  if (!goes_on.yes.empty()) {
    body.push_back({kernel::Note{"What the next pass reads, while this one computes."}});
    body.push_back({std::move(goes_on)});
  }
  if (!copied_.empty()) body.push_back({kernel::Commit{}});
}

}  // namespace stencilc::lower
