#include "lower/spatial/streamed_values.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "ir/boundary.h"
#include "lower/boundary/edge_cell.h"
#include "lower/boundary/interior_split.h"
#include "lower/boundary/read_anywhere.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

namespace {

constexpr int kWarpThreads = 32;
// Registers for what is loaded ahead and for fields that are read in several rows; those beyond are
// loaded where they are read.
constexpr int kWindowWords = 64;

ir::Offset with(ir::Offset offset, int axis, int ahead) {
  if (axis >= 0) offset[axis] += ahead;
  return offset;
}

// The first column of the vector that a column is in.
int first_of(const ir::Offset& column, int width) {
  const int behind = column[0] % width;
  return column[0] - (behind < 0 ? behind + width : behind);
}

}  // namespace

StreamedValues::StreamedValues(const Context& context, const plan::Schedule& schedule)
    : context_(context), axis_(plan::streamed_axis(context.stencil)) {
  const auto of_blocks = [&](plan::Blocks blocks) {
    return plan::streamed_values(context.stencil, context.launch, context.folds,
                                 schedule.stream_values, schedule.vector, blocks);
  };
  streamed_ = of_blocks(plan::Blocks::inside);
  at_edge_ = context.launch.along_stream ? of_blocks(plan::Blocks::at_edge) : streamed_;
  assert(!context.launch.along_stream || !streamed_.empty());
  schedule_ =
      schedule.stream_values.empty() ? schedule : plan::schedule_of(schedule, streamed_, axis_);
}

ThreadMapping StreamedValues::map(kernel::Launch& launch, Body& body) {
  const ExprPtr thread = kernel::place(kernel::Place::thread, 0);
  const ExprPtr warp_threads = index(kWarpThreads);
  const bool one_warp = launch.kernel.threads[0] == kWarpThreads;
  const ExprPtr lane =
      lower::declare("lane", one_warp ? thread : kernel::bin(BinOp::mod, thread, warp_threads),
                     context_.names, body);
  ExprPtr column = kernel::add(lane, -streamed_.left);
  if (!one_warp) {
    const ExprPtr warp = lower::declare("warp", kernel::bin(BinOp::idiv, thread, warp_threads),
                                        context_.names, body);
    const kernel::Count lanes =
        context_.count(width() == 1 ? "warp_cells" : "warp_lanes", streamed_.warp_lanes());
    column = kernel::add(kernel::mul(warp, index(lanes)), column);
  }
  if (streamed_.left > 0) updates_ = kernel::bin(BinOp::ge, lane, index(streamed_.left));
  if (streamed_.right > 0)
    updates_ =
        kernel::both(updates_, kernel::bin(BinOp::lt, lane, index(kWarpThreads - streamed_.right)));
  if (updates_) {
    body.push_back({kernel::Note{
        "Lanes at the ends of a warp compute values for those beside them, and update no cell."}});
    updates_ = lower::declare("updates", updates_, context_.names, body);
  }
  return map_threads(context_, schedule_, body, nullptr, column);
}

const StreamedValues::Kept& StreamedValues::kept(int value, const ir::Offset& offset) const {
  return *std::ranges::find_if(kept_, [&](const Kept& one) {
    return one.column.value == value && one.column.offset == offset;
  });
}

// Fields, each row of which is loaded a pass before some value reads it, so that nothing waits for
// it. The first pass is that in which the lowest row that a value reads arrives, or before.
void StreamedValues::add_windows(Names& names) {
  using Key = std::tuple<int, int, ir::Offset>;
  std::vector<ir::ExprPtr> reads;
  std::map<Key, int> rows;  // the first pass of a reader, plus the row that it reads
  const auto add = [&](const ir::ExprPtr& expr, const ir::Offset& by, int first) {
    const ir::ExprPtr moved = ir::displace(expr, by);
    const auto& read = *ir::as<ir::Read>(moved);
    if (read.level == 1 && context_.launch.stores_field(context_.stencil, read.field)) return;
    ir::Offset column = read.offset;
    const int row = first + std::exchange(column[axis_], 0);
    const auto [place, fresh] = rows.try_emplace({read.field, read.level, column}, row);
    place->second = std::min(place->second, row);
    reads.push_back(moved);
    reads.push_back(ir::displace(moved, with({}, axis_, 1)));  // loaded a pass ahead
  };
  for (int number = 0; number < width(); ++number) {
    const ir::Offset of_cell = {number};
    for (const ir::ExprPtr& read : streamed_.values.others) add(read, of_cell, 0);
    for (const Instance& one : streamed_.instances)
      for (const ir::ExprPtr& read : streamed_.values.values[one.value].others)
        add(read, with(with(one.beside, axis_, one.ahead), 0, number), one.first);
  }
  std::vector<Window> all = windows_of(context_, reads, axis_, false, names);
  const auto words = [&](const Window& one) {
    const int bytes =
        kernel::bytes_of(buffer_of(context_, ir::Read{one.field, one.level, {}}).element);
    return static_cast<int>(one.names.size()) * std::max(1, bytes / 4);
  };
  std::ranges::stable_sort(all, {}, words);
  int taken = 0;
  for (Window& one : all) {
    taken += words(one);
    if (taken > kWindowWords) break;
    early_ = std::max(early_, one.high - rows.at({one.field, one.level, one.column}));
    windows_.push_back(std::move(one));
  }
}

