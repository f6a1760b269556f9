#include "lower/spatial/staged_values.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "lower/boundary/interior_split.h"
#include "lower/boundary/read_anywhere.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

namespace {

constexpr int kAligned = 16;  // bytes: where an array begins
// Loops over longer code stay loops: copies of it would only fill the instruction cache.
constexpr double kUnrolled = 60;

ExprPtr below(const ExprPtr& at, const ExprPtr& end) { return kernel::bin(BinOp::lt, at, end); }

}  // namespace

StagedValues::StagedValues(const Context& context, const plan::Schedule& schedule)
    : context_(context), schedule_(schedule) {
  if (!schedule.tile_values.empty() && !recomputes(context))
    staged_ = plan::staged_values(context.stencil, context.launch, schedule.tile_values);
}

void StagedValues::allocate(kernel::Launch& launch, Body& body) {
  if (empty()) return;
  body.push_back({kernel::Note{"Values that several cells read, in shared memory: those of the "
                               "block and of cells around it."}});
  int place = 0;
  for (const plan::StagedValue& value : staged_.values) {
    Array array;
    int rows = 1, cells = 1;
    for (int a = 0; a < context_.rank(); ++a) {
      const int along =
          schedule_.tile()[a] + value.around.low[a] + value.around.high[a];
      array.cells.emplace_back(along);
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
  int threads = schedule_.threads[0];
  for (int a = 1; a < context_.rank(); ++a) {
    if (schedule_.threads[a] > 1)
      number = kernel::add(
          number, kernel::mul(kernel::place(kernel::Place::thread, a), kernel::index(threads)));
    threads *= schedule_.threads[a];
  }
  thread_ = lower::declare("thread", number, context_.names, body);
  for (int a = 0; a < context_.rank(); ++a) {
    ExprPtr first =
        schedule_.threads[a] == 1 ? kernel::index(0) : kernel::place(kernel::Place::thread, a);
    if (schedule_.coarsen > 1 && a == schedule_.coarsen_axis && a > 0)
      first = kernel::mul(first, kernel::index(schedule_.coarsen));
    own_.push_back(schedule_.threads[a] == 1 ? first
                                             : lower::declare("tile_" + context_.axes[a], first,
                                                       context_.names, body));
  }
}

std::vector<StagedValues::Together> StagedValues::together(int level) const {
  std::vector<Together> groups;
  for (size_t v = 0; v < staged_.values.size(); ++v) {
    const plan::StagedValue& value = staged_.values[v];
    if (value.level != level) continue;
    const auto found = std::ranges::find_if(groups, [&](const Together& group) {
      const plan::StagedValue& other = staged_.values[group[0]];
      return other.around.low == value.around.low && other.around.high == value.around.high &&
             other.cross == value.cross;
    });
    if (found != groups.end())
      found->push_back(static_cast<int>(v));
    else
      groups.push_back({static_cast<int>(v)});
  }
  return groups;
}

void StagedValues::compute(const ThreadMapping& mapping, bool edges, bool ends, Names names,
                           Body& body) const {
  for (int level = 0; level < staged_.levels(); ++level) {
    for (const Together& values : together(level)) {
      Names inner = names;
      body.push_back({loop_of(values, mapping, edges, ends, inner)});
    }
    body.push_back({kernel::Meet{}});
  }
}

For StagedValues::loop_of(const Together& values, const ThreadMapping& mapping, bool edges,
                          bool ends, Names& names) const {
  const plan::StagedValue& first = staged_.values[values[0]];
  const Array& array = arrays_[values[0]];
  int cells = 1;
  for (const kernel::Count& one : array.cells) cells *= one;
  const int threads = schedule_.block_threads();
  const int passes = (cells + threads - 1) / threads;
  double work = 0;
  for (const int v : values) work += ir::instructions_of({staged_.values[v].expr}).weighted();
  For loop = counted(work > kUnrolled || edges ? For::rolled : For::unrolled, names.claim("pass"),
                     kernel::index(passes));
  const ExprPtr number = lower::declare(
      "cell", kernel::add(kernel::mul(kernel::var(loop.name), kernel::index(threads)), thread_),
      names, loop.body);
  kernel::If counts{cells % threads == 0 ? nullptr : below(number, kernel::index(cells)), {}, {}};
  Body& body = counts.condition ? counts.yes : loop.body;
  std::vector<ExprPtr> local, at;  // in the block, from its first cell on; and in the grid
  constexpr const char* kPlaces[] = {"column", "row", "layer"};
  int skipped = 1;
  for (int a = 0; a < context_.rank(); ++a) {
    ExprPtr place = skipped == 1 ? number
                                 : kernel::bin(BinOp::idiv, number, kernel::index(skipped));
    if (a + 1 < context_.rank())
      place = kernel::bin(BinOp::mod, place, kernel::index(array.cells[a]));
    skipped *= array.cells[a];
    place = lower::declare(kPlaces[a], place, names, body);
    local.push_back(kernel::add(place, -first.around.low[a]));
  }
  for (int a = 0; a < context_.rank(); ++a)
    at.push_back(
        lower::declare(context_.axes[a] + "_there", kernel::add(mapping.block[a], local[a]), names, body));
  kernel::If wanted{needed(first, at, local, edges, ends), {}, {}};
  cell(values, at, local, edges, names, wanted.condition ? wanted.yes : body);
  if (wanted.condition) body.push_back({std::move(wanted)});
  if (counts.condition) loop.body.push_back({std::move(counts)});
  return loop;
}

// Null: every cell is.
ExprPtr StagedValues::needed(const plan::StagedValue& value, const std::vector<ExprPtr>& at,
                             const std::vector<ExprPtr>& local, bool edges, bool ends) const {
  ExprPtr all;
  const ir::Domain domain = ir::domain_of(context_.stencil, {value.expr});
  for (int a = 0; a < context_.rank() && (edges || ends); ++a) {
    if (edges && domain.low[a] > 0)
      all = kernel::both(all, kernel::bin(BinOp::ge, at[a], kernel::index(domain.low[a])));
    const int beyond = domain.high[a] > 0 ? -domain.high[a] : value.around.high[a];
    all = kernel::both(all, below(at[a], kernel::add(context_.box.extent(a), beyond)));
  }
  if (!value.cross) return all;
  // Beyond the block along one axis at most.
  std::vector<ExprPtr> inside;
  for (int a = 0; a < context_.rank(); ++a) {
    if (value.around.low[a] + value.around.high[a] == 0) continue;
    ExprPtr in;
    if (value.around.low[a] > 0) in = kernel::bin(BinOp::ge, local[a], kernel::index(0));
    if (value.around.high[a] > 0)
      in = kernel::both(in, below(local[a], kernel::index(schedule_.tile()[a])));
    inside.push_back(in);
  }
  ExprPtr crosses;
  for (size_t n = 0; n < inside.size(); ++n)
    for (size_t m = n + 1; m < inside.size(); ++m)
      crosses = kernel::both(crosses, kernel::bin(BinOp::or_, inside[n], inside[m]));
  return kernel::both(all, crosses);
}

void StagedValues::cell(const Together& values, const std::vector<ExprPtr>& at,
                        const std::vector<ExprPtr>& local, bool edges, Names& names,
                        Body& body) const {
  std::vector<plan::StagedRead> reads;
  for (const int v : values)
    reads.insert(reads.end(), staged_.values[v].reads.begin(), staged_.values[v].reads.end());
  const CellContext here = hand_over(reads, local);
  Cell::Tap tap;
  if (edges) {
    const auto anywhere = std::make_shared<ReadAnywhere>(context_, at, names, body);
    tap = [anywhere](const ir::Read& read) { return (*anywhere)(read); };
  } else {
    const ExprPtr i = lower::declare("i", linear(context_, at), names, body);
    tap = [this, &at, i](const ir::Read& read) { return interior_tap(context_, at, i, read); };
  }
  Cell computed(context_, at, std::move(tap), names, body, here);
  std::vector<ExprPtr> results;
  for (const int v : values) {
    const plan::StagedValue& value = staged_.values[v];
    ExprPtr result = computed.value(value.expr);
    if (values.size() > 1) result = computed.named(result, value.name);
    results.push_back(std::move(result));
  }
  for (size_t n = 0; n < values.size(); ++n) {
    const ExprPtr place = load(values[n], local, {});
    const auto* to = kernel::as<kernel::Load>(place);
    body.push_back({kernel::Store{to->buffer, to->at, results[n], to->row}});
  }
}

ExprPtr StagedValues::load(int value, const std::vector<ExprPtr>& local,
                           const ir::Offset& offset) const {
  const Array& array = arrays_[value];
  const plan::StagedValue& staged = staged_.values[value];
  const auto along = [&](int axis) {
    return kernel::add(local[axis], staged.around.low[axis] + offset[axis]);
  };
  ExprPtr row = kernel::index(0);
  for (int a = context_.rank() - 1; a > 0; --a)
    row = a == context_.rank() - 1
              ? along(a)
              : kernel::add(kernel::mul(row, kernel::index(array.cells[a])), along(a));
  return kernel::make(array.buffer.element, kernel::Load{array.buffer, along(0), row});
}

CellContext StagedValues::hand_over(const std::vector<plan::StagedRead>& reads,
                                    const std::vector<ExprPtr>& local) const {
  CellContext here;
  for (const auto& [named, value] : reads)
    here.at_hand[context_.numbering().id(named)] =
        load(value, local, ir::as<ir::Named>(named)->offset);
  return here;
}

CellContext StagedValues::read_by(const ExprPtr& k) const {
  if (empty()) return {};
  std::vector<ExprPtr> local = own_;
  if (k) {
    const int axis = schedule_.coarsen_axis;
    local[axis] = kernel::add(
        local[axis], kernel::mul(k, kernel::index(axis == 0 ? schedule_.threads[0] : 1)));
  }
  return hand_over(staged_.reads, local);
}

}  // namespace stencilc::lower