// What it reads of fields, from the first cell that the pass updates.
std::vector<ir::Read> StreamedValues::loads_of(const Instance& one) const {
  std::vector<ir::Read> reads;
  for (int number = 0; number < width(); ++number)
    for (const ir::ExprPtr& expr : streamed_.values.values[one.value].others) {
      ir::Read read = *ir::as<ir::Read>(expr);
      for (int a = 0; a < ir::kMaxRank; ++a) read.offset[a] += one.beside[a];
      reads.push_back(
          {read.field, read.level, with(with(read.offset, axis_, one.ahead), 0, number)});
    }
  return reads;
}

// The lowest row that the passes of a block inside load, from its first one.
int StreamedValues::first_row() const {
  int low = 0;
  for (const Instance& one : streamed_.instances)
    for (const ir::Read& read : loads_of(one))
      if (!held(read)) low = std::min(low, read.offset[axis_]);
  for (const Window& window : windows_) low = std::min(low, window.high);
  return low - early();
}

ir::Reach StreamedValues::margin() {
  ir::Reach margin = context_.launch.margin;
  Names names = context_.names;
  Body body;
  const std::vector<ExprPtr> at(context_.rank(), index(0));
  declare({at, at}, {true, false}, names, body);
  // All lanes load, also those that update nothing; and whole vectors.
  int low = 0, high = width() - 1;
  const auto loads = [&](int x) {
    low = std::min(low, x);
    high = std::max(high, x);
  };
  for (const Instance& one : streamed_.instances)
    for (const ir::Read& read : loads_of(one)) loads(read.offset[0]);
  for (const Window& window : windows_) {
    loads(first_of(window.column, width()));
    loads(first_of(window.column, width()) + width() - 1);
  }
  margin.low[0] = std::max(margin.low[0], streamed_.left * width() - low);
  margin.high[0] = std::max(margin.high[0], streamed_.right * width() + high - (width() - 1));
  if (axis_ < 0) return margin;
  margin.low[axis_] = std::max(margin.low[axis_], -first_row());
  ++margin.high[axis_];  // what is loaded ahead
  return margin;
}

ExprPtr StreamedValues::is_inside(const ThreadMapping& mapping, Body& body) {
  const ir::Reach far = margin();
  const ExprPtr inside = block_inside(context_, schedule_, mapping, far, body);
  const Box& box = context_.box;
  if (axis_ < 0 || !box.origin(axis_)) return inside;
  // And all that is loaded is in memory, which holds a piece of the grid.
  const ExprPtr behind =
      kernel::add(end_of_block(context_, schedule_, mapping, axis_), far.high[axis_] - 1);
  const ExprPtr held = kernel::both(
      kernel::bin(BinOp::ge, kernel::add(mapping.block[axis_], -far.low[axis_]), box.origin(axis_)),
      box.reaches(axis_, behind));
  return kernel::both(inside, lower::declare("held", held, context_.names, body));
}

std::vector<ExprPtr> StreamedValues::cell(std::vector<ExprPtr> at, int number) const {
  at[0] = columns_[number];
  return at;
}

void StreamedValues::declare(const ThreadMapping& mapping, const Variant& variant, Names& names,
                             Body& body) {
  variant_ = variant;
  const bool inside = variant.inside;
  columns_ = {mapping.thread[0]};
  for (int number = 1; number < width(); ++number) {
    const ExprPtr x = kernel::add(mapping.thread[0], number);
    columns_.push_back(
        inside ? x : lower::declare(context_.axes[0] + std::to_string(number), x, names, body));
  }
  kept_.clear();
  windows_.clear();
  early_ = of_variant().early();
  for (const plan::StreamedValues::Column& column : of_variant().columns) {
    const plan::StagedValue& value = of_variant().values.values[column.value];
    Kept one{column, {}, type_of(value.expr->type)};
    const std::string wanted = value.is_field() ? value.name + "_next" : value.name;
    for (int along = column.low; along <= column.high; ++along) {
      const ir::Offset offset = with(column.offset, axis_, along);
      std::string name = context_.name_at(wanted, offset);
      if (offset == ir::Offset{}) name += "_0";
      one.names.push_back(names.claim(name));
      if (inside && along == column.high) continue;  // each pass declares the newest one
      const ExprPtr zero = constant(ir::Scalar{value.expr->type});
      body.push_back({kernel::Let{one.names.back(), zero, true}});
    }
    kept_.push_back(std::move(one));
  }
  if (!inside || axis_ < 0) return;
  add_windows(names);
  for (const Window& window : windows_) {
    const ExprPtr zero = constant(ir::Scalar{context_.stencil.fields[window.field].type});
    for (size_t n = 0; n + 1 < window.names.size(); ++n)
      body.push_back({kernel::Let{window.names[n], zero, true}});
  }
}

// The newest row of each field, as vectors of those columns that a lane has of its own.
void StreamedValues::load_windows(const std::vector<ExprPtr>& at, const ExprPtr& i, Names& names,
                                  Body& body) const {
  std::vector<bool> loaded(windows_.size());
  for (size_t n = 0; n < windows_.size(); ++n) {
    if (loaded[n]) continue;
    const Window& window = windows_[n];
    const int first = first_of(window.column, width());
    std::vector<size_t> beside;  // of the same vector
    for (size_t m = n; m < windows_.size() && variant_.vectors; ++m) {
      const Window& other = windows_[m];
      ir::Offset there = other.column;
      there[0] = window.column[0];
      if (other.field == window.field && other.level == window.level && other.high == window.high &&
          there == window.column && first_of(other.column, width()) == first)
        beside.push_back(m);
    }
    if (beside.size() < 2) {
      body.push_back({kernel::Let{window.names.back(),
                                  arriving(context_, window, axis_, window.high, at, i)}});
      continue;
    }
    const kernel::Buffer& memory = buffer_of(context_, ir::Read{window.field, window.level, {}});
    ir::Offset offset = with(window.column, axis_, window.high);
    offset[0] = first;
    kernel::Buffer cells = memory;
    cells.name = names.claim(context_.name_at(memory.name, offset) + "_cells");
    cells.registers = context_.count("width", width());
    cells.texel = 0;
    body.push_back({kernel::Array{cells}});
    body.push_back({kernel::Copy{cells, index(0), memory, shifted(context_, i, offset),
                                 cells.registers, 1, nullptr, nullptr}});
    for (const size_t m : beside) {
      loaded[m] = true;
      const ExprPtr one = kernel::make(
          memory.element, kernel::Load{cells, index(windows_[m].column[0] - first), nullptr});
      body.push_back({kernel::Let{windows_[m].names.back(), one}});
    }
  }
}

void StreamedValues::compute(const std::vector<ExprPtr>& at, const ExprPtr& i, const ExprPtr& pass,
                             Names& names, Body& body) const {
  load_windows(at, i, names, body);
  const plan::StreamedValues& streamed = of_variant();
  for (int level = 0; level < streamed.values.levels(); ++level) {
    std::vector<std::vector<const Instance*>> groups;
    for (const Instance& one : streamed.instances) {
      if (streamed.values.values[one.value].level != level) continue;
      const auto same = std::ranges::find_if(
          groups, [&](const auto& group) { return needed_alike(*group[0], one); });
      if (same != groups.end())
        same->push_back(&one);
      else
        groups.push_back({&one});
    }
    for (const auto& group : groups)
      for (int number = 0; number < width(); ++number)
        compute_some(group, number, at, i, pass, names, body);
    for (const Kept& beside : kept_)
      if (streamed.values.values[beside.column.value].level == level) take(beside, body);
  }
}

// Are they computed for the same cells, in the same passes?
bool StreamedValues::needed_alike(const Instance& a, const Instance& b) const {
  const plan::StagedValue &one = of_variant().values.values[a.value],
                          &other = of_variant().values.values[b.value];
  return a.beside == b.beside && a.ahead == b.ahead && a.first == b.first &&
         one.is_field() == other.is_field() && one.beyond.low == other.beyond.low &&
         one.beyond.high == other.beyond.high && one.domain.low == other.domain.low &&
         one.domain.high == other.domain.high;
}

// What other lanes have computed.
void StreamedValues::take(const Kept& beside, Body& body) const {
  const int distance = streamed_.lane(beside.column.offset);
  if (distance == 0) return;
  const Kept& source = kept(beside.column.value, streamed_.own(beside.column.offset));
  ExprPtr taken =
      kernel::call(beside.type, distance < 0 ? kernel::Fn::from_left : kernel::Fn::from_right,
                   {source.at(beside.column.high), index(std::abs(distance))});
  if (variant_.inside)
    body.push_back({kernel::Let{beside.names.back(), std::move(taken)}});
  else
    body.push_back({kernel::Assign{beside.names.back(), std::move(taken)}});
}

// Inside, passes before the first one in which the values are needed compute them as well: of rows
// that are there, since blocks inside are far enough from the boundary (first_row()).
void StreamedValues::compute_some(const std::vector<const Instance*>& group, int number,
                                  const std::vector<ExprPtr>& at, const ExprPtr& i,
                                  const ExprPtr& pass, Names& names, Body& body) const {
  const Instance& first = *group[0];
  ir::Offset from = with(first.beside, axis_, first.ahead);
  std::vector<ExprPtr> there = cell(at, number);
  for (int a = 0; a < context_.rank(); ++a)
    if (from[a] != 0)
      there[a] =
          lower::declare(context_.axes[a] + "_there", kernel::add(at[a], from[a]), names, body);
  const auto compute_by = [&](const Cell::Tap& tap, Names& inner, Body& to) {
    std::vector<plan::StagedRead> reads;
    for (const Instance* one : group) {
      const auto& of_one = of_variant().values.values[one->value].reads;
      reads.insert(reads.end(), of_one.begin(), of_one.end());
    }
    Cell cell(context_, there, tap, inner, to, hand_over(reads, first.beside, first.ahead, number));
    for (const Instance* one : group) {
      const ExprPtr result = cell.value(of_variant().values.values[one->value].expr);
      const std::string& name = kept(one->value, with(one->beside, 0, number)).names.back();
      if (variant_.inside)
        to.push_back({kernel::Let{name, result}});
      else
        to.push_back({kernel::Assign{name, result}});
    }
  };
  if (variant_.inside) {
    from[0] += number;
    const ExprPtr i_there = shifted(context_, i, from);
    compute_by(
        [&](const ir::Read& read) {
          ir::Read moved = read;
          for (int a = 0; a < ir::kMaxRank; ++a) moved.offset[a] += from[a];
          const ExprPtr known = held(moved);
          return known ? known : interior_tap(context_, there, i_there, read);
        },
        names, body);
    return;
  }
  const plan::StagedValue& value = of_variant().values.values[first.value];
  kernel::If needed{is_needed(value, there, names, body), {}, {}};
  if (pass && first.first > -early())
    needed.condition =
        kernel::both(kernel::bin(BinOp::ge, pass, index(first.first)), needed.condition);
  Names of_values = names;
  if (value.is_field()) {
    // Cells of the grid, by the statements and the boundaries of what these read.
    const ExprPtr i_there = lower::declare("i", linear(context_, there), of_values, needed.yes);
    for (const Instance* one : group) {
      const plan::StagedValue& field = of_variant().values.values[one->value];
      CellContext here = hand_over(field.reads, first.beside, first.ahead, number);
      here.staged = staged_of(there, first.beside, first.ahead, number);
      here.holds_staged = true;
      const ExprPtr next =
          next_of_cell(context_, field.field, there, i_there, of_values, needed.yes, here);
      const std::string& name = kept(one->value, with(one->beside, 0, number)).names.back();
      needed.yes.push_back({kernel::Assign{name, next}});
    }
  } else {
    const auto taps = std::make_shared<ReadAnywhere>(context_, there, of_values, needed.yes);
    compute_by([taps](const ir::Read& read) { return (*taps)(read); }, of_values, needed.yes);
  }
  body.push_back({std::move(needed)});
}

// Near the boundary: does any cell of the grid read the value there, and can it be computed?
ExprPtr StreamedValues::is_needed(const plan::StagedValue& value, const std::vector<ExprPtr>& at,
                                  Names& names, Body& body) const {
  ExprPtr all;
  for (int a = 0; a < context_.rank(); ++a) {
    // Beyond the grid a field is what its boundary gives.
    const ir::Reach beyond = value.is_field() ? ir::Reach() : value.beyond;
    const int low = value.domain.low[a] > 0 ? value.domain.low[a] : -beyond.low[a];
    const int high = value.domain.high[a] > 0 ? -value.domain.high[a] : beyond.high[a];
    all = kernel::both(all, kernel::bin(BinOp::ge, at[a], index(low)));
    all =
        kernel::both(all, kernel::bin(BinOp::lt, at[a], kernel::add(context_.box.extent(a), high)));
    // Where memory holds a piece of the grid, others than those that its box needs may not be
    // there.
    if (context_.box.origin(a))
      all = kernel::both(all, kernel::bin(BinOp::lt, at[a],
                                          kernel::add(context_.box.end(a), value.around.high[a])));
  }
  return lower::declare("needed", all, names, body);
}

ExprPtr StreamedValues::known(int value, ir::Offset offset, const ir::Offset& beside, int ahead,
                              int number) const {
  const int along = ahead + (axis_ < 0 ? 0 : std::exchange(offset[axis_], 0));
  for (int a = 1; a < ir::kMaxRank; ++a) offset[a] += beside[a];
  offset[0] += number;
  return kept(value, offset).at(along);
}

CellContext StreamedValues::hand_over(const std::vector<plan::StagedRead>& reads,
                                      const ir::Offset& beside, int ahead, int number) const {
  CellContext here;
  for (const plan::StagedRead& read : reads) {
    if (!read.expr->varies) continue;
    // Near the boundary fields are read by their boundaries.
    if (!variant_.inside && of_variant().values.values[read.value].is_field()) continue;
    here.at_hand[context_.numbering().id(read.expr)] =
        known(read.value, read.offset, beside, ahead, number);
  }
  return here;
}

// A cell that stands for another one by the boundary is one of few: which, only its coordinates
// tell.
CellContext::Staged StreamedValues::staged_of(const std::vector<ExprPtr>& at,
                                              const ir::Offset& beside, int ahead,
                                              int number) const {
  return [=, this](const ir::Read& read, const std::vector<ExprPtr>* found, Names& names,
                   Body& body) -> ExprPtr {
    const auto& values = of_variant().values.values;
    const auto value = std::ranges::find(values, read.field, &plan::StagedValue::field);
    if (value == values.end() || (!found && read.offset != ir::Offset{})) return nullptr;
    const int v = static_cast<int>(value - values.begin());
    if (!found) return known(v, {}, beside, ahead, number);
    std::vector<std::vector<std::pair<int, ExprPtr>>> places;  // with conditions, the last without
    for (int a = 0; a < context_.rank(); ++a) {
      std::vector<std::pair<int, ExprPtr>>& along = places.emplace_back();
      for (const int place : plan::places_read(context_.stencil, read.field, a, read.offset[a]))
        along.emplace_back(place, nullptr);
      for (size_t n = 0; n + 1 < along.size(); ++n)
        along[n].second = lower::declare(
            "is_there", kernel::bin(BinOp::eq, (*found)[a], kernel::add(at[a], along[n].first)),
            names, body);
    }
    const auto choose = [&](const auto& self, int axis, const ir::Offset& offset) -> ExprPtr {
      if (axis < 0) return known(v, offset, beside, ahead, number);
      ExprPtr chosen;
      for (size_t n = places[axis].size(); n-- > 0;) {
        const auto& [place, condition] = places[axis][n];
        const ExprPtr one = self(self, axis - 1, with(offset, axis, place));
        chosen = chosen ? kernel::make(one->type, kernel::Pick{condition, one, chosen}) : one;
      }
      return places[axis].size() == 1
                 ? chosen
                 : lower::declare(context_.name_at(value->name + "_next", offset), chosen, names,
                                  body);
    };
    return choose(choose, context_.rank() - 1, {});
  };
}

CellContext StreamedValues::read(int number, const std::vector<ExprPtr>& at) const {
  CellContext here = hand_over(of_variant().values.reads, {}, 0, number);
  if (variant_.inside || !context_.launch.along_stream) return here;
  here.staged = staged_of(at, {}, 0, number);
  here.holds_staged = true;
  return here;
}

ExprPtr StreamedValues::held(const ir::Read& read) const {
  return windows_.empty() ? nullptr : lower::held(context_, windows_, axis_, read);
}

int StreamedValues::longest_queue() const {
  size_t rows = 0;
  for (const Kept& one : kept_) rows = std::max(rows, one.names.size());
  for (const Window& window : windows_) rows = std::max(rows, window.names.size());
  return static_cast<int>(rows);
}

void StreamedValues::move_on(Body& body) const {
  const auto move = [&](const std::vector<std::string>& names, kernel::Type type) {
    for (size_t n = 0; n + 1 < names.size(); ++n)
      body.push_back({kernel::Assign{names[n], kernel::var(names[n + 1], type)}});
  };
  for (const Window& window : windows_)
    move(window.names, buffer_of(context_, ir::Read{window.field, window.level, {}}).element);
  for (const Kept& one : kept_) move(one.names, one.type);
}

}  // namespace stencilc::lower
